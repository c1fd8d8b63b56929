//! Reads dumps of a cluster: what `oc get -o json|yaml` printed, with any names at any depth, and must-gather trees.
//!
//! Rule: a file is read where its name ends in `.json`, `.yaml` or `.yml`, and where another name without a telling end
//! begins as an object of the Kubernetes API does; must-gather's `timestamp` files tell when it ran (openshift/oc,
//! pkg/cli/admin/mustgather). Logs, pages, compressed and other files are passed over unread, and counted. Documents are
//! handed out as they are, undecoded, one after the other, so that memory is bounded by the largest file that is allowed.
//! No link is followed out of the dump, no device is opened, and nothing is written. Cost: one read of every byte that is
//! wanted; of a compressed archive every byte is decompressed.

mod archive;
mod file;
mod walk;

use std::fs;
use std::path::Path;

use super::tree::DirectoryTree;
use super::{FileFault, SourceError};
use crate::codec::{Document, Fault, Limits};
use walk::walk;

/// Bounds on what is read of one dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DumpLimits {
    /// Files and directories, those that are passed over as well.
    pub entries: usize,
    /// Bytes of one file that is read.
    pub file_bytes: u64,
    /// Bytes of everything that is read, and of an archive after decompression.
    pub bytes: u64,
    /// Directories below one another.
    pub depth: usize,
    /// Bytes of a text that may be a message.
    pub text_bytes: u64,
}

impl Default for DumpLimits {
    /// A million entries of 64 levels, 256 MiB of one file, 32 GiB of all, 64 KiB of a text: a must-gather of a large
    /// cluster has a tenth of that.
    fn default() -> Self {
        Self { entries: 1_000_000, file_bytes: 256 << 20, bytes: 32 << 30, depth: 64, text_bytes: 64 << 10 }
    }
}

/// A part of a dump, as it is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpPiece<'a> {
    /// Path of the file, relative to the dump, with `/` between its parts.
    pub path: &'a str,
    /// What it is.
    pub content: DumpContent<'a>,
}

/// What a part of a dump is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DumpContent<'a> {
    /// A document, not yet decoded.
    Document {
        /// Its number in the file, from 1.
        number: u32,
        /// Its bytes, format and first line.
        document: Document<'a>,
    },
    /// The rest of a file, which cannot be cut into documents.
    Rest {
        /// The number that its first document would have.
        number: u32,
        /// Why it cannot be cut, with the line in the file.
        fault: Fault,
    },
    /// The text of a file in which a collector wrote when it ran.
    Timestamp(&'a str),
    /// A short text, which may be what a client said instead of printing objects.
    Text(&'a str),
}

/// How completely a dump was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DumpReading {
    /// Files whose documents were handed out.
    pub files: usize,
    /// Files that tell nothing of the wanted: logs and the like.
    pub passed_over: usize,
    /// Bytes read.
    pub bytes: u64,
    /// What could not be read.
    pub faults: Vec<FileFault>,
}

/// Reads a dump: a directory, in the order of the paths; a tar archive, in its own order; or one file of documents.
///
/// # Errors
/// [`SourceError`] where the place itself cannot be looked at.
pub fn read_dump(
    place: &Path,
    limits: &DumpLimits,
    document_limits: &Limits,
    visit: &mut dyn FnMut(DumpPiece<'_>),
) -> Result<DumpReading, SourceError> {
    let io = |cause| SourceError::Io { path: place.to_owned(), cause };
    let metadata = fs::metadata(place).map_err(io)?;
    let mut reader = file::Reader::new(limits, document_limits, visit);
    if metadata.is_dir() {
        walk(&DirectoryTree::new(place).map_err(io)?, &mut reader);
        return Ok(reader.reading);
    }
    if !metadata.is_file() {
        let what = "it is neither a directory nor a file".to_owned();
        return Err(SourceError::Unsuitable { path: place.to_owned(), what });
    }
    let name = place.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let read = fs::File::open(place).and_then(|content| archive::read_file(&name, content, &mut reader));
    read.map_err(io)?;
    Ok(reader.reading)
}

#[cfg(test)]
mod tests;
