//! Why a text is no version.
//!
//! Rule: the checks of blang/semver v4, `semver.go`, functions `Parse`, `ParseTolerant` and `NewPRVersion`; the
//! wording is ours. Cost: a message holds at most 100 characters of the faulty text.

/// The fault that makes a text no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// The text is empty.
    #[error("the version is empty")]
    Empty,
    /// The text is longer than [`SemanticVersion::MAXIMUM_BYTES`](super::SemanticVersion::MAXIMUM_BYTES).
    #[error("the version has {length} bytes, more than the {limit} that are read")]
    TooLong {
        /// Bytes of the text.
        length: usize,
        /// The most bytes that are read.
        limit: usize,
    },
    /// There are fewer than three parts.
    #[error("{text:?} is not of the form MAJOR.MINOR.PATCH")]
    MissingParts {
        /// The text, cut to 100 characters.
        text: String,
    },
    /// A part, or an identifier of it, is empty.
    #[error("an empty {part} in {text:?}")]
    EmptyPart {
        /// Which part: `major number`, `pre-release identifier`, …
        part: &'static str,
        /// The text, cut to 100 characters.
        text: String,
    },
    /// A part holds a character that is not allowed there.
    #[error("{text:?} is no {part}: it holds a character that is not allowed")]
    InvalidCharacter {
        /// Which part.
        part: &'static str,
        /// The part's text, cut to 100 characters.
        text: String,
    },
    /// A number is written with zeros in front.
    #[error("{text:?} is no {part}: it has a leading zero")]
    LeadingZero {
        /// Which part.
        part: &'static str,
        /// The part's text, cut to 100 characters.
        text: String,
    },
    /// A number does not fit 64 bits.
    #[error("{text:?} is no {part}: it does not fit 64 bits")]
    TooLarge {
        /// Which part.
        part: &'static str,
        /// The part's text, cut to 100 characters.
        text: String,
    },
    /// A version of one or two numbers has a pre-release or build metadata (tolerant parse only).
    #[error("{text:?} is a short version, which cannot have a pre-release or build metadata")]
    ShortWithSuffix {
        /// The text, cut to 100 characters.
        text: String,
    },
}

/// The first 100 characters of a text, for messages.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(100).collect()
}
