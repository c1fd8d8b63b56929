//! Small files of plain directories, kept in memory: bundles and payloads that somebody extracted.
//!
//! Links are followed inside the directory and not out of it. Cost: one look at each name; the wanted files are read.

use std::io;
use std::path::Path;

use crate::source::image::FileSet;
use crate::source::tree::{DirectoryTree, Entry, FileTree};
use crate::source::{FileFault, FileFaultKind, SourceError, SourceLimits};

/// Names that are looked at in one tree.
const MOST_NAMES: usize = 200_000;
/// Bytes that the files of one bundle or payload may have.
const MOST_BYTES: u64 = 128 << 20;

/// The paths of all files of a tree, sorted, and what could not be looked at.
#[derive(Default)]
pub(super) struct Paths {
    pub(super) files: Vec<String>,
    pub(super) faults: Vec<FileFault>,
}

/// Opens a directory.
///
/// # Errors
/// [`SourceError`] where it cannot be looked at.
pub(super) fn directory(place: &Path) -> Result<DirectoryTree, SourceError> {
    DirectoryTree::new(place).map_err(|cause| SourceError::Io { path: place.to_owned(), cause })
}

/// Lists the files of a tree below a directory.
pub(super) fn paths(tree: &dyn FileTree, root: &str, limits: &SourceLimits) -> Paths {
    let mut paths = Paths::default();
    let mut waiting = vec![(root.to_owned(), 0)];
    while let Some((directory, depth)) = waiting.pop() {
        let mut refuse = |kind, reason: String| {
            paths.faults.push(FileFault { path: directory.clone(), kind, reason });
        };
        if depth > limits.depth {
            refuse(FileFaultKind::Limit, format!("it lies deeper than {} directories", limits.depth));
            continue;
        }
        let names = match tree.names(&directory) {
            Ok(names) => names,
            Err(error) => {
                refuse(FileFaultKind::Unreadable, error.to_string());
                continue;
            }
        };
        for name in names {
            let path = if directory.is_empty() { name } else { format!("{directory}/{name}") };
            match tree.entry(&path) {
                Some(Entry::Directory) if tree.link(&path).is_none() => waiting.push((path, depth + 1)),
                Some(Entry::File { .. }) => paths.files.push(path),
                _ => {}
            }
            if paths.files.len() > MOST_NAMES {
                let reason = format!("it holds more than {MOST_NAMES} files");
                paths.faults.push(FileFault { path: root.to_owned(), kind: FileFaultKind::Limit, reason });
                paths.files.sort_unstable();
                return paths;
            }
        }
    }
    paths.files.sort_unstable();
    paths
}

/// The content of the files below one directory, with paths relative to it; `paths` are sorted.
///
/// # Errors
/// What reading says; [`io::ErrorKind::FileTooLarge`] beyond the limit.
pub(super) fn read_below(tree: &dyn FileTree, directory: &str, paths: &[String]) -> io::Result<FileSet> {
    let mut left = MOST_BYTES;
    let mut files = FileSet::new();
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let first = paths.partition_point(|path| path.as_str() < prefix.as_str());
    for path in paths.iter().skip(first) {
        let Some(relative) = path.strip_prefix(&prefix) else { break };
        let bytes = tree.read(path, left)?;
        left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        files.insert(relative.to_owned(), bytes);
    }
    Ok(files)
}
