//! Facts that a run decoded, kept for the next one: by stage, stage version and content digest.
//!
//! The cache may change time only. Whatever is wrong with it (broken, foreign, not writable) makes it empty and gives a
//! [`CacheWarning`]; nothing of it stops a run. Two forms serve two needs: a [`Pack`] holds many small facts of a stage
//! in one file, read and checked at once; an object holds one large fact in a file of its own.
//!
//! ```text
//! DIR/CACHEDIR.TAG                 marks the directory for backup programs, and as ours
//!     NAME-vN.pack                 the pack of stage NAME, version N
//!     NAME-vN/ab/cdef…             the objects of that stage, by the hexadecimal digest of their key
//! ```
//!
//! Rule: keys are digests of content, never times or sizes; every file carries a SHA-256 of what it holds and is
//! checked before use; a new stage version never reads what an older one wrote. The tag follows the Cache Directory
//! Tagging Specification. Nothing is flushed to disk: what a loss of power breaks, the next run finds broken.
//! Cost: a pack is one read and one SHA-256 pass, a look-up in it a binary search; an object is one read and one pass.

mod bucket;
mod directory;
mod file;
mod inventory;
mod object;
mod pack;
mod warning;

use std::path::PathBuf;

pub use bucket::Stage;
pub use inventory::{CacheInfo, Pruned, StageInfo};
pub use pack::Pack;
pub use warning::{CacheProblem, CacheWarning};

use crate::finding::Digest;
use file::ReadFault;
use warning::Warnings;

/// A cache directory, or none. Shared by all threads of a run.
///
/// ```
/// # let place = tempfile::tempdir().unwrap();
/// use skipstone::cache::{Cache, Stage};
/// use skipstone::finding::Digest;
/// const FACTS: Stage = Stage { name: "facts", version: 1 };
///
/// let cache = Cache::open(Some(place.path().join("cache")));
/// let key = Digest::of(b"a document");
/// cache.store_pack(FACTS, [(key, b"its facts")]);
/// assert_eq!(cache.load_pack(FACTS).get(&key), Some(b"its facts".as_slice()));
/// assert!(cache.warnings().is_empty());
/// ```
#[derive(Debug)]
pub struct Cache {
    /// The directory as it was asked for, when one was.
    asked: Option<PathBuf>,
    /// The same directory, when it is ours and usable.
    usable: Option<PathBuf>,
    warnings: Warnings,
}

impl Cache {
    /// Opens or creates a cache; `None` gives one that never holds anything. A directory that is not empty and carries
    /// no tag of ours is left alone: it could be anything.
    pub fn open(directory: Option<PathBuf>) -> Self {
        let warnings = Warnings::default();
        let usable = directory.clone().filter(|path| match directory::prepare(path) {
            Ok(()) => true,
            Err(cause) => {
                warnings.add(CacheProblem::Unusable, None, path, &cause);
                false
            }
        });
        Self { asked: directory, usable, warnings }
    }

    /// What went wrong so far: one entry for each problem and stage, in a fixed order.
    pub fn warnings(&self) -> Vec<CacheWarning> {
        self.warnings.all()
    }

    /// The pack of a stage; empty when there is none, or a broken one.
    pub fn load_pack(&self, stage: Stage) -> Pack {
        let Some(path) = self.place(stage).map(|bucket| bucket.with_extension("pack")) else { return Pack::default() };
        match file::read(&path).and_then(|bytes| Pack::parse(stage, bytes)) {
            Ok(pack) => pack,
            Err(ReadFault::Absent) => Pack::default(),
            Err(ReadFault::Broken(cause)) => {
                self.warnings.add(CacheProblem::Broken, Some(stage), &path, &cause);
                Pack::default()
            }
        }
    }

    /// Replaces the pack of a stage by these entries; of equal keys the first counts. Nothing is written when the pack
    /// holds just these already. A failure is a warning.
    pub fn store_pack<Value: AsRef<[u8]>>(&self, stage: Stage, entries: impl IntoIterator<Item = (Digest, Value)>) {
        let Some(path) = self.place(stage).map(|bucket| bucket.with_extension("pack")) else { return };
        let bytes = pack::encode(stage, entries);
        if !file::holds(&path, &bytes)
            && let Err(error) = file::replace(&path, &[&bytes])
        {
            self.warnings.add(CacheProblem::NotStored, Some(stage), &path, &error);
        }
    }

    /// One large fact; `None` when it is not there, or broken.
    pub fn get_object(&self, stage: Stage, key: &Digest) -> Option<Vec<u8>> {
        let path = self.place(stage)?.join(object::relative_path(key));
        match file::read(&path).and_then(|bytes| object::parse(stage, key, bytes)) {
            Ok(payload) => Some(payload),
            Err(ReadFault::Absent) => None,
            Err(ReadFault::Broken(cause)) => {
                self.warnings.add(CacheProblem::Broken, Some(stage), &path, &cause);
                None
            }
        }
    }

    /// Keeps one large fact. A failure is a warning.
    pub fn put_object(&self, stage: Stage, key: &Digest, payload: &[u8]) {
        let Some(bucket) = self.place(stage) else { return };
        let path = bucket.join(object::relative_path(key));
        if let Err(error) = file::replace(&path, &[&object::header(stage, key, payload), payload]) {
            self.warnings.add(CacheProblem::NotStored, Some(stage), &path, &error);
        }
    }

    /// What the cache holds; `current` are the stages that this version of the program uses.
    pub fn info(&self, current: &[Stage]) -> CacheInfo {
        inventory::info(self.asked.as_deref(), self.usable.as_deref(), current)
    }

    /// Removes the stages that are not among `keep`, so everything where `keep` is empty, and what killed runs left
    /// unfinished. A run that uses the cache meanwhile keeps less than it would, and loses nothing else. Files that are not ours by
    /// name and content stay, whatever they are. A file that cannot be removed is a warning.
    pub fn prune(&self, keep: &[Stage]) -> Pruned {
        let Some(directory) = &self.usable else { return Pruned::default() };
        inventory::prune(directory, keep, &self.warnings)
    }

    /// The path of a stage without extension, when the cache is usable and the stage has a name fit for a file.
    fn place(&self, stage: Stage) -> Option<PathBuf> {
        let directory = self.usable.as_deref()?;
        let bucket = stage.bucket();
        if bucket.is_none() {
            self.warnings.add(
                CacheProblem::Unusable,
                Some(stage),
                directory,
                &"the stage has no plain lower-case name",
            );
        }
        Some(directory.join(bucket?))
    }
}

#[cfg(test)]
mod tests;
