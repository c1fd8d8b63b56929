//! The clusters on the overview page: what their dumps hold, what they lack, and the commands that collect that.
//!
//! Cost: linear in the kinds of objects and in what is lacking.

use serde::Serialize;

use super::budget::Budget;
use super::words::{self, Badge};
use crate::finding::counted;
use crate::report::phrase;
use crate::report::schema::ClusterRow;

/// A cluster in the list.
#[derive(Debug, Serialize)]
pub(super) struct ClusterLine {
    row: ClusterRow,
    observed: String,
    /// Kind and number of its objects.
    objects: Vec<(String, String)>,
    /// How much is lacking, as the line that opens the list.
    lacks: String,
    badges: Vec<Badge>,
}

/// The clusters that the budget has room for.
pub(super) fn lines(clusters: &[ClusterRow], budget: &mut Budget) -> Vec<ClusterLine> {
    clusters.iter().filter(|row| budget.take(length(row))).map(line).collect()
}

fn line(row: &ClusterRow) -> ClusterLine {
    let observed = phrase::observed(row.observed_at.as_deref(), row.observed_basis.as_deref());
    ClusterLine {
        observed: phrase::capitalised(&observed).into_owned(),
        objects: row.objects.iter().map(|(kind, number)| (kind.clone(), words::number(*number))).collect(),
        lacks: format!("{} lacking, and how to collect them", counted(row.lacking.len(), "resource")),
        badges: words::severities(row.findings),
        row: row.clone(),
    }
}

fn length(row: &ClusterRow) -> usize {
    const MARKUP: usize = 60;
    let kinds: usize = row.objects.keys().map(|kind| kind.len() + MARKUP).sum();
    let texts = row.lacking.iter().map(|lacking| [&lacking.resource, &lacking.command].map(String::len));
    let lacking: usize = texts.map(|lengths| lengths.iter().sum::<usize>() + 2 * MARKUP).sum();
    row.name.len() + row.api.len() + kinds + lacking
}

#[cfg(test)]
mod tests {
    use crate::report::html::Pages;
    use crate::report::sample;
    use crate::report::schema::Overview;

    #[test]
    fn what_is_collected_and_what_lacks_stand_on_the_overview() {
        let page = Pages::new().unwrap().render_overview(&sample::overview()).unwrap();
        assert!(page.contains("<li>12 Node</li>") && page.contains("<li>0 Subscription</li>"));
        assert!(page.contains("Taken at 2026-11-01T08:05:00Z or later"));
        assert!(page.contains("<code>oc get clusterversions.config.openshift.io -o yaml</code>"));
        assert!(page.contains("href=\"api/v1/clusters/east/contents.json\""));
    }

    #[test]
    fn without_clusters_there_is_no_section_and_without_lacks_no_list() {
        let none = Overview { clusters: vec![], ..sample::overview() };
        assert!(!Pages::new().unwrap().render_overview(&none).unwrap().contains("id=\"clusters\""));
        let whole = crate::report::schema::ClusterRow { lacking: vec![], ..sample::cluster() };
        let page = Pages::new().unwrap().render_overview(&Overview { clusters: vec![whole], ..none }).unwrap();
        assert!(page.contains("Nothing is lacking.") && !page.contains("Collect it with"));
    }
}
