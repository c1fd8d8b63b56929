//! Passing over contents: by reading where bytes stream by, by seeking where they lie still.
//!
//! Cost: a buffer.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// A reader that can pass over bytes.
pub trait Skip: Read {
    /// Passes over so many bytes and tells how many there were: fewer at the end.
    ///
    /// # Errors
    /// Those of the reader.
    fn skip(&mut self, bytes: u64) -> io::Result<u64>;
}

/// Passes over bytes by reading them.
pub struct Streamed<R>(BufReader<R>);

impl<R: Read> Streamed<R> {
    /// Reads on from where the reader stands.
    pub fn new(reader: R) -> Self {
        Self(BufReader::with_capacity(64 << 10, reader))
    }
}

impl<R: Read> Read for Streamed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: Read> Skip for Streamed<R> {
    fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let mut left = bytes;
        while left > 0 {
            let held = match self.0.fill_buf() {
                Ok([]) => break,
                Ok(held) => held.len(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let passed = usize::try_from(left).unwrap_or(usize::MAX).min(held);
            self.0.consume(passed);
            left -= u64::try_from(passed).unwrap_or(left);
        }
        Ok(bytes - left)
    }
}

/// Passes over bytes by seeking.
pub struct Seekable<R> {
    inner: BufReader<R>,
    /// Bytes from here to the end.
    left: u64,
}

impl<R: Read + Seek> Seekable<R> {
    /// Reads from the first byte.
    ///
    /// # Errors
    /// Those of seeking.
    pub fn new(mut reader: R) -> io::Result<Self> {
        let left = reader.seek(SeekFrom::End(0))?;
        reader.rewind()?;
        Ok(Self { inner: BufReader::new(reader), left })
    }
}

impl<R: Read + Seek> Read for Seekable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.saturating_sub(u64::try_from(count).unwrap_or(u64::MAX));
        Ok(count)
    }
}

impl<R: Read + Seek> Skip for Seekable<R> {
    fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let passed = bytes.min(self.left);
        self.inner.seek_relative(i64::try_from(passed).map_err(io::Error::other)?)?;
        self.left -= passed;
        Ok(passed)
    }
}
