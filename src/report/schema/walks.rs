//! What each engine makes of a package, and the reasons it gives.
//!
//! Rule and cost: those of [`super`].

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
