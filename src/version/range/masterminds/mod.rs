//! The range dialect of ClusterExtensions: the version field of the catalog source.
//!
//! Rule: Masterminds/semver v3.5, `constraints.go`, `NewConstraint` and `Constraints.Check`, as operator-controller
//! calls them (`catalogmetadata/filter/bundle_predicates.go`): the version under test is a strict version, turned to
//! text and read again. A pre-release is in the range only where some comparator of the same alternative names a
//! pre-release. The empty text is refused here; OLM v1 takes an empty field for no constraint and never reads it.
//!
//! Cost: the text has at most 512 bytes and 32 alternatives; finding hyphen ranges is quadratic in that length.

mod comparator;
mod hyphen;
mod scan;

use self::comparator::Comparator;
use super::{Range, RangeError, shown_as_text};
use crate::version::SemanticVersion;
use crate::version::error::excerpt;

/// The longest range text that is read, in bytes (`MaxConstraintLen`).
pub const MAXIMUM_BYTES: usize = 512;

/// The most alternatives of a range (`MaxConstraintGroups`).
pub const MAXIMUM_ALTERNATIVES: usize = 32;

/// The longest version text that the library reads, in bytes (`MaxVersionLen`).
const MAXIMUM_VERSION_BYTES: usize = 256;

/// A range in the dialect of Masterminds/semver v3: alternatives of comparators that must all hold.
///
/// Equal ranges are those written alike. Serialized as the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MastermindsRange {
    text: String,
    alternatives: Vec<Alternative>,
}

/// Comparators that must all hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Alternative {
    comparators: Vec<Comparator>,
    admits_pre_releases: bool,
}

impl Alternative {
    fn parse(text: &str) -> Result<Self, RangeError> {
        let improper = || RangeError::ImproperConstraint { text: excerpt(text) };
        let terms = scan::terms(text).ok_or_else(improper)?;
        let comparators: Option<Vec<_>> = terms.iter().map(Comparator::from_term).collect();
        let comparators = comparators.ok_or_else(improper)?;
        let admits_pre_releases = comparators.iter().any(Comparator::names_pre_release);
        Ok(Self { comparators, admits_pre_releases })
    }

    fn matches(&self, version: &SemanticVersion) -> bool {
        (self.admits_pre_releases || !version.is_pre_release())
            && self.comparators.iter().all(|comparator| comparator.matches(version))
    }
}

/// Reads a range; see [`MastermindsRange`].
///
/// ```
/// use skipstone::version::range::{Range, masterminds};
/// use skipstone::version::SemanticVersion;
///
/// let date_stamped = SemanticVersion::parse_strict("4.17.0-202412170235")?;
/// assert!(!masterminds::parse("4.17.x")?.matches(&date_stamped));
/// assert!(masterminds::parse(">=4.17.0-0, <4.18.0-0")?.matches(&date_stamped));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is too long, has too many alternatives, or an alternative is no list of comparators.
pub fn parse(text: &str) -> Result<MastermindsRange, RangeError> {
    if text.len() > MAXIMUM_BYTES {
        return Err(RangeError::TooLong { length: text.len(), limit: MAXIMUM_BYTES });
    }
    let rewritten = hyphen::rewrite(text);
    let count = rewritten.split("||").count();
    if count > MAXIMUM_ALTERNATIVES {
        return Err(RangeError::TooManyAlternatives { count, limit: MAXIMUM_ALTERNATIVES });
    }
    let alternatives: Result<_, _> = rewritten.split("||").map(Alternative::parse).collect();
    Ok(MastermindsRange { text: text.to_owned(), alternatives: alternatives? })
}

/// Whether the library would read the version at all; a version without suffixes is always short enough.
fn is_readable(version: &SemanticVersion) -> bool {
    let has_suffix = version.is_pre_release() || !version.build().is_empty();
    !has_suffix || version.to_string().len() <= MAXIMUM_VERSION_BYTES
}

impl Range for MastermindsRange {
    fn parse(text: &str) -> Result<Self, RangeError> {
        parse(text)
    }

    fn matches(&self, version: &SemanticVersion) -> bool {
        is_readable(version) && self.alternatives.iter().any(|alternative| alternative.matches(version))
    }
}

shown_as_text!(MastermindsRange);

#[cfg(test)]
mod tests;
