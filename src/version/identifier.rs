//! One identifier of a pre-release or of a release.
//!
//! Rule: blang/semver v4, `semver.go`, `NewPRVersion` and `PRVersion.Compare`. Cost: one pass over the text.

use std::fmt;

use super::VersionError;
use super::error::excerpt;

/// One of the dot-separated identifiers of a pre-release.
///
/// The order is that of Semantic Versioning 2.0.0, item 11: numbers by value and below all words, words byte by byte.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PreReleaseIdentifier {
    /// Digits alone.
    Numeric(u64),
    /// Letters, digits and hyphens, not digits alone.
    Alphanumeric(String),
}

impl PreReleaseIdentifier {
    /// Reads one identifier.
    ///
    /// # Errors
    /// When the text is empty, holds anything but ASCII letters, digits and hyphens, or is a number with a leading
    /// zero or beyond 64 bits.
    pub fn parse(text: &str) -> Result<Self, VersionError> {
        const PART: &str = "pre-release identifier";
        if is_all_digits(text) {
            parse_number(PART, text).map(Self::Numeric)
        } else {
            check_identifier(PART, text)?;
            Ok(Self::Alphanumeric(text.to_owned()))
        }
    }
}

impl fmt::Display for PreReleaseIdentifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numeric(number) => write!(formatter, "{number}"),
            Self::Alphanumeric(word) => formatter.write_str(word),
        }
    }
}

/// Whether the text is one digit or more and nothing else.
pub(super) fn is_all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a number without leading zeros; `part` names it in the error.
pub(super) fn parse_number(part: &'static str, text: &str) -> Result<u64, VersionError> {
    if text.is_empty() {
        return Err(VersionError::EmptyPart { part, text: String::new() });
    }
    if !is_all_digits(text) {
        return Err(VersionError::InvalidCharacter { part, text: excerpt(text) });
    }
    if has_leading_zero(text) {
        return Err(VersionError::LeadingZero { part, text: excerpt(text) });
    }
    text.parse().map_err(|_| VersionError::TooLarge { part, text: excerpt(text) })
}

/// Whether a number of several digits starts with zero.
pub(super) fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

/// Whether the byte may stand in an identifier: an ASCII letter, a digit or the hyphen.
pub(super) fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Checks that an identifier is not empty and of allowed characters; `part` names it in the error.
pub(super) fn check_identifier(part: &'static str, text: &str) -> Result<(), VersionError> {
    if text.is_empty() {
        Err(VersionError::EmptyPart { part, text: String::new() })
    } else if text.bytes().all(is_identifier_byte) {
        Ok(())
    } else {
        Err(VersionError::InvalidCharacter { part, text: excerpt(text) })
    }
}

/// Writes the values with dots between them.
pub(super) fn write_dotted(formatter: &mut fmt::Formatter<'_>, values: &[impl fmt::Display]) -> fmt::Result {
    for (position, value) in values.iter().enumerate() {
        if position > 0 {
            formatter.write_str(".")?;
        }
        write!(formatter, "{value}")?;
    }
    Ok(())
}
