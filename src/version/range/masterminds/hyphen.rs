//! Rewrites hyphen ranges: `1.2 - 1.4` becomes `>= 1.2, <= 1.4`.
//!
//! Rule: Masterminds/semver v3.5, `constraints.go`, `rewriteRange` and `constraintRangeRegex`. It works on the text
//! before alternatives are told apart, and white space around the range goes with it, so that a hyphen range behind
//! another comparator is refused unless a comma stands between. Cost: quadratic in a text of at most 512 bytes.

use super::scan::{version, without_leading_space};

/// A hyphen range somewhere in a text.
struct HyphenRange<'a> {
    /// All of it, with the white space around it.
    whole: &'a str,
    from: &'a str,
    to: &'a str,
    /// What follows it.
    rest: &'a str,
}

/// The text with its hyphen ranges rewritten.
pub(super) fn rewrite(text: &str) -> String {
    let mut rewritten = text.to_owned();
    let mut rest = text;
    while let Some(range) = first_hyphen_range(rest) {
        let comparators = format!(">= {}, <= {} ", range.from, range.to);
        // Upstream replaces the first equal text, wherever it stands.
        rewritten = rewritten.replacen(range.whole, &comparators, 1);
        rest = range.rest;
    }
    rewritten
}

fn first_hyphen_range(text: &str) -> Option<HyphenRange<'_>> {
    text.char_indices().find_map(|(position, _)| hyphen_range_at_start(text.get(position..)?))
}

fn hyphen_range_at_start(text: &str) -> Option<HyphenRange<'_>> {
    let (from, rest) = version(without_leading_space(text))?;
    let rest = without_some_leading_space(rest)?.strip_prefix('-')?;
    let (to, rest) = version(without_some_leading_space(rest)?)?;
    let rest = without_leading_space(rest);
    let (whole, rest) = text.split_at_checked(text.len() - rest.len())?;
    Some(HyphenRange { whole, from: from.whole, to: to.whole, rest })
}

/// Cuts white space, of which there must be some.
fn without_some_leading_space(text: &str) -> Option<&str> {
    let rest = without_leading_space(text);
    (rest.len() < text.len()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    #[test]
    fn rewritten_with_the_white_space_around() {
        let table = [
            ("2 - 3", ">= 2, <= 3 "),
            ("1.0.0-alpha - v2.x", ">= 1.0.0-alpha, <= v2.x "),
            ("2 - 3, 2 - 3", ">= 2, <= 3 ,>= 2, <= 3 "),
            ("1.0 - 2.0 !=1.5", ">= 1.0, <= 2.0 !=1.5"),
            (">1 2 - 3", ">1>= 2, <= 3 "),
            ("1.0.0 || 2 - 3", "1.0.0 ||>= 2, <= 3 "),
            ("1.2.3.4 - 5", "1.>= 2.3.4, <= 5 "),
        ];
        for (text, rewritten) in table {
            assert_eq!(rewrite(text), rewritten, "{text:?}");
        }
    }

    #[test]
    fn left_alone_without_white_space_on_both_sides() {
        for text in ["", "2-3", "2 -3", "2- 3", "a - b", "2 - ", " - 3", ">=1.0.0-0 <2.0.0-0"] {
            assert_eq!(rewrite(text), text);
        }
    }
}
