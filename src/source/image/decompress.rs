//! Unpacks a layer as it streams by.
//!
//! Rule: the first bytes say how a stream is compressed, as containers/image `pkg/compression` detects it; media types are
//! not asked, for they are often wrong. gzip by RFC 1952 with any number of members, zstd by RFC 8878 with any number of
//! frames, skippable ones among them. What runtimes could unpack beyond that (bzip2, xz) is named and refused.
//!
//! A bomb is stopped by its size, and by its ratio once it has passed a floor below which any ratio is harmless. Cost: one
//! pass; the window of the format (32 KiB for gzip, at most 128 MiB for zstd) and a buffer.

#[cfg(test)]
mod tests;

use std::io::{self, BufReader, Chain, Cursor, Error, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;

/// As `zstd` itself has it without `--long`: 128 MiB.
const ZSTD_WINDOW_LOG: u32 = 27;
const BUFFER_BYTES: usize = 64 << 10;
/// The most bytes that a detection needs.
const MAGIC_BYTES: u64 = 6;

/// Bounds on what one stream may unpack to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecompressLimits {
    /// Bytes that it may unpack to.
    pub bytes: u64,
    /// Bytes that it may unpack to for each byte read, beyond the floor.
    pub ratio: u64,
    /// Bytes that it may unpack to at any ratio.
    pub floor: u64,
}

impl Default for DecompressLimits {
    /// 64 GiB, and 250 to 1 beyond 256 MiB: catalogs reach 40 to 1, and gzip cannot exceed 1032 to 1.
    fn default() -> Self {
        Self { bytes: 64 << 30, ratio: 250, floor: 256 << 20 }
    }
}

/// How a stream is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    Plain,
    /// gzip.
    Gzip,
    /// zstd.
    Zstd,
    /// bzip2, which is not read.
    Bzip2,
    /// xz, which is not read.
    Xz,
}

impl Compression {
    /// What the first bytes of a stream say.
    ///
    /// ```
    /// use skipstone::source::image::Compression;
    ///
    /// assert_eq!(Compression::of(&[0x1f, 0x8b, 8]), Compression::Gzip);
    /// assert_eq!(Compression::of(b"configs/"), Compression::Plain);
    /// ```
    pub fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // A frame, and one to be skipped.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            _ => Self::Plain,
        }
    }

    /// The name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "uncompressed",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }
}

/// An unpacked stream. An error is repeated on every later read.
pub struct Decompressed<R: Read> {
    stream: Stream<R>,
    compression: Compression,
    limits: DecompressLimits,
    produced: u64,
    failure: Option<(ErrorKind, String)>,
}

type Source<R> = Counted<Chain<Cursor<Vec<u8>>, R>>;

enum Stream<R: Read> {
    Plain(Source<R>),
    Gzip(Box<MultiGzDecoder<BufReader<Source<R>>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<Source<R>>>>),
}

impl<R: Read> Decompressed<R> {
    /// Looks at the first bytes and unpacks accordingly.
    ///
    /// # Errors
    /// Those of reading, and [`ErrorKind::Unsupported`] for a compression that is not read.
    pub fn new(mut content: R, limits: DecompressLimits) -> io::Result<Self> {
        let mut start = Vec::new();
        (&mut content).take(MAGIC_BYTES).read_to_end(&mut start)?;
        let compression = Compression::of(&start);
        let source = Counted { inner: Cursor::new(start).chain(content), bytes: 0, has_failed: false };
        let buffered = |source| BufReader::with_capacity(BUFFER_BYTES, source);
        let stream = match compression {
            Compression::Plain => Stream::Plain(source),
            Compression::Gzip => Stream::Gzip(Box::new(MultiGzDecoder::new(buffered(source)))),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(buffered(source))?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Stream::Zstd(Box::new(decoder))
            }
            Compression::Bzip2 | Compression::Xz => {
                let reason = format!("it is compressed with {}, which is not read", compression.name());
                return Err(Error::new(ErrorKind::Unsupported, reason));
            }
        };
        Ok(Self { stream, compression, limits, produced: 0, failure: None })
    }

    /// How it is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Bytes unpacked so far.
    pub fn produced(&self) -> u64 {
        self.produced
    }

    fn source(&self) -> &Source<R> {
        match &self.stream {
            Stream::Plain(source) => source,
            Stream::Gzip(decoder) => decoder.get_ref().get_ref(),
            Stream::Zstd(decoder) => decoder.get_ref().get_ref(),
        }
    }

    fn read_within_limits(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.stream {
            Stream::Plain(source) => source.read(buffer),
            Stream::Gzip(decoder) => decoder.read(buffer),
            Stream::Zstd(decoder) => decoder.read(buffer),
        };
        let count = count.map_err(|error| self.named(error))?;
        self.produced = self.produced.saturating_add(count as u64);
        self.check_limits()?;
        Ok(count)
    }

    /// Says what is damaged, where the decoder complains and not the reader below.
    fn named(&self, error: Error) -> Error {
        if error.kind() == ErrorKind::Interrupted || self.source().has_failed {
            return error;
        }
        let name = self.compression.name();
        if error.kind() == ErrorKind::UnexpectedEof {
            return Error::new(ErrorKind::UnexpectedEof, format!("the {name} stream ends too early"));
        }
        Error::new(ErrorKind::InvalidData, format!("the {name} stream is damaged: {error}"))
    }

    fn check_limits(&self) -> io::Result<()> {
        let DecompressLimits { bytes, ratio, floor } = self.limits;
        if self.produced > bytes {
            let reason = format!("it unpacks to more than {bytes} bytes");
            return Err(Error::new(ErrorKind::FileTooLarge, reason));
        }
        if self.produced > floor && self.produced / ratio.max(1) > self.source().bytes {
            let reason = format!(
                "it looks like a decompression bomb: {} bytes of {} unpack to more than {ratio} times as many",
                self.source().bytes,
                self.compression.name()
            );
            return Err(Error::new(ErrorKind::FileTooLarge, reason));
        }
        Ok(())
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some((kind, reason)) = &self.failure {
            return Err(Error::new(*kind, reason.clone()));
        }
        self.read_within_limits(buffer).inspect_err(|error| {
            if error.kind() != ErrorKind::Interrupted {
                self.failure = Some((error.kind(), error.to_string()));
            }
        })
    }
}

/// Counts what is read, and remembers whether it was the reader that failed.
struct Counted<R> {
    inner: R,
    bytes: u64,
    has_failed: bool,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer).inspect_err(|error| {
            self.has_failed |= error.kind() != ErrorKind::Interrupted;
        })?;
        self.bytes = self.bytes.saturating_add(count as u64);
        Ok(count)
    }
}
