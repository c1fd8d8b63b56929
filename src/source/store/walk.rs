//! Walks the directories of a store within limits, and gathers what is wrong with them.
//!
//! Links between directories are not followed: no tool that writes these shapes makes any, and a circle of them would never
//! end. Cost: one look at each name; the number of names, the depth and the number of faults are bounded.

use crate::source::tree::{Entry, FileTree, is_plain};
use crate::source::{FileFault, FileFaultKind, SourceLimits};

/// Faults that are told one by one; beyond them stands only their number.
const FAULTS: usize = 1000;

/// A walk over a tree.
pub(super) struct Walk<'t> {
    /// Where it goes.
    pub(super) tree: &'t dyn FileTree,
    depth: usize,
    names_left: usize,
    faults: Vec<FileFault>,
    further_faults: usize,
}

impl<'t> Walk<'t> {
    /// A walk that has seen nothing yet.
    pub(super) fn new(tree: &'t dyn FileTree, limits: &SourceLimits) -> Self {
        Self { tree, depth: limits.depth, names_left: limits.files, faults: Vec::new(), further_faults: 0 }
    }

    /// The names in a directory; none once the limit was met.
    pub(super) fn names(&mut self, directory: &str) -> Vec<String> {
        let mut names = match self.tree.names(directory) {
            Ok(names) => names,
            Err(error) => {
                self.fault(directory, FileFaultKind::Unreadable, error.to_string());
                Vec::new()
            }
        };
        names.retain(|name| !name.contains('/') && is_plain(name));
        if names.len() > self.names_left {
            let reason = format!("{} of its {} names are within the limit", self.names_left, names.len());
            self.fault(directory, FileFaultKind::Limit, reason);
            names.truncate(self.names_left);
        }
        self.names_left = self.names_left.saturating_sub(names.len());
        names
    }

    /// Goes down from a directory: `visit` sees each directory with its path below the start and its names, and answers
    /// with those names that are to be gone into.
    pub(super) fn descend(&mut self, start: &str, mut visit: impl FnMut(&mut Self, &str, Vec<String>) -> Vec<String>) {
        let mut waiting = vec![(String::new(), 0)];
        while let Some((below, depth)) = waiting.pop() {
            let directory = join(start, &below);
            let names = self.names(&directory);
            for name in visit(self, &below, names).into_iter().rev() {
                let child = join(&below, &name);
                if !self.is_own_directory(&join(start, &child)) {
                    continue;
                }
                if depth < self.depth {
                    waiting.push((child, depth + 1));
                } else {
                    let reason = format!("it lies deeper than {} directories", self.depth);
                    self.fault(&join(start, &child), FileFaultKind::Limit, reason);
                }
            }
        }
    }

    /// Whether a path is a directory and no link to one; such a link is a fault.
    pub(super) fn is_own_directory(&mut self, path: &str) -> bool {
        if self.tree.entry(path) != Some(Entry::Directory) {
            return false;
        }
        if self.tree.link(path).is_some() {
            let reason = "it is a link to a directory, and is not followed".to_owned();
            self.fault(path, FileFaultKind::Unreadable, reason);
            return false;
        }
        true
    }

    /// Notes what is wrong with a path.
    pub(super) fn fault(&mut self, path: &str, kind: FileFaultKind, reason: String) {
        if self.faults.len() < FAULTS {
            self.faults.push(FileFault { path: path.to_owned(), kind, reason });
        } else {
            self.further_faults += 1;
        }
    }

    /// Everything that was wrong.
    pub(super) fn into_faults(mut self) -> Vec<FileFault> {
        if self.further_faults > 0 {
            let reason = format!("{} further faults are not listed", self.further_faults);
            self.faults.push(FileFault { path: String::new(), kind: FileFaultKind::Limit, reason });
        }
        self.faults
    }
}

/// A path below another; either may be empty.
pub(super) fn join(directory: &str, path: &str) -> String {
    match (directory, path) {
        ("", path) => path.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, path) => format!("{directory}/{path}"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir_all, write};

    use super::*;
    use crate::source::tree::DirectoryTree;

    fn paths(place: &std::path::Path, limits: &SourceLimits) -> (Vec<String>, Vec<FileFault>) {
        let tree = DirectoryTree::new(place).unwrap();
        let mut walk = Walk::new(&tree, limits);
        let mut paths = Vec::new();
        walk.descend("", |_, path, names| {
            paths.push(path.to_owned());
            names
        });
        (paths, walk.into_faults())
    }

    #[test]
    fn every_directory_is_visited_in_order() {
        let place = tempfile::tempdir().unwrap();
        create_dir_all(place.path().join("b/c")).unwrap();
        create_dir_all(place.path().join("a")).unwrap();
        write(place.path().join("file"), "").unwrap();
        let (paths, faults) = paths(place.path(), &SourceLimits::default());
        assert_eq!(paths, ["", "a", "b", "b/c"]);
        assert!(faults.is_empty(), "{faults:?}");
    }

    #[test]
    fn circles_of_links_end() {
        let place = tempfile::tempdir().unwrap();
        create_dir_all(place.path().join("a")).unwrap();
        for name in ["one", "two"] {
            std::os::unix::fs::symlink("..", place.path().join("a").join(name)).unwrap();
        }
        let (paths, faults) = paths(place.path(), &SourceLimits::default());
        assert_eq!(paths, ["", "a"]);
        assert_eq!(faults.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(), ["a/two", "a/one"]);
    }

    #[test]
    fn depth_and_number_of_names_are_bounded() {
        let place = tempfile::tempdir().unwrap();
        create_dir_all(place.path().join("a/b/c")).unwrap();
        create_dir_all(place.path().join("d")).unwrap();
        let (deep, faults) = paths(place.path(), &SourceLimits { depth: 1, ..SourceLimits::default() });
        assert_eq!(deep, ["", "a", "d"]);
        assert_eq!((faults.len(), faults[0].path.as_str(), faults[0].kind), (1, "a/b", FileFaultKind::Limit));
        let (few, faults) = paths(place.path(), &SourceLimits { files: 2, ..SourceLimits::default() });
        assert_eq!(few, ["", "a", "d"]);
        assert_eq!((faults.len(), faults[0].path.as_str(), faults[0].kind), (1, "a", FileFaultKind::Limit));
    }

    #[test]
    fn a_flood_of_faults_is_counted() {
        let place = tempfile::tempdir().unwrap();
        let tree = DirectoryTree::new(place.path()).unwrap();
        let mut walk = Walk::new(&tree, &SourceLimits::default());
        for _ in 0..FAULTS + 5 {
            walk.fault("a", FileFaultKind::Unreadable, "torn".to_owned());
        }
        let faults = walk.into_faults();
        assert_eq!(faults.len(), FAULTS + 1);
        assert_eq!(faults[FAULTS].reason, "5 further faults are not listed");
    }
}
