//! The metadata of a bundle: annotations, dependencies, properties.
//!
//! Rule: operator-registry `pkg/registry/parse.go` (`addMetadata`): files are known by what they hold, not by their names,
//! and of each kind the first one counts; `pkg/registry/types.go` for their shapes. Cost: one decode for each file.

use std::collections::BTreeMap;

use super::csv::texts_by_key;
use super::facts::TypedValue;
use crate::codec::fields::{FieldFault, Fields};
use crate::codec::{Limits, ManifestFault, Value, decode, split};

/// What the files of a metadata directory state.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    /// The file that holds the annotations, and those.
    pub(super) annotations: Option<(String, BTreeMap<String, String>)>,
    pub(super) dependencies: Vec<TypedValue>,
    pub(super) properties: Vec<TypedValue>,
    pub(super) faults: Vec<ManifestFault>,
}

/// The names whose files must decode; any other file may be of any kind.
const KNOWN: &[&str] = &[super::ANNOTATIONS_FILE, "dependencies.yaml", "properties.yaml"];

impl Metadata {
    /// Looks into one file, in the order of names, and tells whether it is one of metadata.
    pub(super) fn take(&mut self, path: &str, bytes: &[u8]) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_known = KNOWN.contains(&name);
        match self.look(path, bytes) {
            Ok(used) => used || is_known,
            Err((line, reason)) if is_known => {
                self.faults.push(ManifestFault { path: path.to_owned(), document: 1, line, reason });
                true
            }
            Err(_) => false,
        }
    }

    fn look(&mut self, path: &str, bytes: &[u8]) -> Result<bool, (u32, FieldFault)> {
        let limits = Limits::of_manifests();
        let cut = split(bytes, &limits);
        let Some(first) = cut.documents.first() else {
            return cut.fault.map_or(Ok(false), |fault| Err((fault.line, fault.message)));
        };
        let decoded = decode(first.bytes, first.format, &limits)
            .map_err(|fault| (first.line.saturating_add(fault.line).saturating_sub(1), fault.message))?;
        self.fields(path, &decoded.value).map_err(|reason| (first.line, reason))
    }

    fn fields(&mut self, path: &str, value: &Value<'_>) -> Result<bool, FieldFault> {
        let fields = Fields::of(value, "")?;
        let annotations = texts_by_key(&fields.object("annotations")?)?;
        let dependencies = fields.list("dependencies", typed_value)?;
        let properties = fields.list("properties", typed_value)?;
        let is_used = !annotations.is_empty() || !dependencies.is_empty() || !properties.is_empty();
        if self.annotations.is_none() && !annotations.is_empty() {
            self.annotations = Some((path.to_owned(), annotations));
        }
        if self.dependencies.is_empty() {
            self.dependencies = dependencies;
        }
        if self.properties.is_empty() {
            self.properties = properties;
        }
        Ok(is_used)
    }
}

fn typed_value(item: &Value<'_>, path: &str) -> Result<TypedValue, FieldFault> {
    let fields = Fields::of(item, path)?;
    let value = fields.value("value").map_or(serde_json::Value::Null, Value::to_json);
    Ok(TypedValue { kind: fields.text("type")?, value })
}
