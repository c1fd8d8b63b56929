//! The release of a bundle: what tells rebuilds of one version apart.
//!
//! Rule: operator-registry, `alpha/model/versionrelease.go`, `NewRelease` and `Release.Compare`. Cost: one pass over
//! at most 20 bytes.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::excerpt;
use super::identifier::write_dotted;
use super::{PreReleaseIdentifier, VersionError};

/// A release: one or more identifiers of the kind a pre-release is made of, with dots between them.
///
/// No release is `None`, and comes before every release, as `Option` orders it. Serialized as its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(Vec<PreReleaseIdentifier>);

/// Why a text is no release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReleaseError {
    /// More bytes than [`Release::MAXIMUM_BYTES`].
    #[error("the release {text:?} has more than {limit} characters")]
    TooLong {
        /// The text, cut to 100 characters.
        text: String,
        /// The most characters a release may have.
        limit: usize,
    },
    /// One of its identifiers is faulty.
    #[error("{text:?} is no release: {fault}")]
    Identifier {
        /// The text.
        text: String,
        /// What is wrong with the identifier.
        fault: VersionError,
    },
}

impl Release {
    /// The longest release, in bytes (a release is ASCII, so also in characters).
    pub const MAXIMUM_BYTES: usize = 20;

    /// Reads the `release` field of a package property, where the empty text means that there is none.
    ///
    /// ```
    /// use skipstone::version::Release;
    /// assert_eq!(Release::parse_optional("")?, None);
    /// assert!(Release::parse_optional("rc-1.2")? < Release::parse_optional("rc-1.10")?);
    /// # Ok::<(), skipstone::version::ReleaseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_str`](Self::from_str).
    pub fn parse_optional(text: &str) -> Result<Option<Self>, ReleaseError> {
        if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
    }

    /// The identifiers; never empty.
    pub fn identifiers(&self) -> &[PreReleaseIdentifier] {
        &self.0
    }
}

impl FromStr for Release {
    type Err = ReleaseError;

    /// Reads a release that is there.
    ///
    /// # Errors
    /// When the text is longer than 20 bytes, or an identifier is empty, of wrong characters, a number with a leading
    /// zero or beyond 64 bits.
    fn from_str(text: &str) -> Result<Self, ReleaseError> {
        if text.len() > Self::MAXIMUM_BYTES {
            return Err(ReleaseError::TooLong { text: excerpt(text), limit: Self::MAXIMUM_BYTES });
        }
        let identifiers: Result<_, _> = text.split('.').map(PreReleaseIdentifier::parse).collect();
        identifiers.map(Self).map_err(|fault| ReleaseError::Identifier { text: text.to_owned(), fault })
    }
}

impl fmt::Display for Release {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_dotted(formatter, &self.0)
    }
}

impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Release {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(number: u64) -> PreReleaseIdentifier {
        PreReleaseIdentifier::Numeric(number)
    }

    fn word(text: &str) -> PreReleaseIdentifier {
        PreReleaseIdentifier::Alphanumeric(text.to_owned())
    }

    #[test]
    fn identifiers_follow_the_pre_release_rules() {
        let table = [
            ("1", vec![numeric(1)]),
            ("0", vec![numeric(0)]),
            ("rc-1.beta-2", vec![word("rc-1"), word("beta-2")]),
            ("0alpha", vec![word("0alpha")]),
            ("-.--", vec![word("-"), word("--")]),
            ("1.alpha.3", vec![numeric(1), word("alpha"), numeric(3)]),
            ("18446744073709551615", vec![numeric(u64::MAX)]),
        ];
        for (text, identifiers) in table {
            let release: Release = text.parse().unwrap();
            assert_eq!(release.identifiers(), identifiers, "{text}");
            assert_eq!(release.to_string(), text);
        }
    }

    #[test]
    fn refuses_what_is_no_list_of_identifiers() {
        for text in ["", ".", "1.", ".1", "01", "1.00", "a_b", "a+b", "é", " 1", "18446744073709551616"] {
            assert!(text.parse::<Release>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn twenty_characters_are_the_most() {
        assert!("a".repeat(20).parse::<Release>().is_ok());
        assert!(matches!("a".repeat(21).parse::<Release>(), Err(ReleaseError::TooLong { limit: 20, .. })));
    }

    #[test]
    fn none_is_lowest_then_numbers_then_words() {
        let ascending = ["", "0", "2", "10", "10.0", "10.a", "A", "a", "a.1", "b"];
        let releases: Vec<_> = ascending.iter().map(|text| Release::parse_optional(text).unwrap()).collect();
        assert!(releases.is_sorted_by(|lower, higher| lower < higher));
    }

    #[test]
    fn serialized_as_text() {
        let release: Release = serde_json::from_str("\"1.alpha\"").unwrap();
        assert_eq!(serde_json::to_string(&release).unwrap(), "\"1.alpha\"");
        assert!(serde_json::from_str::<Release>("\"01\"").is_err());
    }
}
