//! Properties: a type and a value.
//!
//! Rule: operator-registry `alpha/property/property.go`. A type that opm knows must parse, or the catalog is refused; the
//! types that only a resolver reads (`olm.constraint`, labels, `olm.maxOpenShiftVersion`) are read leniently.
//! Cost: one look at each property.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::facts::{Gvk, PackageRange, Property, PropertyValue};
use super::constraint;
use crate::codec::Value;
use crate::codec::fields::{FieldFault as Fault, Fields, mismatch};

/// The properties of a document; each with its value, so that a caller can look deeper.
///
/// # Errors
/// A property without a type or a value is refused, as opm's decoder does.
pub(super) fn list<'a>(fields: &Fields<'_, 'a>) -> Result<Vec<(Property, Option<Value<'a>>)>, Fault> {
    fields.list("properties", |item, path| {
        let property = Fields::of(item, path)?;
        let kind = property.text("type")?;
        if kind.is_empty() {
            return Err(format!("{path}: a property has no type"));
        }
        let Some((_, value)) = property.spellings("value").last() else {
            return Err(format!("{path}: the property {kind} has no value"));
        };
        let keep = matches!(kind.as_str(), "olm.bundle.object" | "olm.csv.metadata").then(|| value.clone());
        Ok((Property { value: parse(&kind, value), kind }, keep))
    })
}

fn parse(kind: &str, value: &Value<'_>) -> PropertyValue {
    let parsed = match kind {
        "olm.package" => package(value),
        "olm.gvk" | "olm.gvk.required" => Fields::of(value, "").and_then(|fields| gvk(&fields)).map(PropertyValue::Gvk),
        "olm.package.required" => {
            Fields::of(value, "").and_then(|fields| package_range(&fields)).map(PropertyValue::PackageRequired)
        }
        "olm.bundle.object" | "olm.csv.metadata" => Ok(PropertyValue::Elsewhere),
        "olm.constraint" => return lenient(constraint::parse(value).map(PropertyValue::Constraint)),
        "olm.label" | "olm.label.required" => {
            return lenient(Fields::of(value, "").and_then(|fields| fields.text("label")).map(PropertyValue::Label));
        }
        "olm.maxOpenShiftVersion" => return max_openshift_version(value),
        _ => Ok(PropertyValue::Other(value.to_json().to_string())),
    };
    parsed.unwrap_or_else(|reason| PropertyValue::Bad { reason, fatal: true })
}

fn lenient(parsed: Result<PropertyValue, Fault>) -> PropertyValue {
    parsed.unwrap_or_else(|reason| PropertyValue::Bad { reason, fatal: false })
}

fn package(value: &Value<'_>) -> Result<PropertyValue, Fault> {
    let fields = Fields::of(value, "")?;
    Ok(PropertyValue::Package {
        package: fields.text("packageName")?,
        version: fields.text("version")?,
        release: fields.text("release")?,
    })
}

/// An API; a missing part is empty.
pub(super) fn gvk(fields: &Fields<'_, '_>) -> Result<Gvk, Fault> {
    Ok(Gvk { group: fields.text("group")?, version: fields.text("version")?, kind: fields.text("kind")? })
}

/// A package in a range.
pub(super) fn package_range(fields: &Fields<'_, '_>) -> Result<PackageRange, Fault> {
    Ok(PackageRange { package: fields.text("packageName")?, range: fields.text("versionRange")? })
}

fn max_openshift_version(value: &Value<'_>) -> PropertyValue {
    match (value.text(), value) {
        (Some(text), _) => PropertyValue::MaxOpenShiftVersion { text: text.into_owned(), is_text: true },
        (None, value) if value.object().is_none() && value.list().is_none() => {
            let json = value.to_json();
            PropertyValue::MaxOpenShiftVersion { text: json.to_string(), is_text: false }
        }
        (None, value) => PropertyValue::Bad { reason: mismatch("", "a text", value), fatal: false },
    }
}

/// Bytes from standard base64 with padding; line breaks inside are passed over, as Go's decoder does.
///
/// # Errors
/// A sentence that says what is wrong.
pub(super) fn base64(text: &str) -> Result<Vec<u8>, Fault> {
    let decoded = if text.contains(['\n', '\r']) {
        STANDARD.decode(text.replace(['\n', '\r'], ""))
    } else {
        STANDARD.decode(text)
    };
    decoded.map_err(|error| format!("it is not standard base64: {error}"))
}
