//! Finds operators and versions in the text of a constraint.
//!
//! Rule: Masterminds/semver v3.5, `constraints.go`, the regular expressions `cvRegex`, `validConstraintRegex` and
//! `findConstraintRegex`, read as a scanner: no character can belong to two neighbouring pieces, so the longest match
//! is the only one. The bar is among the characters of a number there, so `1|2` is scanned as one and refused later.
//! Cost: one pass.

use crate::version::identifier::is_identifier_byte;

/// The pieces of a version as it is written in a constraint; nothing about them is checked but their characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct VersionText<'a> {
    /// All of it, with the `v`, where there is one.
    pub(super) whole: &'a str,
    /// Digits, wildcards and bars.
    pub(super) major: &'a str,
    /// The same; none where the part is missing.
    pub(super) minor: Option<&'a str>,
    /// The same.
    pub(super) patch: Option<&'a str>,
    /// Identifiers and dots, without the hyphen; none where it is missing.
    pub(super) pre_release: Option<&'a str>,
}

/// An operator, possibly empty, and a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Term<'a> {
    /// The characters `=!<>~^` in front of the version; not known to be an operator.
    pub(super) operator: &'a str,
    /// The version.
    pub(super) version: VersionText<'a>,
}

/// The terms of an alternative, separated by white space or one comma; none where the text is anything else.
pub(super) fn terms(text: &str) -> Option<Vec<Term<'_>>> {
    let (first, mut rest) = term(text)?;
    let mut terms = vec![first];
    loop {
        let after_space = without_leading_space(rest);
        let next = match after_space.strip_prefix(',') {
            _ if after_space.is_empty() => return Some(terms),
            Some(after_comma) => after_comma,
            None if after_space.len() < rest.len() => after_space,
            None => return None,
        };
        let (following, remainder) = term(next)?;
        terms.push(following);
        rest = remainder;
    }
}

/// A term at the start of the text, and what follows it.
fn term(text: &str) -> Option<(Term<'_>, &str)> {
    let (operator, rest) = take_while(without_leading_space(text), |byte| b"=!<>~^".contains(&byte));
    let (version, rest) = version(without_leading_space(rest))?;
    Some((Term { operator, version }, rest))
}

/// The longest version at the start of the text, and what follows it.
pub(super) fn version(text: &str) -> Option<(VersionText<'_>, &str)> {
    let (major, rest) = number(text.strip_prefix('v').unwrap_or(text))?;
    let (minor, rest) = dotted_number(rest);
    let (patch, rest) = dotted_number(rest);
    let (pre_release, rest) = identifiers_after('-', rest);
    let (_, rest) = identifiers_after('+', rest);
    let (whole, rest) = text.split_at_checked(text.len() - rest.len())?;
    Some((VersionText { whole, major, minor, patch, pre_release }, rest))
}

fn number(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = take_while(text, |byte| byte.is_ascii_digit() || b"xX*|".contains(&byte));
    (!number.is_empty()).then_some((number, rest))
}

fn dotted_number(text: &str) -> (Option<&str>, &str) {
    match text.strip_prefix('.').and_then(number) {
        Some((number, rest)) => (Some(number), rest),
        None => (None, text),
    }
}

/// One identifier or more with dots between them, behind the mark.
fn identifiers_after(mark: char, text: &str) -> (Option<&str>, &str) {
    let Some(marked) = text.strip_prefix(mark) else {
        return (None, text);
    };
    let (first, mut rest) = take_while(marked, is_identifier_byte);
    if first.is_empty() {
        return (None, text);
    }
    while let Some((identifier, remainder)) = rest.strip_prefix('.').map(|after| take_while(after, is_identifier_byte))
    {
        if identifier.is_empty() {
            break;
        }
        rest = remainder;
    }
    match marked.split_at_checked(marked.len() - rest.len()) {
        Some((identifiers, rest)) => (Some(identifiers), rest),
        None => (None, text),
    }
}

/// Cuts the white space that Go's `\s` knows.
pub(super) fn without_leading_space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r', '\x0c'])
}

/// Splits behind the longest start of bytes that are wanted; they must be ASCII.
fn take_while(text: &str, wanted: impl Fn(u8) -> bool) -> (&str, &str) {
    let length = text.bytes().take_while(|&byte| wanted(byte)).count();
    text.split_at_checked(length).unwrap_or(("", text))
}
