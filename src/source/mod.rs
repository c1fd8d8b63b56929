//! Reads inputs: finds what lies at a place, walks it, and hands out its bytes within limits.
//!
//! This row does the reading I/O of the program; everything to its right is pure. Cost: every byte is read once, in windows,
//! so that a catalog of any size needs little memory.

mod catalog_tree;
mod directory;
pub mod dump;
mod glob;
mod ignore;
pub mod image;
mod report;
mod shape;
pub mod signature;
pub mod store;
pub mod tar;
pub mod tree;
mod window;

pub use catalog_tree::walk_catalog_tree;
pub use directory::{CatalogTree, FileFault, FileFaultKind, SkippedFile, TreeFile, walk_catalog};
pub use ignore::{IGNORE_FILE, IgnoreRules};
pub use report::ReportFiles;
pub use shape::{Foreign, Shape, detect};
pub use window::Windows;

use std::path::PathBuf;

/// Why an input cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The operating system refuses.
    #[error("{path}: {cause}")]
    Io {
        /// The place.
        path: PathBuf,
        /// What the system says.
        #[source]
        cause: std::io::Error,
    },
    /// There is something, but not what a catalog consists of.
    #[error("{path}: {what}")]
    Unsuitable {
        /// The place.
        path: PathBuf,
        /// What it is instead.
        what: String,
    },
    /// A store does not give what is wanted of it.
    #[error("{path}: {cause}")]
    Store {
        /// The place.
        path: PathBuf,
        /// What the store says.
        #[source]
        cause: store::StoreError,
    },
}

/// Bounds on what is read of one input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLimits {
    /// Files of one input.
    pub files: usize,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Directories below one another.
    pub depth: usize,
    /// Bytes of one ignore file.
    pub ignore_bytes: u64,
    /// Bytes of one file of a report.
    pub report_file_bytes: u64,
}

impl Default for SourceLimits {
    /// A million files, 8 GiB each, 64 levels deep: ten times the largest catalogs known. A file of a report lies in memory
    /// whole, so that it may have 512 MiB.
    fn default() -> Self {
        Self { files: 1_000_000, file_bytes: 8 << 30, depth: 64, ignore_bytes: 1 << 20, report_file_bytes: 512 << 20 }
    }
}
