//! Why something could not be written or verified. Cost: none.

use std::io;
use std::path::{Path, PathBuf};

use super::relative::RelativePathFault;

/// Why a report or a file could not be written, or a report could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// The target holds something that a new report would destroy.
    #[error(
        "{} exists and is no report (it has no report.json with SHA256SUMS): name a new or an empty directory",
        path.display()
    )]
    ForeignTarget {
        /// The refused target.
        path: PathBuf,
    },
    /// The target cannot be replaced by a rename, because another file system is mounted on it.
    #[error("{} is a mount point and cannot be replaced in one step: name a directory below it", path.display())]
    MountPoint {
        /// The refused target.
        path: PathBuf,
    },
    /// The target has no name of its own, as `/` has none.
    #[error("{} names no directory that could be created or replaced", path.display())]
    Nameless {
        /// The refused target.
        path: PathBuf,
    },
    /// A path inside the report that could leave it, or that `SHA256SUMS` could not list.
    #[error("{path:?} cannot be a file of a report: {fault}")]
    RelativePath {
        /// The refused path.
        path: String,
        /// What is wrong with it.
        fault: RelativePathFault,
    },
    /// A report without `report.json` would not be recognised as a report by the next run.
    #[error("the report for {} has no report.json and was not put in place", target.display())]
    Incomplete {
        /// Where the report should have gone.
        target: PathBuf,
    },
    /// A line of `SHA256SUMS` that is no digest with a path, or a list beyond the limit.
    #[error("{}, line {line}: {reason}", path.display())]
    Sums {
        /// The file `SHA256SUMS`.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The operating system refused: a full disk, a missing permission, a file where a directory should be.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The attempt, as a verb: `create`, `write`, `flush`.
        action: &'static str,
        /// The file or directory that it was about.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

impl EmitError {
    /// Gives an error of the operating system its action and its path; fits `map_err`.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_path_buf(), source }
    }
}
