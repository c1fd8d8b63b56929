//! Reads indexes and manifests of images.
//!
//! Rule: OCI image specification, image-index.md and manifest.md, and distribution's manifest-v2-2.md; what a document is
//! comes from its keys (`manifests`, or `config` and `layers`), and a stated media type that says otherwise is refused, as
//! is a document that could be both (advisory GHSA-77vh-xpmg-72qh). Docker's schema 1 is refused by name.
//!
//! The structs are our own: those of the crate oci-spec refuse a list that is `null` and a descriptor without a media type,
//! both of which tools write, and one bad descriptor would lose all others of an index.
//!
//! Cost: one pass over at most 16 MiB, and memory for at most [`MANIFEST_DESCRIPTORS`] descriptors.

pub mod media_type;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::finding::ContentDigest;
use crate::source::store::MANIFEST_BYTES;

use super::Platform;
use super::json::{List, object};
use media_type::Said;
use text::{DescriptorText, Document};

/// The most descriptors that an index may have.
pub const MANIFEST_DESCRIPTORS: usize = 10_000;

/// The most layers that an image may have: registries and machines give up near 127.
pub const MANIFEST_LAYERS: usize = 1_000;

/// What points to a blob or manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// What it is said to be; empty where nothing is said.
    pub media_type: String,
    /// Its digest.
    pub digest: ContentDigest,
    /// Its length, as stated.
    pub bytes: u64,
    /// The machine it is for, where it is stated.
    pub platform: Option<Platform>,
    /// What else is said of it.
    pub annotations: BTreeMap<String, String>,
    /// What kind of artifact it is, where it is one.
    pub artifact_type: Option<String>,
}

/// A descriptor of an index that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescriptorFault {
    /// Which one, counted from 0.
    pub position: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// A list of images, or of further lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// What the document says that it is.
    pub media_type: Option<String>,
    /// What kind of artifact the whole is, where it is one.
    pub artifact_type: Option<String>,
    /// The members that can be read, in their order.
    pub descriptors: Vec<Descriptor>,
    /// The members that cannot.
    pub faults: Vec<DescriptorFault>,
    /// What else is said of the whole.
    pub annotations: BTreeMap<String, String>,
}

/// One image, or an artifact in the form of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageManifest {
    /// What the document says that it is.
    pub media_type: Option<String>,
    /// What kind of artifact it is, where it is one.
    pub artifact_type: Option<String>,
    /// Its configuration.
    pub config: Descriptor,
    /// Its layers, the lowest first.
    pub layers: Vec<Descriptor>,
    /// The manifest that it belongs to, as a signature does.
    pub subject: Option<Descriptor>,
    /// What else is said of it.
    pub annotations: BTreeMap<String, String>,
}

/// An index or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Manifest {
    /// A list of images.
    Index(Index),
    /// One image.
    Image(Box<ImageManifest>),
}

/// Why a manifest cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It has more bytes, descriptors or layers than the limits allow.
    #[error("{0}")]
    Limit(String),
    /// It is docker's schema 1, which names no configuration and whose digest covers signatures, too.
    #[error("it is a docker manifest of schema 1, which is not read: copy the image again, as schema 2 or OCI")]
    Schema1,
    /// It is nothing that the rules allow.
    #[error("{0}")]
    Malformed(String),
}

/// Reads an index or a manifest.
///
/// `stated` is the media type that stands beside the bytes: in the descriptor, or in the answer of a registry.
///
/// # Errors
/// [`ManifestError`] where it is too large, of schema 1, or not well formed. A bad descriptor is an error in an image, which
/// needs each of its parts; in an index it is a [`DescriptorFault`].
///
/// # Examples
/// ```
/// use skipstone::source::image::{Manifest, parse_manifest};
///
/// let Manifest::Index(index) = parse_manifest(br#"{"schemaVersion": 2, "manifests": null}"#, None)? else {
///     unreachable!("the key says that it is an index");
/// };
/// assert!(index.descriptors.is_empty());
/// # Ok::<(), skipstone::source::image::ManifestError>(())
/// ```
pub fn parse_manifest(bytes: &[u8], stated: Option<&str>) -> Result<Manifest, ManifestError> {
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MANIFEST_BYTES {
        return Err(ManifestError::Limit(format!("it has more than {MANIFEST_BYTES} bytes")));
    }
    let document: Document<'_> = object(bytes).map_err(malformed)?;
    let is_index = is_index(&document, stated)?;
    if is_index { index(document).map(Manifest::Index) } else { image(document).map(Box::new).map(Manifest::Image) }
}

/// Tells what a document is by its keys, and refuses it where its media types say otherwise.
fn is_index(document: &Document<'_>, stated: Option<&str>) -> Result<bool, ManifestError> {
    let words = [stated, document.media_type.as_deref()];
    let said = words.map(|word| word.map_or(Said::Nothing, media_type::said));
    if said.contains(&Said::Schema1) || document.is_schema_1() {
        return Err(ManifestError::Schema1);
    }
    let is_index = match (document.manifests.is_given(), document.config.is_some() || document.layers.is_given()) {
        (true, false) => true,
        (false, true) => false,
        (true, true) => {
            return refused("it has the keys of an index and those of an image: it could be taken for either");
        }
        (false, false) => return refused("it is neither an index nor the manifest of an image"),
    };
    let contrary = if is_index { Said::Image } else { Said::Index };
    if said.contains(&contrary) {
        let (is, called) = if is_index { ("an index", "an image") } else { ("an image", "an index") };
        return refused(format!("it is {is}, and its media type calls it {called}"));
    }
    Ok(is_index)
}

fn index(document: Document<'_>) -> Result<Index, ManifestError> {
    let mut descriptors = Vec::new();
    let mut faults = Vec::new();
    for (position, raw) in limited(document.manifests, MANIFEST_DESCRIPTORS, "descriptors")?.iter().enumerate() {
        match DescriptorText::read(raw.get()) {
            Ok(descriptor) => descriptors.push(descriptor),
            Err(reason) => faults.push(DescriptorFault { position, reason }),
        }
    }
    Ok(Index {
        media_type: owned(document.media_type),
        artifact_type: owned(document.artifact_type),
        descriptors,
        faults,
        annotations: document.annotations.unwrap_or_default(),
    })
}

fn image(document: Document<'_>) -> Result<ImageManifest, ManifestError> {
    let named = |what: String| move |reason| ManifestError::Malformed(format!("{what}: {reason}"));
    let Some(config) = document.config else { return refused("it names no configuration") };
    let config = DescriptorText::read(config.get()).map_err(named("configuration".to_owned()))?;
    let layers = limited(document.layers, MANIFEST_LAYERS, "layers")?.into_iter().enumerate();
    let layers = layers.map(|(position, raw)| {
        DescriptorText::read(raw.get()).map_err(named(format!("layer {}", position.saturating_add(1))))
    });
    let subject = document.subject.map(|raw| DescriptorText::read(raw.get()).map_err(named("subject".to_owned())));
    Ok(ImageManifest {
        media_type: owned(document.media_type),
        artifact_type: owned(document.artifact_type),
        config,
        layers: layers.collect::<Result<_, _>>()?,
        subject: subject.transpose()?,
        annotations: document.annotations.unwrap_or_default(),
    })
}

/// A text that says something; tools write an empty one where they mean none.
fn owned(text: Option<Cow<'_, str>>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(Cow::into_owned)
}

fn limited<'a>(list: List<'a>, most: usize, what: &str) -> Result<Vec<&'a RawValue>, ManifestError> {
    list.members(most, what).map_err(ManifestError::Limit)
}

fn refused<T>(reason: impl Into<String>) -> Result<T, ManifestError> {
    Err(ManifestError::Malformed(reason.into()))
}

fn malformed(reason: String) -> ManifestError {
    ManifestError::Malformed(format!("it is not well formed: {reason}"))
}

#[cfg(test)]
mod tests;
