//! A report that stands at its target already: what a run looks at before it writes the same bytes again.
//!
//! Cost: opening reads the list of digests and walks the directory; each file is read once when it is asked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::sums::{self, SUMS_FILE};
use super::verify;
use crate::finding::Digest;

/// A report directory with its list of digests.
#[derive(Debug)]
pub struct StandingReport {
    directory: PathBuf,
    sums: BTreeMap<String, Digest>,
    list: Digest,
}

impl StandingReport {
    /// The report at a place, where there is one that has a list of digests and no file beside the listed ones.
    pub fn open(directory: &Path) -> Option<Self> {
        let list = Digest::of(&fs::read(directory.join(SUMS_FILE)).ok()?);
        let sums = sums::read(directory).ok()?;
        let added = verify::unlisted_files(directory, &sums).ok()?;
        added.is_empty().then(|| Self { directory: directory.to_owned(), sums, list })
    }

    /// The digest of the list itself: equal ones stand for equal reports.
    pub fn list(&self) -> Digest {
        self.list
    }

    /// Number of files and bytes, as a run that wrote them would count them.
    pub fn size(&self) -> (u64, u64) {
        let bytes = |path: &str| fs::metadata(self.directory.join(path)).map_or(0, |metadata| metadata.len());
        let listed: u64 = self.sums.keys().map(|path| bytes(path)).sum();
        (self.sums.len() as u64 + 1, listed + bytes(SUMS_FILE))
    }

    /// The listed files.
    pub fn files(&self) -> Vec<&str> {
        self.sums.keys().map(String::as_str).collect()
    }

    /// Whether a listed file is there and has its digest.
    pub fn holds(&self, path: &str) -> bool {
        self.sums.get(path).is_some_and(|digest| verify::fault_of(&self.directory.join(path), *digest).is_none())
    }

    /// The bytes of a listed file, where they have their digest.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.directory.join(path)).ok()?;
        (self.sums.get(path) == Some(&Digest::of(&bytes))).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ReportDirectory;
    use super::*;

    #[test]
    fn a_report_stands_until_a_file_is_changed_or_added() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("report");
        let report = ReportDirectory::create(&target).unwrap();
        report.write("report.json", b"{}").unwrap();
        let written = report.commit().unwrap();
        let standing = StandingReport::open(&target).unwrap();
        assert_eq!(standing.list(), written.list);
        assert_eq!(standing.size(), (written.files, written.bytes));
        assert_eq!(standing.read("report.json").unwrap(), b"{}");
        assert!(standing.holds("report.json"));
        fs::write(target.join("report.json"), "[]").unwrap();
        assert!(!standing.holds("report.json") && standing.read("report.json").is_none());
        fs::write(target.join("more"), "").unwrap();
        assert!(StandingReport::open(&target).is_none());
    }
}
