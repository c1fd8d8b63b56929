//! Reading and replacing the files of a cache.
//!
//! Rule: a file appears under its name complete (written beside, renamed), so that runs may share a cache without
//! locks. Nothing is flushed: content is checked when it is read. Cost: one read, or one write and one rename.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use crate::emit::UnfinishedFile;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// Why a file gave nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadFault {
    /// It is not there.
    Absent,
    /// It is there and not usable.
    Broken(String),
}

/// The whole content of a regular file within the limit.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, ReadFault> {
    let broken = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => ReadFault::Absent,
        _ => ReadFault::Broken(error.to_string()),
    };
    let metadata = fs::metadata(path).map_err(broken)?;
    if !metadata.is_file() {
        return Err(ReadFault::Broken("not a regular file".to_owned()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(LARGEST)).unwrap_or_default());
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(broken)?;
    if bytes.len() as u64 > LARGEST {
        return Err(ReadFault::Broken("larger than 1 GiB".to_owned()));
    }
    Ok(bytes)
}

/// Whether the file holds just these bytes.
pub(super) fn holds(path: &Path, bytes: &[u8]) -> bool {
    let has_same_length = fs::metadata(path).is_ok_and(|metadata| metadata.len() == bytes.len() as u64);
    has_same_length && read(path).is_ok_and(|present| present == bytes)
}

/// Creates or replaces a file by these parts; missing directories are created for the owner alone.
pub(super) fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let parent = path.parent().ok_or(ErrorKind::InvalidInput)?;
    create_directory(parent)?;
    let mut file = UnfinishedFile::create_in(parent)?;
    parts.iter().try_for_each(|part| file.write(part))?;
    file.put_in_place(path)
}

/// Creates a directory and its missing parents, for the owner alone.
pub(super) fn create_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_replacement_leaves_the_old_and_nothing_beside() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("d");
        fs::create_dir(&path).unwrap();
        assert!(replace(&path, &[b"x"]).is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        assert_eq!(read(&path), Err(ReadFault::Broken("not a regular file".to_owned())));
        assert_eq!(read(&place.path().join("none")), Err(ReadFault::Absent));
    }
}
