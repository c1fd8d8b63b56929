//! Releases of the platform: `api/v1/platform/releases.json`, and one document for each of them.
//!
//! Rule and cost: those of [`super`]. Nothing of the store that a payload came from stands in its document.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bundle::NamedImageView;
use super::{FindingView, SeverityCounts};

/// `api/v1/platform/releases.json`: every release payload that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReleasesIndex {
    /// The version of the published schema.
    pub schema_version: u32,
    /// One row for each payload, by version, architecture and digest.
    pub releases: Vec<ReleaseRow>,
}

/// A release payload in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReleaseRow {
    /// The version, null where it is not known.
    pub version: Option<String>,
    /// `amd64`, `multi`, …, null where it is not known.
    pub architecture: Option<String>,
    /// The digest of the image or index.
    pub digest: DigestView,
    /// Number of images that it refers to.
    pub images: usize,
    /// Number of its manifests.
    pub objects: usize,
    /// Its findings.
    pub findings: SeverityCounts,
    /// `api/v1/…` path of its document, relative to the report.
    pub api: String,
}

/// A digest, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct DigestView {
    /// False where it is not known; then `reason` tells why.
    pub known: bool,
    /// Why it is not known.
    pub reason: Option<String>,
    /// `algorithm:hex`.
    pub digest: Option<String>,
}

/// `api/v1/platform/releases/<version>-<architecture>.json`: what is in one release payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReleaseDocument {
    /// The version of the published schema.
    pub schema_version: u32,
    /// The version, null where it is not known.
    pub version: Option<String>,
    /// `amd64`, `multi`, …, null where it is not known.
    pub architecture: Option<String>,
    /// Versions that may move to this one, as the payload states them.
    pub previous: Vec<String>,
    /// Where the errata stand, null where none is stated.
    pub url: Option<String>,
    /// The images, by name.
    pub images: Vec<NamedImageView>,
    /// The components whose versions the images state, by name; others are not known.
    pub components: BTreeMap<String, ComponentView>,
    /// Number of manifests of each kind.
    pub objects: BTreeMap<String, usize>,
    /// What must be acknowledged before an update to the next minor.
    pub admin_gates: AdminGatesView,
    /// What is wrong with the payload, worst first.
    pub findings: Vec<FindingView>,
}

/// A component of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComponentView {
    /// The version; of several the first in the order of texts.
    pub version: String,
    /// The name for people, null where none is stated.
    pub display_name: Option<String>,
    /// All versions that images state.
    pub versions: Vec<String>,
}

/// The admin gates of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdminGatesView {
    /// False where they are not known; then `reason` tells why.
    pub known: bool,
    /// Why they are not known.
    pub reason: Option<String>,
    /// Key and description of each gate, null where they are not known.
    pub gates: Option<BTreeMap<String, String>>,
}
