//! The files of a report, read back.
//!
//! Rule: a report lists its files with their digests in `SHA256SUMS`, and bytes that have a digest are checked against it
//! before anybody decodes them; a path that leaves the report, a symbolic link and a file that is not listed are no files of
//! it. Cost: one read and one digest of each file that is asked for.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use super::{SourceError, SourceLimits};
use crate::finding::Digest;

/// A report directory, opened for reading.
#[derive(Debug)]
pub struct ReportFiles {
    place: PathBuf,
    root: PathBuf,
    digests: BTreeMap<String, Digest>,
    most_bytes: u64,
}

impl ReportFiles {
    /// Opens a report whose files have these digests, by their paths relative to the report.
    ///
    /// # Errors
    /// [`SourceError`] where the place itself cannot be looked at.
    pub fn open(place: &Path, digests: BTreeMap<String, Digest>, limits: &SourceLimits) -> Result<Self, SourceError> {
        let root = fs::canonicalize(place).map_err(|cause| SourceError::Io { path: place.to_owned(), cause })?;
        Ok(Self { place: place.to_owned(), root, digests, most_bytes: limits.report_file_bytes })
    }

    /// Where a file of the report lies, for messages.
    pub fn place_of(&self, path: &str) -> PathBuf {
        self.place.join(path)
    }

    /// The bytes of one file, given by its path relative to the report.
    ///
    /// # Errors
    /// [`SourceError`] that names the file: it leaves the report, is not listed, is larger than the limit, has another
    /// digest, or cannot be read.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, SourceError> {
        let unsuitable = |what: String| SourceError::Unsuitable { path: self.place_of(path), what };
        let io = |cause| SourceError::Io { path: self.place_of(path), cause };
        if !stays_inside(path) {
            return Err(unsuitable("the path leaves the report".to_owned()));
        }
        let Some(expected) = self.digests.get(path) else {
            return Err(unsuitable("the report does not list it among its files".to_owned()));
        };
        let file = self.root.join(path);
        let real = fs::canonicalize(&file).map_err(io)?;
        if real != file || !fs::metadata(&real).map_err(io)?.is_file() {
            return Err(unsuitable("it is not a file of the report".to_owned()));
        }
        let mut bytes = Vec::new();
        let most = self.most_bytes;
        let read = File::open(&real).and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut bytes));
        if u64::try_from(read.map_err(io)?).unwrap_or(u64::MAX) > most {
            return Err(unsuitable(format!("it has more than {most} bytes")));
        }
        if Digest::of(&bytes) != *expected {
            return Err(unsuitable("it was changed since the report was written".to_owned()));
        }
        Ok(bytes)
    }
}

/// Whether a relative path consists of plain names only.
fn stays_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report with the file `a/b`, which is four bytes long, and a limit of four bytes.
    fn report(place: &Path, listed: &[&str]) -> ReportFiles {
        fs::create_dir_all(place.join("report/a")).unwrap();
        fs::write(place.join("report/a/b"), "text").unwrap();
        fs::write(place.join("outside"), "text").unwrap();
        let digests = listed.iter().map(|path| ((*path).to_owned(), Digest::of(b"text"))).collect();
        let limits = SourceLimits { report_file_bytes: 4, ..SourceLimits::default() };
        ReportFiles::open(&place.join("report"), digests, &limits).unwrap()
    }

    fn refusal(report: &ReportFiles, path: &str) -> String {
        report.read(path).unwrap_err().to_string()
    }

    #[test]
    fn a_listed_file_is_read() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(report(place.path(), &["a/b"]).read("a/b").unwrap(), b"text");
    }

    #[test]
    fn a_file_that_is_not_listed_is_refused() {
        let place = tempfile::tempdir().unwrap();
        assert!(refusal(&report(place.path(), &[]), "a/b").contains("does not list"));
    }

    #[test]
    fn a_path_that_leaves_is_refused_even_where_it_is_listed() {
        let place = tempfile::tempdir().unwrap();
        let absolute = place.path().join("outside").display().to_string();
        for path in ["../outside", "a/../../outside", absolute.as_str(), ""] {
            assert!(refusal(&report(place.path(), &[path]), path).contains("leaves the report"), "{path}");
        }
    }

    #[test]
    fn a_link_is_no_file_of_a_report() {
        let place = tempfile::tempdir().unwrap();
        let report = report(place.path(), &["link", "up/outside", "a"]);
        std::os::unix::fs::symlink(place.path().join("outside"), place.path().join("report/link")).unwrap();
        std::os::unix::fs::symlink(place.path(), place.path().join("report/up")).unwrap();
        for path in ["link", "up/outside", "a"] {
            assert!(refusal(&report, path).contains("not a file of the report"), "{path}");
        }
    }

    #[test]
    fn a_changed_file_and_a_large_one_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let report = report(place.path(), &["a/b"]);
        fs::write(place.path().join("report/a/b"), "tent").unwrap();
        assert!(refusal(&report, "a/b").contains("changed"));
        fs::write(place.path().join("report/a/b"), "texts").unwrap();
        assert!(refusal(&report, "a/b").contains("more than 4 bytes"));
        fs::remove_file(place.path().join("report/a/b")).unwrap();
        assert!(matches!(report.read("a/b"), Err(SourceError::Io { .. })));
    }
}
