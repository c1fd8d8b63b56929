//! Findings as rows of a table.

use serde::Serialize;

use super::budget::Budget;
use super::words::{self, Badge};
use crate::report::prose::link_addresses;
use crate::report::schema::{FindingView, PlaceView, SubjectView};

/// Findings, the notes apart from what needs attention, and how many found no room.
#[derive(Debug, Serialize)]
pub(super) struct FindingTable {
    rows: Vec<FindingRow>,
    notes: Vec<FindingRow>,
    any: bool,
    left_out: usize,
}

/// One finding.
#[derive(Debug, Serialize)]
struct FindingRow {
    severity: Badge,
    code: String,
    subject: String,
    /// HTML: escaped, with links.
    message: String,
    /// HTML: escaped, with links.
    hint: Option<String>,
    place: Option<String>,
}

/// The findings in their order.
pub(super) fn table(findings: &[FindingView]) -> FindingTable {
    let mut budget = Budget::of(Budget::FINDINGS);
    let shown = findings.iter().map(row).filter(|row| budget.take(row.length()));
    let (notes, rows) = shown.partition(|row| row.severity.class == "info");
    FindingTable { rows, notes, any: !findings.is_empty(), left_out: budget.left_out() }
}

fn row(finding: &FindingView) -> FindingRow {
    FindingRow {
        severity: words::severity(&finding.severity),
        code: finding.code.clone(),
        subject: subject(&finding.subject),
        message: link_addresses(&finding.message),
        hint: finding.hint.as_deref().map(link_addresses),
        place: finding.at.as_ref().map(place),
    }
}

impl FindingRow {
    fn length(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.code.len() + self.subject.len() + self.message.len() + optional(&self.hint) + optional(&self.place)
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
    fn a_subject_is_the_innermost_one() {
        let mut about = SubjectView { catalog: Some("c".into()), package: Some("p".into()), ..SubjectView::default() };
        assert_eq!(subject(&about), "p");
        about.channel = Some("stable".into());
        about.bundle = Some("p.v1".into());
        assert_eq!(subject(&about), "p.v1 in channel stable");
    }
}
