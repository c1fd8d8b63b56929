//! The clusters of a report as Markdown: what was collected, what lacks, and the commands that collect it.
//!
//! Rule and cost: those of [`super`].

use super::escape::{code, escape};
use super::sheet::Sheet;
use crate::report::phrase::{observed, severities};
use crate::report::schema::ClusterRow;

/// A table of the clusters, and one of what their dumps lack.
pub(super) fn clusters(sheet: &mut Sheet, clusters: &[ClusterRow]) {
    sheet.section("Clusters");
    sheet.table(&["Cluster", "Dump", "Collected", "Lacking", "Findings"]);
    for cluster in clusters {
        let objects: Vec<String> =
            cluster.objects.iter().map(|(kind, number)| format!("{number} {}", escape(kind))).collect();
        sheet.row(&[
            code(&cluster.name),
            escape(&observed(cluster.observed_at.as_deref(), cluster.observed_basis.as_deref())),
            if objects.is_empty() { "–".to_owned() } else { objects.join(", ") },
            cluster.lacking.len().to_string(),
            severities(cluster.findings),
        ]);
    }
    sheet.section("What the dumps of clusters lack");
    sheet.table(&["Cluster", "Resource", "Needed for", "Collect it with"]);
    for cluster in clusters {
        for lacking in &cluster.lacking {
            sheet.row(&[
                code(&cluster.name),
                code(&lacking.resource),
                escape(&lacking.needed_for),
                code(&lacking.command),
            ]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn what_lacks_comes_with_its_command() {
        let mut sheet = Sheet::new(10_000, String::new());
        clusters(&mut sheet, &[sample::cluster()]);
        let text = sheet.finish();
        let collected = "12 Node, 0 Subscription";
        let row = format!(
            "| `east` | taken at 2026-11-01T08:05:00Z or later | {collected} | 1 | 0 errors, 1 warning, 0 infos |"
        );
        assert!(text.lines().any(|line| line == row), "{text}");
        let name = "clusterversions.config.openshift.io";
        let row = format!("| `east` | `{name}` | the platform's version | `oc get {name} -o yaml` |");
        assert!(text.lines().any(|line| line == row), "{text}");
    }

    #[test]
    fn without_clusters_there_is_no_section() {
        let mut sheet = Sheet::new(10_000, String::new());
        clusters(&mut sheet, &[]);
        assert_eq!(sheet.finish(), "");
    }
}
