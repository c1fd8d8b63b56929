//! `release-metadata`: version, where updates come from, errata.
//!
//! Rule: oc `pkg/cli/admin/release/new.go` (`CincinnatiMetadata`), Cincinnati `graph_builder/release.rs`: the kind is
//! `cincinnati-metadata-v0`, the version is a semantic one, every value of `metadata` is a text. Cost: one decode.

use std::collections::BTreeMap;

use super::decode::decoded;
use super::facts::{PayloadFacts, PayloadFault};
use crate::codec::Value;
use crate::codec::fields::{FieldFault, Fields, mismatch};
use crate::version::SemanticVersion;

const KIND: &str = "cincinnati-metadata-v0";

/// Takes what the file states into the facts.
pub(super) fn take(facts: &mut PayloadFacts, path: &str, bytes: &[u8]) {
    let Some(decoded) = decoded(facts, path, bytes) else { return };
    if let Err(reason) = fields(facts, &decoded.value) {
        facts.faults.push(PayloadFault::BadMetadata { path: path.to_owned(), reason });
    }
}

/// Fills the facts up to the first field that breaks a rule.
fn fields(facts: &mut PayloadFacts, value: &Value<'_>) -> Result<(), FieldFault> {
    let fields = Fields::of(value, "")?;
    let kind = fields.text("kind")?;
    if kind != KIND {
        return Err(format!("its kind is {kind:?}, not {KIND}"));
    }
    let version = fields.text("version")?;
    SemanticVersion::parse_strict(&version)
        .map_err(|error| format!("the version {version:?} does not parse: {error}"))?;
    facts.version = version;
    facts.previous = fields.texts("previous")?;
    facts.next = fields.texts("next")?;
    facts.metadata = texts(&fields.object("metadata")?)?;
    Ok(())
}

fn texts(object: &Fields<'_, '_>) -> Result<BTreeMap<String, String>, FieldFault> {
    let entries = object.all().iter().map(|(key, value)| match value.text() {
        Some(text) => Ok((key.to_string(), text.into_owned())),
        None => Err(mismatch(&object.at(key), "a text", value)),
    });
    entries.collect()
}
