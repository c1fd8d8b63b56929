//! A dump in one file: a tar archive, compressed with gzip or not, as it streams by; or documents.
//!
//! Rule: told by content, not by name: gzip's two magic bytes (RFC 1952, section 2.3.1), the magic of a tar header (POSIX,
//! ustar). Entries are read in the order of the archive. Links in it are passed over: what they name is read at its own place,
//! or is not in the archive. Cost: one pass; memory is bounded by the largest file that is allowed.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;

use super::file::Reader;
use crate::source::FileFaultKind;
use crate::source::tar::{BLOCK_BYTES, TarEntry, TarEntryKind, TarError, TarLimits, TarReader, plain_path};

const GZIP: [u8; 2] = [0x1f, 0x8b];
const TAR: &[u8] = b"ustar";
/// Where the magic of a tar header stands.
const TAR_MAGIC_AT: usize = 257;

/// Reads the file, whatever of the three it is.
///
/// # Errors
/// What the reader below says before anything could be told.
pub(super) fn read_file(name: &str, content: impl Read, reader: &mut Reader<'_>) -> io::Result<()> {
    let (head, content) = peek(content)?;
    if !head.starts_with(&GZIP) {
        uncompressed(name, &head, content, reader);
        return Ok(());
    }
    let most = reader.limits.bytes;
    match peek(Bounded { inner: MultiGzDecoder::new(content), left: most, most }) {
        Ok((head, content)) => uncompressed(name, &head, content, reader),
        Err(error) => reader.fault(name, FileFaultKind::Unreadable, format!("it does not decompress: {error}")),
    }
    Ok(())
}

fn uncompressed(name: &str, head: &[u8], content: impl Read, reader: &mut Reader<'_>) {
    let is_tar = head.get(TAR_MAGIC_AT..).is_some_and(|rest| rest.starts_with(TAR));
    if is_tar { archive(name, content, reader) } else { reader.file_alone(name, content) }
}

/// The first block, and everything from the start.
fn peek<R: Read>(mut content: R) -> io::Result<(Vec<u8>, impl Read)> {
    let mut head = Vec::with_capacity(BLOCK_BYTES);
    content.by_ref().take(BLOCK_BYTES as u64).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(content)))
}

fn archive(name: &str, content: impl Read, reader: &mut Reader<'_>) {
    let mut entries = TarReader::streaming(content, TarLimits::default());
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => return,
            Err(error) => {
                reader.fault(name, kind_of(&error), error.to_string());
                return;
            }
        };
        if !reader.has_room(&entry.path) {
            return;
        }
        let Some(path) = usable_path(&entry, reader) else { continue };
        match entry.kind {
            TarEntryKind::File { .. } => reader.file(&path, entries.content()),
            TarEntryKind::Directory => {}
            TarEntryKind::HardLink(_) | TarEntryKind::SymbolicLink(_) => reader.pass_over(),
            TarEntryKind::Other(_) if !reader.promises_documents(&path) => reader.pass_over(),
            TarEntryKind::Other(what) => {
                reader.fault(&path, FileFaultKind::Unreadable, format!("it is no regular file: {what}"))
            }
            TarEntryKind::Unusable(fault) => reader.fault(&path, FileFaultKind::Unreadable, fault.to_string()),
        }
    }
}

/// The path of an entry inside the dump; a fault is noted where there is none.
fn usable_path(entry: &TarEntry, reader: &mut Reader<'_>) -> Option<String> {
    let Some(path) = plain_path(&entry.path) else {
        reader.fault(&entry.path, FileFaultKind::Unreadable, "its name leads out of the archive");
        return None;
    };
    if path.split('/').count() > reader.limits.depth {
        reader.fault(&path, FileFaultKind::Limit, format!("it lies deeper than {} directories", reader.limits.depth));
        return None;
    }
    Some(path)
}

fn kind_of(error: &TarError) -> FileFaultKind {
    match error {
        TarError::Io(cause) if cause.kind() == io::ErrorKind::FileTooLarge => FileFaultKind::Limit,
        TarError::TooManyHeaders { .. } | TarError::ExtensionTooLarge { .. } => FileFaultKind::Limit,
        _ => FileFaultKind::Unreadable,
    }
}

/// Gives so many bytes at most: what decompresses to more is an error, not an end.
struct Bounded<R> {
    inner: R,
    left: u64,
    most: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(u64::try_from(read).unwrap_or(u64::MAX)) {
            Some(left) => {
                self.left = left;
                Ok(read)
            }
            None => {
                let reason = format!("it decompresses to more than {} bytes", self.most);
                Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
            }
        }
    }
}

#[cfg(test)]
mod tests;
