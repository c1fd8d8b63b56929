//! Reads the body of an answer, however slow or long it wants to be.
//!
//! Rule: ours. A registry that sends a byte a second, or never ends, must not keep a run for ever. Only the time that is spent
//! waiting for the registry counts, not that in which the reader does something else. Cost: two looks at the clock a piece.

use std::io::{Error, ErrorKind, Read, Result};
use std::time::{Duration, Instant};

use super::options::Pace;

/// A body with bounds.
pub(super) struct Paced<R> {
    inner: R,
    pace: Pace,
    most_bytes: u64,
    longest: Option<Duration>,
    read: u64,
    waited: Duration,
}

impl<R: Read> Paced<R> {
    /// A body that is read as somebody needs it.
    pub(super) fn stream(inner: R, most_bytes: u64, pace: Pace) -> Self {
        Self { inner, pace, most_bytes, longest: None, read: 0, waited: Duration::ZERO }
    }

    /// The whole of a body that must be here in time.
    ///
    /// # Errors
    /// [`ErrorKind::FileTooLarge`] beyond the limit, [`ErrorKind::TimedOut`] where it takes too long, and those of reading.
    pub(super) fn document(inner: R, most_bytes: u64, pace: Pace) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Self { longest: Some(pace.document), ..Self::stream(inner, most_bytes, pace) }.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn check(&self) -> Result<()> {
        if self.read > self.most_bytes {
            let reason = format!("the answer has more than {} bytes", self.most_bytes);
            return Err(Error::new(ErrorKind::FileTooLarge, reason));
        }
        if let Some(longest) = self.longest.filter(|longest| self.waited > *longest) {
            let reason = format!("the answer takes longer than {} s", longest.as_secs_f32());
            return Err(Error::new(ErrorKind::TimedOut, reason));
        }
        let fewest = self.waited.as_secs_f64() * f64::from(self.pace.bytes_per_second);
        if self.waited > self.pace.grace && (self.read as f64) < fewest {
            let reason = format!("the answer comes slower than {} bytes a second", self.pace.bytes_per_second);
            return Err(Error::new(ErrorKind::TimedOut, reason));
        }
        Ok(())
    }
}

impl<R: Read> Read for Paced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let begun = Instant::now();
        let count = self.inner.read(buffer)?;
        self.waited += begun.elapsed();
        self.read = self.read.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        if count > 0 {
            self.check()?;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte after each wait, for ever.
    struct Drip(Duration);

    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            std::thread::sleep(self.0);
            buffer[0] = b'x';
            Ok(1)
        }
    }

    fn pace() -> Pace {
        Pace { grace: Duration::from_millis(20), document: Duration::from_millis(40), ..Pace::default() }
    }

    #[test]
    fn an_honest_body_is_read_to_its_end() {
        assert_eq!(Paced::document(b"text".as_slice(), 4, pace()).unwrap(), b"text");
    }

    #[test]
    fn an_endless_body_ends() {
        let error = Paced::document(std::io::repeat(0), 1 << 20, pace()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(Paced::document(b"text!".as_slice(), 4, pace()).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_byte_at_a_time_ends_even_where_the_whole_has_no_deadline() {
        let mut stream = Paced::stream(Drip(Duration::from_millis(5)), u64::MAX, pace());
        let error = std::io::copy(&mut stream, &mut std::io::sink()).unwrap_err();
        assert_eq!(error.to_string(), "the answer comes slower than 1024 bytes a second");
    }

    #[test]
    fn a_document_that_keeps_the_rate_still_has_a_deadline() {
        let pace = Pace { bytes_per_second: 1, ..pace() };
        let error = Paced::document(Drip(Duration::from_millis(2)), u64::MAX, pace).unwrap_err();
        assert_eq!(error.to_string(), "the answer takes longer than 0.04 s");
    }

    #[test]
    fn a_slow_reader_is_not_the_fault_of_the_registry() {
        let bytes = [0; 8];
        let mut stream = Paced::stream(bytes.as_slice(), 8, pace());
        let mut one = [0; 1];
        for _ in 0..8 {
            std::thread::sleep(Duration::from_millis(5));
            assert_eq!(stream.read(&mut one).unwrap(), 1);
        }
    }
}
