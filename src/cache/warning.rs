//! What was wrong with a cache, gathered from all threads. Cost: one map look-up a problem.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::bucket::Stage;

/// A problem of a cache; it costs time, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheWarning {
    /// What kind of problem.
    pub problem: CacheProblem,
    /// The stage that it concerns, unless all.
    pub stage: Option<Stage>,
    /// The file or directory; of several the first that was met.
    pub path: PathBuf,
    /// Why, for that file.
    pub cause: String,
    /// How many times the problem was met in this stage.
    pub count: u64,
}

/// The kinds of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CacheProblem {
    /// The directory is foreign, or cannot be created, so nothing is read or kept.
    Unusable,
    /// A file is broken or foreign and was taken for absent.
    Broken,
    /// Something could not be written, and will be computed again by the next run.
    NotStored,
    /// Something could not be removed.
    NotRemoved,
}

impl Display for CacheWarning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effect = match self.problem {
            CacheProblem::Unusable => "cache not used",
            CacheProblem::Broken => "cache entry ignored",
            CacheProblem::NotStored => "cache not written",
            CacheProblem::NotRemoved => "cache not pruned",
        };
        write!(formatter, "{effect}: {}: {}", self.path.display(), self.cause)?;
        match self.count {
            1 => Ok(()),
            count => write!(formatter, " (and {} more)", count.saturating_sub(1)),
        }
    }
}

/// The problems met so far, one entry for each kind and stage.
#[derive(Debug, Default)]
pub(super) struct Warnings(Mutex<BTreeMap<(CacheProblem, Option<Stage>), CacheWarning>>);

impl Warnings {
    pub(super) fn add(&self, problem: CacheProblem, stage: Option<Stage>, path: &Path, cause: &dyn Display) {
        let mut warnings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let warning = warnings.entry((problem, stage)).or_insert_with(|| CacheWarning {
            problem,
            stage,
            path: path.to_path_buf(),
            cause: cause.to_string(),
            count: 0,
        });
        warning.count += 1;
    }

    pub(super) fn all(&self) -> Vec<CacheWarning> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_of_a_kind_are_one_warning() {
        let warnings = Warnings::default();
        let stage = Some(Stage { name: "facts", version: 1 });
        for path in ["a", "b", "c"] {
            warnings.add(CacheProblem::NotStored, stage, Path::new(path), &"no space");
        }
        warnings.add(CacheProblem::Unusable, None, Path::new("d"), &"foreign");
        let texts: Vec<String> = warnings.all().iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["cache not used: d: foreign", "cache not written: a: no space (and 2 more)"]);
    }
}
