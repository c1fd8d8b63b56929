//! The summary that `skipstone scan` ends with.
//!
//! Cost: linear in the rows shown.

use super::check::counts;
use super::{Style, Tone};
use crate::finding::counted;
use crate::report::phrase::{observed, one_line, severities};
use crate::report::schema::{CatalogRow, ClusterRow, CoverageNote, Overview, PackageRow, Verdict};

/// Rows of one list; a line below it says how many more there are.
const MOST_ROWS: usize = 10;
/// Where everything that is cut here stands.
const WHOLE: &str = "report.json";

/// Catalogs, packages that need attention, what was not read; the last line holds the verdict and the totals.
#[must_use]
pub fn overview_text(overview: &Overview, style: Style) -> String {
    let catalogs: Vec<String> = overview.catalogs.iter().map(|catalog| catalog_line(catalog, style)).collect();
    let attention: Vec<String> = overview.attention.iter().map(package_line).collect();
    let clusters: Vec<String> = overview.clusters.iter().map(cluster_line).collect();
    let failed: Vec<String> = overview.coverage.failed.iter().map(note_line).collect();
    let skipped: Vec<String> = overview.coverage.skipped.iter().map(note_line).collect();
    let lists = [
        ("Catalogs", catalogs),
        ("Needs attention", attention),
        ("Clusters", clusters),
        ("Could not be read", failed),
        ("Left out by a rule", skipped),
    ];
    let body: String = lists.into_iter().map(|(title, lines)| list(title, &lines, style)).collect();
    let summary = &overview.summary;
    format!(
        "{body}{}: {} in {}; {}\n",
        verdict(overview.verdict, style),
        severities(summary.findings),
        counted(summary.catalogs, "catalog"),
        counts(&summary.counts)
    )
}

fn list(title: &str, lines: &[String], style: Style) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let shown: String = lines.iter().take(MOST_ROWS).map(|line| format!("  {line}\n")).collect();
    let more = match lines.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        more => format!("  {more} more in {WHOLE}\n"),
    };
    format!("{}\n{shown}{more}\n", style.paint(Tone::Title, title))
}

fn catalog_line(catalog: &CatalogRow, style: Style) -> String {
    let answer = if catalog.valid { style.paint(Tone::Good, "valid") } else { style.paint(Tone::Bad, "not valid") };
    format!("{}: {answer}; {}; {}", one_line(&catalog.name), severities(catalog.findings), counts(&catalog.counts))
}

fn cluster_line(cluster: &ClusterRow) -> String {
    let objects: usize = cluster.objects.values().sum();
    let lacking = match cluster.lacking.len() {
        0 => "nothing is lacking".to_owned(),
        number => format!("{} lacking, told in index.html", counted(number, "resource")),
    };
    let observed = observed(cluster.observed_at.as_deref(), cluster.observed_basis.as_deref());
    one_line(&format!("{}: {observed}; {}; {lacking}", cluster.name, counted(objects, "object"))).into_owned()
}

fn package_line(package: &PackageRow) -> String {
    let reasons: String = package.reasons.iter().map(|reason| format!("; {reason}")).collect();
    let line = format!("{}/{}: {}{reasons}", package.catalog, package.package, severities(package.findings));
    one_line(&line).into_owned()
}

fn note_line(note: &CoverageNote) -> String {
    let path = note.path.as_ref().map_or_else(String::new, |path| format!(": {path}"));
    one_line(&format!("{}{path}: {}", note.input, note.reason)).into_owned()
}

fn verdict(verdict: Verdict, style: Style) -> String {
    let (tone, word) = match verdict {
        Verdict::Clean => (Tone::Good, "clean"),
        Verdict::Warnings => (Tone::Doubtful, "warnings"),
        Verdict::Errors => (Tone::Bad, "errors"),
        Verdict::Incomplete => (Tone::Bad, "incomplete"),
    };
    style.paint(tone, word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_summary_ends_with_verdict_and_totals() {
        let mut overview = sample::overview();
        overview.coverage.failed = vec![CoverageNote { input: "c".into(), path: Some("x".into()), reason: "r".into() }];
        assert_eq!(
            overview_text(&overview, Style::default()),
            "Catalogs\n  c: not valid; 1 error, 0 warnings, 0 infos; 1 package, 1 channel, 2 entries, 2 bundles\n\n\
             Needs attention\n  c/p: 1 error, 0 warnings, 0 infos; several heads\n\n\
             Clusters\n  east: taken at 2026-11-01T08:05:00Z or later; 12 objects; 1 resource lacking, told in index.html\n\n\
             Could not be read\n  c: x: r\n\n\
             errors: 1 error, 0 warnings, 0 infos in 1 catalog; 1 package, 1 channel, 2 entries, 2 bundles\n"
        );
    }

    #[test]
    fn long_lists_say_how_many_more() {
        let mut overview = sample::overview();
        overview.attention = vec![sample::row("p"); 13];
        assert!(overview_text(&overview, Style::default()).contains("\n  3 more in report.json\n"));
        overview.attention = vec![sample::row("p"); 10];
        assert!(!overview_text(&overview, Style::default()).contains("more in"));
    }
}
