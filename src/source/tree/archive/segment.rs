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

/// How compressed files begin, what they are called, and what undoes it.
const COMPRESSED: [(&[u8], &str, &str); 4] = [
    (&[0x1f, 0x8b], "gzip", "gzip -dc"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "zstd", "zstd -dc"),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz", "xz -dc"),
    (b"BZh", "bzip2", "bzip2 -dc"),
];

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
        if let Some((name, command)) = compression_of(&file).map_err(io)? {
            let what = format!(
                "it is compressed by {name}, and archives are read by seeking: write a plain copy of it, as with `{command} \
                 {} > plain.tar`",
                place.display()
            );
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

/// By what a file is compressed, and what undoes it.
pub(super) fn compression_at(place: &Path) -> io::Result<Option<(&'static str, &'static str)>> {
    compression_of(&File::open(place)?)
}

fn compression_of(file: &File) -> io::Result<Option<(&'static str, &'static str)>> {
    let mut magic = Vec::new();
    let section = Section { file: Arc::new(file.try_clone()?), start: 0, bytes: file.metadata()?.len(), position: 0 };
    section.take(6).read_to_end(&mut magic)?;
    let found = COMPRESSED.iter().find(|(begin, ..)| magic.starts_with(begin));
    Ok(found.map(|(_, name, command)| (*name, *command)))
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
