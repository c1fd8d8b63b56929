//! The answer of `skipstone cluster contents`: findings by file, what the dump holds, what it lacks, and totals.
//!
//! Cost: one sort of the findings.

use std::fmt::Write as _;

use super::check::findings_text;
use super::{Style, Tone};
use crate::finding::counted;
use crate::report::phrase::{self, one_line};
use crate::report::schema::{ClusterContentsView, ReadinessView};

/// What a dump holds and what it lacks; each command that collects something stands on a line of its own.
#[must_use]
pub fn cluster_contents_text(contents: &ClusterContentsView, style: Style) -> String {
    let mut text = findings_text(&contents.findings, "the dump as a whole", style);
    let observed = phrase::observed(contents.observed_at.as_deref(), contents.observed_basis.as_deref());
    let _ = writeln!(text, "{}", style.paint(Tone::Title, &one_line(&observed)));
    for (kind, number) in &contents.objects {
        let _ = writeln!(text, "  {number:>6} {}", one_line(kind));
    }
    if let Some(readiness) = &contents.readiness {
        text.push_str(&readiness_text(readiness, style));
    }
    if !contents.lacking.is_empty() {
        let _ = writeln!(text, "\n{}", style.paint(Tone::Title, "what it lacks"));
    }
    for lacking in &contents.lacking {
        let _ = writeln!(text, "  {}: {}", lacking.resource, lacking.needed_for);
        let _ = writeln!(text, "      {}", style.paint(Tone::Quiet, &lacking.command));
    }
    text + &format!("\n{}\n", totals(contents))
}

fn readiness_text(readiness: &ReadinessView, style: Style) -> String {
    let word = |version: &Option<String>| one_line(version.as_deref().unwrap_or("an unknown version")).into_owned();
    let title = format!("readiness of {} for {}", word(&readiness.current_version), word(&readiness.target_version));
    let mut text = format!("\n{}\n", style.paint(Tone::Title, &title));
    for (name, check) in &readiness.checks {
        let status = one_line(check.status.as_deref().unwrap_or("unknown"));
        let tone = if status == "ok" { Tone::Good } else { Tone::Doubtful };
        let error = check.error.as_ref().map_or_else(String::new, |error| format!(": {}", one_line(error)));
        let _ = writeln!(text, "  {}: {}{error}", one_line(name), style.paint(tone, &status));
    }
    let _ = writeln!(text, "  it describes {}", counted(readiness.operators.len(), "operator"));
    text
}

fn totals(contents: &ClusterContentsView) -> String {
    let objects: usize = contents.objects.values().sum();
    let files = &contents.files;
    format!(
        "{}; {}; {} read, {} passed over, {} failed; {}",
        counted(objects, "object"),
        if contents.lacking.is_empty() {
            "nothing is lacking".to_owned()
        } else {
            format!("{} lacking", counted(contents.lacking.len(), "resource"))
        },
        counted(files.read, "file"),
        files.passed_over,
        files.failed,
        phrase::severities(phrase::count(&contents.findings)),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::report::sample;
    use crate::report::schema::{DumpFilesView, LackingView, ReadinessCheckView};

    fn contents() -> ClusterContentsView {
        ClusterContentsView {
            observed_at: Some("2026-11-30T00:00:00Z".into()),
            observed_basis: Some("timestamp-file".into()),
            objects: BTreeMap::from([("Node".into(), 12), ("Subscription".into(), 0)]),
            lacking: vec![],
            readiness: None,
            files: DumpFilesView { read: 1, passed_over: 2, failed: 0 },
            findings: vec![],
        }
    }

    #[test]
    fn objects_and_totals_are_told() {
        assert_eq!(
            cluster_contents_text(&contents(), Style::default()),
            "taken at 2026-11-30T00:00:00Z\n      12 Node\n       0 Subscription\n\n\
             12 objects; nothing is lacking; 1 file read, 2 passed over, 0 failed; 0 errors, 0 warnings, 0 infos\n"
        );
    }

    #[test]
    fn what_is_lacking_comes_with_its_command_and_a_bound_is_no_instant() {
        let mut contents = contents();
        contents.observed_basis = Some("conditions".into());
        contents.lacking = vec![LackingView {
            resource: "nodes".into(),
            needed_for: "versions".into(),
            command: "oc get nodes -o yaml".into(),
        }];
        let text = cluster_contents_text(&contents, Style::default());
        assert!(text.starts_with("taken at 2026-11-30T00:00:00Z or later\n"), "{text}");
        assert!(text.contains("\nwhat it lacks\n  nodes: versions\n      oc get nodes -o yaml\n"), "{text}");
        assert!(text.contains("; 1 resource lacking; "), "{text}");
        contents.observed_at = None;
        assert!(cluster_contents_text(&contents, Style::default()).starts_with("when it was taken is not known\n"));
    }

    #[test]
    fn a_dump_cannot_colour_the_terminal() {
        let mut contents = contents();
        let hostile = || "\u{1b}[2J".to_owned();
        contents.observed_at = Some(hostile());
        contents.objects.insert(hostile(), 1);
        let check = ReadinessCheckView { status: Some(hostile()), error: Some(hostile()) };
        contents.readiness = Some(ReadinessView {
            current_version: Some(hostile()),
            target_version: None,
            checks: BTreeMap::from([(hostile(), check)]),
            operators: vec![],
        });
        let mut finding = sample::finding("error", "a/b");
        finding.message = hostile();
        contents.findings = vec![finding];
        assert!(!cluster_contents_text(&contents, Style::default()).contains('\u{1b}'));
    }
}
