//! Holds a report directory against its list of digests.
//!
//! Rule: every listed file is there with its digest, and nothing else is there; a symbolic link is no file of a report,
//! since it could lead anywhere. Cost: one walk, and one SHA-256 pass over all listed files, never a whole one in memory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use walkdir::WalkDir;

use super::error::EmitError;
use super::sums::{self, SUMS_FILE};
use crate::finding::Digest;

/// A file of a report that is not as its list of digests says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct BadFile {
    /// The path inside the report; bytes that are no UTF-8 are shown as U+FFFD.
    pub path: String,
    /// What is wrong with it.
    pub reason: BadReason,
}

/// What is wrong with a file of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BadReason {
    /// Its content, or its kind, is not the listed one.
    Changed,
    /// It is listed and not there.
    Missing,
    /// It is there and not listed.
    Added,
    /// It is there and cannot be read.
    Unreadable,
}

/// The files of a report directory that were changed, removed or added since it was written, sorted by path.
///
/// # Errors
/// When `SHA256SUMS` is missing, unreadable or malformed, and when the directory cannot be listed.
pub fn verify_sums(directory: &Path) -> Result<Vec<BadFile>, EmitError> {
    let sums = sums::read(directory)?;
    let mut bad = unlisted_files(directory, &sums)?;
    for (path, expected) in &sums {
        if let Some(reason) = fault_of(&directory.join(path), *expected) {
            bad.push(BadFile { path: path.clone(), reason });
        }
    }
    bad.sort();
    Ok(bad)
}

pub(super) fn fault_of(path: &Path, expected: Digest) -> Option<BadReason> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Some(BadReason::Changed),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Some(BadReason::Missing);
        }
        _ => {}
    }
    match digest_of_file(path) {
        Ok(digest) if digest == expected => None,
        Ok(_) => Some(BadReason::Changed),
        Err(_) => Some(BadReason::Unreadable),
    }
}

fn digest_of_file(path: &Path) -> io::Result<Digest> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let length = file.read(&mut buffer)?;
        match buffer.get(..length) {
            None | Some([]) => return Ok(Digest::from_bytes(hasher.finalize().into())),
            Some(part) => hasher.update(part),
        }
    }
}

pub(super) fn unlisted_files(directory: &Path, sums: &BTreeMap<String, Digest>) -> Result<Vec<BadFile>, EmitError> {
    let mut added = Vec::new();
    for entry in WalkDir::new(directory).min_depth(1) {
        let entry = entry.map_err(|error| EmitError::io("list", directory)(error.into()))?;
        let Ok(relative) = entry.path().strip_prefix(directory) else { continue };
        let is_listed = relative.to_str().is_some_and(|path| path == SUMS_FILE || sums.contains_key(path));
        if !entry.file_type().is_dir() && !is_listed {
            added.push(BadFile { path: relative.to_string_lossy().into_owned(), reason: BadReason::Added });
        }
    }
    Ok(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_changed_removed_and_added() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("report");
        let report = super::super::ReportDirectory::create(&target).unwrap();
        for path in ["report.json", "a/changed", "a/linked", "a/removed", "b/c"] {
            report.write(path, b"content").unwrap();
        }
        report.commit().unwrap();
        assert_eq!(verify_sums(&target).unwrap(), []);

        fs::write(target.join("a/changed"), "Content").unwrap();
        fs::remove_file(target.join("a/removed")).unwrap();
        fs::remove_dir_all(target.join("b")).unwrap();
        fs::write(target.join("b"), "a file where a directory was").unwrap();
        fs::remove_file(target.join("a/linked")).unwrap();
        std::os::unix::fs::symlink(target.join("report.json"), target.join("a/linked")).unwrap();
        let found: Vec<_> = verify_sums(&target).unwrap().into_iter().map(|bad| (bad.path, bad.reason)).collect();
        let expected = [
            ("a/changed", BadReason::Changed),
            ("a/linked", BadReason::Changed),
            ("a/removed", BadReason::Missing),
            ("b", BadReason::Added),
            ("b/c", BadReason::Missing),
        ];
        assert_eq!(found, expected.map(|(path, reason)| (path.to_owned(), reason)));
    }

    #[test]
    fn a_directory_without_a_list_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        assert!(matches!(verify_sums(place.path()), Err(EmitError::Io { .. })));
    }
}
