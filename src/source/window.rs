//! Reads a file in windows that end between documents, so that a catalog of gigabytes never lies in memory whole.
//!
//! A YAML document ends before a line that begins with `---`. A JSON object at the top level ends at a `}` that is followed
//! by a line break, white space, and `{`: inside an object or a list a comma would stand between them, and a text holds no
//! raw line break. A document that is longer than a window makes the window longer, and so does a file that may yet turn
//! out to be of the other format. Cost: each byte is read once, and copied once where it lies behind the last end.

use std::io::{Error, ErrorKind, Read, Result};

use memchr::memmem;

use crate::codec::{Format, certain_format};

/// Bytes that a window aims at: large enough for good parallel work, small enough for many at a time.
const WINDOW: usize = 16 << 20;

/// The windows of one file.
pub struct Windows<R> {
    file: R,
    left: u64,
    document_bytes: u64,
    rest: Vec<u8>,
    /// Where the file may be cut; `None` while that is not certain.
    format: Option<Format>,
    size: usize,
    done: bool,
}

impl<R: Read> Windows<R> {
    /// Reads a file, of which so many bytes are read at most, and so many of one document. The buffer is one that is no
    /// longer needed: fresh memory costs more than the reading itself.
    pub fn new(file: R, file_bytes: u64, document_bytes: u64, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        // One byte more tells a file that is too large from one that just fits.
        let left = file_bytes.saturating_add(1);
        Self { file, left, document_bytes, rest: buffer, format: None, size: WINDOW, done: false }
    }

    /// The same with windows that aim at so many bytes.
    #[must_use]
    pub fn of_size(mut self, bytes: usize) -> Self {
        self.size = bytes;
        self
    }

    /// The next window, which holds whole documents, or `None` behind the last one.
    ///
    /// # Errors
    /// What the operating system says; [`ErrorKind::FileTooLarge`] for a document or a file beyond the limit. The file ends
    /// there.
    pub fn next_window(&mut self) -> Result<Option<Vec<u8>>> {
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
                return Ok(Some(bytes));
            }
            self.format = self.format.or_else(|| certain_format(&bytes));
            if let Some(end) = self.format.and_then(|format| last_end(&bytes, format)) {
                self.rest = bytes.split_off(end);
                return Ok(Some(bytes));
            }
            if self.left == 0 {
                return self.refuse("the file is larger than it may be".to_owned());
            }
            if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > self.document_bytes {
                return self.refuse(format!("no document ends within {} bytes", self.document_bytes));
            }
            wanted = wanted.saturating_mul(2);
        }
    }

    fn refuse(&mut self, reason: String) -> Result<Option<Vec<u8>>> {
        self.done = true;
        Err(Error::new(ErrorKind::FileTooLarge, reason))
    }
}

/// The last place between two documents, not counting the very beginning.
fn last_end(bytes: &[u8], format: Format) -> Option<usize> {
    match format {
        Format::Json => last_json_end(bytes),
        Format::Yaml => memmem::rfind(bytes, b"\n---").map(|found| found + 1),
    }
}

/// Ends lie at the start of a line, so that columns are those of the file.
fn last_json_end(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr_iter(b'{', bytes).find_map(|open| {
        let before = bytes.get(..open)?;
        let text = before.trim_ascii_end();
        let blanks = before.get(text.len()..)?;
        let line_break = memchr::memrchr(b'\n', blanks).filter(|_| text.last() == Some(&b'}'))?;
        Some(text.len() + line_break + 1)
    })
}

#[cfg(test)]
mod tests;
