//! Codes of the view models in a reader's words. Every word comes with a mark: severity is never told by colour alone
//! (WCAG 2.2, 1.4.1).

use serde::Serialize;

use crate::report::schema::{ReasonView, SeverityCounts, Verdict};

/// A word with the mark that stands before it and the class that colours both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Badge {
    pub(super) class: &'static str,
    pub(super) mark: &'static str,
    pub(super) text: String,
}

impl Badge {
    fn new(class: &'static str, text: impl Into<String>) -> Self {
        let mark = match class {
            "error" => "■",
            "warning" => "▲",
            "info" => "●",
            "ok" => "✓",
            _ => "○",
        };
        Self { class, mark, text: text.into() }
    }
}

/// A verdict as one word and the sentence that explains it.
pub(super) fn verdict(verdict: Verdict) -> (Badge, &'static str) {
    match verdict {
        Verdict::Clean => (Badge::new("ok", "Clean"), "Everything was read, and nothing is wrong."),
        Verdict::Warnings => (Badge::new("warning", "Warnings"), "Everything was read. There are warnings to look at."),
        Verdict::Errors => (Badge::new("error", "Errors"), "Everything was read. At least one catalog is invalid."),
        Verdict::Incomplete => (
            Badge::new("unknown", "Incomplete"),
            "A part of the input could not be read. What was not read is not clean: this report is not the whole truth.",
        ),
    }
}

/// Whether `opm validate` would accept something.
pub(super) fn validity(valid: bool) -> Badge {
    if valid { Badge::new("ok", "valid") } else { Badge::new("error", "invalid") }
}

/// A severity as it stands in a finding.
pub(super) fn severity(severity: &str) -> Badge {
    match severity {
        "error" => Badge::new("error", "error"),
        "warning" => Badge::new("warning", "warning"),
        "info" => Badge::new("info", "info"),
        other => Badge::new("unknown", other),
    }
}

/// The findings that there are, by severity, worst first; a single badge where there are none.
pub(super) fn severities(counts: SeverityCounts) -> Vec<Badge> {
    let badges: Vec<Badge> = [
        ("error", counts.error, "error", "errors"),
        ("warning", counts.warning, "warning", "warnings"),
        ("info", counts.info, "note", "notes"),
    ]
    .into_iter()
    .filter(|(_, count, ..)| *count > 0)
    .map(|(class, count, one, many)| Badge::new(class, format!("{count} {}", if count == 1 { one } else { many })))
    .collect();
    if badges.is_empty() { vec![Badge::new("ok", "no findings")] } else { badges }
}

/// What becomes of an installed bundle.
pub(super) fn status(status: &str) -> Badge {
    match status {
        "reachable" => Badge::new("ok", "moves"),
        "up-to-date" => Badge::new("ok", "up to date"),
        "dead-end" => Badge::new("warning", "dead end"),
        "loop" => Badge::new("error", "loop"),
        "unreachable" => Badge::new("warning", "unreachable"),
        "error" => Badge::new("error", "error"),
        other => Badge::new("unknown", other),
    }
}

/// Reasons in one line, each followed by the reasons below it.
pub(super) fn reasons(reasons: &[ReasonView]) -> String {
    const DEEPEST: usize = 8;
    fn line(reasons: &[ReasonView], depth: usize) -> String {
        let lines = reasons.iter().map(|reason| {
            let below = if depth < DEEPEST { line(&reason.because, depth + 1) } else { String::new() };
            if below.is_empty() { reason.message.clone() } else { format!("{} (because: {below})", reason.message) }
        });
        lines.collect::<Vec<_>>().join("; ")
    }
    line(reasons, 0)
}

/// A number of bytes with a decimal prefix.
pub(super) fn bytes(count: u64) -> String {
    const STEPS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match STEPS.iter().find(|(size, _)| count >= *size) {
        Some((size, unit)) => {
            let tenths = u128::from(count) * 10 / u128::from(*size);
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
        None => format!("{count} B"),
    }
}

/// A number in groups of three digits, with narrow no-break spaces between them.
pub(super) fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() * 2);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push('\u{202F}');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_findings_name_only_what_there_is() {
        let texts = |error, warning, info| {
            severities(SeverityCounts { error, warning, info }).into_iter().map(|badge| badge.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(1, 0, 2), ["1 error", "2 notes"]);
        assert_eq!(texts(0, 0, 0), ["no findings"]);
    }

    #[test]
    fn sizes_and_numbers_are_readable() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(157_049_000), "157.0 MB");
        assert_eq!(number(1_234_567), "1\u{202F}234\u{202F}567");
        assert_eq!(number(12), "12");
    }

    #[test]
    fn reasons_keep_the_reasons_below_them() {
        let below = ReasonView { code: "b".into(), message: "no edge".into(), because: vec![] };
        let top = ReasonView { code: "a".into(), message: "it stays".into(), because: vec![below.clone()] };
        assert_eq!(reasons(&[top, below]), "it stays (because: no edge); no edge");
    }
}
