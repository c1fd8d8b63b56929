//! Walks a file-based catalog that lies in a tree of files, such as an archive of a mirror tool.
//!
//! Rule: the one of [`super::walk_catalog`]: every file counts, `.indexignore` files leave others out, a link to a directory
//! fails. What leaves the tree is no entry of it. Cost: one look at each name.

use std::path::PathBuf;

use super::ignore::{IGNORE_FILE, IgnoreRules};
use super::tree::{Entry, FileTree};
use super::{CatalogTree, FileFault, FileFaultKind, SkippedFile, SourceLimits, TreeFile};

/// Lists what a catalog in a directory of a tree consists of; [`TreeFile::place`] is the path in the tree.
pub fn walk_catalog_tree(tree: &dyn FileTree, directory: &str, limits: &SourceLimits) -> CatalogTree {
    let mut walker =
        Walker { tree, root: directory, limits, found: CatalogTree::default(), rules: IgnoreRules::default() };
    walker.directory("", 0);
    walker.finish()
}

struct Walker<'w> {
    tree: &'w dyn FileTree,
    root: &'w str,
    limits: &'w SourceLimits,
    found: CatalogTree,
    rules: IgnoreRules,
}

impl Walker<'_> {
    fn place(&self, path: &str) -> String {
        match (self.root, path) {
            (root, "") => root.to_owned(),
            ("", path) => path.to_owned(),
            (root, path) => format!("{root}/{path}"),
        }
    }

    fn directory(&mut self, directory: &str, depth: usize) {
        if depth >= self.limits.depth {
            let reason = format!("it lies deeper than {} directories", self.limits.depth);
            return self.fault(directory, FileFaultKind::Limit, reason);
        }
        let names = match self.tree.names(&self.place(directory)) {
            Ok(names) => names,
            Err(error) => return self.fault(directory, FileFaultKind::Unreadable, error.to_string()),
        };
        for name in names {
            let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
            let place = self.place(&path);
            match self.tree.entry(&place) {
                Some(Entry::Directory) if self.tree.link(&place).is_some() => {
                    let reason = "it is a link to a directory, which opm cannot read".to_owned();
                    self.fault(&path, FileFaultKind::Catalog, reason);
                }
                Some(Entry::Directory) => self.directory(&path, depth + 1),
                Some(Entry::File { bytes }) if name == IGNORE_FILE => self.ignore_file(directory, &path, bytes),
                Some(Entry::File { bytes }) => self.file(path, place, bytes),
                None => {
                    let reason = "it leads out of the directory, or is no file".to_owned();
                    self.fault(&path, FileFaultKind::Unreadable, reason);
                }
            }
        }
    }

    fn ignore_file(&mut self, directory: &str, path: &str, bytes: u64) {
        match self.tree.read(&self.place(path), self.limits.ignore_bytes) {
            Ok(text) => self.rules.add(directory, &String::from_utf8_lossy(&text)),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                self.fault(path, FileFaultKind::Limit, format!("{bytes} bytes of patterns are too many"));
            }
            Err(error) => self.fault(path, FileFaultKind::Unreadable, error.to_string()),
        }
    }

    fn file(&mut self, path: String, place: String, bytes: u64) {
        if self.found.files.len() >= self.limits.files {
            let reason = format!("the input has more than {} files", self.limits.files);
            return self.fault(&path, FileFaultKind::Limit, reason);
        }
        self.found.files.push(TreeFile { path, place: PathBuf::from(place), bytes });
    }

    fn fault(&mut self, path: &str, kind: FileFaultKind, reason: String) {
        // A million faults of one kind say no more than the first ones.
        if self.found.faults.len() < 1000 {
            self.found.faults.push(FileFault { path: path.to_owned(), kind, reason });
        }
    }

    /// Leaves out what the ignore files name, which count for the whole walk, and what is too large.
    fn finish(mut self) -> CatalogTree {
        for file in std::mem::take(&mut self.found.files) {
            if self.rules.ignores(&file.path) {
                let reason = "an .indexignore names it".to_owned();
                self.found.skipped.push(SkippedFile { path: file.path, reason });
            } else if file.bytes > self.limits.file_bytes {
                let reason = format!("it has {} bytes, {} are allowed", file.bytes, self.limits.file_bytes);
                self.fault(&file.path, FileFaultKind::Limit, reason);
            } else {
                self.found.files.push(file);
            }
        }
        self.found.files.sort_by(|one, other| one.path.cmp(&other.path));
        self.found
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tree::DirectoryTree;
    use super::super::walk_catalog;
    use super::*;

    #[test]
    fn a_tree_is_walked_like_a_directory() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("mirror/catalog");
        for (path, text) in [("p/a.yaml", "a: 1"), ("p/.indexignore", "*.md"), ("p/b.md", ""), ("p/deep/c", "{}")] {
            let file = root.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let limits = SourceLimits::default();
        let tree = DirectoryTree::new(&place.path().join("mirror")).unwrap();
        let of_tree = walk_catalog_tree(&tree, "catalog", &limits);
        let of_directory = walk_catalog(&root, &limits).unwrap();
        let paths = |tree: &CatalogTree| tree.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
        assert_eq!(paths(&of_tree), ["p/a.yaml", "p/deep/c"]);
        assert_eq!(paths(&of_tree), paths(&of_directory));
        assert_eq!(of_tree.skipped, of_directory.skipped);
        assert_eq!(of_tree.files[0].place, PathBuf::from("catalog/p/a.yaml"));
    }

    #[test]
    fn a_link_to_a_directory_is_a_fault_and_one_that_leaves_is_one_as_well() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("catalog/p")).unwrap();
        std::os::unix::fs::symlink("p", place.path().join("catalog/again")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", place.path().join("catalog/out")).unwrap();
        let tree = DirectoryTree::new(place.path()).unwrap();
        let kinds: Vec<FileFaultKind> = walk_catalog_tree(&tree, "catalog", &SourceLimits::default())
            .faults
            .iter()
            .map(|fault| fault.kind)
            .collect();
        assert_eq!(kinds, [FileFaultKind::Catalog, FileFaultKind::Unreadable]);
    }
}
