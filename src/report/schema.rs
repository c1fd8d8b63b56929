//! The view models: the published JSON of a report. Everything else that a report shows is a pure function of these.
//!
//! Rule: within one `schema_version` fields may be added, never renamed and never given another meaning; a value that is
//! not known is `null` or an object with `known: false` and a reason. Lists are sorted by a total key.
//! Cost: one value for each shown fact; paths are stored as positions in a list of names, so that a package with long
//! chains stays small.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of every document that this module describes.
pub const SCHEMA_VERSION: u32 = 1;

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
    /// What needs attention first: packages, worst first.
    pub attention: Vec<PackageRow>,
    /// How completely the inputs were read.
    pub coverage: Coverage,
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
    /// Everything was read, at least one catalog is invalid.
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
    /// `catalog`.
    pub kind: String,
    /// The place as it was named, without any directory above it.
    pub source: String,
    /// Digest over the paths and contents of everything that was read.
    pub digest: String,
    /// Bytes read.
    pub bytes: u64,
    /// Files read.
    pub files: usize,
    /// Documents found in them.
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

/// A catalog in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogRow {
    /// The catalog's name.
    pub name: String,
    /// Whether `opm validate` would accept it.
    pub valid: bool,
    /// Its documents.
    pub counts: Counts,
    /// Its findings.
    pub findings: SeverityCounts,
    /// `api/v1/…` path of its document, relative to the report.
    pub api: String,
    /// Path of its page, relative to the report.
    pub page: String,
}

/// A package in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PackageRow {
    /// The catalog's name.
    pub catalog: String,
    /// The package's name.
    pub package: String,
    /// The display name of its newest bundle, where one is stated.
    pub display_name: Option<String>,
    /// Whether the package breaks no rule of `opm validate`.
    pub valid: bool,
    /// The default channel, null where none is stated.
    pub default_channel: Option<String>,
    /// The head of the default channel, null where there is none or several.
    pub head: Option<String>,
    /// The version of that head.
    pub head_version: Option<String>,
    /// Number of channels.
    pub channels: usize,
    /// Number of bundles.
    pub bundles: usize,
    /// The package's deprecation message, where it is deprecated.
    pub deprecated: Option<String>,
    /// Its findings.
    pub findings: SeverityCounts,
    /// The worst findings in short, at most three.
    pub reasons: Vec<String>,
    /// `api/v1/…` path of its document, relative to the report.
    pub api: String,
    /// Path of its page, relative to the report.
    pub page: String,
}

/// `api/v1/catalogs/<catalog>.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// The catalog's name.
    pub name: String,
    /// Whether `opm validate` would accept it.
    pub valid: bool,
    /// Its documents.
    pub counts: Counts,
    /// Its packages, by name.
    pub packages: Vec<PackageRow>,
    /// Findings that belong to no single package.
    pub findings: Vec<FindingView>,
}

/// A finding as every format shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct FindingView {
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// The code; `skipstone explain CODE` tells more.
    pub code: String,
    /// What it is about.
    pub subject: SubjectView,
    /// What was found, in one sentence.
    pub message: String,
    /// What to do, where there is something to say.
    pub hint: Option<String>,
    /// Where it was found.
    pub at: Option<PlaceView>,
    /// Digest over code, subject and evidence: the same finding has the same fingerprint in every run.
    pub fingerprint: String,
}

/// What a finding is about; null where a level does not apply.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SubjectView {
    /// Name of the catalog.
    pub catalog: Option<String>,
    /// Name of the package.
    pub package: Option<String>,
    /// Name of the channel.
    pub channel: Option<String>,
    /// Name of the bundle.
    pub bundle: Option<String>,
}

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct PlaceView {
    /// The input's name.
    pub source: String,
    /// Digest of the image, where the input is one.
    pub image: Option<String>,
    /// Path relative to the input.
    pub path: Option<String>,
    /// Number of the document in the file, from 1.
    pub document: Option<u32>,
    /// Line in the file, from 1.
    pub line: Option<u32>,
}

/// `api/v1/packages/<catalog>/<package>.json`: everything that is known of one package of one catalog.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PackageView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// The catalog's name.
    pub catalog: String,
    /// The package's name.
    pub package: String,
    /// The display name of its newest bundle, where one is stated.
    pub display_name: Option<String>,
    /// The package's description as the catalog states it: foreign Markdown.
    pub description: Option<String>,
    /// The provider that the newest bundle states.
    pub provider: Option<String>,
    /// Whether the package breaks no rule of `opm validate`.
    pub valid: bool,
    /// The default channel, null where none is stated.
    pub default_channel: Option<String>,
    /// The package's deprecation message, where it is deprecated.
    pub deprecated: Option<String>,
    /// All names that edges or entries use, in version order, oldest first; names of unknown version come first.
    /// Every number in `path` and `reaches` is a position in this list.
    pub names: Vec<String>,
    /// What is known of each name, in the same order.
    pub bundles: Vec<BundleView>,
    /// The channels, by name.
    pub channels: Vec<ChannelView>,
    /// The edges, each with its channel and every kind that allows it; sorted by channel, from, to.
    pub edges: Vec<EdgeView>,
    /// What each engine makes of it.
    pub engines: EnginesView,
    /// The package's findings, worst first.
    pub findings: Vec<FindingView>,
}

/// One bundle, or a name that an edge uses and the catalog does not hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BundleView {
    /// The bundle's name.
    pub name: String,
    /// False where only an edge names it.
    pub in_catalog: bool,
    /// The version as stated, null where it is not known.
    pub version: Option<String>,
    /// The release as stated.
    pub release: Option<String>,
    /// The bundle's image.
    pub image: Option<String>,
    /// The channels that list it, by name.
    pub channels: Vec<String>,
    /// The bundle's deprecation message, where it is deprecated.
    pub deprecated: Option<String>,
    /// The lowest Kubernetes version that the bundle states.
    pub min_kube_version: Option<String>,
    /// The highest OpenShift minor that the bundle states (`olm.maxOpenShiftVersion`).
    pub max_openshift_version: Option<String>,
    /// What the bundle requires: type and a short text.
    pub requires: Vec<RequirementView>,
    /// Properties `olm.deprecated` forbid a bundle to OLM v0.
    pub forbidden: bool,
    /// Its lifecycle at the report's instant.
    pub lifecycle: LifecycleView,
}

/// Something that a bundle requires to be installed beside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct RequirementView {
    /// The property's type, such as `olm.package.required`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What is required, in short.
    pub text: String,
}

/// The lifecycle phase of a bundle's minor at the report's instant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LifecycleView {
    /// False where the catalog states nothing usable; then `reason` tells why.
    pub known: bool,
    /// Why it is not known.
    pub reason: Option<String>,
    /// The phase that holds at the report's instant.
    pub phase: Option<String>,
    /// Last day of that phase, `YYYY-MM-DD`.
    pub ends: Option<String>,
    /// Days from the report's instant to that day.
    pub days_left: Option<i64>,
}

/// One channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChannelView {
    /// The channel's name.
    pub name: String,
    /// Whether it is the default channel.
    pub default: bool,
    /// The channel's deprecation message, where it is deprecated.
    pub deprecated: Option<String>,
    /// Entries that no other entry replaces or skips; exactly one in a valid channel.
    pub heads: Vec<String>,
    /// The entries as the catalog states them, in its order.
    pub entries: Vec<EntryView>,
}

/// One entry of a channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntryView {
    /// The bundle's name.
    pub name: String,
    /// The name it replaces.
    pub replaces: Option<String>,
    /// The names it skips.
    pub skips: Vec<String>,
    /// The range of versions it may be reached from.
    pub skip_range: Option<String>,
}

/// An edge from an installed bundle to an entry of a channel, which is lower where the channel leads down; edges that start
/// outside the channel are listed only where an entry names their start.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct EdgeView {
    /// The channel that states it.
    pub channel: String,
    /// Name of the installed bundle.
    pub from: String,
    /// Name of the entry.
    pub to: String,
    /// Every kind that allows it, out of `replaces`, `skips`, `skipRange`.
    pub via: Vec<String>,
}

/// What each engine makes of a package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnginesView {
    /// OLM v0: by channel.
    #[serde(rename = "olm-v0")]
    pub olm_v0: BTreeMap<String, WalksView>,
    /// OLM v1 with `spec.channels` of one: by channel.
    #[serde(rename = "olm-v1")]
    pub olm_v1: BTreeMap<String, WalksView>,
    /// OLM v1 without `spec.channels`.
    #[serde(rename = "olm-v1-all-channels")]
    pub olm_v1_all_channels: WalksView,
}

/// The walks of one engine in one channel (or over all).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WalksView {
    /// Why the engine can do nothing at all here.
    pub error: Option<ReasonView>,
    /// What happens to each name that is installed, where the channel lists or names it, or one of its entries covers it.
    pub from: BTreeMap<String, WalkView>,
    /// What happens to all other names of the package: no edge of the channel leads on from them.
    pub others: Vec<OthersView>,
}

/// Names that a channel knows nothing of, and that share one answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OthersView {
    /// `up-to-date`, `dead-end` or `error`, as `skipstone catalog path` says it.
    pub status: String,
    /// The names: positions in `names`.
    pub names: Vec<u32>,
    /// Why, in one sentence for all of them.
    pub reason: ReasonView,
}

/// What an engine does with one installed bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WalkView {
    /// `reachable`, `up-to-date`, `dead-end`, `loop` or `error`, as `skipstone catalog path` says it.
    pub status: String,
    /// The engine's own choice, null when it stays.
    pub next: Option<String>,
    /// Every bundle that it would prefer to staying, the chosen one first.
    pub candidates: Vec<String>,
    /// The engine's whole walk, hop after hop: positions in `names`.
    pub path: Vec<u32>,
    /// Every name that some sequence of legal edges leads to: positions in `names`.
    pub reaches: Vec<u32>,
    /// Why it ends where it ends.
    pub reasons: Vec<ReasonView>,
}

/// A reason, with the reasons below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReasonView {
    /// The code, such as `path/no-edge`.
    pub code: String,
    /// What it means here, in one sentence.
    pub message: String,
    /// The reasons for this reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<ReasonView>,
}

/// The answer to "how does this bundle get to that one": one function makes it, for the command and for the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathView {
    /// `olm-v0` or `olm-v1`.
    pub engine: String,
    /// The package.
    pub package: String,
    /// The channels that were looked at.
    pub channels: Vec<String>,
    /// The installed bundle, null for a first install.
    pub from: Option<String>,
    /// The wanted bundle, null where none was named.
    pub to: Option<String>,
    /// `reachable`, `up-to-date`, `dead-end`, `loop`, `unreachable` or `error`.
    pub status: String,
    /// The engine's own choice for `from`, null when it stays.
    pub next: Option<String>,
    /// The hops to `to`, or to where the engine stays.
    pub hops: Vec<HopView>,
    /// All bundles that the engine would prefer to staying, the chosen one first.
    pub candidates: Vec<String>,
    /// Why.
    pub reasons: Vec<ReasonView>,
}

/// One hop of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HopView {
    /// The bundle before, null for a first install.
    pub from: Option<String>,
    /// The bundle after.
    pub to: String,
    /// The channel whose entry allows it.
    pub channel: Option<String>,
    /// The catalog, where several compete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog: Option<String>,
    /// Every edge kind that allows it, out of `replaces`, `skips`, `skipRange`; empty for a first install.
    pub via: Vec<String>,
}

/// `skipstone catalog check`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckView {
    /// Whether `opm validate` would accept the catalog.
    pub valid: bool,
    /// Its documents.
    pub counts: Counts,
    /// Its packages by name.
    pub packages: BTreeMap<String, CheckedPackage>,
    /// Everything noticed, worst first.
    pub findings: Vec<FindingView>,
}

/// A package as `skipstone catalog check` shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedPackage {
    /// Whether the package breaks no rule of `opm validate`.
    pub valid: bool,
    /// The default channel, null where none is stated.
    pub default_channel: Option<String>,
    /// Its channels by name.
    pub channels: BTreeMap<String, CheckedChannel>,
}

/// A channel as `skipstone catalog check` shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedChannel {
    /// Entries that no other entry replaces or skips, by name.
    pub heads: Vec<String>,
    /// Number of entries.
    pub entries: usize,
}

/// `api/v1/index.json`: entry point of the static API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApiIndex {
    /// The version of the published schema.
    pub schema_version: u32,
    /// Every document, its kind first: relative path and what it is about.
    pub documents: Vec<ApiDocument>,
}

/// One document of the static API.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ApiDocument {
    /// `catalog`, `package`, `findings`, `lifecycle`, …
    pub kind: String,
    /// Path relative to the report.
    pub path: String,
    /// The name of the schema under `schemas/`.
    pub schema: String,
    /// The catalog it is about.
    pub catalog: Option<String>,
    /// The package it is about.
    pub package: Option<String>,
}

/// `api/v1/findings.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingsView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// Everything noticed, worst first.
    pub findings: Vec<FindingView>,
}

/// `api/v1/lifecycle.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LifecycleIndex {
    /// The version of the published schema.
    pub schema_version: u32,
    /// One row for each bundle whose catalog states a lifecycle; others are unknown and not listed.
    pub bundles: Vec<LifecycleRow>,
    /// Packages that state none, as `catalog/package`.
    pub not_stated: Vec<String>,
}

/// The lifecycle of one bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LifecycleRow {
    /// Name of the catalog.
    pub catalog: String,
    /// Name of the package.
    pub package: String,
    /// Name of the bundle.
    pub bundle: String,
    /// The phase at the report's instant.
    pub lifecycle: LifecycleView,
}
