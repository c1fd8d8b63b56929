//! From a decoded document to its facts.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg.go` (`Meta.UnmarshalJSON` and the types below it). `schema`, `package` and
//! `name` are found in any case; two spellings of one of them, or a value that is no text, are errors. Cost: one look at
//! every wanted field; values that nobody asks for stay unopened.

mod bundle;
mod constraint;
mod csv;
mod lifecycle;
mod property;

use super::facts::{
    ChannelFacts, DecodedDocument, DeprecationEntry, DeprecationsFacts, DocumentFacts, Entry, OtherFacts, Outcome,
    PackageFacts,
};
use crate::codec::fields::{FieldFault as Fault, Fields, mismatch};
use crate::codec::{self, Format, Limits, Value};

/// The schema of lifecycle documents that is understood; later versions of it are kept as opaque.
pub const LIFECYCLE_SCHEMA: &str = "io.openshift.operators.lifecycles.v1alpha1";

/// Why a decoded value has no facts.
enum DocumentFault {
    /// It has no schema, or an empty one.
    MissingSchema,
    /// A field has another type than its schema wants.
    Shape(Fault),
}

/// Decodes one document of a catalog.
pub fn document(bytes: &[u8], format: Format, limits: &Limits) -> DecodedDocument {
    let decoded = match codec::decode(bytes, format, limits) {
        Ok(decoded) => decoded,
        Err(fault) => {
            let outcome = Outcome::Fault { line: fault.line, reason: fault.message };
            return DecodedDocument { outcome, notes: Vec::new() };
        }
    };
    let outcome = match facts(&decoded.value) {
        Ok(facts) => Outcome::Facts(facts),
        Err(DocumentFault::MissingSchema) => Outcome::MissingSchema,
        Err(DocumentFault::Shape(reason)) => Outcome::Fault { line: 1, reason },
    };
    DecodedDocument { outcome, notes: decoded.notes }
}

fn facts(value: &Value<'_>) -> Result<DocumentFacts, DocumentFault> {
    if value.is_null() {
        return Err(DocumentFault::MissingSchema);
    }
    let fields = Fields::of(value, "").map_err(DocumentFault::Shape)?;
    let schema = identity(&fields, "schema").map_err(DocumentFault::Shape)?;
    let package = identity(&fields, "package").map_err(DocumentFault::Shape)?;
    let name = identity(&fields, "name").map_err(DocumentFault::Shape)?;
    if schema.is_empty() {
        return Err(DocumentFault::MissingSchema);
    }
    let facts = match schema.as_str() {
        "olm.package" => package_facts(&fields, name).map(|facts| DocumentFacts::Package(facts.into())),
        "olm.channel" => channel_facts(&fields, package, name).map(|facts| DocumentFacts::Channel(facts.into())),
        "olm.bundle" => bundle::facts(&fields, package, name).map(|facts| DocumentFacts::Bundle(facts.into())),
        "olm.deprecations" => {
            deprecations_facts(&fields, package).map(|facts| DocumentFacts::Deprecations(facts.into()))
        }
        LIFECYCLE_SCHEMA => Ok(DocumentFacts::Lifecycle(lifecycle::facts(&fields, package).into())),
        _ => Ok(DocumentFacts::Other(OtherFacts { schema, package, name }.into())),
    };
    facts.map_err(DocumentFault::Shape)
}

/// One of the three fields that tell what a document is.
fn identity(fields: &Fields<'_, '_>, name: &str) -> Result<String, Fault> {
    let mut spellings = fields.spellings(name);
    let Some((first, value)) = spellings.next() else { return Ok(String::new()) };
    if let Some((second, _)) = spellings.next() {
        return Err(format!("the keys {first:?} and {second:?} differ in case only"));
    }
    value.text().map(Into::into).ok_or_else(|| mismatch(first, "a text", value))
}

fn package_facts(fields: &Fields<'_, '_>, name: String) -> Result<PackageFacts, Fault> {
    let icon = fields.object("icon")?;
    property::base64(&icon.text("base64data")?).map_err(|reason| format!("{}: {reason}", icon.at("base64data")))?;
    icon.text("mediatype")?;
    Ok(PackageFacts {
        name,
        default_channel: fields.text("defaultChannel")?,
        description: fields.text("description")?,
        properties: property::list(fields)?.into_iter().map(|(property, _)| property).collect(),
    })
}

fn channel_facts(fields: &Fields<'_, '_>, package: String, name: String) -> Result<ChannelFacts, Fault> {
    property::list(fields)?;
    let entries = fields.list("entries", |item, path| {
        let entry = Fields::of(item, path)?;
        Ok(Entry {
            name: entry.text("name")?,
            replaces: entry.text("replaces")?,
            skips: entry.texts("skips")?,
            skip_range: entry.text("skipRange")?,
        })
    })?;
    Ok(ChannelFacts { package, name, entries })
}

fn deprecations_facts(fields: &Fields<'_, '_>, package: String) -> Result<DeprecationsFacts, Fault> {
    let entries = fields.list("entries", |item, path| {
        let entry = Fields::of(item, path)?;
        let reference = entry.object("reference")?;
        Ok(DeprecationEntry {
            schema: reference.text("schema")?,
            name: reference.text("name")?,
            message: entry.text("message")?,
        })
    })?;
    Ok(DeprecationsFacts { package, entries })
}
