//! What the report needs of a ClusterServiceVersion, from `olm.csv.metadata` or from an inline manifest.
//!
//! Rule: operator-registry `alpha/property/property.go` (`CSVMetadata`) for the first form; the second is the manifest
//! itself, whose metadata and spec hold the same fields. Cost: the wanted fields only.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::facts::CsvFacts;
use crate::codec::fields::{FieldFault as Fault, Fields, mismatch};
use crate::codec::{self, Format, Limits, Value};

const LONGEST_ANNOTATION: usize = 4096;
const READ_ANNOTATIONS: &[&str] = &["olm.", "operators.openshift.io/", "operatorframework.io/"];

/// The facts of an `olm.csv.metadata` value.
///
/// # Errors
/// A sentence where a field has a type that opm's decoder refuses.
pub(super) fn from_metadata(value: &Value<'_>) -> Result<CsvFacts, Fault> {
    let fields = Fields::of(value, "")?;
    for text in ["description", "maturity", "minKubeVersion", "displayName"] {
        fields.text(text)?;
    }
    fields.texts("keywords")?;
    fields.object("labels")?;
    from_fields(&fields.object("annotations")?, &fields)
}

/// The facts of an inline manifest, where it is a ClusterServiceVersion; what is not JSON, or not well formed, has none.
pub(super) fn from_manifest(json: &[u8]) -> Option<CsvFacts> {
    let decoded = codec::decode(json, Format::Json, &Limits::default()).ok()?;
    let fields = Fields::of(&decoded.value, "").ok()?;
    if fields.text("kind").ok()? != "ClusterServiceVersion" {
        return None;
    }
    let metadata = fields.object("metadata").ok()?;
    let annotations = metadata.object("annotations").ok()?;
    from_fields(&annotations, &fields.object("spec").ok()?).ok()
}

fn from_fields(annotations: &Fields<'_, '_>, spec: &Fields<'_, '_>) -> Result<CsvFacts, Fault> {
    Ok(CsvFacts {
        display_name: spec.text("displayName")?,
        provider: spec.object("provider")?.text("name")?,
        min_kube_version: spec.text("minKubeVersion")?,
        maturity: spec.text("maturity")?,
        annotations: read_annotations(annotations)?,
        install_modes: install_modes(spec)?,
    })
}

fn read_annotations(annotations: &Fields<'_, '_>) -> Result<BTreeMap<String, String>, Fault> {
    let mut kept = BTreeMap::new();
    for (key, value) in annotations.all() {
        if value.is_null() {
            continue;
        }
        let text: Cow<'_, str> = value.text().ok_or_else(|| mismatch(&annotations.at(key), "a text", value))?;
        if text.len() <= LONGEST_ANNOTATION && READ_ANNOTATIONS.iter().any(|prefix| key.starts_with(prefix)) {
            kept.insert(key.to_string(), text.into_owned());
        }
    }
    Ok(kept)
}

fn install_modes(spec: &Fields<'_, '_>) -> Result<Vec<String>, Fault> {
    let modes = spec.list("installModes", |item, path| {
        let mode = Fields::of(item, path)?;
        let supported = matches!(mode.value("supported"), Some(value) if value.to_json() == true);
        Ok(supported.then_some(mode.text("type")?))
    })?;
    Ok(modes.into_iter().flatten().collect())
}
