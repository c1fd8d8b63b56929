//! The answer of `skipstone catalog path`.
//!
//! Rule and cost: those of [`super`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ReasonView;

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
    /// Whether the bundle after has a lower version than the one before.
    #[serde(default)]
    pub downgrade: bool,
}
