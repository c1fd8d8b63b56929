//! Finds out whether any version at all satisfies a list of comparators.
//!
//! Rule: the order of Semantic Versioning 2.0.0, item 11. Every version but the highest has an immediate successor
//! ([`SemanticVersion::immediate_successor`]), so each comparator is a half-open interval or excludes one point, and
//! the answer is exact. Cost: sorts the excluded versions.

use super::comparator::{Comparator, Operator};
use crate::version::{PreReleaseIdentifier, SemanticVersion};

/// The versions from `floor` up to and without `ceiling`.
struct Interval {
    /// The lowest version; none when it would lie above the highest version there is.
    floor: Option<SemanticVersion>,
    /// The first version that is too high; none when no version is.
    ceiling: Option<SemanticVersion>,
}

impl Interval {
    /// All versions.
    fn everything() -> Self {
        let lowest = SemanticVersion::new(0, 0, 0).with_pre_release(vec![PreReleaseIdentifier::Numeric(0)]);
        Self { floor: Some(lowest), ceiling: None }
    }

    fn raise_floor(&mut self, to: Option<SemanticVersion>) {
        let is_higher = match (&self.floor, &to) {
            (Some(floor), Some(to)) => floor.is_lower_than(to),
            (Some(_), None) => true,
            (None, _) => false,
        };
        if is_higher {
            self.floor = to;
        }
    }

    fn lower_ceiling(&mut self, to: Option<SemanticVersion>) {
        let is_lower = match (&self.ceiling, &to) {
            (Some(ceiling), Some(to)) => to.is_lower_than(ceiling),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_lower {
            self.ceiling = to;
        }
    }

    /// Takes away what the comparator does not hold, unless it is a single point.
    fn narrow(&mut self, comparator: &Comparator) {
        let version = &comparator.version;
        match comparator.operator {
            Operator::Equal => {
                self.raise_floor(Some(version.clone()));
                self.lower_ceiling(version.immediate_successor());
            }
            Operator::NotEqual => {}
            Operator::Greater => self.raise_floor(version.immediate_successor()),
            Operator::GreaterOrEqual => self.raise_floor(Some(version.clone())),
            Operator::Less => self.lower_ceiling(Some(version.clone())),
            Operator::LessOrEqual => self.lower_ceiling(version.immediate_successor()),
        }
    }

    fn is_empty(&self) -> bool {
        match (&self.floor, &self.ceiling) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(floor), Some(ceiling)) => !floor.is_lower_than(ceiling),
        }
    }
}

/// Whether no version satisfies all comparators.
pub(super) fn holds_no_version(comparators: &[Comparator]) -> bool {
    let mut interval = Interval::everything();
    for comparator in comparators {
        interval.narrow(comparator);
    }
    let mut excluded: Vec<&SemanticVersion> =
        comparators.iter().filter(|one| one.operator == Operator::NotEqual).map(|one| &one.version).collect();
    excluded.sort_by(|left, right| left.precedence(right));
    for version in excluded {
        if interval.floor.as_ref().is_some_and(|floor| floor.has_same_precedence_as(version)) {
            interval.raise_floor(version.immediate_successor());
        }
    }
    interval.is_empty()
}
