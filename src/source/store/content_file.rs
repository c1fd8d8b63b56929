//! Manifests and blobs that lie in files of their own.
//!
//! Rule: OCI image specification, descriptor, "Digests": bytes count only where they have the digest. A file of no bytes is
//! what a torn write leaves, unless the digest is that of no bytes. Cost: one look at a file, or one reading of it.

use std::io::{Error, ErrorKind};

use crate::finding::ContentDigest;

use super::{Blob, MANIFEST_BYTES, Presence, RawManifest, StoreError, StoreErrorKind};
use crate::source::tree::{Entry, FileTree};

/// Reads a manifest and checks its digest.
///
/// # Errors
/// [`StoreError`] of the kind that applies.
pub(super) fn manifest(tree: &dyn FileTree, path: &str, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
    let bytes = tree.read(path, MANIFEST_BYTES).map_err(|error| refusal(path, &error))?;
    let mut hasher = digest.hasher();
    hasher.update(&bytes);
    let found = hasher.finish();
    if found != *digest {
        let what = format!("{path}: its {} bytes have the digest {found}, not {digest}", bytes.len());
        return Err(StoreError::new(StoreErrorKind::Bad, what));
    }
    Ok(RawManifest { bytes, media_type: None })
}

/// Opens a blob, which is not checked yet.
///
/// # Errors
/// [`StoreError`] of the kind that applies.
pub(super) fn blob(tree: &dyn FileTree, path: &str, digest: &ContentDigest) -> Result<Blob, StoreError> {
    match presence(tree, path, digest) {
        Presence::Present { bytes, stamp } => {
            let content = tree.open(path).map_err(|error| refusal(path, &error))?;
            Ok(Blob { content, bytes, stamp })
        }
        Presence::Bad(reason) => Err(StoreError::new(StoreErrorKind::Bad, reason)),
        Presence::ExpectedAtTarget(_) | Presence::Absent => Err(absent(digest)),
    }
}

/// Whether a file can be what the digest names, told by its length alone.
pub(super) fn presence(tree: &dyn FileTree, path: &str, digest: &ContentDigest) -> Presence {
    match tree.entry(path) {
        None if tree.link(path).is_some() => Presence::Bad(format!("{path} is a link that leads nowhere")),
        None => Presence::Absent,
        Some(Entry::Directory) => Presence::Bad(format!("{path} is a directory")),
        Some(Entry::File { bytes: 0 }) if !is_of_nothing(digest) => {
            Presence::Bad(format!("{path} is empty: a torn write"))
        }
        Some(Entry::File { bytes }) => Presence::Present { bytes: Some(bytes), stamp: tree.stamp(path) },
    }
}

/// The error for what is not here.
pub(super) fn absent(digest: &ContentDigest) -> StoreError {
    StoreError::new(StoreErrorKind::Absent, format!("{digest} is not here"))
}

/// The error for what is not here, but at the target according to a record.
pub(super) fn expected_at_target(digest: &ContentDigest, record: &str) -> StoreError {
    let what = format!("{digest} is not here; {record} says that the target registry has it");
    StoreError::new(StoreErrorKind::ExpectedAtTarget, what)
}

fn is_of_nothing(digest: &ContentDigest) -> bool {
    digest.hasher().finish() == *digest
}

fn refusal(path: &str, error: &Error) -> StoreError {
    let kind = match error.kind() {
        ErrorKind::NotFound => StoreErrorKind::Absent,
        ErrorKind::FileTooLarge => StoreErrorKind::Limit,
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => StoreErrorKind::Bad,
        _ => StoreErrorKind::Unreadable,
    };
    StoreError::new(kind, format!("{path}: {error}"))
}
