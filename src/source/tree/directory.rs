//! A directory of the file system as a tree.
//!
//! Links are followed while they stay inside the directory; devices, pipes and sockets are no entries. Cost: a few calls of
//! the system for each path.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::{Content, Entry, FileTree, Stamp, is_plain};

/// A directory of the file system.
#[derive(Debug)]
pub struct DirectoryTree {
    place: PathBuf,
    root: PathBuf,
}

impl DirectoryTree {
    /// Opens a directory.
    ///
    /// # Errors
    /// What the operating system says; [`io::ErrorKind::NotADirectory`] for anything else.
    pub fn new(place: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(place)?;
        if !fs::metadata(&root)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { place: place.to_owned(), root })
    }

    /// The real place of a path and what lies there, where it is inside the root.
    fn real(&self, path: &str) -> io::Result<(PathBuf, Metadata)> {
        if !path.is_empty() && !is_plain(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let real = fs::canonicalize(self.root.join(path))?;
        if !real.starts_with(&self.root) {
            let reason = "it is a link that leaves the directory, and is not followed";
            return Err(io::Error::new(io::ErrorKind::NotFound, reason));
        }
        let metadata = fs::metadata(&real)?;
        Ok((real, metadata))
    }
}

impl FileTree for DirectoryTree {
    fn place(&self) -> &Path {
        &self.place
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        let (_, metadata) = self.real(path).ok()?;
        if metadata.is_dir() {
            return Some(Entry::Directory);
        }
        metadata.is_file().then_some(Entry::File { bytes: metadata.len() })
    }

    fn names(&self, directory: &str) -> io::Result<Vec<String>> {
        let (real, metadata) = match self.real(directory) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        if !metadata.is_dir() {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(real)? {
            names.extend(entry?.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn link(&self, path: &str) -> Option<String> {
        if !is_plain(path) {
            return None;
        }
        let (directory, _) = path.rsplit_once('/').unwrap_or(("", path));
        self.real(directory).ok()?;
        fs::read_link(self.root.join(path)).ok()?.into_os_string().into_string().ok()
    }

    fn open(&self, path: &str) -> io::Result<Content> {
        let (real, metadata) = self.real(path)?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "it is no regular file"));
        }
        Ok(Box::new(File::open(real)?))
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        let (_, metadata) = self.real(path).ok()?;
        let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(Stamp { bytes: metadata.len(), changed: i128::try_from(changed).ok()?, offset: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_inside_and_not_out() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("file"), "text").unwrap();
        fs::write(place.path().join("outside"), "secret").unwrap();
        std::os::unix::fs::symlink("file", root.join("inside")).unwrap();
        std::os::unix::fs::symlink("../outside", root.join("out")).unwrap();
        let tree = DirectoryTree::new(&root).unwrap();
        assert_eq!(tree.entry("inside"), Some(Entry::File { bytes: 4 }));
        assert_eq!(tree.link("inside").as_deref(), Some("file"));
        assert_eq!(tree.entry("out"), None);
        assert!(tree.open("out").is_err());
        for path in ["../outside", "/etc/passwd", "a//b", "."] {
            assert_eq!(tree.entry(path), None, "{path}");
            assert!(tree.open(path).is_err(), "{path}");
        }
        assert_eq!(tree.names("").unwrap(), ["file", "inside", "out"]);
    }

    #[test]
    fn a_directory_is_no_file_and_nothing_is_no_error() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("a")).unwrap();
        let tree = DirectoryTree::new(place.path()).unwrap();
        assert!(tree.open("a").is_err());
        assert!(tree.names("nothing").unwrap().is_empty());
        assert_eq!(tree.entry("a"), Some(Entry::Directory));
    }
}
