//! Codes of the view models in a reader's words. Every word comes with a mark: severity is never told by colour alone
//! (WCAG 2.2, 1.4.1).
//! Cost: linear in each text.

use serde::Serialize;

use crate::finding::counted;
use crate::report::phrase::capitalised;
use crate::report::schema::{ReasonView, SeverityCounts, Verdict};

/// A word with the mark that stands before it and the class that colours both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
        Verdict::Errors => (Badge::new("error", "Errors"), "Everything was read. At least one rule is broken."),
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

/// So many findings of one severity.
pub(super) fn found(class: &'static str, count: usize) -> Badge {
    let noun = if class == "info" { "note" } else { class };
    Badge::new(class, counted(count, noun))
}

/// The findings that there are, by severity, worst first; a single badge where there are none.
pub(super) fn severities(counts: SeverityCounts) -> Vec<Badge> {
    let badges: Vec<Badge> = [("error", counts.error), ("warning", counts.warning), ("info", counts.info)]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| found(class, count))
        .collect();
    if badges.is_empty() { vec![Badge::new("ok", "no findings")] } else { badges }
}

/// What becomes of an installed bundle.
pub(super) fn status(status: &str) -> Badge {
    match status {
        "reachable" => Badge::new("info", "moves"),
        "up-to-date" => Badge::new("ok", "up to date"),
        "dead-end" => Badge::new("warning", "dead end"),
        "loop" => Badge::new("error", "loop"),
        "unreachable" => Badge::new("warning", "unreachable"),
        "error" => Badge::new("error", "fails"),
        other => Badge::new("unknown", other),
    }
}

/// What becomes of a bundle that a channel, or every channel, knows nothing of: a state of its own and no trouble.
pub(super) fn elsewhere(in_one_channel: bool) -> Badge {
    Badge::new("unknown", if in_one_channel { "not in this channel" } else { "in no channel" })
}

/// That a walk leads to a lower version; `hops` are the hops that do, where they are told.
pub(super) fn moves_down(hops: Option<&str>) -> Badge {
    let text = hops.map_or_else(|| "moves down".to_owned(), |hops| format!("moves down: {hops}"));
    Badge::new("warning", text)
}

/// Reasons in one line, each followed by the reasons below it.
///
/// The installed bundle is called just that, so that bundles which stay for the same reason share one text.
pub(super) fn reasons(reasons: &[ReasonView], installed: &str) -> String {
    const DEEPEST: usize = 8;
    fn line(reasons: &[ReasonView], depth: usize) -> String {
        let lines = reasons.iter().map(|reason| {
            let below = if depth < DEEPEST { line(&reason.because, depth + 1) } else { String::new() };
            if below.is_empty() { reason.message.clone() } else { format!("{} (because: {below})", reason.message) }
        });
        lines.collect::<Vec<_>>().join("; ")
    }
    replace_name(&line(reasons, 0), installed, "the installed bundle")
}

/// One reason as a sentence of its own.
pub(super) fn sentence(reason: &ReasonView) -> String {
    capitalised(&reasons(std::slice::from_ref(reason), "")).into_owned()
}

/// The text with a name replaced wherever it stands alone, and not as a part of a longer name.
fn replace_name(text: &str, name: &str, replacement: &str) -> String {
    if name.is_empty() {
        return text.to_owned();
    }
    let in_name = |character: char| character.is_alphanumeric() || "-_+~".contains(character);
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    let finder = memchr::memmem::Finder::new(name);
    while let Some((before, found)) = finder.find(rest.as_bytes()).and_then(|at| rest.split_at_checked(at)) {
        let after = found.strip_prefix(name).unwrap_or_default();
        let mut following = after.chars();
        let goes_on = match following.next() {
            Some('.') => following.next().is_some_and(in_name),
            next => next.is_some_and(in_name),
        };
        let begins_before = before.chars().next_back().is_some_and(|character| in_name(character) || character == '.');
        replaced.push_str(before);
        replaced.push_str(if goes_on || begins_before { name } else { replacement });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
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
        assert_eq!(reasons(&[top, below], "p.v1"), "it stays (because: no edge); no edge");
    }

    #[test]
    fn only_the_whole_name_is_the_installed_bundle() {
        let said = |text: &str| replace_name(text, "p.v1.1", "it");
        assert_eq!(said("nothing covers p.v1.1"), "nothing covers it");
        assert_eq!(
            said("p.v1.1 and p.v1.10, p.v1.1.2, p.v1.1-rc and op.v1.1."),
            "it and p.v1.10, p.v1.1.2, p.v1.1-rc and op.v1.1."
        );
        assert_eq!(said("not p.v1.1."), "not it.");
    }
}
