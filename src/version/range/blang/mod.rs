//! The range dialect of catalogs: `skipRange` and the ranges of dependencies.
//!
//! Rule: blang/semver v4.0, `range.go`, `ParseRange`, quirks included: only the blank separates terms, a term of one
//! byte is dropped unseen, the letter `x` anywhere in a term makes it a wildcard. One case differs: an alternative
//! without comparators (`a || || b`) parses upstream and crashes the first match; here it does not parse.
//! Pre-releases are ordinary versions: `<2.0.0` holds `2.0.0-rc.1`.
//!
//! Cost: a parse is linear in the text, of at most 64 KiB; a match compares the version with each comparator once.

mod comparator;
mod emptiness;
mod terms;

use self::comparator::Comparator;
use self::terms::Terms;
use super::{Range, RangeError, shown_as_text};
use crate::version::SemanticVersion;
use crate::version::error::excerpt;

/// The longest range text that is read, in bytes.
pub const MAXIMUM_BYTES: usize = 64 * 1024;

/// A range in the dialect of blang/semver v4: alternatives of comparators that must all hold.
///
/// Equal ranges are those written alike. Serialized as the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BlangRange {
    text: String,
    alternatives: Vec<Vec<Comparator>>,
    unseen_terms: Vec<String>,
}

/// Reads a range; see [`BlangRange`].
///
/// ```
/// use skipstone::version::range::{Range, blang};
/// use skipstone::version::SemanticVersion;
///
/// let range = blang::parse(">=4.3.0 <4.17.0 !4.9.1")?;
/// assert!(range.matches(&SemanticVersion::parse_strict("4.17.0-202412170235")?));
/// assert!(blang::parse(">=v4.3.0").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is too long, a side of `||` is empty, or a term is no operator followed by a strict version.
pub fn parse(text: &str) -> Result<BlangRange, RangeError> {
    if text.len() > MAXIMUM_BYTES {
        return Err(RangeError::TooLong { length: text.len(), limit: MAXIMUM_BYTES });
    }
    let Terms { seen, unseen } = terms::split(text);
    if seen.is_empty() {
        return Err(RangeError::NoComparator { text: excerpt(text) });
    }
    let mut alternatives = Vec::new();
    for alternative in seen.split(|term| term == "||") {
        if alternative.is_empty() {
            return Err(RangeError::EmptyAlternative { text: excerpt(text) });
        }
        let mut comparators = Vec::with_capacity(alternative.len());
        for term in alternative {
            comparators.extend(comparator::parse_term(term)?);
        }
        alternatives.push(comparators);
    }
    Ok(BlangRange { text: text.to_owned(), alternatives, unseen_terms: unseen })
}

impl BlangRange {
    /// Whether it is certain that no version at all is in the range, as with `>=2.0.0 <1.0.0`.
    ///
    /// The answer is exact: between two versions it is known whether there is a third. Cost: sorts the comparators.
    pub fn matches_nothing(&self) -> bool {
        self.alternatives.iter().all(|comparators| emptiness::holds_no_version(comparators))
    }

    /// The terms of one byte, which are not part of the range although they stand in its text: a lonely `!`, `|` or
    /// `,` changes the meaning without an error.
    pub fn unseen_terms(&self) -> &[String] {
        &self.unseen_terms
    }
}

impl Range for BlangRange {
    fn parse(text: &str) -> Result<Self, RangeError> {
        parse(text)
    }

    fn matches(&self, version: &SemanticVersion) -> bool {
        self.alternatives.iter().any(|comparators| comparators.iter().all(|comparator| comparator.matches(version)))
    }
}

shown_as_text!(BlangRange);

#[cfg(test)]
mod tests;
