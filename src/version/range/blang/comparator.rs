//! One comparator: an operator and a version; and the terms with an `x`, which stand for one or two comparators.
//!
//! Rule: blang/semver v4.0, `range.go`, `splitComparatorVersion`, `parseComparator` and `expandWildcardVersion`. The
//! wildcards are expanded as text, as upstream does, because its oddities (`1.x.x` ends below the next minor, an
//! unknown operator before a wildcard is lost) are those of the text replacement. Upstream finds the version at the
//! first decimal digit of any script, here at the first numeric character: both refuse what is not ASCII afterwards.
//! Cost: linear in the term.

use crate::version::error::excerpt;
use crate::version::{RangeError, SemanticVersion};

/// How a version must relate to that of the comparator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

/// An operator and a version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Comparator {
    pub(super) operator: Operator,
    pub(super) version: SemanticVersion,
}

impl Comparator {
    pub(super) fn matches(&self, version: &SemanticVersion) -> bool {
        let order = version.precedence(&self.version);
        match self.operator {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
        }
    }
}

/// Reads one term of a range: one comparator, or those that a wildcard stands for.
pub(super) fn parse_term(term: &str) -> Result<Vec<Comparator>, RangeError> {
    if !term.contains('x') {
        return Ok(vec![parse_comparator(term)?]);
    }
    let (operator, version) = split_operator(term)?;
    let expanded: Result<_, _> =
        expand_wildcard(operator, version).iter().map(|comparator| parse_comparator(comparator)).collect();
    expanded.map_err(|_| RangeError::BadWildcard { term: excerpt(term) })
}

fn parse_comparator(term: &str) -> Result<Comparator, RangeError> {
    let (operator_text, version_text) = split_operator(term)?;
    let operator = match operator_text {
        "" | "=" | "==" => Operator::Equal,
        "!" | "!=" => Operator::NotEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        _ => return Err(RangeError::UnknownOperator { operator: excerpt(operator_text), term: excerpt(term) }),
    };
    match SemanticVersion::parse_strict(version_text) {
        Ok(version) => Ok(Comparator { operator, version }),
        Err(fault) => Err(RangeError::BadVersion { term: excerpt(term), fault }),
    }
}

/// The operator, without white space around it, and the version, which starts at the first digit.
fn split_operator(term: &str) -> Result<(&str, &str), RangeError> {
    term.find(char::is_numeric)
        .and_then(|digit| term.split_at_checked(digit))
        .map(|(operator, version)| (operator.trim(), version))
        .ok_or_else(|| RangeError::NoVersion { term: excerpt(term) })
}

/// The texts of the comparators that a term with an `x` stands for. A version that cannot be counted up gives a text
/// without a version.
fn expand_wildcard(operator: &str, version: &str) -> Vec<String> {
    let floor = with_zero_for_wildcard(version);
    let next = || first_version_after(version, &floor).unwrap_or_default();
    match operator {
        ">" => vec![format!(">={}", next())],
        ">=" => vec![format!(">={floor}")],
        "<" => vec![format!("<{floor}")],
        "<=" => vec![format!("<{}", next())],
        "" | "=" | "==" => vec![format!(">={floor}"), format!("<{}", next())],
        // Both must hold, which no version does; upstream means "or" and does "and".
        "!" | "!=" => vec![format!("<{floor}"), format!(">={}", next())],
        _ => vec![floor],
    }
}

/// Writes `0` for the first `x` that is a part by itself, and fills up two parts to three.
fn with_zero_for_wildcard(version: &str) -> String {
    let zeroed = version.replacen(".x.x", ".x", 1).replacen(".x", ".0", 1);
    if zeroed.matches('.').count() == 1 { zeroed + ".0" } else { zeroed }
}

/// Counts up the part before the wildcard: the major number where the `x` is the second part, the minor number where
/// it is the third. Nothing where the last part is no `x`, or the part is no number that can be counted up.
fn first_version_after(version: &str, floor: &str) -> Option<String> {
    let parts: Vec<&str> = version.split('.').collect();
    let counted = match parts.as_slice() {
        [_, "x"] => 0,
        [_, _, "x"] => 1,
        _ => return None,
    };
    let mut numbers: Vec<String> = floor.split('.').map(str::to_owned).collect();
    let number = numbers.get_mut(counted)?;
    // Upstream counts with a signed 64-bit number, signs and leading zeros allowed.
    *number = number.parse::<i64>().ok()?.checked_add(1)?.to_string();
    Some(numbers.join("."))
}
