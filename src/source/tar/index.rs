//! The list of what an archive holds and where, for reading by seek.
//!
//! Cost: one read and one seek for each entry; memory for the names.

use std::io::{Read, Seek};

use super::{Seekable, TarEntry, TarError, TarLimits, TarReader};

/// The entries of an archive.
#[derive(Debug, Default)]
pub struct TarIndex {
    /// In the order of the archive; the last of several entries of one name is what counts.
    pub entries: Vec<TarEntry>,
    /// Why the list ends early: everything before is listed, and contents of what is listed are all there.
    pub fault: Option<TarError>,
}

/// Lists an archive from its first byte.
pub fn index<R: Read + Seek>(archive: R, limits: TarLimits) -> TarIndex {
    let mut index = TarIndex::default();
    if let Err(fault) = list(archive, limits, &mut index.entries) {
        index.fault = Some(fault);
    }
    index
}

fn list<R: Read + Seek>(archive: R, limits: TarLimits, entries: &mut Vec<TarEntry>) -> Result<(), TarError> {
    let mut reader = TarReader::new(Seekable::new(archive)?, limits);
    while let Some(entry) = reader.next_entry()? {
        reader.pass_content()?;
        entries.push(entry);
    }
    Ok(())
}
