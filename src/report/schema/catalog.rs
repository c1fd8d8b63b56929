//! A catalog and the rows of lists: `api/v1/catalogs/<catalog>.json`.
//!
//! Rule and cost: those of [`super`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Counts, FindingView, SeverityCounts};

/// `api/v1/catalogs/<catalog>.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// The catalog's name.
    pub name: String,
    /// Whether `opm validate` would accept it.
    pub valid: bool,
    /// False where a part of it could not be read.
    pub complete: bool,
    /// Its documents.
    pub counts: Counts,
    /// Its packages, by name.
    pub packages: Vec<PackageRow>,
    /// Findings that belong to no single package.
    pub findings: Vec<FindingView>,
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
