//! The ClusterServiceVersion of a bundle.
//!
//! Rule: operator-framework/api `pkg/operators/v1alpha1/clusterserviceversion_types.go`, and the annotations that
//! operator-registry `pkg/registry/csv.go` reads. Cost: one look at each wanted field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::secret::holds_examples;
use crate::codec::Value;
use crate::codec::fields::{FieldFault, Fields, mismatch};

/// What a ClusterServiceVersion states, as far as upgrades depend on it; texts are empty where nothing is stated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CsvFacts {
    /// `metadata.name`.
    pub name: String,
    /// `metadata.annotations`, without examples of objects.
    pub annotations: BTreeMap<String, String>,
    /// `spec.displayName`.
    pub display_name: String,
    /// `spec.provider.name`.
    pub provider: String,
    /// `spec.version`.
    pub version: String,
    /// `spec.maturity`.
    pub maturity: String,
    /// `spec.minKubeVersion`.
    pub min_kube_version: String,
    /// `spec.replaces`: of no effect where a file-based catalog serves the bundle.
    pub replaces: String,
    /// `spec.skips`: of no effect where a file-based catalog serves the bundle.
    pub skips: Vec<String>,
    /// The annotation `olm.skipRange`: of no effect where a file-based catalog serves the bundle.
    pub skip_range: String,
    /// `spec.installModes` in their order.
    pub install_modes: Vec<InstallMode>,
    /// `spec.relatedImages` in their order.
    pub related_images: Vec<RelatedImage>,
    /// `spec.customresourcedefinitions.owned` in their order.
    pub owned_crds: Vec<CrdReference>,
    /// `spec.customresourcedefinitions.required` in their order.
    pub required_crds: Vec<CrdReference>,
}

/// A mode of installation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstallMode {
    /// `OwnNamespace`, `SingleNamespace`, `MultiNamespace` or `AllNamespaces`.
    pub kind: String,
    /// Whether the operator supports it.
    pub supported: bool,
}

/// An image that the operator needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedImage {
    /// The author's name for it.
    pub name: String,
    /// The reference.
    pub image: String,
}

/// A CustomResourceDefinition that the operator owns or requires.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrdReference {
    /// The name of the definition, such as `nests.birds.example.com`.
    pub name: String,
    /// The version of the API.
    pub version: String,
    /// The kind of its objects.
    pub kind: String,
}

/// The facts of a ClusterServiceVersion.
///
/// # Errors
/// A sentence where a field has another type than OLM's decoder wants.
pub(super) fn facts(csv: &Value<'_>) -> Result<CsvFacts, FieldFault> {
    let fields = Fields::of(csv, "")?;
    let metadata = fields.object("metadata")?;
    let mut annotations = texts_by_key(&metadata.object("annotations")?)?;
    annotations.retain(|name, _| !holds_examples(name));
    let spec = fields.object("spec")?;
    let definitions = spec.object("customresourcedefinitions")?;
    Ok(CsvFacts {
        name: metadata.text("name")?,
        display_name: spec.text("displayName")?,
        provider: spec.object("provider")?.text("name")?,
        version: spec.text("version")?,
        maturity: spec.text("maturity")?,
        min_kube_version: spec.text("minKubeVersion")?,
        replaces: spec.text("replaces")?,
        skips: spec.texts("skips")?,
        skip_range: annotations.get("olm.skipRange").cloned().unwrap_or_default(),
        install_modes: spec.list("installModes", install_mode)?,
        related_images: spec.list("relatedImages", |item, path| {
            let image = Fields::of(item, path)?;
            Ok(RelatedImage { name: image.text("name")?, image: image.text("image")? })
        })?,
        owned_crds: definitions.list("owned", crd_reference)?,
        required_crds: definitions.list("required", crd_reference)?,
        annotations,
    })
}

/// The entries of an object whose values are texts, as annotations and labels are.
pub(super) fn texts_by_key(object: &Fields<'_, '_>) -> Result<BTreeMap<String, String>, FieldFault> {
    let text = |(key, value): &(std::borrow::Cow<'_, str>, Value<'_>)| match value.text() {
        Some(text) => Ok((key.to_string(), text.into_owned())),
        None if value.is_null() => Ok((key.to_string(), String::new())),
        None => Err(mismatch(&object.at(key), "a text", value)),
    };
    object.all().iter().map(text).collect()
}

fn install_mode(item: &Value<'_>, path: &str) -> Result<InstallMode, FieldFault> {
    let mode = Fields::of(item, path)?;
    let supported = match mode.value("supported") {
        None => false,
        Some(value) => value.boolean().ok_or_else(|| mismatch(&mode.at("supported"), "true or false", value))?,
    };
    Ok(InstallMode { kind: mode.text("type")?, supported })
}

fn crd_reference(item: &Value<'_>, path: &str) -> Result<CrdReference, FieldFault> {
    let crd = Fields::of(item, path)?;
    Ok(CrdReference { name: crd.text("name")?, version: crd.text("version")?, kind: crd.text("kind")? })
}
