//! Files by their relative paths, wherever they lie: in a directory, or in one or several tar archives.
//!
//! Every shape of a mirror is read through this door, so that a layout, a registry's storage or a working directory reads
//! the same unpacked and inside an archive. Paths are relative, with `/` between plain names; what a path names is never
//! outside the tree. Cost: that of the place; looking at a name reads no content.

mod archive;
mod directory;

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

pub use archive::{Compression, TarTree};
pub use directory::DirectoryTree;

/// What a path of a tree names; links inside the tree are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular file of so many bytes.
    File {
        /// Its length.
        bytes: u64,
    },
    /// A directory.
    Directory,
}

/// Tells whether a file is still the one that it was: its facts may be kept only while it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    /// Length in bytes.
    pub bytes: u64,
    /// Time of the last change, nanoseconds since 1970, of the file or of the archive that holds it.
    pub changed: i128,
    /// Where the file begins in its archive; 0 for a file of its own.
    pub offset: u64,
}

impl fmt::Display for Stamp {
    /// Equal texts are equal stamps, so that it may be a part of a key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.bytes, self.changed, self.offset)
    }
}

/// Content of a file, read from front to back.
pub type Content = Box<dyn Read + Send>;

/// Files by their relative paths.
pub trait FileTree: Send + Sync {
    /// Where the tree lies, for messages.
    fn place(&self) -> &Path;

    /// What a path names; `""` is the root. `None` where there is nothing, or where it leads out of the tree.
    fn entry(&self, path: &str) -> Option<Entry>;

    /// The names in a directory, sorted by bytes; empty where it is none. Names that are not UTF-8 are left out.
    ///
    /// # Errors
    /// What the operating system says of a directory that is there.
    fn names(&self, directory: &str) -> io::Result<Vec<String>>;

    /// Where a symbolic link leads, as it was written; `None` where the path is no link.
    fn link(&self, path: &str) -> Option<String>;

    /// Opens a regular file.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] where there is none, or where the path leads out of the tree; else what the operating
    /// system says.
    fn open(&self, path: &str) -> io::Result<Content>;

    /// Tells whether a file is still the same; `None` where that cannot be told.
    fn stamp(&self, path: &str) -> Option<Stamp>;

    /// The whole of a small file, of at most so many bytes.
    ///
    /// # Errors
    /// Those of [`FileTree::open`], and [`io::ErrorKind::FileTooLarge`] beyond the limit.
    fn read(&self, path: &str, most_bytes: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most_bytes {
            let reason = format!("it has more than {most_bytes} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        Ok(bytes)
    }

    /// Whether a path names a regular file.
    fn is_file(&self, path: &str) -> bool {
        matches!(self.entry(path), Some(Entry::File { .. }))
    }

    /// Whether a path names a directory.
    fn is_directory(&self, path: &str) -> bool {
        matches!(self.entry(path), Some(Entry::Directory))
    }
}

/// A directory of a tree, as a tree of its own.
#[derive(Clone)]
pub struct Subtree {
    whole: Arc<dyn FileTree>,
    directory: String,
}

impl Subtree {
    /// The part of a tree below a directory, given without a slash at its end.
    pub fn new(whole: Arc<dyn FileTree>, directory: impl Into<String>) -> Self {
        Self { whole, directory: directory.into() }
    }

    fn inside(&self, path: &str) -> String {
        match (self.directory.as_str(), path) {
            ("", path) => path.to_owned(),
            (directory, "") => directory.to_owned(),
            (directory, path) => format!("{directory}/{path}"),
        }
    }
}

impl FileTree for Subtree {
    fn place(&self) -> &Path {
        self.whole.place()
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        self.whole.entry(&self.inside(path))
    }

    fn names(&self, directory: &str) -> io::Result<Vec<String>> {
        self.whole.names(&self.inside(directory))
    }

    fn link(&self, path: &str) -> Option<String> {
        self.whole.link(&self.inside(path))
    }

    fn open(&self, path: &str) -> io::Result<Content> {
        self.whole.open(&self.inside(path))
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.whole.stamp(&self.inside(path))
    }
}

/// Whether a relative path consists of plain names: no empty one, no `.`, no `..`, no NUL.
pub fn is_plain(path: &str) -> bool {
    !path.contains('\0') && path.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_tree_is_a_tree() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(place.path().join("a/b")).unwrap();
        std::fs::write(place.path().join("a/b/c"), "text").unwrap();
        let whole: Arc<dyn FileTree> = Arc::new(DirectoryTree::new(place.path()).unwrap());
        let part = Subtree::new(whole, "a");
        assert_eq!(part.entry(""), Some(Entry::Directory));
        assert_eq!(part.names("").unwrap(), ["b"]);
        assert_eq!(part.read("b/c", 4).unwrap(), b"text");
        assert_eq!(part.read("b/c", 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(part.entry("../a"), None);
    }
}
