//! The answer of `skipstone catalog check`.
//!
//! Rule and cost: those of [`super`].

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Counts, FindingView};

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
