//! What changed between two mirrors, or between two catalogs.
//!
//! Rule: sets are compared, by digest and by content; never a catalog by its digest, for every rebuild of a filtered catalog
//! has another one (oc-mirror `internal/pkg/imagebuilder/catalog_builder.go`). A bundle with its old name and another image is a
//! class of its own. Cost: a sort of each side.

mod catalog;
mod images;

pub use catalog::catalogs;
pub use images::images;

use crate::finding::Code;

/// What a change is about; a level that does not apply is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangeSubject {
    /// The repository.
    pub repository: Option<String>,
    /// The tag.
    pub tag: Option<String>,
    /// The catalog.
    pub catalog: Option<String>,
    /// The package.
    pub package: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// The bundle.
    pub bundle: Option<String>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What kind of change: a code of mirrors.
    pub code: Code,
    /// What it is about.
    pub subject: ChangeSubject,
    /// What was there before.
    pub old: Option<String>,
    /// What is there now.
    pub new: Option<String>,
}

/// The codes for what is new, gone, and different.
#[derive(Clone, Copy)]
struct Codes {
    added: Code,
    removed: Code,
    changed: Option<Code>,
}

/// Compares what one name means before and after; equal values are no change.
fn compare(codes: Codes, subject: ChangeSubject, old: Option<String>, new: Option<String>) -> Option<Change> {
    let code = match (&old, &new) {
        (None, Some(_)) => Some(codes.added),
        (Some(_), None) => Some(codes.removed),
        (Some(before), Some(after)) if before != after => codes.changed,
        _ => None,
    };
    code.map(|code| Change { code, subject, old, new })
}

/// Puts changes into the order of every output: by subject, then by code.
pub fn sort(changes: &mut Vec<Change>) {
    changes.sort_by(|one, other| {
        (&one.subject, one.code.name(), &one.old, &one.new).cmp(&(
            &other.subject,
            other.code.name(),
            &other.old,
            &other.new,
        ))
    });
    changes.dedup();
}

#[cfg(test)]
mod tests;
