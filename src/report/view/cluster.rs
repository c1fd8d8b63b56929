//! The answer of `skipstone cluster contents`, and the row of a cluster in the summary of a run.
//!
//! Cost: linear in the kinds, the operators of a readiness report, and the findings.

use super::findings_views;
use crate::cluster::{ClusterFacts, Lacking, Readiness, ReadinessOperator};
use crate::finding::Finding;
use crate::report::schema::{
    ApiDocument, ClusterContentsView, ClusterRow, DumpFilesView, LackingView, ReadinessCheckView,
    ReadinessOperatorView, ReadinessView,
};
use crate::report::{phrase, place};

/// How many files of a dump were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DumpFiles {
    /// Read to their end.
    pub read: usize,
    /// Passed over.
    pub passed_over: usize,
    /// Not read to their end.
    pub failed: usize,
}

/// The view of what a dump holds; findings are sorted.
pub fn cluster_contents_view(facts: &ClusterFacts, findings: &[Finding], files: DumpFiles) -> ClusterContentsView {
    ClusterContentsView {
        observed_at: facts.observed.map(|observed| observed.at.to_string()),
        observed_basis: facts.observed.map(|observed| observed.basis.name().to_owned()),
        objects: facts.counts().into_iter().map(|(kind, number)| (kind.to_owned(), number)).collect(),
        lacking: facts.lacking().into_iter().map(lacking_view).collect(),
        readiness: facts.readiness.as_ref().map(readiness_view),
        files: DumpFilesView { read: files.read, passed_over: files.passed_over, failed: files.failed },
        findings: findings_views(findings),
    }
}

/// The row of a cluster in the summary of a run.
pub fn cluster_row(name: &str, contents: &ClusterContentsView) -> ClusterRow {
    ClusterRow {
        name: name.to_owned(),
        observed_at: contents.observed_at.clone(),
        observed_basis: contents.observed_basis.clone(),
        objects: contents.objects.clone(),
        lacking: contents.lacking.clone(),
        findings: phrase::count(&contents.findings),
        api: place::cluster_contents_api(name),
    }
}

/// The entry of a cluster's document in the list of all documents.
pub fn cluster_entry(path: String) -> ApiDocument {
    let schema = "cluster-contents".to_owned();
    ApiDocument { kind: "cluster".to_owned(), path, schema, catalog: None, package: None }
}

fn lacking_view(lacking: Lacking) -> LackingView {
    LackingView { resource: lacking.resource, needed_for: lacking.needed_for.to_owned(), command: lacking.command }
}

fn readiness_view(readiness: &Readiness) -> ReadinessView {
    let checks = readiness.checks.iter().map(|(name, check)| {
        let check = ReadinessCheckView { status: check.status.clone(), error: check.error.clone() };
        (name.clone(), check)
    });
    ReadinessView {
        current_version: readiness.current_version.clone(),
        target_version: readiness.target_version.clone(),
        checks: checks.collect(),
        operators: readiness.operators().into_iter().map(operator_view).collect(),
    }
}

fn operator_view(operator: ReadinessOperator) -> ReadinessOperatorView {
    ReadinessOperatorView {
        name: operator.name,
        namespace: operator.namespace,
        package: operator.package,
        channel: operator.channel,
        source: operator.source,
        install_plan_approval: operator.install_plan_approval,
        installed_csv: operator.installed_csv,
        installed_version: operator.installed_version,
        min_kube_version: operator.min_kube_version,
        pending_upgrade: operator.pending_upgrade,
        ocp_min: operator.ocp_min,
        ocp_max: operator.ocp_max,
        compatible_with_target: operator.compatible_with_target,
        available_channels: operator.available_channels,
    }
}
