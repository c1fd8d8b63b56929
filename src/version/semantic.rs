//! The semantic version, parsed and ordered as blang/semver v4 does.
//!
//! Rule: blang/semver v4, `semver.go`, `Parse`, `ParseTolerant`, `Version.Compare` and `Version.String`.
//! Cost: a parse is one pass and one allocation for each identifier; a comparison is linear in the identifiers.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::excerpt;
use super::identifier::{check_identifier, parse_number, write_dotted};
use super::{PreReleaseIdentifier, VersionError};

/// A semantic version: three 64-bit numbers, a pre-release and build metadata.
///
/// Two versions are equal (`==`) when they are written alike, build metadata included. The order of versions leaves
/// build metadata out, so it is no `Ord`: use [`precedence`](Self::precedence). Serialized as its canonical text.
///
/// ```
/// use std::cmp::Ordering;
/// use skipstone::version::SemanticVersion;
///
/// let candidate = SemanticVersion::parse_strict("4.17.0-202412170235")?;
/// let release = SemanticVersion::parse_strict("4.17.0")?;
/// assert_eq!(candidate.precedence(&release), Ordering::Less);
/// # Ok::<(), skipstone::version::VersionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SemanticVersion {
    major: u64,
    minor: u64,
    patch: u64,
    pre_release: Vec<PreReleaseIdentifier>,
    build: Vec<String>,
}

impl SemanticVersion {
    /// The longest version text that is read, in bytes.
    pub const MAXIMUM_BYTES: usize = 64 * 1024;

    /// The version of these three numbers, without pre-release and build metadata.
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch, pre_release: Vec::new(), build: Vec::new() }
    }

    /// Reads a version that is written exactly as Semantic Versioning 2.0.0 wants: no `v`, no blanks, three numbers.
    ///
    /// # Errors
    /// When any part is missing, empty, of wrong characters, with a leading zero, or beyond 64 bits.
    pub fn parse_strict(text: &str) -> Result<Self, VersionError> {
        if text.is_empty() {
            return Err(VersionError::Empty);
        }
        check_length(text)?;
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(VersionError::MissingParts { text: excerpt(text) });
        };
        let (rest, build) = split_off(rest, '+');
        let (patch, pre_release) = split_off(rest, '-');
        Ok(Self {
            major: parse_number("major number", major)?,
            minor: parse_number("minor number", minor)?,
            patch: parse_number("patch number", patch)?,
            pre_release: pre_release.map_or(Ok(Vec::new()), parse_pre_release)?,
            build: build.map_or(Ok(Vec::new()), parse_build)?,
        })
    }

    /// Reads a version as the older engine reads those of a catalog: blanks around it, one `v` in front, zeros in
    /// front of numbers, and one or two numbers alone are allowed.
    ///
    /// ```
    /// use skipstone::version::SemanticVersion;
    /// assert_eq!(SemanticVersion::parse_tolerant(" v1.02 ")?.to_string(), "1.2.0");
    /// # Ok::<(), skipstone::version::VersionError>(())
    /// ```
    ///
    /// # Errors
    /// When the text so normalised is no strict version, or a short version has a pre-release or build metadata.
    pub fn parse_tolerant(text: &str) -> Result<Self, VersionError> {
        check_length(text)?;
        let trimmed = text.trim();
        let trimmed = trimmed.strip_prefix('v').unwrap_or(trimmed);
        let mut parts: Vec<Cow<'_, str>> = trimmed.splitn(3, '.').map(without_leading_zeros).collect();
        let is_short = parts.len() < 3;
        if is_short && parts.last().is_some_and(|part| part.contains(['+', '-'])) {
            return Err(VersionError::ShortWithSuffix { text: excerpt(text) });
        }
        parts.resize(3, Cow::Borrowed("0"));
        Self::parse_strict(&parts.join("."))
    }

    /// The order of versions: numbers, then pre-release (none is highest); build metadata takes no part.
    pub fn precedence(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self)
            .cmp(&numbers(other))
            .then_with(|| self.pre_release.is_empty().cmp(&other.pre_release.is_empty()))
            .then_with(|| self.pre_release.cmp(&other.pre_release))
    }

    /// Whether this version comes before the other in precedence.
    pub fn is_lower_than(&self, other: &Self) -> bool {
        self.precedence(other).is_lt()
    }

    /// Whether this version comes after the other in precedence.
    pub fn is_higher_than(&self, other: &Self) -> bool {
        self.precedence(other).is_gt()
    }

    /// Whether the two differ in build metadata at most.
    pub fn has_same_precedence_as(&self, other: &Self) -> bool {
        self.precedence(other).is_eq()
    }

    /// The first number.
    pub const fn major(&self) -> u64 {
        self.major
    }

    /// The second number.
    pub const fn minor(&self) -> u64 {
        self.minor
    }

    /// The third number.
    pub const fn patch(&self) -> u64 {
        self.patch
    }

    /// The identifiers of the pre-release; empty where there is none.
    pub fn pre_release(&self) -> &[PreReleaseIdentifier] {
        &self.pre_release
    }

    /// Whether there is a pre-release.
    pub const fn is_pre_release(&self) -> bool {
        !self.pre_release.is_empty()
    }

    /// The identifiers of the build metadata; empty where there is none.
    pub fn build(&self) -> &[String] {
        &self.build
    }

    /// The same version without its build metadata.
    #[must_use]
    pub fn without_build(mut self) -> Self {
        self.build.clear();
        self
    }

    /// The same version with this pre-release in place of its own.
    #[must_use]
    pub(super) fn with_pre_release(mut self, pre_release: Vec<PreReleaseIdentifier>) -> Self {
        self.pre_release = pre_release;
        self
    }

    /// The lowest version above this one, without build metadata; none above the highest version there is.
    ///
    /// Below a pre-release extended by the identifier `0` there is nothing but the pre-release itself, and between a
    /// version without pre-release and `-0` of the next patch there is nothing at all.
    pub(super) fn immediate_successor(&self) -> Option<Self> {
        let (base, mut pre_release) = if self.is_pre_release() {
            (Self::new(self.major, self.minor, self.patch), self.pre_release.clone())
        } else {
            (self.next_numbers()?, Vec::new())
        };
        pre_release.push(PreReleaseIdentifier::Numeric(0));
        Some(base.with_pre_release(pre_release))
    }

    /// The numbers that follow these, counting through the patch number; none after the highest.
    fn next_numbers(&self) -> Option<Self> {
        let next_patch = self.patch.checked_add(1).map(|patch| Self::new(self.major, self.minor, patch));
        let next_minor = || self.minor.checked_add(1).map(|minor| Self::new(self.major, minor, 0));
        let next_major = || self.major.checked_add(1).map(|major| Self::new(major, 0, 0));
        next_patch.or_else(next_minor).or_else(next_major)
    }
}

fn check_length(text: &str) -> Result<(), VersionError> {
    let (length, limit) = (text.len(), SemanticVersion::MAXIMUM_BYTES);
    if length > limit { Err(VersionError::TooLong { length, limit }) } else { Ok(()) }
}

/// What stands before the first `mark`, and what after it.
fn split_off(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn parse_pre_release(text: &str) -> Result<Vec<PreReleaseIdentifier>, VersionError> {
    text.split('.').map(PreReleaseIdentifier::parse).collect()
}

fn parse_build(text: &str) -> Result<Vec<String>, VersionError> {
    let checked = |part: &str| check_identifier("build identifier", part).map(|()| part.to_owned());
    text.split('.').map(checked).collect()
}

/// Cuts the zeros in front of a number; the patch part may carry a pre-release, so a zero stays where no digit would.
fn without_leading_zeros(part: &str) -> Cow<'_, str> {
    if part.len() < 2 {
        return Cow::Borrowed(part);
    }
    let trimmed = part.trim_start_matches('0');
    if trimmed.starts_with(|first: char| first.is_ascii_digit()) {
        Cow::Borrowed(trimmed)
    } else {
        Cow::Owned(format!("0{trimmed}"))
    }
}

impl fmt::Display for SemanticVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.pre_release.is_empty() {
            formatter.write_str("-")?;
            write_dotted(formatter, &self.pre_release)?;
        }
        if !self.build.is_empty() {
            formatter.write_str("+")?;
            write_dotted(formatter, &self.build)?;
        }
        Ok(())
    }
}

/// The strict parse.
impl FromStr for SemanticVersion {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        Self::parse_strict(text)
    }
}

impl Serialize for SemanticVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The strict parse.
impl<'de> Deserialize<'de> for SemanticVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[path = "semantic_tests.rs"]
mod tests;
