//! What a cache holds, and the removal of what no stage uses any more.
//!
//! Rule: a file is ours when its place, its name and its first bytes all say so; nothing else is counted or removed,
//! and symbolic links are never followed. Cost: one walk, and one short read a file.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::bucket::{self, Stage};
use super::warning::{CacheProblem, Warnings};
use super::{object, pack};
use crate::emit::is_unfinished_name;

/// What a cache holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CacheInfo {
    /// Its directory; null when the cache is switched off. Bytes that are no UTF-8 are shown as U+FFFD.
    pub dir: Option<String>,
    /// Its stages, sorted by name and version.
    pub stages: Vec<StageInfo>,
}

/// What a cache holds of one stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageInfo {
    /// The name of the stage.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// Whether the running program uses this stage in this version.
    pub current: bool,
    /// How many facts are kept.
    pub entries: u64,
    /// The size of its files in bytes.
    pub bytes: u64,
}

/// What was removed from a cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    /// How many files.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// One file of ours in a cache.
struct CacheFile {
    path: PathBuf,
    /// The stage's name and version.
    stage: (String, u32),
    /// Whether a run was writing it, and perhaps still is.
    is_unfinished: bool,
    entries: u64,
    bytes: u64,
}

pub(super) fn info(asked: Option<&Path>, usable: Option<&Path>, current: &[Stage]) -> CacheInfo {
    let mut stages: BTreeMap<(String, u32), StageInfo> = BTreeMap::new();
    for file in usable.map(files_of).unwrap_or_default() {
        let (name, version) = file.stage.clone();
        let is_current = current.iter().any(|stage| stage.is(&name, version));
        let stage =
            stages.entry(file.stage).or_insert(StageInfo { name, version, current: is_current, entries: 0, bytes: 0 });
        stage.entries = stage.entries.saturating_add(file.entries);
        stage.bytes = stage.bytes.saturating_add(file.bytes);
    }
    let dir = asked.map(|path| path.to_string_lossy().into_owned());
    CacheInfo { dir, stages: stages.into_values().collect() }
}

pub(super) fn prune(directory: &Path, keep: &[Stage], warnings: &Warnings) -> Pruned {
    let mut pruned = Pruned::default();
    for file in files_of(directory) {
        if !file.is_unfinished && keep.iter().any(|stage| stage.is(&file.stage.0, file.stage.1)) {
            continue;
        }
        match fs::remove_file(&file.path) {
            Ok(()) => {
                pruned.files += 1;
                pruned.bytes += file.bytes;
                remove_empty_parents(&file.path, directory);
            }
            Err(error) => warnings.add(CacheProblem::NotRemoved, None, &file.path, &error),
        }
    }
    pruned
}

/// Removing a directory fails where something is left in it, which is just what is wanted.
fn remove_empty_parents(path: &Path, root: &Path) {
    for parent in path.ancestors().skip(1).take_while(|parent| *parent != root) {
        if fs::remove_dir(parent).is_err() {
            return;
        }
    }
}

/// All files of ours, sorted by path within each directory.
fn files_of(directory: &Path) -> Vec<CacheFile> {
    let mut files = Vec::new();
    for (name, path, is_directory) in entries_of(directory) {
        if !is_directory {
            files.extend(pack_at(&name, path));
        } else if let Some((stage, version)) = bucket::parse_bucket(&name) {
            files.extend(objects_of(&path, &(stage.to_owned(), version)));
        }
    }
    files
}

/// A pack, whose name must be that of the stage it was written for, or an unfinished one.
fn pack_at(name: &str, path: PathBuf) -> Option<CacheFile> {
    let is_unfinished = is_unfinished_name(name);
    let named = name.strip_suffix(".pack").and_then(bucket::parse_bucket);
    if !is_unfinished && named.is_none() {
        return None;
    }
    let (beginning, bytes) = beginning_of(&path)?;
    let header = pack::Header::parse(&beginning)?;
    let is_ours = is_unfinished || named == Some((header.name, header.version));
    let stage = (header.name.to_owned(), header.version);
    let entries = if is_unfinished { 0 } else { header.count as u64 };
    is_ours.then_some(CacheFile { path, stage, is_unfinished, entries, bytes })
}

fn objects_of(bucket: &Path, stage: &(String, u32)) -> Vec<CacheFile> {
    let mut files = Vec::new();
    for (directory, path, is_directory) in entries_of(bucket) {
        if is_directory {
            let objects = entries_of(&path).into_iter().filter(|(_, _, is_directory)| !is_directory);
            files.extend(objects.filter_map(|(name, path, _)| object_at(&directory, &name, path, stage)));
        }
    }
    files
}

fn object_at(directory: &str, name: &str, path: PathBuf, stage: &(String, u32)) -> Option<CacheFile> {
    let is_unfinished = is_unfinished_name(name);
    if !is_unfinished && !object::is_object_name(directory, name) {
        return None;
    }
    let (beginning, bytes) = beginning_of(&path)?;
    let entries = u64::from(!is_unfinished);
    let file = CacheFile { path, stage: stage.clone(), is_unfinished, entries, bytes };
    beginning.starts_with(object::MAGIC).then_some(file)
}

/// The first bytes of a file, enough for the header of a pack, and the file's size.
fn beginning_of(path: &Path) -> Option<(Vec<u8>, u64)> {
    const LONGEST_NAME: usize = 255;
    let file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let mut beginning = Vec::new();
    file.take((pack::FIXED_HEADER_LENGTH + LONGEST_NAME) as u64).read_to_end(&mut beginning).ok()?;
    Some((beginning, size))
}

/// The name, path and kind of each regular file (false) and directory (true) here, sorted by name. What cannot be
/// listed is not ours to count.
fn entries_of(directory: &Path) -> Vec<(String, PathBuf, bool)> {
    let mut entries: Vec<_> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let kind = entry.file_type().ok()?;
            let name = entry.file_name().into_string().ok()?;
            (kind.is_dir() || kind.is_file()).then(|| (name, entry.path(), kind.is_dir()))
        })
        .collect();
    entries.sort();
    entries
}
