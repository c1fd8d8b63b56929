//! Walks the directory of a file-based catalog.
//!
//! Rule: operator-registry `alpha/declcfg/load.go`: every file counts, whatever its name, in lexical order; `.indexignore`
//! files leave others out; a link to a file is read like a file, a link to a directory fails, as opm fails on it. A link out
//! of the directory is never followed, and neither are devices or pipes opened. Cost: one look at each directory entry.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use super::ignore::{IGNORE_FILE, IgnoreRules};
use super::tree::Content;
use super::{SourceError, SourceLimits};

/// The files of a catalog, by path.
#[derive(Debug, Default)]
pub struct CatalogTree {
    /// What is to be read, by path.
    pub files: Vec<TreeFile>,
    /// What a rule leaves out.
    pub skipped: Vec<SkippedFile>,
    /// What cannot be read.
    pub faults: Vec<FileFault>,
}

/// One file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Path relative to the catalog, with `/` between its parts.
    pub path: String,
    /// The place to open, in the file system or in the tree that was walked.
    pub place: PathBuf,
    /// Bytes, as the file system says.
    pub bytes: u64,
}

impl TreeFile {
    /// Opens it where it lies in the file system.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(&self) -> std::io::Result<Content> {
        Ok(Box::new(fs::File::open(&self.place)?))
    }
}

/// A file that a rule leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    /// Path relative to the catalog.
    pub path: String,
    /// The rule.
    pub reason: String,
}

/// A file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileFault {
    /// Path relative to the catalog.
    pub path: String,
    /// What kind of fault it is.
    pub kind: FileFaultKind,
    /// What is wrong.
    pub reason: String,
}

/// Whose fault it is that a file was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FileFaultKind {
    /// The catalog's: opm fails on it as well.
    Catalog,
    /// The machine's, or the input leaves its own directory: what stands there is not known.
    Unreadable,
    /// It is larger than the limits allow.
    Limit,
}

/// Lists what a catalog consists of; a single file is a catalog of one file.
///
/// # Errors
/// [`SourceError`] where the place itself cannot be looked at.
pub fn walk_catalog(root: &Path, limits: &SourceLimits) -> Result<CatalogTree, SourceError> {
    let io = |cause| SourceError::Io { path: root.to_owned(), cause };
    let metadata = fs::metadata(root).map_err(io)?;
    if metadata.is_file() {
        let name = root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let file = TreeFile { path: name, place: root.to_owned(), bytes: metadata.len() };
        return Ok(CatalogTree { files: vec![file], ..CatalogTree::default() });
    }
    if !metadata.is_dir() {
        let what = "it is neither a directory nor a file".to_owned();
        return Err(SourceError::Unsuitable { path: root.to_owned(), what });
    }
    let mut walker =
        Walker { root: fs::canonicalize(root).map_err(io)?, limits, tree: CatalogTree::default(), found: Vec::new() };
    let rules = walker.collect();
    walker.sort_out(&rules);
    Ok(walker.tree)
}

struct Walker<'l> {
    root: PathBuf,
    limits: &'l SourceLimits,
    tree: CatalogTree,
    found: Vec<(String, PathBuf)>,
}

impl Walker<'_> {
    /// Every entry that is no directory, and all ignore files, which count for the whole walk.
    fn collect(&mut self) -> IgnoreRules {
        let mut rules = IgnoreRules::default();
        let walk = WalkDir::new(&self.root).follow_links(false).sort_by_file_name().max_depth(self.limits.depth);
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().map_or_else(String::new, |path| relative(&self.root, path));
                    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.fault(path, FileFaultKind::Unreadable, reason);
                    continue;
                }
            };
            let path = relative(&self.root, entry.path());
            if entry.file_type().is_dir() {
                if entry.depth() == self.limits.depth {
                    let reason = format!("it lies deeper than {} directories", self.limits.depth);
                    self.fault(path, FileFaultKind::Limit, reason);
                }
            } else if entry.file_name() == IGNORE_FILE {
                self.ignore_file(&path, entry.path(), &mut rules);
            } else if self.found.len() < self.limits.files {
                self.found.push((path, entry.into_path()));
            } else {
                let reason = format!("the input has more than {} files", self.limits.files);
                self.fault(path, FileFaultKind::Limit, reason);
                break;
            }
        }
        rules
    }

    fn ignore_file(&mut self, path: &str, place: &Path, rules: &mut IgnoreRules) {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        match self.inside(place) {
            Ok((place, bytes)) if bytes <= self.limits.ignore_bytes => match fs::read(place) {
                Ok(text) => rules.add(directory, &String::from_utf8_lossy(&text)),
                Err(error) => self.fault(path.to_owned(), FileFaultKind::Unreadable, error.to_string()),
            },
            Ok((_, bytes)) => {
                self.fault(path.to_owned(), FileFaultKind::Limit, format!("{bytes} bytes of patterns are too many"));
            }
            Err((kind, reason)) => self.fault(path.to_owned(), kind, reason),
        }
    }

    fn sort_out(&mut self, rules: &IgnoreRules) {
        for (path, place) in std::mem::take(&mut self.found) {
            if rules.ignores(&path) {
                self.tree.skipped.push(SkippedFile { path, reason: "an .indexignore names it".to_owned() });
                continue;
            }
            match self.inside(&place) {
                Ok((place, bytes)) if bytes <= self.limits.file_bytes => {
                    self.tree.files.push(TreeFile { path, place, bytes });
                }
                Ok((_, bytes)) => {
                    let reason = format!("it has {bytes} bytes, {} are allowed", self.limits.file_bytes);
                    self.fault(path, FileFaultKind::Limit, reason);
                }
                Err((kind, reason)) => self.fault(path, kind, reason),
            }
        }
        self.tree.files.sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// The real place and size of a regular file inside the root; links are followed, but not out of it.
    fn inside(&self, place: &Path) -> Result<(PathBuf, u64), (FileFaultKind, String)> {
        let unreadable = |error: std::io::Error| (FileFaultKind::Unreadable, error.to_string());
        let mut real = place.to_owned();
        if fs::symlink_metadata(place).map_err(unreadable)?.file_type().is_symlink() {
            real = fs::canonicalize(place).map_err(unreadable)?;
            if !real.starts_with(&self.root) {
                let reason = "it is a link that leaves the directory, and is not followed".to_owned();
                return Err((FileFaultKind::Unreadable, reason));
            }
        }
        let metadata = fs::metadata(&real).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err((FileFaultKind::Catalog, "it is a link to a directory, which opm cannot read".to_owned()));
        }
        if !metadata.is_file() {
            return Err((FileFaultKind::Unreadable, "it is a device, a pipe or a socket".to_owned()));
        }
        Ok((real, metadata.len()))
    }

    fn fault(&mut self, path: String, kind: FileFaultKind, reason: String) {
        self.tree.faults.push(FileFault { path, kind, reason });
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<String> = inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests;
