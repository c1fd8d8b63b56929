//! A blob or manifest that is a file of a tree: read, opened, looked at.
//!
//! Rule: OCI image specification, descriptor: the bytes have the digest, and the size where one is stated. A file of no
//! bytes under another digest than that of nothing is what a torn write leaves. Cost: a look at the name; a manifest is
//! read and hashed.

use std::io;

use super::super::tree::{Entry, FileTree};
use super::{Blob, MANIFEST_BYTES, Presence, RawManifest, StoreError, StoreErrorKind};
use crate::finding::ContentDigest;

/// Whether the file can be the blob, told by its length alone.
pub(super) fn presence(tree: &dyn FileTree, path: &str, digest: &ContentDigest, stated: Option<u64>) -> Presence {
    match tree.entry(path) {
        None => Presence::Absent,
        Some(Entry::Directory) => Presence::Bad(format!("{path} is a directory")),
        Some(Entry::File { bytes }) => match fault_of_length(path, bytes, digest, stated) {
            Some(fault) => Presence::Bad(fault),
            None => Presence::Present { bytes: Some(bytes), stamp: tree.stamp(path) },
        },
    }
}

/// Opens the file as a blob whose digest is still to be checked.
pub(super) fn blob(
    tree: &dyn FileTree,
    path: &str,
    digest: &ContentDigest,
    stated: Option<u64>,
) -> Result<Blob, StoreError> {
    match presence(tree, path, digest, stated) {
        Presence::Present { bytes, stamp } => {
            let content = tree.open(path).map_err(|error| of_io(path, &error))?;
            Ok(Blob { content, bytes, stamp })
        }
        Presence::Bad(what) => Err(StoreError::new(StoreErrorKind::Bad, what)),
        Presence::Absent | Presence::ExpectedAtTarget(_) => Err(absent(digest)),
    }
}

/// Reads the file as a manifest and checks its digest.
pub(super) fn manifest(
    tree: &dyn FileTree,
    path: &str,
    digest: &ContentDigest,
    stated: Option<u64>,
) -> Result<RawManifest, StoreError> {
    match presence(tree, path, digest, stated) {
        Presence::Present { .. } => {}
        Presence::Bad(what) => return Err(StoreError::new(StoreErrorKind::Bad, what)),
        Presence::Absent | Presence::ExpectedAtTarget(_) => return Err(absent(digest)),
    }
    let bytes = tree.read(path, MANIFEST_BYTES).map_err(|error| of_io(path, &error))?;
    let mut hasher = digest.hasher();
    hasher.update(&bytes);
    let found = hasher.finish();
    if found != *digest {
        return Err(StoreError::new(StoreErrorKind::Bad, format!("{path} has bytes of the digest {found}")));
    }
    Ok(RawManifest { bytes, media_type: None })
}

/// The error for what is not there.
pub(super) fn absent(digest: &ContentDigest) -> StoreError {
    StoreError::new(StoreErrorKind::Absent, format!("{digest} is not here"))
}

/// The error for what is not there, but at the target according to a record.
pub(super) fn expected_at_target(digest: &ContentDigest, record: &str) -> StoreError {
    let what = format!("{digest} is not here; {record} says that the target registry has it");
    StoreError::new(StoreErrorKind::ExpectedAtTarget, what)
}

/// What an error of reading means for a store.
pub(super) fn of_io(path: &str, error: &io::Error) -> StoreError {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => StoreErrorKind::Absent,
        io::ErrorKind::FileTooLarge => StoreErrorKind::Limit,
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => StoreErrorKind::Bad,
        _ => StoreErrorKind::Unreadable,
    };
    StoreError::new(kind, format!("{path}: {error}"))
}

fn fault_of_length(path: &str, bytes: u64, digest: &ContentDigest, stated: Option<u64>) -> Option<String> {
    if let Some(stated) = stated.filter(|stated| *stated != bytes) {
        return Some(format!("{path} has {bytes} bytes, and {stated} are stated"));
    }
    let is_torn = bytes == 0 && digest.hasher().finish() != *digest;
    is_torn.then(|| format!("{path} is empty: a torn write"))
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::DirectoryTree;
    use super::*;

    fn tree_with(bytes: &[u8]) -> (tempfile::TempDir, DirectoryTree) {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("file"), bytes).unwrap();
        std::fs::create_dir(place.path().join("directory")).unwrap();
        let tree = DirectoryTree::new(place.path()).unwrap();
        (place, tree)
    }

    #[test]
    fn the_right_bytes_are_handed_out() {
        let (_place, tree) = tree_with(b"text");
        let digest = ContentDigest::of(b"text");
        assert_eq!(manifest(&tree, "file", &digest, Some(4)).unwrap().bytes, b"text");
        assert_eq!(blob(&tree, "file", &digest, None).unwrap().bytes, Some(4));
        assert!(matches!(presence(&tree, "file", &digest, Some(4)), Presence::Present { bytes: Some(4), .. }));
    }

    #[test]
    fn wrong_digest_wrong_size_and_torn_writes_are_bad() {
        let (_place, tree) = tree_with(b"tent");
        let digest = ContentDigest::of(b"text");
        assert_eq!(manifest(&tree, "file", &digest, None).unwrap_err().kind, StoreErrorKind::Bad);
        assert_eq!(
            manifest(&tree, "file", &ContentDigest::of(b"tent"), Some(5)).unwrap_err().kind,
            StoreErrorKind::Bad
        );
        assert!(matches!(presence(&tree, "file", &digest, Some(3)), Presence::Bad(_)));
        assert!(matches!(presence(&tree, "directory", &digest, None), Presence::Bad(_)));
        let (_place, torn) = tree_with(b"");
        assert!(matches!(presence(&torn, "file", &digest, None), Presence::Bad(_)));
        assert!(matches!(presence(&torn, "file", &ContentDigest::of(b""), None), Presence::Present { .. }));
    }

    #[test]
    fn what_is_not_there_is_absent_and_what_is_too_large_meets_the_limit() {
        let (place, tree) = tree_with(b"text");
        let digest = ContentDigest::of(b"text");
        assert_eq!(blob(&tree, "nothing", &digest, None).err().unwrap().kind, StoreErrorKind::Absent);
        std::fs::File::create(place.path().join("huge")).unwrap().set_len(MANIFEST_BYTES + 1).unwrap();
        assert_eq!(manifest(&tree, "huge", &digest, None).unwrap_err().kind, StoreErrorKind::Limit);
    }
}
