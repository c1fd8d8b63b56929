//! Findings: `api/v1/findings.json`, and wherever else one is shown.
//!
//! Rule and cost: those of [`super`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `api/v1/findings.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingsView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// Everything noticed, worst first.
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
