//! The answer of `skipstone cluster contents`.
//!
//! Rule and cost: those of [`super`].

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FindingView, SeverityCounts};

/// `skipstone cluster contents`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClusterContentsView {
    /// When the dump was taken (RFC 3339), null where nothing tells.
    pub observed_at: Option<String>,
    /// What tells it: `timestamp-file` where the collector wrote it down, `conditions` where it is the newest instant of a
    /// condition, so that the dump was taken then or later.
    pub observed_basis: Option<String>,
    /// How many objects of each kind there are. A kind with 0 was collected and is empty; one that is left out is not known.
    pub objects: BTreeMap<String, usize>,
    /// What other answers need and the dump does not tell, in the order in which to collect it.
    pub lacking: Vec<LackingView>,
    /// The readiness report of the cluster-version-operator, null where there is none.
    pub readiness: Option<ReadinessView>,
    /// How completely the dump was read.
    pub files: DumpFilesView,
    /// Everything noticed, worst first.
    pub findings: Vec<FindingView>,
}

/// A cluster in the summary of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClusterRow {
    /// Its name.
    pub name: String,
    /// When the dump was taken (RFC 3339), null where nothing tells.
    pub observed_at: Option<String>,
    /// What tells it, as in the cluster's own document.
    pub observed_basis: Option<String>,
    /// How many objects of each kind there are; a kind that is left out is not known.
    pub objects: BTreeMap<String, usize>,
    /// What other answers need and the dump does not tell, in the order in which to collect it.
    pub lacking: Vec<LackingView>,
    /// Findings by severity.
    pub findings: SeverityCounts,
    /// Its own document, relative to the report.
    pub api: String,
}

/// Something that a dump lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LackingView {
    /// What is asked for, by its full name.
    pub resource: String,
    /// What cannot be answered without it.
    pub needed_for: String,
    /// The command that collects it.
    pub command: String,
}

/// Files of a dump.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DumpFilesView {
    /// Read to their end.
    pub read: usize,
    /// Logs and the like, which are passed over.
    pub passed_over: usize,
    /// Of these a part could not be read.
    pub failed: usize,
}

/// A readiness report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadinessView {
    /// The version that the cluster had.
    pub current_version: Option<String>,
    /// The version that the checks were made for.
    pub target_version: Option<String>,
    /// What each check came to, by its name.
    pub checks: BTreeMap<String, ReadinessCheckView>,
    /// The operators that it describes.
    pub operators: Vec<ReadinessOperatorView>,
}

/// What one check came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadinessCheckView {
    /// `ok` where the check could be made, `error` where not; it does not judge what was found.
    pub status: Option<String>,
    /// Why it could not be made.
    pub error: Option<String>,
}

/// An operator as a readiness report describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadinessOperatorView {
    /// Name of the Subscription.
    pub name: Option<String>,
    /// Its namespace.
    pub namespace: Option<String>,
    /// The package.
    pub package: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// The CatalogSource.
    pub source: Option<String>,
    /// `Automatic` or `Manual`.
    pub install_plan_approval: Option<String>,
    /// Name of the installed ClusterServiceVersion.
    pub installed_csv: Option<String>,
    /// Its version.
    pub installed_version: Option<String>,
    /// The lowest version of Kubernetes that it takes.
    pub min_kube_version: Option<String>,
    /// Whether another version is on its way.
    pub pending_upgrade: Option<bool>,
    /// The lowest version of the platform that the channel's head takes.
    pub ocp_min: Option<String>,
    /// The highest one.
    pub ocp_max: Option<String>,
    /// What the check thinks of the target.
    pub compatible_with_target: Option<bool>,
    /// Channels of the package.
    pub available_channels: Vec<String>,
}
