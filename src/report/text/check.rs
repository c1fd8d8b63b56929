//! The answer of `skipstone catalog check`: findings by file, then totals.
//!
//! Cost: one sort of the findings.

use std::collections::BTreeMap;

use super::{Style, Tone};
use crate::finding::{counted, counted_as};
use crate::report::phrase::{self, one_line, position, subject, worst_first};
use crate::report::schema::{CheckView, Counts, FindingView, SeverityCounts};

/// Every finding below the file it was found in, worst first in each; those without a file come last. The last line holds
/// the totals and whether the catalog is valid.
#[must_use]
pub fn check_text(check: &CheckView, style: Style) -> String {
    let text = findings_text(&check.findings, "the catalog as a whole", style);
    let answer = if check.valid { style.paint(Tone::Good, "valid") } else { style.paint(Tone::Bad, "not valid") };
    let severities: SeverityCounts = phrase::count(&check.findings);
    text + &format!("{answer}: {}; {}\n", phrase::severities(severities), counts(&check.counts))
}

/// Findings below their files, worst first in each, and those without a file below what they are about as a whole.
pub(super) fn findings_text(findings: &[FindingView], whole: &str, style: Style) -> String {
    let mut text = String::new();
    for (file, findings) in by_file(findings) {
        let title = file.unwrap_or_else(|| whole.to_owned());
        text.push_str(&format!("{}\n", style.paint(Tone::Title, &title)));
        for finding in findings {
            text.push_str(&finding_text(finding, style));
        }
        text.push('\n');
    }
    text
}

/// Findings by file, the ones without a place under none, which sorts last here.
fn by_file(findings: &[FindingView]) -> Vec<(Option<String>, Vec<&FindingView>)> {
    let mut files: BTreeMap<String, Vec<&FindingView>> = BTreeMap::new();
    let mut nowhere = Vec::new();
    for finding in worst_first(findings) {
        match &finding.at {
            Some(place) => {
                let file = place
                    .path
                    .as_ref()
                    .map_or_else(|| place.source.clone(), |path| format!("{}: {path}", place.source));
                files.entry(one_line(&file).into_owned()).or_default().push(finding);
            }
            None => nowhere.push(finding),
        }
    }
    let last = (!nowhere.is_empty()).then_some((None, nowhere));
    files.into_iter().map(|(file, findings)| (Some(file), findings)).chain(last).collect()
}

fn finding_text(finding: &FindingView, style: Style) -> String {
    let position = finding.at.as_ref().and_then(position).map_or_else(String::new, |position| format!(", {position}"));
    let about = Some(subject(&finding.subject)).filter(|about| !about.is_empty());
    let below = [
        Some(finding.message.clone()),
        about.map(|about| format!("in {about}")),
        finding.hint.as_ref().map(|hint| format!("hint: {hint}")),
    ];
    let below: String = below.into_iter().flatten().map(|line| format!("      {}\n", one_line(&line))).collect();
    format!("  {} {}{position}\n{below}", style.severity(&finding.severity), one_line(&finding.code))
}

/// `1 package, 2 channels, 9 entries, 5 bundles`.
pub(super) fn counts(counts: &Counts) -> String {
    let entries = counted_as(counts.entries, "entry", "entries");
    [
        counted(counts.packages, "package"),
        counted(counts.channels, "channel"),
        entries,
        counted(counts.bundles, "bundle"),
    ]
    .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn findings_stand_below_their_file_and_totals_last() {
        let mut elsewhere = sample::finding("warning", "a/c");
        elsewhere.at = None;
        elsewhere.hint = Some("do\nthis".into());
        let text = check_text(&sample::check(vec![elsewhere, sample::finding("error", "a/b")]), Style::default());
        assert_eq!(
            text,
            "c: p/catalog.yaml\n  error   a/b, line 3\n      message of a/b\n      in catalog c, package p\n\n\
             the catalog as a whole\n  warning a/c\n      message of a/c\n      in catalog c, package p\n      \
             hint: do this\n\n\
             not valid: 1 error, 1 warning, 0 infos; 1 package, 1 channel, 2 entries, 2 bundles\n"
        );
    }

    #[test]
    fn a_clean_catalog_is_one_line() {
        let mut check = sample::check(vec![]);
        check.valid = true;
        let text = check_text(&check, Style::default());
        assert_eq!(text, "valid: 0 errors, 0 warnings, 0 infos; 1 package, 1 channel, 2 entries, 2 bundles\n");
    }

    #[test]
    fn a_catalog_cannot_colour_the_terminal() {
        let mut finding = sample::finding("error", "a/b");
        finding.message = "\u{1b}[2J".into();
        assert!(!check_text(&sample::check(vec![finding]), Style::default()).contains('\u{1b}'));
    }
}
