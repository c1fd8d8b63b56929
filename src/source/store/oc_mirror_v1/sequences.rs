//! Archives of several sequences as one tree: each sequence is a directory, called by its number.
//!
//! Rule: oc-mirror, `v1/pkg/archive/archive.go`: every sequence has the same names in it, so that they cannot be laid over
//! one another. Cost: none beyond that of the trees.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use crate::source::tree::{Content, Entry, FileTree, Stamp};

/// Trees by the name of their directory.
pub(super) struct Sequences {
    first: Arc<dyn FileTree>,
    by_number: BTreeMap<u32, Arc<dyn FileTree>>,
}

impl Sequences {
    /// Puts trees side by side; `None` where there are none.
    pub(super) fn new(trees: Vec<(u32, Arc<dyn FileTree>)>) -> Option<Self> {
        let by_number: BTreeMap<_, _> = trees.into_iter().collect();
        let first = by_number.values().next().map(Arc::clone)?;
        Some(Self { first, by_number })
    }

    /// The directories of the sequences, the newest first.
    pub(super) fn newest_first(&self) -> Vec<String> {
        self.by_number.keys().rev().map(|number| directory(*number)).collect()
    }

    /// Whether nothing was sent before the oldest sequence.
    pub(super) fn begins_with_the_first(&self) -> bool {
        self.by_number.keys().next().is_some_and(|number| *number <= 1)
    }

    /// The tree that a path leads into, and the path in there.
    fn part<'p>(&self, path: &'p str) -> Option<(&Arc<dyn FileTree>, &'p str)> {
        let (name, rest) = path.split_once('/').unwrap_or((path, ""));
        let number: u32 = name.strip_prefix("mirror_seq")?.parse().ok()?;
        let tree = self.by_number.get(&number).filter(|_| directory(number) == name)?;
        Some((tree, rest))
    }
}

fn directory(number: u32) -> String {
    format!("mirror_seq{number}")
}

impl FileTree for Sequences {
    fn place(&self) -> &Path {
        self.first.place()
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        if path.is_empty() {
            return Some(Entry::Directory);
        }
        self.part(path).and_then(|(tree, rest)| tree.entry(rest))
    }

    fn names(&self, path: &str) -> io::Result<Vec<String>> {
        if path.is_empty() {
            let mut names: Vec<String> = self.by_number.keys().map(|number| directory(*number)).collect();
            names.sort_unstable();
            return Ok(names);
        }
        self.part(path).map_or_else(|| Ok(Vec::new()), |(tree, rest)| tree.names(rest))
    }

    fn link(&self, path: &str) -> Option<String> {
        self.part(path).and_then(|(tree, rest)| tree.link(rest))
    }

    fn open(&self, path: &str) -> io::Result<Content> {
        let (tree, rest) = self.part(path).ok_or(ErrorKind::NotFound)?;
        tree.open(rest)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.part(path).and_then(|(tree, rest)| tree.stamp(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::{tree, write};
    use super::*;

    #[test]
    fn each_sequence_is_a_directory() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(one.path(), "a", "old");
        write(two.path(), "a", "new!");
        let both = Sequences::new(vec![(10, tree(two.path())), (9, tree(one.path()))]).unwrap();
        assert_eq!(both.newest_first(), ["mirror_seq10", "mirror_seq9"]);
        assert_eq!(both.names("").unwrap(), ["mirror_seq10", "mirror_seq9"]);
        assert_eq!(both.read("mirror_seq9/a", 9).unwrap(), b"old");
        assert_eq!(both.entry("mirror_seq10/a"), Some(Entry::File { bytes: 4 }));
        assert_eq!(both.entry("mirror_seq10"), Some(Entry::Directory));
        assert!(!both.begins_with_the_first());
        for path in ["a", "mirror_seq09/a", "mirror_seq8/a", "mirror_seq9/../a", "mirror_seq"] {
            assert_eq!(both.entry(path), None, "{path}");
        }
        assert!(Sequences::new(Vec::new()).is_none());
    }
}
