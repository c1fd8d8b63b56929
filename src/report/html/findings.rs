//! Findings by what they ask for: a hint stands once, and of many that are alike the first few are in sight.
//!
//! Cost: linear in the findings, times the number of groups.

use serde::Serialize;

use super::budget::Budget;
use super::words::{self, Badge};
use crate::report::phrase::capitalised;
use crate::report::prose::link_addresses;
use crate::report::schema::{FindingView, PlaceView, SubjectView};

/// Findings, the notes apart from what needs attention, and how many found no room.
#[derive(Debug, Serialize)]
pub(super) struct FindingTable {
    groups: Vec<FindingGroup>,
    notes: Vec<FindingGroup>,
    note_count: usize,
    any: bool,
    left_out: usize,
}

/// Findings of one code that ask for the same.
#[derive(Debug, Serialize)]
struct FindingGroup {
    severity: Badge,
    code: String,
    /// HTML: escaped, with links.
    hint: Option<String>,
    first: Vec<FindingRow>,
    more: Vec<FindingRow>,
}

/// One finding.
#[derive(Debug, Serialize)]
struct FindingRow {
    /// HTML: escaped, with links.
    message: String,
    /// What it is about, where the message does not say that.
    subject: Option<String>,
    place: Option<String>,
}

/// How many findings of a group a reader sees at once.
const FIRST: usize = 3;

/// The findings in their order; those of one code follow the first of them.
pub(super) fn table(findings: &[FindingView]) -> FindingTable {
    let mut budget = Budget::of(Budget::FINDINGS);
    let mut groups: Vec<(&FindingView, FindingGroup)> = Vec::new();
    for finding in findings {
        let row = row(finding);
        if !budget.take(row.length()) {
            continue;
        }
        let alike = |first: &FindingView| {
            (&first.severity, &first.code, &first.hint) == (&finding.severity, &finding.code, &finding.hint)
        };
        match groups.iter_mut().find(|(first, _)| alike(first)) {
            Some((_, group)) if group.first.len() < FIRST => group.first.push(row),
            Some((_, group)) => group.more.push(row),
            None => groups.push((finding, group(finding, row))),
        }
    }
    let count = |group: &FindingGroup| group.first.len() + group.more.len();
    let groups = groups
        .into_iter()
        .map(|(_, group)| FindingGroup { severity: words::found(group.severity.class, count(&group)), ..group });
    let (notes, groups): (Vec<_>, Vec<_>) = groups.partition(|group| group.severity.class == "info");
    FindingTable {
        note_count: notes.iter().map(count).sum(),
        groups,
        notes,
        any: !findings.is_empty(),
        left_out: budget.left_out(),
    }
}

fn group(finding: &FindingView, first: FindingRow) -> FindingGroup {
    FindingGroup {
        severity: words::severity(&finding.severity),
        code: finding.code.clone(),
        hint: finding.hint.as_deref().map(link_addresses),
        first: vec![first],
        more: Vec::new(),
    }
}

fn row(finding: &FindingView) -> FindingRow {
    let about = [&finding.subject.channel, &finding.subject.bundle];
    let told = about.iter().copied().flatten().all(|name| finding.message.contains(name.as_str()));
    let said = told && about.iter().any(|name| name.is_some());
    FindingRow {
        message: link_addresses(&capitalised(&finding.message)),
        subject: (!said).then(|| subject(&finding.subject)).filter(|subject| !subject.is_empty()),
        place: finding.at.as_ref().map(place),
    }
}

impl FindingRow {
    fn length(&self) -> usize {
        self.message.len() + [&self.subject, &self.place].into_iter().flatten().map(String::len).sum::<usize>()
    }
}

/// The innermost things that a finding is about: channel and bundle, else package, else catalog.
fn subject(subject: &SubjectView) -> String {
    match (&subject.channel, &subject.bundle) {
        (Some(channel), Some(bundle)) => format!("{bundle} in channel {channel}"),
        (Some(channel), None) => format!("channel {channel}"),
        (None, Some(bundle)) => bundle.clone(),
        (None, None) => subject.package.as_ref().or(subject.catalog.as_ref()).cloned().unwrap_or_default(),
    }
}

/// Where a finding stands, as an editor takes it: path and line, then the number of the document.
fn place(place: &PlaceView) -> String {
    let mut text = place.path.clone().unwrap_or_else(|| place.source.clone());
    if let Some(line) = place.line {
        text.push_str(&format!(":{line}"));
    }
    if let Some(document) = place.document {
        text.push_str(&format!(", document {document}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn a_place_reads_like_an_editor_takes_it() {
        let mut at = PlaceView {
            source: "c".into(),
            image: None,
            path: Some("p/c.yaml".into()),
            document: Some(3),
            line: Some(41),
        };
        assert_eq!(place(&at), "p/c.yaml:41, document 3");
        at.path = None;
        at.line = None;
        assert_eq!(place(&at), "c, document 3");
    }

    #[test]
    fn findings_that_are_alike_share_their_hint_and_only_three_are_in_sight() {
        let alike =
            |number: usize| FindingView { message: format!("number {number}"), ..sample::finding("warning", "a/b") };
        let mut findings: Vec<FindingView> = (0..5).map(alike).collect();
        findings.insert(1, FindingView { hint: None, ..sample::finding("warning", "a/b") });
        findings.push(sample::finding("info", "a/b"));
        let table = table(&findings);
        let seen: Vec<_> = table
            .groups
            .iter()
            .map(|group| (group.severity.text.as_str(), group.first.len(), group.more.len()))
            .collect();
        assert_eq!(seen, [("5 warnings", 3, 2), ("1 warning", 1, 0)]);
        assert_eq!(table.note_count, 1);
    }

    #[test]
    fn a_subject_stands_only_where_the_message_leaves_it_out() {
        let about =
            |message: &str| row(&FindingView { message: message.into(), ..sample::finding("error", "a/b") }).subject;
        assert_eq!(about("the channel stable has two heads"), None);
        assert_eq!(about("there are two heads").as_deref(), Some("channel stable"));
    }

    #[test]
    fn a_subject_is_the_innermost_one() {
        let mut about = SubjectView { catalog: Some("c".into()), package: Some("p".into()), ..SubjectView::default() };
        assert_eq!(subject(&about), "p");
        about.channel = Some("stable".into());
        about.bundle = Some("p.v1".into());
        assert_eq!(subject(&about), "p.v1 in channel stable");
    }
}
