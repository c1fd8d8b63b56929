//! Phases of support: `api/v1/lifecycle.json`, and with each bundle.
//!
//! Rule and cost: those of [`super`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
