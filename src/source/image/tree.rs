//! The files of an image after all its layers, and what its links lead to.
//!
//! Rule: links are resolved inside the root of the image and at the time of reading, as path_resolution(7) has it, with the
//! same bound of 40 links; one that leaves the root is named and never followed. Within a directory that is read as a whole,
//! links follow the rules of a catalog on disk (operator-registry `alpha/declcfg/load.go`): a link to a file is read like a
//! file, one to a directory fails, and one that leaves the directory is not followed. Cost: one search in a map for each
//! part of a path.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::Wanted;
use super::flatten::below;
use super::wanted::{Relation, is_at_or_below};
use crate::source::{FileFault, FileFaultKind};

/// As Linux has it: `MAXSYMLINKS`.
const MOST_LINKS: usize = 40;
/// Parts of a path that are looked at while it is resolved: as many as the longest path has.
const MOST_PARTS: usize = 4096;

/// Where a file's content lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImageFile {
    /// The number of the layer, the lowest being 0.
    pub layer: usize,
    /// The number of the entry in the layer.
    pub entry: usize,
    /// Its length.
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    File(ImageFile),
    Directory,
    SymbolicLink(String),
    /// Another name for a file at a path that was not wanted.
    Unknown(String),
    Unusable(String),
}

/// The wanted files of an image.
#[derive(Debug, Clone)]
pub struct ImageTree {
    pub(super) nodes: BTreeMap<String, Node>,
    wanted: Wanted,
    /// What is wrong at and under wanted paths, by path, and names that cannot be used. Links are judged when they are
    /// followed.
    pub faults: Vec<FileFault>,
    /// How many more there are.
    pub further_faults: u64,
    /// Paths that must be wanted too before everything is known: where links at or above wanted paths lead, and targets of
    /// hard links. Sorted.
    pub unresolved: Vec<String>,
}

/// The files of one directory of an image.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectoryFiles {
    /// By path relative to the directory, sorted.
    pub files: Vec<(String, ImageFile)>,
    /// Links that cannot be followed, by path relative to the directory.
    pub faults: Vec<FileFault>,
}

/// What a path leads to.
enum Resolution {
    /// This real path, where something may be or not.
    Path(String),
    /// A place that was not wanted.
    Unknown(String),
    /// Nothing that can be followed: why.
    Refused(FileFaultKind, String),
}

impl ImageTree {
    pub(super) fn new(
        nodes: BTreeMap<String, Node>,
        mut faults: Vec<FileFault>,
        further_faults: u64,
        wanted: Wanted,
    ) -> Self {
        let mut unresolved = BTreeSet::new();
        for (path, node) in &nodes {
            let reason = match node {
                Node::Unusable(reason) => reason.clone(),
                Node::Unknown(target) => {
                    unresolved.insert(target.clone());
                    format!("it is a hard link to {target:?}, which was not read")
                }
                Node::File(_) | Node::Directory | Node::SymbolicLink(_) => continue,
            };
            faults.push(FileFault { path: path.clone(), kind: FileFaultKind::Unreadable, reason });
        }
        faults.sort();
        faults.dedup();
        let mut tree = Self { nodes, wanted, faults, further_faults, unresolved: Vec::new() };
        for path in tree.wanted.paths() {
            if let Resolution::Unknown(path) = tree.resolve(path) {
                unresolved.insert(path);
            }
        }
        tree.unresolved = unresolved.into_iter().collect();
        tree
    }

    /// Every regular file at and under wanted paths, by its real path, sorted.
    pub fn files(&self) -> impl Iterator<Item = (&str, ImageFile)> {
        self.nodes.iter().filter_map(|(path, node)| match node {
            Node::File(file) if self.wanted.holds(path) => Some((path.as_str(), *file)),
            _ => None,
        })
    }

    /// The regular file that a path leads to.
    ///
    /// # Errors
    /// A fault that says why there is none: nothing there, no file, or a link that cannot be followed.
    pub fn file(&self, path: &str) -> Result<ImageFile, FileFault> {
        let fault = |kind, reason| FileFault { path: path.to_owned(), kind, reason };
        let real = self.real(path).map_err(|(kind, reason)| fault(kind, reason))?;
        match self.nodes.get(&real) {
            Some(Node::File(file)) => Ok(*file),
            Some(Node::Unusable(reason)) => Err(fault(FileFaultKind::Unreadable, reason.clone())),
            _ if self.is_directory(&real) => Err(fault(FileFaultKind::Catalog, "it is a directory".to_owned())),
            _ => Err(fault(FileFaultKind::Catalog, "the image has no such file".to_owned())),
        }
    }

    /// The regular files below a directory, which may be a link itself.
    ///
    /// # Errors
    /// A fault that says why there is none: nothing there, no directory, or a link that cannot be followed.
    pub fn below(&self, directory: &str) -> Result<DirectoryFiles, FileFault> {
        let fault = |kind, reason| FileFault { path: directory.to_owned(), kind, reason };
        let real = self.real(directory).map_err(|(kind, reason)| fault(kind, reason))?;
        if !self.is_directory(&real) {
            let reason = "the image has no such directory".to_owned();
            return Err(fault(FileFaultKind::Catalog, reason));
        }
        let mut found = DirectoryFiles::default();
        for (path, node) in below(&self.nodes, &real) {
            let relative = path.strip_prefix(&real).unwrap_or(path).trim_start_matches('/').to_owned();
            match node {
                Node::File(file) => found.files.push((relative, *file)),
                Node::SymbolicLink(_) => match self.followed_inside(path, &real) {
                    Ok(file) => found.files.push((relative, file)),
                    Err((kind, reason)) => found.faults.push(FileFault { path: relative, kind, reason }),
                },
                Node::Directory | Node::Unknown(_) | Node::Unusable(_) => {}
            }
        }
        Ok(found)
    }

    /// The file that a link leads to, where both lie in the directory.
    fn followed_inside(&self, link: &str, directory: &str) -> Result<ImageFile, (FileFaultKind, String)> {
        let leaves = || "it is a link that leaves the directory, and is not followed".to_owned();
        let target = match self.resolve(link) {
            Resolution::Path(target) => target,
            Resolution::Unknown(_) => return Err((FileFaultKind::Unreadable, leaves())),
            Resolution::Refused(kind, reason) => return Err((kind, reason)),
        };
        if !is_at_or_below(&target, directory) {
            return Err((FileFaultKind::Unreadable, leaves()));
        }
        match self.nodes.get(&target) {
            Some(Node::File(file)) => Ok(*file),
            Some(Node::Unusable(reason)) => Err((FileFaultKind::Unreadable, reason.clone())),
            _ if self.is_directory(&target) => {
                Err((FileFaultKind::Catalog, "it is a link to a directory, which opm cannot read".to_owned()))
            }
            _ => Err((FileFaultKind::Catalog, "it is a link to nothing".to_owned())),
        }
    }

    fn real(&self, path: &str) -> Result<String, (FileFaultKind, String)> {
        match self.resolve(path) {
            Resolution::Path(real) => Ok(real),
            Resolution::Unknown(place) => {
                Err((FileFaultKind::Unreadable, format!("it leads to {place:?}, which was not read")))
            }
            Resolution::Refused(kind, reason) => Err((kind, reason)),
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        path.is_empty() || self.nodes.get(path) == Some(&Node::Directory) || below(&self.nodes, path).next().is_some()
    }

    /// Of a directory above wanted paths nothing need be known.
    fn may_be_directory(&self, path: &str) -> bool {
        let is_above = || self.wanted.relation(path) == Relation::Ancestor && !self.nodes.contains_key(path);
        self.is_directory(path) || is_above()
    }

    /// Follows a path part by part.
    fn resolve(&self, path: &str) -> Resolution {
        let mut parts: Vec<&str> = path.rsplit('/').collect();
        let mut real = String::new();
        let mut link = String::new();
        let (mut links, mut looked_at) = (0, 0);
        while let Some(part) = parts.pop() {
            looked_at += 1;
            if links > MOST_LINKS || looked_at > MOST_PARTS {
                let reason = format!("it leads through too many links, or in a circle, at {link:?}");
                return Resolution::Refused(FileFaultKind::Catalog, reason);
            }
            match part {
                "" | "." => continue,
                ".." if real.is_empty() => {
                    let reason = format!("it leads out of the image by the link {link:?}, and is not followed");
                    return Resolution::Refused(FileFaultKind::Unreadable, reason);
                }
                ".." if !self.may_be_directory(&real) => {
                    let reason = format!("it leads through {real:?}, which is no directory");
                    return Resolution::Refused(FileFaultKind::Catalog, reason);
                }
                ".." => {
                    real.truncate(parent(&real).len());
                    continue;
                }
                _ => {}
            }
            if !real.is_empty() {
                real.push('/');
            }
            real.push_str(part);
            if self.wanted.relation(&real) == Relation::Outside {
                return Resolution::Unknown(joined(real, &parts));
            }
            if let Some(Node::SymbolicLink(target)) = self.nodes.get(&real) {
                links += 1;
                link.clone_from(&real);
                let start = if target.starts_with('/') { 0 } else { parent(&real).len() };
                real.truncate(start);
                parts.extend(target.rsplit('/'));
            }
        }
        Resolution::Path(real)
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// A place with what is left of a path behind it; the place alone where that would lead upwards again, since nobody knows
/// yet from where.
fn joined(mut place: String, left: &[&str]) -> String {
    if left.contains(&"..") {
        return place;
    }
    for part in left.iter().rev().filter(|part| !matches!(**part, "" | ".")) {
        place.push('/');
        place.push_str(part);
    }
    place
}
