//! One comparator of a constraint: an operator, and a version whose last parts may be missing or wildcards.
//!
//! Rule: Masterminds/semver v3.5, `constraints.go`, `parseConstraint` and the functions `constraint…`; `version.go`,
//! `NewVersion` (numbers may have leading zeros) and `comparePrePart` (an identifier of digits beyond 64 bits is
//! ordered as a word). Cost: linear in the version.

use super::MAXIMUM_VERSION_BYTES;
use super::scan::{Term, VersionText};
use crate::version::identifier::{has_leading_zero, is_all_digits};
use crate::version::{PreReleaseIdentifier, SemanticVersion};

/// How a version must relate to that of the comparator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Tilde,
    Caret,
}

/// The first part that is missing or a wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Wildcard {
    Nowhere,
    Patch,
    Minor,
    Major,
}

/// An operator and a version, in which zeros stand for wildcards.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Comparator {
    operator: Operator,
    wildcard: Wildcard,
    version: SemanticVersion,
}

impl Comparator {
    /// The comparator that a term stands for; none where it has no such operator or version.
    pub(super) fn from_term(term: &Term<'_>) -> Option<Self> {
        let operator = match term.operator {
            "" | "=" => Operator::Equal,
            "!=" => Operator::NotEqual,
            ">" => Operator::Greater,
            ">=" | "=>" => Operator::GreaterOrEqual,
            "<" => Operator::Less,
            "<=" | "=<" => Operator::LessOrEqual,
            "~" | "~>" => Operator::Tilde,
            "^" => Operator::Caret,
            _ => return None,
        };
        let (wildcard, version) = read_version(&term.version)?;
        Some(Self { operator, wildcard, version })
    }

    /// Whether its version has a pre-release.
    pub(super) fn names_pre_release(&self) -> bool {
        self.version.is_pre_release()
    }

    /// Whether the version satisfies it, where pre-releases are admitted.
    pub(super) fn matches(&self, version: &SemanticVersion) -> bool {
        match self.operator {
            Operator::Equal if self.wildcard == Wildcard::Nowhere => version.has_same_precedence_as(&self.version),
            Operator::Equal | Operator::Tilde => self.tilde_matches(version),
            Operator::NotEqual => self.differs_from(version),
            Operator::Greater => self.is_exceeded_by(version),
            Operator::GreaterOrEqual => !version.is_lower_than(&self.version),
            Operator::Less => version.is_lower_than(&self.version),
            Operator::LessOrEqual => self.is_not_exceeded_by(version),
            Operator::Caret => self.caret_matches(version),
        }
    }

    /// `!=`: with a wildcard, one of the parts before it differs. Behind a patch wildcard a pre-release that is not
    /// that of the comparator differs, too.
    fn differs_from(&self, version: &SemanticVersion) -> bool {
        match self.wildcard {
            Wildcard::Minor => version.major() != self.version.major(),
            Wildcard::Patch => {
                numbers_to_minor(version) != numbers_to_minor(&self.version)
                    || version.pre_release() != self.version.pre_release()
            }
            Wildcard::Nowhere | Wildcard::Major => !version.has_same_precedence_as(&self.version),
        }
    }

    /// `>`: `>11` starts at 12.0.0, `>11.1` at 11.2.0.
    fn is_exceeded_by(&self, version: &SemanticVersion) -> bool {
        match self.wildcard {
            Wildcard::Minor => version.major() > self.version.major(),
            Wildcard::Patch => numbers_to_minor(version) > numbers_to_minor(&self.version),
            Wildcard::Nowhere | Wildcard::Major => version.is_higher_than(&self.version),
        }
    }

    /// `<=`: `<=2` holds everything below 3.0.0, `<=2.1` everything below 2.2.0.
    fn is_not_exceeded_by(&self, version: &SemanticVersion) -> bool {
        match self.wildcard {
            Wildcard::Minor => version.major() <= self.version.major(),
            Wildcard::Patch | Wildcard::Major => numbers_to_minor(version) <= numbers_to_minor(&self.version),
            Wildcard::Nowhere => !version.is_higher_than(&self.version),
        }
    }

    /// `~`: from the version on, the minor number fixed where it is given; `~0.0.0` and `~*` hold everything above.
    fn tilde_matches(&self, version: &SemanticVersion) -> bool {
        if version.is_lower_than(&self.version) {
            return false;
        }
        let is_zero = numbers_to_minor(&self.version) == (0, 0) && self.version.patch() == 0;
        match self.wildcard {
            Wildcard::Nowhere | Wildcard::Major if is_zero => true,
            Wildcard::Minor => version.major() == self.version.major(),
            _ => numbers_to_minor(version) == numbers_to_minor(&self.version),
        }
    }

    /// `^`: from the version on, the first number that is not zero fixed.
    fn caret_matches(&self, version: &SemanticVersion) -> bool {
        if version.is_lower_than(&self.version) || version.major() != self.version.major() {
            return false;
        }
        if self.version.major() > 0 || self.wildcard == Wildcard::Minor {
            return true;
        }
        if version.minor() != self.version.minor() {
            return false;
        }
        self.version.minor() > 0 || self.wildcard == Wildcard::Patch || version.patch() == self.version.patch()
    }
}

fn numbers_to_minor(version: &SemanticVersion) -> (u64, u64) {
    (version.major(), version.minor())
}

/// Where the version ends, and the version with zeros behind that point; none where it is no version.
fn read_version(text: &VersionText<'_>) -> Option<(Wildcard, SemanticVersion)> {
    let (wildcard, version, length_of_rewritten) = match (text.major, text.minor, text.patch) {
        (major, _, _) if is_wildcard(major) => (Wildcard::Major, SemanticVersion::new(0, 0, 0), "0.0.0".len()),
        (major, None, _) => with_major(major)?,
        (major, Some(minor), _) if is_wildcard(minor) => with_major(major)?,
        (major, Some(minor), None) => with_minor(major, minor)?,
        (major, Some(minor), Some(patch)) if is_wildcard(patch) => with_minor(major, minor)?,
        (major, Some(minor), Some(patch)) => {
            let version = SemanticVersion::new(number(major)?, number(minor)?, number(patch)?);
            (Wildcard::Nowhere, version, 0)
        }
    };
    let pre_release = text.pre_release.map_or(Some(Vec::new()), read_pre_release)?;
    let length = match wildcard {
        Wildcard::Nowhere => text.whole.len(),
        _ => length_of_rewritten + text.pre_release.map_or(0, |pre_release| 1 + pre_release.len()),
    };
    (length <= MAXIMUM_VERSION_BYTES).then(|| (wildcard, version.with_pre_release(pre_release)))
}

fn with_major(major: &str) -> Option<(Wildcard, SemanticVersion, usize)> {
    Some((Wildcard::Minor, SemanticVersion::new(number(major)?, 0, 0), major.len() + ".0.0".len()))
}

fn with_minor(major: &str, minor: &str) -> Option<(Wildcard, SemanticVersion, usize)> {
    let version = SemanticVersion::new(number(major)?, number(minor)?, 0);
    Some((Wildcard::Patch, version, major.len() + minor.len() + "..0".len()))
}

fn is_wildcard(part: &str) -> bool {
    matches!(part, "x" | "X" | "*")
}

/// A number of a version; leading zeros are allowed.
fn number(text: &str) -> Option<u64> {
    if is_all_digits(text) { text.parse().ok() } else { None }
}

fn read_pre_release(text: &str) -> Option<Vec<PreReleaseIdentifier>> {
    text.split('.').map(read_identifier).collect()
}

fn read_identifier(text: &str) -> Option<PreReleaseIdentifier> {
    if is_all_digits(text) && has_leading_zero(text) {
        return None;
    }
    Some(match number(text) {
        Some(number) => PreReleaseIdentifier::Numeric(number),
        None => PreReleaseIdentifier::Alphanumeric(text.to_owned()),
    })
}
