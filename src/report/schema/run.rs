//! The summary of a run: `report.json`.
//!
//! Rule and cost: those of [`super`].

use std::ops::AddAssign;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CatalogRow, ClusterRow, MissingTotals, PackageRow};

/// `report.json`: summary, verdict, inputs with their digests, coverage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// The version of the published schema.
    pub schema_version: u32,
    /// The tool that wrote the report.
    pub tool: Tool,
    /// The instant that the whole report is judged at, RFC 3339 in UTC.
    pub generated_at: String,
    /// What the report says in one word.
    pub verdict: Verdict,
    /// Numbers over all catalogs.
    pub summary: Summary,
    /// What was read, in the order of their names.
    pub inputs: Vec<Input>,
    /// One row for each catalog.
    pub catalogs: Vec<CatalogRow>,
    /// One row for each cluster of which a dump was read, in the order of their names.
    pub clusters: Vec<ClusterRow>,
    /// What needs attention first: packages, worst first.
    pub attention: Vec<PackageRow>,
    /// What mirrors hold and lack of what was read; null where no mirror was named.
    pub mirror: Option<MirrorSummary>,
    /// How completely the inputs were read.
    pub coverage: Coverage,
}

/// What mirrors hold and lack, in short.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorSummary {
    /// What lies in the mirrors: the document of the static API.
    pub inventory: String,
    /// What they lack: the document of the static API.
    pub missing: String,
    /// Images that lie in the mirrors, an index with its platforms counted once, each once in every repository.
    pub images: usize,
    /// Bytes over all their distinct blobs and manifests.
    pub bytes: u64,
    /// Sums over the images that catalogs and payloads need.
    pub needed: MissingTotals,
}

/// The program that wrote a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Always `skipstone`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a report says in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything was read, nothing is wrong.
    Clean,
    /// Everything was read, there are warnings.
    Warnings,
    /// Everything was read, at least one rule is broken.
    Errors,
    /// A part of the input could not be read: the report is not the whole truth.
    Incomplete,
}

/// Numbers over all catalogs of a report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Catalogs read.
    pub catalogs: usize,
    /// Counts of documents, summed over the catalogs.
    pub counts: Counts,
    /// Findings by severity.
    pub findings: SeverityCounts,
    /// Ordered pairs of bundles (from, to) that an engine can walk, summed over catalogs, packages and channels.
    pub pairs: PairCounts,
}

/// Reachable ordered pairs by engine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairCounts {
    /// OLM v0, one channel at a time.
    pub olm_v0: usize,
    /// OLM v1, one channel at a time.
    pub olm_v1: usize,
    /// OLM v1 over the union of all channels.
    pub olm_v1_all_channels: usize,
}

impl AddAssign<&Self> for PairCounts {
    fn add_assign(&mut self, other: &Self) {
        self.olm_v0 += other.olm_v0;
        self.olm_v1 += other.olm_v1;
        self.olm_v1_all_channels += other.olm_v1_all_channels;
    }
}

/// How many documents of each kind there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// `olm.package` documents.
    pub packages: usize,
    /// `olm.channel` documents.
    pub channels: usize,
    /// Entries over all channels.
    pub entries: usize,
    /// `olm.bundle` documents.
    pub bundles: usize,
    /// `olm.deprecations` documents.
    pub deprecations: usize,
    /// Documents of every other schema.
    pub other: usize,
}

impl AddAssign<&Self> for Counts {
    fn add_assign(&mut self, other: &Self) {
        self.packages += other.packages;
        self.channels += other.channels;
        self.entries += other.entries;
        self.bundles += other.bundles;
        self.deprecations += other.deprecations;
        self.other += other.other;
    }
}

/// How many findings of each severity there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeverityCounts {
    /// Severity `error`.
    pub error: usize,
    /// Severity `warning`.
    pub warning: usize,
    /// Severity `info`.
    pub info: usize,
}

/// One input of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// The name it was given, or the one that was derived from its place.
    pub name: String,
    /// `catalog`, `bundles`, `releases` or `cluster`.
    pub kind: String,
    /// The place as it was named, without any directory above it.
    pub source: String,
    /// Digest over the paths and contents of everything that was read.
    pub digest: String,
    /// Bytes read.
    pub bytes: u64,
    /// Files read.
    pub files: usize,
    /// Documents found in them; of bundles, releases and clusters the objects that were kept.
    pub documents: usize,
    /// Documents left after equal ones of all inputs were put together.
    pub distinct_documents: usize,
}

/// How completely the inputs were read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// True where nothing failed.
    pub complete: bool,
    /// Files read.
    pub read: usize,
    /// What was left out by a rule, each with the rule.
    pub skipped: Vec<CoverageNote>,
    /// What could not be read, each with the reason.
    pub failed: Vec<CoverageNote>,
}

/// One input, or a part of one, that was not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CoverageNote {
    /// The input's name.
    pub input: String,
    /// The path inside it, or null where it is the input as a whole.
    pub path: Option<String>,
    /// Why it was not read.
    pub reason: String,
}
