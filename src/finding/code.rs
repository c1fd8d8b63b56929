//! Codes: public, stable names of what can be found, each with the row that explains it.
//!
//! Rule: ours; a name is a promise, never reused. Cost: filling a sentence is one pass over it.

use std::fmt;

/// How bad a finding is; a later value is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing breaks.
    Info,
    /// Somebody should look at it before the upgrade.
    Warning,
    /// A rule is broken: the component that reads this refuses it.
    Error,
}

impl Severity {
    /// `info`, `warning` or `error`, as the published JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One row of the registry.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// The public name, such as `catalog/multiple-heads`.
    pub name: &'static str,
    /// The severity where no policy says otherwise.
    pub severity: Severity,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The sentence that is shown, with the words of the evidence in braces.
    pub message: &'static str,
    /// What to do.
    pub hint: &'static str,
    /// Why it matters, and which component acts on it.
    pub why: &'static str,
}

/// The code of a finding: a row of the registry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Code(pub(super) &'static CodeRow);

impl Code {
    /// The row that explains the code.
    pub fn row(self) -> &'static CodeRow {
        self.0
    }

    /// The public name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The default severity.
    pub fn severity(self) -> Severity {
        self.0.severity
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A template with every `{word}` replaced by its value; an unknown word stays visible as `?`.
pub(super) fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::with_capacity(template.len() + 40);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((word, behind)) = after.split_once('}') else { break };
        text.push_str(&value(word).unwrap_or_else(|| "?".to_owned()));
        rest = behind;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_filled_and_unknown_ones_show() {
        let value = |word: &str| (word == "a").then(|| "{b}".to_owned());
        assert_eq!(fill("x {a} y {c} z", value), "x {b} y ? z");
    }

    #[test]
    fn severities_are_ordered_by_weight() {
        assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Info);
    }
}
