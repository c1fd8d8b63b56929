//! The entry point of the static API: `api/v1/index.json`.
//!
//! Rule and cost: those of [`super`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// `catalog`, `package`, `bundle`, `release`, `cluster`, `findings`, `lifecycle`, …
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
