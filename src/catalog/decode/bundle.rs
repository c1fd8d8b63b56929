//! `olm.bundle`: image, related images, properties, and the ClusterServiceVersion where one can be read.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg.go` (`Bundle`) and `alpha/declcfg/load.go` (objects from properties).
//! Cost: every inline manifest is base64-decoded, since opm refuses a catalog in which one is not base64; only the
//! ClusterServiceVersion is looked into, and nothing of a manifest is kept.

use super::super::facts::{BundleFacts, CsvFacts, Property, PropertyValue, RelatedImage};
use super::{csv, property};
use crate::codec::Value;
use crate::codec::fields::{FieldFault as Fault, Fields};

/// The facts of a bundle document.
///
/// # Errors
/// A sentence where a field has another type than opm's decoder wants.
pub(super) fn facts(fields: &Fields<'_, '_>, package: String, name: String) -> Result<BundleFacts, Fault> {
    let related_images = fields.list("relatedImages", |item, path| {
        let image = Fields::of(item, path)?;
        Ok(RelatedImage { name: image.text("name")?, image: image.text("image")? })
    })?;
    let mut bundle =
        BundleFacts { package, name, image: fields.text("image")?, related_images, ..BundleFacts::default() };
    for (property, value) in property::list(fields)? {
        let property = look_deeper(&mut bundle, property, value.as_ref());
        bundle.properties.push(property);
    }
    Ok(bundle)
}

fn look_deeper(bundle: &mut BundleFacts, property: Property, value: Option<&Value<'_>>) -> Property {
    let Some(value) = value else { return property };
    let csv = if property.kind == "olm.csv.metadata" {
        csv::from_metadata(value).map(Some)
    } else {
        bundle.objects += 1;
        object(value)
    };
    match csv {
        Ok(found) => {
            bundle.csv = bundle.csv.take().or(found);
            property
        }
        Err(reason) => Property { value: PropertyValue::Bad { reason, fatal: true }, ..property },
    }
}

fn object(value: &Value<'_>) -> Result<Option<CsvFacts>, Fault> {
    let fields = Fields::of(value, "")?;
    let data = match fields.value("data") {
        Some(data) => data.text().ok_or_else(|| "data: a text is wanted".to_owned())?,
        None => return Ok(None),
    };
    let bytes = property::base64(&data).map_err(|reason| format!("data: {reason}"))?;
    Ok(csv::from_manifest(&bytes))
}
