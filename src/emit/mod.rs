//! Writes what a run produced: a report directory, all or nothing, or one file.
//!
//! A [`ReportDirectory`] is built beside its target and swapped with it in one step, so that a reader, or a run killed
//! at any moment, finds the old report or the new one and never a mix. Every file is listed in `SHA256SUMS`, the list
//! that `sha256sum -c` of GNU coreutils reads; [`verify_sums`] holds a directory against it.
//!
//! Rule: `renameat2` with `RENAME_EXCHANGE` swaps two names atomically (Linux man-pages, rename(2)); where a file
//! system lacks it, the old report is set aside under a hidden name and brought back by the next run if this one dies.
//! Cost: one create and one write a file (or one read and one link, where the old report has it already), one SHA-256 pass
//! over its bytes, and one flush of the file system at the end.

mod error;
mod file;
mod relative;
mod removal;
mod report_directory;
mod reuse;
mod staging;
mod standing;
mod sums;
mod swap;
mod target;
mod unfinished;
mod verify;

pub use error::EmitError;
pub use file::write_file_atomically;
pub use relative::RelativePathFault;
pub use report_directory::{ReportDirectory, Written};
pub use standing::StandingReport;
pub use sums::{SUMS_FILE, read as read_sums};
pub(crate) use unfinished::{UnfinishedFile, is_unfinished_name};
pub use verify::{BadFile, BadReason, verify_sums};
