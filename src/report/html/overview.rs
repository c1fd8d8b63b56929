//! The overview page.
//!
//! Cost: linear in catalogs, inputs and the packages that need attention.

use serde::Serialize;

use super::budget::Budget;
use super::clusters::{self, ClusterLine};
use super::frame::Frame;
use super::words::{self, Badge};
use super::{Page, Stamp};
use crate::finding::counted;
use crate::report::schema::{CatalogRow, Coverage, Input, MirrorSummary, Overview, PackageRow, Summary};
use crate::report::{phrase, place};

/// What the overview template prints.
#[derive(Debug, Serialize)]
pub(super) struct OverviewPage {
    frame: Frame,
    verdict: Badge,
    verdict_says: &'static str,
    generated_at: String,
    totals: Vec<Total>,
    findings: Vec<Badge>,
    attention: Vec<AttentionRow>,
    attention_left_out: usize,
    catalogs: Vec<CatalogLine>,
    /// The page of the release payloads and how many there are, where some were asked for.
    releases: Option<(&'static str, String)>,
    clusters: Vec<ClusterLine>,
    clusters_left_out: usize,
    inputs: Vec<InputLine>,
    mirror: Option<MirrorPart>,
    coverage: Coverage,
    checksums: &'static str,
    api_index: &'static str,
}

/// One number of the totals.
#[derive(Debug, Serialize)]
struct Total {
    label: &'static str,
    count: String,
}

/// A package that needs attention.
#[derive(Debug, Serialize)]
struct AttentionRow {
    row: PackageRow,
    badges: Vec<Badge>,
}

/// A catalog in the list.
#[derive(Debug, Serialize)]
struct CatalogLine {
    row: CatalogRow,
    validity: Badge,
    badges: Vec<Badge>,
    numbers: [String; 4],
}

/// An input in the list.
#[derive(Debug, Serialize)]
struct InputLine {
    row: Input,
    kind: String,
    /// Nothing where bytes are not counted: bundles and payloads come out of images and the cache.
    size: Option<String>,
    holds: String,
}

/// What mirrors hold and lack.
#[derive(Debug, Serialize)]
struct MirrorPart {
    links: MirrorSummary,
    size: String,
    images: String,
    states: Vec<Total>,
    carry: String,
}

impl Page for OverviewPage {
    fn title(&self) -> &str {
        &self.frame.title
    }
}

/// The page of an overview.
pub(super) fn page(overview: &Overview) -> OverviewPage {
    let stamp = Stamp {
        tool: overview.tool.clone(),
        generated_at: overview.generated_at.clone(),
        inputs: overview.inputs.clone(),
    };
    let (verdict, verdict_says) = words::verdict(overview.verdict);
    let mut budget = Budget::of(Budget::PACKAGES / 2);
    let mut cluster_budget = Budget::of(Budget::CLUSTERS);
    let clusters = clusters::lines(&overview.clusters, &mut cluster_budget);
    let attention = overview.attention.iter().filter(|row| budget.take(text_length(row))).map(attention_row).collect();
    OverviewPage {
        frame: Frame::new(
            "Upgrade report",
            place::OVERVIEW_PAGE,
            place::OVERVIEW_API.to_owned(),
            &[],
            Some(&stamp),
            None,
        ),
        verdict,
        verdict_says,
        generated_at: overview.generated_at.clone(),
        totals: totals(&overview.summary),
        findings: words::severities(overview.summary.findings),
        attention,
        attention_left_out: budget.left_out(),
        catalogs: overview.catalogs.iter().map(catalog_line).collect(),
        releases: overview.inputs.iter().find(|input| input.kind == "releases").map(releases),
        clusters,
        clusters_left_out: cluster_budget.left_out(),
        inputs: overview.inputs.iter().map(input_line).collect(),
        mirror: overview.mirror.as_ref().map(mirror_part),
        coverage: overview.coverage.clone(),
        checksums: place::CHECKSUMS,
        api_index: place::API_INDEX,
    }
}

fn totals(summary: &Summary) -> Vec<Total> {
    [
        ("catalogs", summary.catalogs),
        ("packages", summary.counts.packages),
        ("channels", summary.counts.channels),
        ("bundles", summary.counts.bundles),
        ("entries", summary.counts.entries),
        ("upgrade pairs, OLM v0", summary.pairs.olm_v0),
        ("upgrade pairs, OLM v1", summary.pairs.olm_v1),
        ("upgrade pairs, OLM v1 over all channels", summary.pairs.olm_v1_all_channels),
    ]
    .into_iter()
    .map(|(label, count)| Total { label, count: words::number(count) })
    .collect()
}

fn mirror_part(mirror: &MirrorSummary) -> MirrorPart {
    let needed = &mirror.needed;
    let states = [
        ("images needed", needed.images),
        ("present", needed.present),
        ("sparse", needed.sparse),
        ("expected at the target", needed.expected_at_target),
        ("absent", needed.absent),
        ("bad", needed.bad),
        ("unprovable", needed.unprovable),
    ];
    MirrorPart {
        links: mirror.clone(),
        size: words::bytes(mirror.bytes),
        images: words::number(mirror.images),
        states: states.map(|(label, count)| Total { label, count: words::number(count) }).into(),
        carry: words::bytes(needed.carry_bytes),
    }
}

fn attention_row(row: &PackageRow) -> AttentionRow {
    AttentionRow { badges: words::severities(row.findings), row: in_short(row) }
}

/// The row with reasons that fit into a list; the package's page has them in full.
pub(super) fn in_short(row: &PackageRow) -> PackageRow {
    const LONGEST_REASON: usize = 120;
    const REASONS: usize = 2;
    let short = |reason: &String| phrase::clip(&phrase::capitalised(reason), LONGEST_REASON).into_owned();
    PackageRow { reasons: row.reasons.iter().take(REASONS).map(short).collect(), ..row.clone() }
}

fn catalog_line(row: &CatalogRow) -> CatalogLine {
    let counts = &row.counts;
    CatalogLine {
        validity: words::validity(row.valid),
        badges: words::severities(row.findings),
        numbers: [counts.packages, counts.channels, counts.bundles, counts.entries].map(words::number),
        row: row.clone(),
    }
}

fn releases(input: &Input) -> (&'static str, String) {
    (place::RELEASES_PAGE, counted(input.files, "release payload"))
}

fn input_line(row: &Input) -> InputLine {
    let is_content = ["bundles", "releases"].contains(&row.kind.as_str());
    InputLine {
        kind: if row.kind == "releases" { "release payloads".to_owned() } else { row.kind.clone() },
        size: (!is_content).then(|| words::bytes(row.bytes)),
        holds: holds(row),
        row: row.clone(),
    }
}

/// What was found in an input, in the terms of its kind.
fn holds(row: &Input) -> String {
    let objects = counted(row.documents, "object");
    match row.kind.as_str() {
        "bundles" => format!("{} with known contents, {objects}", counted(row.files, "bundle")),
        "releases" => format!("{}, {objects}", counted(row.files, "payload")),
        "cluster" => format!("{objects} in {}", counted(row.files, "file")),
        _ => {
            let (documents, files) = (counted(row.documents, "document"), counted(row.files, "file"));
            format!("{documents} in {files}, {} distinct", words::number(row.distinct_documents))
        }
    }
}

/// The length of what a row of a package prints, without its links' markup.
pub(super) fn text_length(row: &PackageRow) -> usize {
    let optional = [&row.display_name, &row.default_channel, &row.head, &row.head_version, &row.deprecated];
    let stated: usize = optional.into_iter().flatten().map(String::len).sum();
    let reasons: usize = row.reasons.iter().map(String::len).sum();
    stated + reasons + row.package.len() + row.catalog.len() + row.page.len() + 300
}
