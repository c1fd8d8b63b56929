//! Checks a blob while it is read.
//!
//! Rule: a blob is what its digest and size say, or nothing of it counts (OCI image specification, descriptor). The end of
//! the stream is an error where either differs, and so is a byte beyond the stated size. Cost: one digest.

use std::io::{Error, ErrorKind, Read, Result};

use crate::finding::{ContentDigest, ContentHasher};

/// A reader that fails at the end where the bytes were not those of the digest.
pub struct Verified<R> {
    inner: R,
    expected: ContentDigest,
    /// `None` once the end was checked.
    hasher: Option<ContentHasher>,
    stated: Option<u64>,
    read: u64,
}

impl<R: Read> Verified<R> {
    /// Reads bytes that must have this digest and, where it is stated, this size.
    pub fn new(inner: R, expected: ContentDigest, stated: Option<u64>) -> Self {
        let hasher = Some(expected.hasher());
        Self { inner, expected, hasher, stated, read: 0 }
    }

    /// Reads what is left, so that the end is checked even where the reader of the content stopped before it.
    ///
    /// # Errors
    /// Those of reading, and [`ErrorKind::InvalidData`] where digest or size differ.
    pub fn finish(&mut self) -> Result<()> {
        let mut buffer = vec![0; 64 << 10];
        while self.read(&mut buffer)? > 0 {}
        Ok(())
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.read
    }

    fn check(&mut self) -> Result<()> {
        let Some(hasher) = self.hasher.take() else { return Ok(()) };
        if let Some(stated) = self.stated.filter(|stated| *stated != self.read) {
            return Err(bad(format!("{} has {} bytes, and {stated} are stated", self.expected, self.read)));
        }
        let found = hasher.finish();
        if found != self.expected {
            return Err(bad(format!("{} has bytes of the digest {found}", self.expected)));
        }
        Ok(())
    }
}

impl<R: Read> Read for Verified<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(buffer)?;
        if count == 0 {
            if !buffer.is_empty() {
                self.check()?;
            }
            return Ok(0);
        }
        self.read = self.read.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        if let Some(stated) = self.stated.filter(|stated| self.read > *stated) {
            return Err(bad(format!("{} has more than the {stated} bytes that are stated", self.expected)));
        }
        if let (Some(hasher), Some(read)) = (&mut self.hasher, buffer.get(..count)) {
            hasher.update(read);
        }
        Ok(count)
    }
}

fn bad(reason: String) -> Error {
    Error::new(ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], digest_of: &[u8], stated: Option<u64>) -> Result<Vec<u8>> {
        let mut read = Vec::new();
        Verified::new(bytes, ContentDigest::of(digest_of), stated).read_to_end(&mut read).map(|_| read)
    }

    #[test]
    fn the_right_bytes_pass() {
        assert_eq!(read(b"text", b"text", Some(4)).unwrap(), b"text");
        assert_eq!(read(b"", b"", None).unwrap(), b"");
    }

    #[test]
    fn other_bytes_and_other_sizes_fail_at_the_end() {
        for (bytes, stated) in [(b"tent".as_slice(), Some(4)), (b"text", Some(3)), (b"text", Some(5)), (b"tex", None)] {
            assert_eq!(
                read(bytes, b"text", stated).unwrap_err().kind(),
                ErrorKind::InvalidData,
                "{bytes:?} {stated:?}"
            );
        }
    }

    #[test]
    fn the_rest_is_checked_even_where_nobody_read_it() {
        assert!(Verified::new(b"text".as_slice(), ContentDigest::of(b"text"), None).finish().is_ok());
        assert!(Verified::new(b"tent".as_slice(), ContentDigest::of(b"text"), None).finish().is_err());
    }
}
