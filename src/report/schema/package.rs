//! A package: `api/v1/packages/<catalog>/<package>.json`.
//!
//! Rule and cost: those of [`super`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ContentsView, EnginesView, FindingView, LifecycleView};

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
    /// False where the catalog has no `olm.package` document for it, and only other documents mention it.
    pub defined: bool,
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
    /// What is known of its contents, null where no bundle images or bundle directories were given.
    #[serde(default)]
    pub contents: Option<ContentsView>,
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
