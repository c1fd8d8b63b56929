//! What oc-mirror v2 has sent before: `.history` of its working directory.
//!
//! Rule: oc-mirror, `internal/pkg/history/history.go`: each `.history-<time>` lists one digest a line, cumulatively and in no
//! order, and blobs of the newest are left out of the next archive. Cost: every file is read once.

use std::collections::BTreeMap;

use crate::finding::ContentDigest;

use super::super::walk::Walk;
use crate::source::{FileFaultKind, SourceLimits};

/// A history of a million blobs has 72 MB.
const HISTORY_BYTES: u64 = 128 << 20;

/// The blobs that were sent before, and which record says so.
#[derive(Debug, Default)]
pub struct History {
    files: Vec<String>,
    sent: BTreeMap<ContentDigest, usize>,
}

impl History {
    /// Reads the records of a directory, the newest first.
    pub(super) fn read(&mut self, walk: &mut Walk<'_>, directory: &str, limits: &SourceLimits) {
        let mut names = walk.names(directory);
        names.retain(|name| name.starts_with(".history-"));
        for name in names.into_iter().rev() {
            let path = format!("{directory}/{name}");
            match walk.tree.read(&path, HISTORY_BYTES) {
                Ok(bytes) => self.take(walk, path, &bytes, limits),
                Err(error) => walk.fault(&path, FileFaultKind::Unreadable, error.to_string()),
            }
        }
    }

    fn take(&mut self, walk: &mut Walk<'_>, path: String, bytes: &[u8], limits: &SourceLimits) {
        let position = self.files.len();
        let text = String::from_utf8_lossy(bytes);
        let mut torn = 0;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let Ok(digest) = line.parse() else {
                torn += 1;
                continue;
            };
            if self.sent.len() >= limits.files && !self.sent.contains_key(&digest) {
                let reason = format!("the history has more than {} digests", limits.files);
                walk.fault(&path, FileFaultKind::Limit, reason);
                break;
            }
            self.sent.entry(digest).or_insert(position);
        }
        if torn > 0 {
            walk.fault(&path, FileFaultKind::Unreadable, format!("{torn} of its lines are no digests"));
        }
        self.files.push(path);
    }

    /// The records, by path, the newest of each working directory first.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The newest record that lists a digest.
    pub fn record_of(&self, digest: &ContentDigest) -> Option<&str> {
        self.sent.get(digest).and_then(|position| self.files.get(*position)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::{tree, write};
    use super::*;
    use crate::source::FileFault;

    fn read(files: &[(&str, String)], limits: &SourceLimits) -> (History, Vec<FileFault>) {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            write(place.path(), &format!(".history/{name}"), text);
        }
        let tree = tree(place.path());
        let mut walk = Walk::new(&*tree, limits);
        let mut history = History::default();
        history.read(&mut walk, ".history", limits);
        (history, walk.into_faults())
    }

    #[test]
    fn the_newest_record_is_named() {
        let (one, two) = (ContentDigest::of(b"1"), ContentDigest::of(b"2"));
        let files = [
            (".history-2026-01-01T00:00:00Z", format!("{one}\n")),
            (".history-2026-02-01T00:00:00Z", format!("{two}\r\n{two}\n")),
            ("other", ContentDigest::of(b"3").to_string()),
        ];
        let (history, faults) = read(&files, &SourceLimits::default());
        assert_eq!(history.record_of(&one), Some(".history/.history-2026-01-01T00:00:00Z"));
        assert_eq!(history.record_of(&two), Some(".history/.history-2026-02-01T00:00:00Z"));
        assert_eq!(history.record_of(&ContentDigest::of(b"3")), None);
        assert_eq!(history.files().len(), 2);
        assert!(faults.is_empty(), "{faults:?}");
    }

    #[test]
    fn lines_that_are_no_digests_are_a_fault() {
        let digest = ContentDigest::of(b"1");
        let (history, faults) = read(&[(".history-1", format!("sha256:ab\n{digest}"))], &SourceLimits::default());
        assert!(history.record_of(&digest).is_some());
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].reason, "1 of its lines are no digests");
    }

    #[test]
    fn a_history_without_end_meets_its_limit() {
        let lines: String = (0..3u8).map(|number| format!("{}\n", ContentDigest::of(&[number]))).collect();
        let limits = SourceLimits { files: 2, ..SourceLimits::default() };
        let (history, faults) = read(&[(".history-1", lines)], &limits);
        assert!(history.record_of(&ContentDigest::of(&[1])).is_some());
        assert!(history.record_of(&ContentDigest::of(&[2])).is_none());
        assert_eq!((faults.len(), faults[0].kind), (1, FileFaultKind::Limit));
    }
}
