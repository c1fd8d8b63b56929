//! The summary of a whole run, and the rows of its catalogs.
//!
//! Rule: ours; the verdict weighs what was not read above errors, and errors above warnings. Cost: one sort of the packages
//! that need attention.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::check::{counts, is_valid};
use super::{findings_views, severity_counts};
use crate::catalog::Catalog;
use crate::finding::{Finding, codes};
use crate::report::place;
use crate::report::schema::{
    CatalogRow, CatalogView, ClusterRow, Coverage, Input, MirrorSummary, Overview, PackageRow, PairCounts,
    SCHEMA_VERSION, SeverityCounts, Summary, Tool, Verdict,
};

const MOST_ATTENTION: usize = 50;

/// One catalog of a run, with everything that was found in it.
#[derive(Clone, Copy)]
pub struct CatalogFacts<'c> {
    /// The catalog.
    pub catalog: &'c Catalog,
    /// All its findings, sorted.
    pub findings: &'c [Finding],
    /// The rows of its packages, by name.
    pub rows: &'c [PackageRow],
    /// Pairs that engines connect, summed over its packages.
    pub pairs: &'c PairCounts,
}

/// What an overview needs beside the catalogs.
pub struct OverviewFacts {
    /// The version of the program.
    pub version: String,
    /// The instant of the report, RFC 3339.
    pub generated_at: String,
    /// What was read.
    pub inputs: Vec<Input>,
    /// What mirrors hold and lack, where any were named.
    pub mirror: Option<MirrorSummary>,
    /// The clusters of which a dump was read, by name.
    pub clusters: Vec<ClusterRow>,
    /// How completely.
    pub coverage: Coverage,
}

/// The view of a catalog.
pub fn catalog_view(facts: CatalogFacts<'_>) -> CatalogView {
    let own: Vec<Finding> =
        facts.findings.iter().filter(|finding| !has_page(facts.catalog, finding)).cloned().collect();
    CatalogView {
        schema_version: SCHEMA_VERSION,
        name: facts.catalog.name.to_string(),
        valid: is_valid(facts.findings),
        complete: is_complete(facts.findings),
        counts: counts(facts.catalog),
        packages: facts.rows.to_vec(),
        findings: findings_views(&own),
    }
}

/// Whether all of a catalog could be read: what opm cannot read either counts as read.
fn is_complete(findings: &[Finding]) -> bool {
    !findings.iter().any(|finding| [codes::INPUT_UNREADABLE, codes::INPUT_LIMIT].contains(&finding.code))
}

/// Whether a finding stands on the page of a package.
fn has_page(catalog: &Catalog, finding: &Finding) -> bool {
    finding.subject.package.as_ref().is_some_and(|package| catalog.packages.contains_key(package))
}

fn catalog_row(facts: CatalogFacts<'_>) -> CatalogRow {
    let name = &facts.catalog.name;
    CatalogRow {
        name: name.to_string(),
        valid: is_valid(facts.findings),
        counts: counts(facts.catalog),
        findings: severity_counts(facts.findings),
        api: place::catalog_api(name),
        page: place::catalog_page(name),
    }
}

/// What a report says in one word: what was not read weighs most, since it is not known.
pub fn verdict(coverage: &Coverage, findings: SeverityCounts) -> Verdict {
    match findings {
        _ if !coverage.complete => Verdict::Incomplete,
        SeverityCounts { error: 1.., .. } => Verdict::Errors,
        SeverityCounts { warning: 1.., .. } => Verdict::Warnings,
        _ => Verdict::Clean,
    }
}

/// The overview of a run: catalogs by name, and the number of all findings, those of no catalog among them.
pub fn overview(facts: OverviewFacts, catalogs: &[CatalogFacts<'_>], findings: SeverityCounts) -> Overview {
    let mut summary = Summary { catalogs: catalogs.len(), findings, ..Summary::default() };
    let mut attention: Vec<&PackageRow> = Vec::new();
    for catalog in catalogs {
        summary.counts += &counts(catalog.catalog);
        summary.pairs += catalog.pairs;
        let worth = |row: &&PackageRow| row.findings.error + row.findings.warning > 0 || row.deprecated.is_some();
        attention.extend(catalog.rows.iter().filter(worth));
    }
    attention.sort_by(|one, other| {
        let weight = |row: &PackageRow| (row.findings.error, row.findings.warning);
        weight(other)
            .cmp(&weight(one))
            .then_with(|| (&one.package, &one.catalog).cmp(&(&other.package, &other.catalog)))
    });
    attention.truncate(MOST_ATTENTION);
    Overview {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "skipstone".to_owned(), version: facts.version },
        generated_at: facts.generated_at,
        verdict: verdict(&facts.coverage, summary.findings),
        summary,
        inputs: facts.inputs,
        catalogs: catalogs.iter().map(|catalog| catalog_row(*catalog)).collect(),
        clusters: facts.clusters,
        attention: attention.into_iter().cloned().collect(),
        mirror: facts.mirror,
        coverage: facts.coverage,
    }
}

/// Findings by the package that they belong to; those of no package are under `None`.
pub fn by_package(findings: &[Finding]) -> BTreeMap<Option<Arc<str>>, Vec<&Finding>> {
    let mut groups: BTreeMap<Option<Arc<str>>, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry(finding.subject.package.clone()).or_default().push(finding);
    }
    groups
}
