//! Findings in words.
//!
//! Cost: one digest for each finding.

use crate::finding::{Finding, Severity, SourceRef, Subject, codes};
use crate::report::sarif::RuleText;
use crate::report::schema::{FindingView, PlaceView, SeverityCounts, SubjectView};

/// A finding as every format shows it.
pub fn finding_view(finding: &Finding) -> FindingView {
    FindingView {
        severity: finding.severity().name().to_owned(),
        code: finding.code.name().to_owned(),
        subject: subject_view(&finding.subject),
        message: finding.message(),
        hint: Some(finding.hint()),
        at: finding.at.as_ref().map(place_view),
        fingerprint: finding.fingerprint().to_string(),
    }
}

/// Findings in the order in which they are given.
pub fn findings_views(findings: &[Finding]) -> Vec<FindingView> {
    findings.iter().map(finding_view).collect()
}

/// How many findings of each severity there are.
pub fn severity_counts(findings: &[Finding]) -> SeverityCounts {
    let number = |severity| findings.iter().filter(|finding| finding.severity() == severity).count();
    SeverityCounts { error: number(Severity::Error), warning: number(Severity::Warning), info: number(Severity::Info) }
}

/// What the registry says of a code; `None` where it is none of a finding.
pub fn rule_text(code: &str) -> Option<RuleText> {
    let row = codes::find(code)?.row();
    Some(RuleText { title: row.title.to_owned(), why: row.why.to_owned(), hint: row.hint.to_owned() })
}

fn subject_view(subject: &Subject) -> SubjectView {
    let [catalog, package, channel, bundle] = subject.levels().map(|level| level.map(str::to_owned));
    SubjectView { catalog, package, channel, bundle }
}

fn place_view(place: &SourceRef) -> PlaceView {
    PlaceView {
        source: place.source.to_string(),
        image: place.image.as_ref().map(|digest| digest.to_string()),
        path: place.path.as_ref().map(ToString::to_string),
        document: place.document,
        line: place.line,
    }
}
