//! One file of a dump: what it is by its name and its beginning, and its documents.
//!
//! Cost: one read of a file that is wanted, and of its first 4 KiB where the name does not tell.

use std::io::{self, Read};

use super::{DumpContent, DumpLimits, DumpPiece, DumpReading};
use crate::codec::{Limits, split};
use crate::source::{FileFault, FileFaultKind};

/// What a name tells about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Documents,
    Timestamp,
    /// A text that may be a message, or a dump that was given this name.
    Text,
    /// Documents where it begins so.
    Unknown,
    Other,
}

/// Bytes at which a file without a telling name is known.
const HEAD: u64 = 4096;
/// Ends of names that documents never have.
const OTHERS: [&str; 12] = ["log", "gz", "xz", "zst", "tar", "tgz", "zip", "html", "md", "png", "svg", "csv"];

impl Sort {
    fn of(path: &str) -> Self {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let Some((_, end)) = name.rsplit_once('.') else {
            return if name == "timestamp" { Self::Timestamp } else { Self::Unknown };
        };
        let is_one_of = |ends: &[&str]| ends.iter().any(|known| end.eq_ignore_ascii_case(known));
        if is_one_of(&["json", "yaml", "yml"]) {
            Self::Documents
        } else if is_one_of(&["txt", "err", "stderr"]) {
            Self::Text
        } else if is_one_of(&OTHERS) {
            Self::Other
        } else {
            Self::Unknown
        }
    }
}

/// Reads one file after the other, and keeps count.
pub(super) struct Reader<'r> {
    pub(super) limits: &'r DumpLimits,
    pub(super) reading: DumpReading,
    document_limits: &'r Limits,
    visit: &'r mut dyn FnMut(DumpPiece<'_>),
    entries: usize,
}

impl<'r> Reader<'r> {
    pub(super) fn new(
        limits: &'r DumpLimits,
        document_limits: &'r Limits,
        visit: &'r mut dyn FnMut(DumpPiece<'_>),
    ) -> Self {
        Self { limits, reading: DumpReading::default(), document_limits, visit, entries: 0 }
    }

    /// Counts a file or a directory, and tells whether there may be more.
    pub(super) fn has_room(&mut self, path: &str) -> bool {
        self.entries += 1;
        if self.entries > self.limits.entries {
            self.fault(path, FileFaultKind::Limit, format!("the dump has more than {} entries", self.limits.entries));
            return false;
        }
        if self.reading.bytes > self.limits.bytes {
            self.fault(path, FileFaultKind::Limit, format!("the dump has more than {} bytes", self.limits.bytes));
            return false;
        }
        true
    }

    /// Whether a file of this name is passed over unseen.
    pub(super) fn passes_over(&self, path: &str) -> bool {
        Sort::of(path) == Sort::Other
    }

    /// Whether the name promises documents, so that it is a fault where there are none.
    pub(super) fn promises_documents(&self, path: &str) -> bool {
        Sort::of(path) == Sort::Documents
    }

    pub(super) fn pass_over(&mut self) {
        self.reading.passed_over += 1;
    }

    pub(super) fn fault(&mut self, path: &str, kind: FileFaultKind, reason: impl Into<String>) {
        self.reading.faults.push(FileFault { path: path.to_owned(), kind, reason: reason.into() });
    }

    /// Reads a file as far as it is wanted.
    pub(super) fn file(&mut self, path: &str, content: impl Read) {
        let read = match Sort::of(path) {
            Sort::Documents => self.documents(path, Vec::new(), content),
            Sort::Timestamp => self.text(path, content, true),
            Sort::Text => self.text(path, content, false),
            Sort::Unknown => self.unknown(path, content),
            Sort::Other => {
                self.pass_over();
                Ok(())
            }
        };
        self.note(path, read);
    }

    /// Reads a file that is the whole dump, whatever its name.
    pub(super) fn file_alone(&mut self, path: &str, content: impl Read) {
        let read = self.documents(path, Vec::new(), content);
        self.note(path, read);
    }

    fn note(&mut self, path: &str, read: io::Result<()>) {
        if let Err(error) = read {
            let is_limit = error.kind() == io::ErrorKind::FileTooLarge;
            let kind = if is_limit { FileFaultKind::Limit } else { FileFaultKind::Unreadable };
            self.fault(path, kind, error.to_string());
        }
    }

    fn unknown(&mut self, path: &str, mut content: impl Read) -> io::Result<()> {
        let head = self.head(&mut content, HEAD)?;
        if begins_as_objects(&head) {
            return self.documents(path, head, content);
        }
        self.pass_over();
        Ok(())
    }

    fn text(&mut self, path: &str, mut content: impl Read, is_timestamp: bool) -> io::Result<()> {
        let head = self.head(&mut content, self.limits.text_bytes.saturating_add(1))?;
        if !is_timestamp && begins_as_objects(&head) {
            return self.documents(path, head, content);
        }
        self.pass_over();
        let is_short = u64::try_from(head.len()).is_ok_and(|length| length <= self.limits.text_bytes);
        if let Ok(text) = std::str::from_utf8(&head)
            && is_short
        {
            let content = if is_timestamp { DumpContent::Timestamp(text) } else { DumpContent::Text(text) };
            (self.visit)(DumpPiece { path, content });
        }
        Ok(())
    }

    fn head(&mut self, content: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        let read = content.take(most).read_to_end(&mut head)?;
        self.count(read);
        Ok(head)
    }

    fn documents(&mut self, path: &str, mut bytes: Vec<u8>, content: impl Read) -> io::Result<()> {
        let left = self.limits.bytes.saturating_sub(self.reading.bytes);
        let most = self.limits.file_bytes.min(left);
        let read = content.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        self.count(read);
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
            let reason = format!("it has more than the {most} bytes that are allowed");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        self.reading.files += 1;
        let cut = split(&bytes, self.document_limits);
        let mut number = 0_u32;
        for document in cut.documents {
            number = number.saturating_add(1);
            (self.visit)(DumpPiece { path, content: DumpContent::Document { number, document } });
        }
        if let Some(fault) = cut.fault {
            let number = number.saturating_add(1);
            (self.visit)(DumpPiece { path, content: DumpContent::Rest { number, fault } });
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) {
        self.reading.bytes = self.reading.bytes.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
    }
}

/// Whether a text begins as printed objects do: a JSON object with `apiVersion`, or YAML whose first key is one that such
/// objects begin with.
fn begins_as_objects(head: &[u8]) -> bool {
    let text = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    if text.trim_start().starts_with('{') {
        return text.contains("\"apiVersion\"");
    }
    let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty() && *line != "---");
    let first = lines.next().unwrap_or_default();
    ["apiVersion:", "items:", "kind:"].iter().any(|key| first.starts_with(key)) && text.contains("apiVersion:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_is() {
        for (path, sort) in [
            ("a/b.yaml", Sort::Documents),
            ("a/B.JSON", Sort::Documents),
            ("x.yml", Sort::Documents),
            ("timestamp", Sort::Timestamp),
            ("must-gather/timestamp", Sort::Timestamp),
            ("subscriptions.error.txt", Sort::Text),
            ("pods/current.log", Sort::Other),
            ("x.yaml.gz", Sort::Other),
            ("version", Sort::Unknown),
            ("dump.out", Sort::Unknown),
        ] {
            assert_eq!(Sort::of(path), sort, "{path}");
        }
    }

    #[test]
    fn objects_are_known_by_their_beginning() {
        for text in [
            "{\n \"apiVersion\": \"v1\"",
            "apiVersion: v1\nkind: List",
            "# collected\n---\nkind: List\napiVersion: v1",
            "items:\n- apiVersion: v1",
        ] {
            assert!(begins_as_objects(text.as_bytes()), "{text}");
        }
        for text in
            ["", "openshift/must-gather\n4.18", "{\"level\": \"info\"}", "kind: of text", "key: value\napiVersion: v1"]
        {
            assert!(!begins_as_objects(text.as_bytes()), "{text}");
        }
        assert!(!begins_as_objects(b"\xff\xfe"));
    }
}
