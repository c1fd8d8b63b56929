//! Framing of tar archives: which entries there are, and where their contents begin and end.
//!
//! Rule: POSIX pax interchange format and GNU tar's extensions, read as Go's `archive/tar` (`reader.go`, `strconv.go`) reads
//! them, because the tools that write and pull images are written in Go. Two things are taken more kindly than there: an
//! archive may end without its two zero blocks, and its last content without padding (umoci writes such layers). Sparse
//! files are named, never expanded. Global pax records count for all later entries, as POSIX has it.
//!
//! Own code, because the `tar` crate reads extensions without a bound, cuts pax records at line feeds (which extended
//! attributes may hold), and takes only the last eight bytes of a large size.
//!
//! Cost: [`TarReader`] reads every byte once; [`index`] reads headers alone. Neither holds more than one header, its bounded
//! extensions and a buffer.

mod extension;
mod header;
mod index;
mod reader;
#[cfg(test)]
pub(crate) mod sample;
mod skip;
#[cfg(test)]
mod tests;

use std::io;

pub use index::{TarIndex, index};
pub use reader::{TarContent, TarReader};
pub use skip::{Seekable, Skip, Streamed};

/// Bytes of a header, and what contents are padded to.
pub const BLOCK_BYTES: usize = 512;

/// Bounds on what is read of one archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TarLimits {
    /// Headers, those of extensions included.
    pub headers: u64,
    /// Bytes of the name of an entry, and of the target of a link.
    pub name_bytes: usize,
    /// Bytes of one extension: a long name, or the pax records of an entry.
    pub extension_bytes: u64,
}

impl Default for TarLimits {
    /// Four million headers; names as long as Linux allows a path to be; extensions of 1 MiB, as Go has it.
    fn default() -> Self {
        Self { headers: 4_000_000, name_bytes: 4096, extension_bytes: 1 << 20 }
    }
}

/// One entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TarEntry {
    /// Its name as it was written; where it is no UTF-8 or too long, something like it, and the kind says so. Not yet safe
    /// to use: see [`plain_path`].
    pub path: String,
    /// What it is.
    pub kind: TarEntryKind,
    /// Where its content begins in the archive.
    pub offset: u64,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TarEntryKind {
    /// A regular file.
    File {
        /// Length of its content.
        bytes: u64,
    },
    /// A directory.
    Directory,
    /// Another name for the file that an earlier entry wrote: its name.
    HardLink(String),
    /// A symbolic link: where it leads, as it was written.
    SymbolicLink(String),
    /// Something that has no content to read: what it is called.
    Other(String),
    /// Something that cannot be used: why.
    Unusable(TarEntryFault),
}

/// Why an entry cannot be used, while the archive can be read on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TarEntryFault {
    /// The name is no UTF-8.
    #[error("its name is not valid UTF-8")]
    NameNotUtf8,
    /// The target of the link is no UTF-8.
    #[error("the target of the link is not valid UTF-8")]
    TargetNotUtf8,
    /// A name that no system call would take.
    #[error("its name or the target of the link holds a NUL byte")]
    Nul,
    /// The name or the target of the link is longer than the limits allow.
    #[error("its name or the target of the link has {bytes} bytes, and {limit} are allowed")]
    NameTooLong {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The content is stored with holes.
    #[error("it is a sparse file, and those are not read")]
    Sparse,
}

/// Why an archive cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum TarError {
    /// The reader below fails.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The archive ends inside the content of an entry.
    #[error("the archive ends inside {entry:?}: {missing} of its {bytes} bytes are missing")]
    TruncatedContent {
        /// Name of the entry.
        entry: String,
        /// Its length as stated.
        bytes: u64,
        /// How many of them are not there.
        missing: u64,
    },
    /// The archive ends inside a header.
    #[error("the archive ends inside the header at byte {offset}")]
    TruncatedHeader {
        /// Where the header begins.
        offset: u64,
    },
    /// The bytes are no header: the checksum is wrong.
    #[error("the header at byte {offset} has a wrong checksum")]
    Checksum {
        /// Where the header begins.
        offset: u64,
    },
    /// A header or an extension that cannot be understood, so that nobody knows where the next begins.
    #[error("the header at byte {offset} is malformed: {what}")]
    Malformed {
        /// Where the header begins.
        offset: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A long name or pax records beyond the limit.
    #[error("the extension at byte {offset} has {bytes} bytes, and {limit} are allowed")]
    ExtensionTooLarge {
        /// Where its header begins.
        offset: u64,
        /// Its length as stated.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// More headers than the limits allow.
    #[error("the archive has more than {limit} headers")]
    TooManyHeaders {
        /// The limit.
        limit: u64,
    },
}

/// The name of an entry as a relative path of plain names: without leading `/` and without `.`; the root is `""`. `None`
/// where a part is `..`, or where a NUL stands in it: no such name is ever used.
///
/// ```
/// use skipstone::source::tar::plain_path;
///
/// assert_eq!(plain_path("/configs/./a.yaml").as_deref(), Some("configs/a.yaml"));
/// assert_eq!(plain_path("./").as_deref(), Some(""));
/// assert_eq!(plain_path("configs/../a"), None);
/// ```
pub fn plain_path(name: &str) -> Option<String> {
    let mut path = String::with_capacity(name.len());
    for part in name.split('/') {
        match part {
            "" | "." => continue,
            ".." => return None,
            part if part.contains('\0') => return None,
            _ => {}
        }
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
    }
    Some(path)
}
