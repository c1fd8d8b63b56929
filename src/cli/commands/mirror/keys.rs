//! The keys that releases must be signed by.
//!
//! Cost: each file once.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::super::super::CommandError;
use crate::source::signature::{KEY_FILE_BYTES, KeyRing};

/// Reads the keys of these files; one that cannot be used is an error, for nothing would be verified by it.
pub(super) fn key_ring(files: &[PathBuf]) -> Result<KeyRing, CommandError> {
    let mut keys = KeyRing::default();
    for file in files {
        let shown = file.display();
        let bytes = read(file).map_err(|error| CommandError::new(format!("{shown}: {error}")))?;
        keys.add(&bytes).map_err(|error| CommandError::new(format!("{shown}: {error}")))?;
    }
    Ok(keys)
}

/// A file up to one byte more than it may have, so that the ring refuses it.
fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(KEY_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
