//! One archive file of a tree: opened, told from what is no plain archive, and read at any place.
//!
//! Rule: the magic bytes of gzip (RFC 1952), Zstandard (RFC 8878), xz and bzip2. Cost: one open file for as long as the
//! tree lives.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use crate::source::SourceError;

/// How a file was compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// By gzip.
    Gzip,
    /// By Zstandard.
    Zstandard,
    /// By xz.
    Xz,
    /// By bzip2.
    Bzip2,
}

impl Compression {
    const ALL: [Self; 4] = [Self::Gzip, Self::Zstandard, Self::Xz, Self::Bzip2];

    /// How a file was compressed, told by how it begins; `None` where it was not.
    ///
    /// # Errors
    /// What the operating system says.
    pub(in crate::source) fn of_file(place: &Path) -> io::Result<Option<Self>> {
        Self::of(&File::open(place)?)
    }

    fn of(file: &File) -> io::Result<Option<Self>> {
        let mut magic = [0; 6];
        let count = file.read_at(&mut magic, 0)?;
        let magic = magic.get(..count).unwrap_or_default();
        Ok(Self::ALL.into_iter().find(|compression| magic.starts_with(compression.magic())))
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => &[0x1f, 0x8b],
            Self::Zstandard => &[0x28, 0xb5, 0x2f, 0xfd],
            Self::Xz => &[0xfd, b'7', b'z', b'X', b'Z', 0],
            Self::Bzip2 => b"BZh",
        }
    }

    /// The program that compresses so and undoes it.
    pub fn program(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    /// What to do about it, with the command for a file.
    pub fn remedy(self, place: &Path) -> String {
        let (program, place) = (self.program(), place.display());
        format!("archives are read by seeking: write a plain copy first, as with `{program} -dc {place} > plain.tar`")
    }
}

/// An archive file.
#[derive(Debug)]
pub(super) struct Segment {
    file: Arc<File>,
    /// Its path, for messages.
    pub(super) place: PathBuf,
    /// Time of its last change, nanoseconds since 1970; `None` where that is not known.
    pub(super) changed: Option<i128>,
}

impl Segment {
    pub(super) fn open(place: &Path) -> Result<Self, SourceError> {
        let io = |cause| SourceError::Io { path: place.to_owned(), cause };
        let metadata = fs::metadata(place).map_err(io)?;
        if !metadata.is_file() {
            let what = "it is no regular file".to_owned();
            return Err(SourceError::Unsuitable { path: place.to_owned(), what });
        }
        let file = File::open(place).map_err(io)?;
        if let Some(compression) = Compression::of(&file).map_err(io)? {
            let what = format!("it is compressed by {}; {}", compression.program(), compression.remedy(place));
            return Err(SourceError::Unsuitable { path: place.to_owned(), what });
        }
        let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let changed = changed.and_then(|time| i128::try_from(time.as_nanos()).ok());
        Ok(Self { file: Arc::new(file), place: place.to_owned(), changed })
    }

    /// A reader of the whole file.
    pub(super) fn whole(&self) -> io::Result<Section> {
        Ok(self.section(0, self.file.metadata()?.len()))
    }

    /// A reader of a part of the file.
    pub(super) fn section(&self, start: u64, bytes: u64) -> Section {
        Section { file: Arc::clone(&self.file), start, bytes, position: 0 }
    }
}

/// A part of a file, read without moving a position that others share.
#[derive(Debug)]
pub(super) struct Section {
    file: Arc<File>,
    start: u64,
    bytes: u64,
    position: u64,
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.saturating_sub(self.position);
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let Some(part) = buffer.get_mut(..most).filter(|part| !part.is_empty()) else { return Ok(0) };
        let count = self.file.read_at(part, self.start.saturating_add(self.position))?;
        if count == 0 {
            let reason = "the archive is shorter than when it was opened";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
        }
        self.position = self.position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        Ok(count)
    }
}

impl Seek for Section {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.bytes.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
