//! The contents of a bundle: `api/v1/bundles/<catalog>/<bundle>.json`.
//!
//! Rule and cost: those of [`super`]. Nothing of the store that the contents came from stands in it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::FindingView;

/// `api/v1/bundles/<catalog>/<bundle>.json`: what is in one bundle. Every list and object but `findings` is null where the
/// contents are not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BundleDocument {
    /// The version of the published schema.
    pub schema_version: u32,
    /// The catalog's name.
    pub catalog: String,
    /// The package's name.
    pub package: String,
    /// The bundle's name.
    pub bundle: String,
    /// The version that the catalog states.
    pub version: Option<String>,
    /// The image as the catalog refers to it.
    pub image: Option<String>,
    /// Whether the contents are known.
    pub contents: ContentsView,
    /// The ClusterServiceVersion, null where there is none that decodes.
    pub csv: Option<CsvView>,
    /// The objects of the manifests, by file and document.
    pub objects: Option<Vec<ObjectView>>,
    /// The annotations of the bundle.
    pub annotations: Option<BTreeMap<String, String>>,
    /// The dependencies that the bundle's own metadata state.
    pub dependencies: Option<Vec<TypedValueView>>,
    /// The properties that the bundle's own metadata state.
    pub properties: Option<Vec<TypedValueView>>,
    /// Files that are neither manifests nor known metadata, by path.
    pub other_files: Option<Vec<String>>,
    /// What is wrong with the contents, worst first.
    pub findings: Vec<FindingView>,
}

/// Whether the contents of a bundle are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContentsView {
    /// False where the contents could not be read; then `reason` tells why.
    pub known: bool,
    /// Why they are not known.
    pub reason: Option<String>,
    /// The format, such as `registry+v1`, null where it is neither known nor stated.
    pub media_type: Option<String>,
    /// Number of objects in the manifests, null where the contents are not known.
    pub objects: Option<usize>,
    /// `api/v1/…` path of the document about them, relative to the report.
    pub api: String,
}

/// A ClusterServiceVersion. The edges that it states have no effect where a file-based catalog serves the bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CsvView {
    /// Its name.
    pub name: String,
    /// The version that it states.
    pub version: Option<String>,
    /// The operator's name for people.
    pub display_name: Option<String>,
    /// The provider.
    pub provider: Option<String>,
    /// The maturity.
    pub maturity: Option<String>,
    /// The lowest Kubernetes version.
    pub min_kube_version: Option<String>,
    /// The name that it replaces.
    pub replaces: Option<String>,
    /// The names that it skips.
    pub skips: Vec<String>,
    /// The annotation `olm.skipRange`.
    pub skip_range: Option<String>,
    /// Modes of installation in their order.
    pub install_modes: Vec<InstallModeView>,
    /// Images that the operator needs, in their order.
    pub related_images: Vec<NamedImageView>,
    /// The definitions that the operator owns, in their order.
    pub owned_crds: Vec<CrdView>,
    /// The definitions that the operator requires, in their order.
    pub required_crds: Vec<CrdView>,
}

/// A mode of installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InstallModeView {
    /// `OwnNamespace`, `SingleNamespace`, `MultiNamespace` or `AllNamespaces`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the operator supports it.
    pub supported: bool,
}

/// An image with the name that its author gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedImageView {
    /// The name.
    pub name: String,
    /// The reference.
    pub reference: String,
}

/// A CustomResourceDefinition that an operator owns or requires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrdView {
    /// The name of the definition.
    pub name: String,
    /// The version of the API.
    pub version: String,
    /// The kind of its objects.
    pub kind: String,
}

/// An object of the manifests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectView {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.name`, null where none is stated.
    pub name: Option<String>,
    /// `metadata.namespace`, null where none is stated.
    pub namespace: Option<String>,
    /// The file in the bundle.
    pub path: String,
}

/// A dependency or property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TypedValueView {
    /// The type, such as `olm.gvk`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The value, of the shape that the type has.
    pub value: Value,
}
