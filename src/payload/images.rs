//! `image-references`: the images of a payload.
//!
//! Rule: the ImageStream that oc `pkg/cli/admin/release/new.go` writes: a tag for each image, `from.name` by digest
//! (`mirror.go` refuses others). Cost: one decode.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::component;
use super::decode::decoded;
use super::facts::{PayloadFacts, PayloadFault, PayloadImage};
use crate::codec::Value;
use crate::codec::fields::{FieldFault, Fields};
use crate::finding::ContentDigest;

const KEPT_ANNOTATIONS: &str = "io.openshift.build.";

/// Takes what the file states into the facts.
pub(super) fn take(facts: &mut PayloadFacts, path: &str, bytes: &[u8]) {
    let Some(decoded) = decoded(facts, path, bytes) else { return };
    match stream(&decoded.value) {
        Ok((name, images)) => {
            facts.image_references_name = name;
            facts.faults.extend(images.iter().filter(|image| !is_by_digest(&image.reference)).map(not_by_digest));
            component::take(facts, &images);
            facts.images = images;
        }
        Err(reason) => facts.faults.push(PayloadFault::BadMetadata { path: path.to_owned(), reason }),
    }
}

/// The name of the stream, and its images by name.
fn stream(value: &Value<'_>) -> Result<(String, Vec<PayloadImage>), FieldFault> {
    let fields = Fields::of(value, "")?;
    let kind = fields.text("kind")?;
    if kind != "ImageStream" {
        return Err(format!("its kind is {kind:?}, not ImageStream"));
    }
    let mut images = fields.object("spec")?.list("tags", image)?;
    images.sort_by(|one, other| one.name.cmp(&other.name));
    Ok((fields.object("metadata")?.text("name")?, images))
}

fn image(item: &Value<'_>, path: &str) -> Result<PayloadImage, FieldFault> {
    let tag = Fields::of(item, path)?;
    let annotations = tag.object("annotations")?;
    let kept = |(key, value): &(Cow<'_, str>, Value<'_>)| {
        let text = value.text().filter(|_| key.starts_with(KEPT_ANNOTATIONS))?;
        Some((key.to_string(), text.into_owned()))
    };
    Ok(PayloadImage {
        name: tag.text("name")?,
        reference: tag.object("from")?.text("name")?,
        annotations: annotations.all().iter().filter_map(kept).collect::<BTreeMap<_, _>>(),
    })
}

fn is_by_digest(reference: &str) -> bool {
    reference.rsplit_once('@').is_some_and(|(_, digest)| digest.parse::<ContentDigest>().is_ok())
}

fn not_by_digest(image: &PayloadImage) -> PayloadFault {
    PayloadFault::NotByDigest { name: image.name.clone(), reference: image.reference.clone() }
}
