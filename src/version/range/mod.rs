//! Version ranges, in the two dialects that the Operator Lifecycle Manager reads.
//!
//! [`BlangRange`] is the dialect of catalogs (`skipRange`, dependencies): blang/semver v4, `range.go`.
//! [`MastermindsRange`] is that of the version field of a ClusterExtension: Masterminds/semver v3.5,
//! `constraints.go`. The two differ in commas, `^` and `~`, the prefix `v`, short versions, the empty text and, above
//! all, pre-releases: `<2.0.0` holds `2.0.0-rc.1` in the first and no pre-release at all in the second. They are kept
//! apart on purpose and share nothing but [`Range`].
//!
//! Cost: a parse is linear in a text of bounded length; a match is linear in the comparators.

pub mod blang;
pub mod masterminds;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{SemanticVersion, VersionError};

pub use blang::BlangRange;
pub use masterminds::MastermindsRange;

/// A set of versions, described by a text.
pub trait Range: fmt::Debug + fmt::Display + Send + Sync {
    /// Reads the text of a range.
    ///
    /// # Errors
    /// When the upstream library would refuse the text, or would fail on the first match.
    fn parse(text: &str) -> Result<Self, RangeError>
    where
        Self: Sized;

    /// Whether the version is in the range.
    fn matches(&self, version: &SemanticVersion) -> bool;
}

/// Which library's rules a range is read by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// blang/semver v4: catalogs.
    Blang,
    /// Masterminds/semver v3: ClusterExtensions.
    Masterminds,
}

/// A text that names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no range dialect; there are blang and masterminds")]
pub struct DialectError {
    /// The text, cut to 100 characters.
    pub text: String,
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Blang => "blang",
            Self::Masterminds => "masterminds",
        })
    }
}

impl FromStr for Dialect {
    type Err = DialectError;

    fn from_str(text: &str) -> Result<Self, DialectError> {
        match text {
            "blang" => Ok(Self::Blang),
            "masterminds" => Ok(Self::Masterminds),
            _ => Err(DialectError { text: super::error::excerpt(text) }),
        }
    }
}

/// Reads a range in the dialect that is known only at run time.
///
/// ```
/// use skipstone::version::{Dialect, SemanticVersion, parse_range};
///
/// let candidate = SemanticVersion::parse_strict("2.0.0-rc.1")?;
/// assert!(parse_range(Dialect::Blang, "<2.0.0")?.matches(&candidate));
/// assert!(!parse_range(Dialect::Masterminds, "<2.0.0")?.matches(&candidate));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is no range of the dialect.
pub fn parse_range(dialect: Dialect, text: &str) -> Result<Box<dyn Range>, RangeError> {
    Ok(match dialect {
        Dialect::Blang => Box::new(blang::parse(text)?),
        Dialect::Masterminds => Box::new(masterminds::parse(text)?),
    })
}

/// Why a text is no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// The text is longer than is read.
    #[error("the range has {length} bytes, more than the {limit} that are allowed")]
    TooLong {
        /// Bytes of the text.
        length: usize,
        /// The most bytes that are allowed.
        limit: usize,
    },
    /// There are more alternatives than are read.
    #[error("the range has {count} alternatives, more than the {limit} that are allowed")]
    TooManyAlternatives {
        /// Number of alternatives.
        count: usize,
        /// The most alternatives that are allowed.
        limit: usize,
    },
    /// The text holds no comparator (a term of one character is not seen).
    #[error("{text:?} holds no comparator")]
    NoComparator {
        /// The text, cut to 100 characters.
        text: String,
    },
    /// A side of `||` holds no comparator.
    #[error("`||` has no comparator on one side in {text:?}")]
    EmptyAlternative {
        /// The text, cut to 100 characters.
        text: String,
    },
    /// A term without a digit.
    #[error("{term:?} holds no version")]
    NoVersion {
        /// The term, cut to 100 characters.
        term: String,
    },
    /// What stands before the version is no operator.
    #[error("{operator:?} in {term:?} is no operator")]
    UnknownOperator {
        /// What stands there, cut to 100 characters.
        operator: String,
        /// The term, cut to 100 characters.
        term: String,
    },
    /// The version of a term does not parse.
    #[error("no version in {term:?}: {fault}")]
    BadVersion {
        /// The term, cut to 100 characters.
        term: String,
        /// What is wrong with the version.
        fault: VersionError,
    },
    /// The letter `x` makes a term a wildcard, and it is no good wildcard.
    #[error("{term:?} holds the letter x, which makes it a wildcard, and it is none")]
    BadWildcard {
        /// The term, cut to 100 characters.
        term: String,
    },
    /// A Masterminds constraint of the wrong form.
    #[error("improper constraint {text:?}")]
    ImproperConstraint {
        /// The alternative, cut to 100 characters.
        text: String,
    },
}

/// The parts that both range types have in common: their text as `Display` and in serialized form.
macro_rules! shown_as_text {
    ($range:ty) => {
        impl std::fmt::Display for $range {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.text)
            }
        }

        impl std::str::FromStr for $range {
            type Err = $crate::version::RangeError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                parse(text)
            }
        }

        impl serde::Serialize for $range {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.text)
            }
        }

        impl<'de> serde::Deserialize<'de> for $range {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
use shown_as_text;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_by_name() {
        for dialect in [Dialect::Blang, Dialect::Masterminds] {
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
            assert_eq!(serde_json::to_string(&dialect).unwrap(), format!("\"{dialect}\""));
        }
        assert!("Blang".parse::<Dialect>().is_err());
        assert!("".parse::<Dialect>().is_err());
    }

    #[test]
    fn the_dialects_disagree() {
        // Range, version, and the answers of the two dialects; none where the dialect refuses the range.
        let table = [
            (">=1.0.0 <2.0.0", "1.5.0-rc.1", Some(true), Some(false)),
            (">=1.0.0, <2.0.0", "1.5.0", None, Some(true)),
            ("~1.4.1", "1.4.9", None, Some(true)),
            (">=v1.0.0", "1.5.0", None, Some(true)),
            (">=1.0", "1.5.0", None, Some(true)),
            ("!2.0.0", "1.0.0", Some(true), None),
            ("1.0.0 - 2.0.0", "1.5.0", Some(false), Some(true)),
            ("^1.2.x", "1.3.0", Some(false), Some(true)),
            ("*", "1.5.0", None, Some(true)),
            ("", "1.5.0", None, None),
        ];
        for (text, version, blang, masterminds) in table {
            let version = SemanticVersion::parse_strict(version).unwrap();
            let answer = |dialect| parse_range(dialect, text).ok().map(|range| range.matches(&version));
            assert_eq!(answer(Dialect::Blang), blang, "blang {text:?}");
            assert_eq!(answer(Dialect::Masterminds), masterminds, "masterminds {text:?}");
        }
    }

    #[test]
    fn serialized_as_written() {
        let range: BlangRange = serde_json::from_str("\">= 1.0.0  <2.0.0\"").unwrap();
        assert_eq!(serde_json::to_string(&range).unwrap(), "\">= 1.0.0  <2.0.0\"");
        assert!(serde_json::from_str::<BlangRange>("\"^1.0.0\"").is_err());
        let range: MastermindsRange = serde_json::from_str("\"^1.0\"").unwrap();
        assert_eq!(serde_json::to_string(&range).unwrap(), "\"^1.0\"");
    }
}
