//! Reads a file in windows that end between documents, so that a catalog of gigabytes never lies in memory whole.
//!
//! A YAML document ends before a line that begins with `---`. A JSON object at the top level ends at a `}` that is followed
//! by a line break, white space, and `{`: inside an object or a list a comma would stand between them, and a text holds no
//! raw line break. A document that is longer than a window makes the window longer. Cost: each byte is read once, and
//! copied once where it lies behind the last end.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use memchr::memmem;

/// Bytes that a window aims at: large enough for good parallel work, small enough for many at a time.
const WINDOW: usize = 16 << 20;

/// A part of a file that holds whole documents.
#[derive(Debug)]
pub struct Window {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Line of the file that the first byte stands in, from 1.
    pub line: u32,
    /// Whether the file ends here.
    pub last: bool,
}

/// The windows of one file.
pub struct Windows {
    file: File,
    left: u64,
    document_bytes: u64,
    rest: Vec<u8>,
    line: u32,
    size: usize,
    done: bool,
}

impl Windows {
    /// Opens a file, of which so many bytes are read at most, and so many of one document. The buffer is one that is no longer
    /// needed: fresh memory costs more than the reading itself.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(place: &Path, file_bytes: u64, document_bytes: u64, mut buffer: Vec<u8>) -> Result<Self> {
        buffer.clear();
        let file = File::open(place)?;
        // One byte more tells a file that is too large from one that just fits.
        let left = file_bytes.saturating_add(1);
        Ok(Self { file, left, document_bytes, rest: buffer, line: 1, size: WINDOW, done: false })
    }

    /// The next window, or `None` behind the last one.
    ///
    /// # Errors
    /// What the operating system says; [`ErrorKind::FileTooLarge`] for a document or a file beyond the limit. The file ends
    /// there.
    pub fn next_window(&mut self) -> Result<Option<Window>> {
        if self.done {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.rest);
        let mut wanted = self.size;
        loop {
            let room = u64::try_from(wanted.saturating_sub(bytes.len())).unwrap_or(u64::MAX).min(self.left);
            let read = (&mut self.file).take(room).read_to_end(&mut bytes)?;
            self.left = self.left.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX));
            if u64::try_from(read).unwrap_or(u64::MAX) < room {
                self.done = true;
                return Ok(Some(self.window(bytes, true)));
            }
            if let Some(end) = last_end(&bytes) {
                self.rest = bytes.split_off(end);
                return Ok(Some(self.window(bytes, false)));
            }
            if self.left == 0 {
                return self.refuse("the file is larger than it may be".to_owned());
            }
            if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > self.document_bytes {
                return self.refuse(format!("a document has more than {} bytes", self.document_bytes));
            }
            wanted = wanted.saturating_mul(2);
        }
    }

    fn refuse(&mut self, reason: String) -> Result<Option<Window>> {
        self.done = true;
        Err(Error::new(ErrorKind::FileTooLarge, reason))
    }

    fn window(&mut self, bytes: Vec<u8>, last: bool) -> Window {
        let line = self.line;
        if !last {
            let breaks = memchr::memchr_iter(b'\n', &bytes).count();
            self.line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        }
        Window { bytes, line, last }
    }
}

/// The last place between two documents, not counting the very beginning.
fn last_end(bytes: &[u8]) -> Option<usize> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'{') { last_json_end(bytes) } else { memmem::rfind(bytes, b"\n---").map(|found| found + 1) }
}

fn last_json_end(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr_iter(b'{', bytes).find(|&open| {
        let before = bytes.get(..open).unwrap_or(&[]);
        let blank = before.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let (text, blanks) = before.split_at_checked(before.len() - blank).unwrap_or((before, &[]));
        text.last() == Some(&b'}') && blanks.contains(&b'\n')
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn windows(text: &str, size: usize) -> Vec<(String, u32)> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut windows = Windows::open(file.path(), u64::MAX, u64::MAX, Vec::new()).unwrap();
        windows.size = size;
        let mut found = Vec::new();
        while let Some(window) = windows.next_window().unwrap() {
            found.push((String::from_utf8(window.bytes).unwrap(), window.line));
        }
        found
    }

    #[test]
    fn yaml_is_cut_before_a_separator_and_lines_go_on() {
        let found = windows("a: 1\n---\nb: 2\n---\nc: 3\n", 12);
        assert_eq!(found[0], ("a: 1\n".to_owned(), 1));
        assert_eq!(found[1].1, 2);
        let whole: String = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(whole, "a: 1\n---\nb: 2\n---\nc: 3\n");
    }

    #[test]
    fn json_is_cut_between_objects_only() {
        let text = "{\"a\": [{\"b\": 1},\n {\"c\": 2}]}\n{\"d\": 3}\n";
        let found = windows(text, 34);
        assert_eq!(found[0].0, "{\"a\": [{\"b\": 1},\n {\"c\": 2}]}\n");
        assert_eq!(found[1], ("{\"d\": 3}\n".to_owned(), 3));
    }

    #[test]
    fn what_is_beyond_the_limits_is_refused() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "a: 1\n---\nb: {}\n", "x".repeat(100)).unwrap();
        for (file_bytes, document_bytes) in [(u64::MAX, 20), (60, u64::MAX)] {
            let mut windows = Windows::open(file.path(), file_bytes, document_bytes, Vec::new()).unwrap();
            windows.size = 10;
            assert_eq!(windows.next_window().unwrap().unwrap().bytes, b"a: 1\n");
            assert_eq!(windows.next_window().unwrap_err().kind(), ErrorKind::FileTooLarge);
            assert!(windows.next_window().unwrap().is_none());
        }
    }

    #[test]
    fn a_long_document_makes_a_long_window() {
        let text = format!("a: {}\n---\nb: {}\n", "x".repeat(100), "y".repeat(200));
        assert_eq!(windows(&text, 8)[0].0.len(), 104);
    }
}
