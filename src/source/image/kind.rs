//! What an image is: a catalog, a bundle, a release, a signature, or something else.
//!
//! Rules, in the order in which they count. Types: cosign's (`pkg/types/media.go`), in-toto's, those of lists of parts, and
//! the OCI image specification's for artifacts at large. Names: cosign's tags (`pkg/oci/remote/remote.go`). Labels:
//! operator-registry (`pkg/containertools/labelreader.go`, `pkg/lib/bundle/generate.go`) and the release payload's
//! `io.openshift.release`. Where all of them are silent, the repository and tag under which oc-mirror puts things
//! (`internal/pkg/release/local_stored_collector.go`, `v1/pkg/cli/mirror`). Cost: none; nothing is read.

use super::manifest::media_type;
use super::{Configuration, Descriptor, ImageManifest};

const CATALOG_LABEL: &str = "operators.operatorframework.io.index.configs.v1";
const DATABASE_LABEL: &str = "operators.operatorframework.io.index.database.v1";
const MANIFESTS_LABEL: &str = "operators.operatorframework.io.bundle.manifests.v1";
const METADATA_LABEL: &str = "operators.operatorframework.io.bundle.metadata.v1";
const PACKAGE_LABEL: &str = "operators.operatorframework.io.bundle.package.v1";
const CHANNELS_LABEL: &str = "operators.operatorframework.io.bundle.channels.v1";
const RELEASE_LABEL: &str = "io.openshift.release";

/// The annotation in which a sigstore bundle says what it states.
const PREDICATE: &str = "dev.sigstore.bundle.predicateType";
/// The statement that is no more than a signature.
const SIGNING_PREDICATE: &str = "https://sigstore.dev/cosign/sign/v1";

/// The directory into which oc-mirror v2 puts the catalog that it filtered.
const REBUILT_DIRECTORY: &str = "configs";

/// What an image is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageKind {
    /// A file-based catalog.
    Catalog {
        /// Where it lies in the image: names with `/` between them, none at its ends; empty for the root.
        directory: String,
    },
    /// A catalog in the form of an SQLite database, which OLM gave up.
    SqliteCatalog,
    /// The bundle of an operator.
    Bundle {
        /// The directory of its manifests, written as that of a catalog.
        manifests: String,
        /// The directory of its metadata, written likewise.
        metadata: String,
        /// The package it belongs to, where a label says so.
        package: Option<String>,
        /// The channels it is for.
        channels: Vec<String>,
    },
    /// The payload of a release.
    ReleasePayload {
        /// Its version.
        version: String,
    },
    /// The data of the update graph.
    GraphData,
    /// An image that a release payload names.
    PayloadComponent,
    /// A signature of another image.
    Signature,
    /// A statement about another image.
    Attestation,
    /// A list of the parts of another image.
    Sbom,
    /// Another artifact that no machine runs.
    Artifact {
        /// Its type.
        artifact_type: String,
    },
    /// The record that oc-mirror v1 keeps in a registry.
    OcMirrorMetadata,
    /// An image of which nothing more is known.
    Other,
}

impl ImageKind {
    /// The short name that reports use.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Catalog { .. } => "catalog",
            Self::SqliteCatalog => "sqlite-catalog",
            Self::Bundle { .. } => "bundle",
            Self::ReleasePayload { .. } => "release",
            Self::GraphData => "graph-data",
            Self::Signature => "signature",
            Self::Attestation => "attestation",
            Self::Sbom | Self::Artifact { .. } => "artifact",
            Self::PayloadComponent | Self::OcMirrorMetadata | Self::Other => "other",
        }
    }
}

/// A label that names a directory outside of the image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the label {label} names the directory {value:?}, which leads out of the image")]
pub struct LabelError {
    /// The label.
    pub label: &'static str,
    /// Its value, cut to 160 characters.
    pub value: String,
}

/// Tells what an image is.
///
/// `configuration` is `None` where there is none to read; repository and tag are those under which it was found.
///
/// # Errors
/// [`LabelError`] where it is a catalog or bundle whose label leads out of the image.
pub fn image_kind(
    manifest: &ImageManifest,
    configuration: Option<&Configuration>,
    repository: Option<&str>,
    tag: Option<&str>,
) -> Result<ImageKind, LabelError> {
    if let Some(kind) = by_types(manifest).or_else(|| tag.and_then(by_cosign_tag)) {
        return Ok(kind);
    }
    if let Some(kind) = configuration.map(by_labels).transpose()?.flatten() {
        return Ok(kind);
    }
    let is_artifact = manifest.artifact_type.is_some() || !runs(&manifest.config);
    if is_artifact {
        return Ok(ImageKind::Artifact { artifact_type: artifact_type(manifest) });
    }
    Ok(repository.and_then(|repository| by_name(repository, tag)).unwrap_or(ImageKind::Other))
}

/// Where the catalog of an image lies that oc-mirror v2 rebuilt, and whose label names the catalog as it was before.
///
/// oc-mirror takes `configs` away by a layer of its own, adds it anew as the last layer, and makes the image serve it whatever
/// the label says (`internal/pkg/imagebuilder/catalog_builder.go`). So where the last layer has `configs` among its outermost
/// names, the label's `directory` is another, and the layer before or the command shows that it was oc-mirror, what counts is
/// here, and the reader deserves a warning. `None` where the label counts: an image may hold a `configs` of other purpose.
pub fn rebuilt_catalog_directory<'a>(
    directory: &str,
    last_layer: impl IntoIterator<Item = &'a str>,
    was_taken_away: bool,
    command: &[String],
) -> Option<&'static str> {
    let outermost = |path: &'a str| path.split('/').find(|name| !matches!(*name, "" | "."));
    let has_own = directory.is_empty() || directory.split('/').next() == Some(REBUILT_DIRECTORY);
    let adds = last_layer.into_iter().any(|path| outermost(path) == Some(REBUILT_DIRECTORY));
    let serves = command.iter().any(|word| word.trim_matches('/') == REBUILT_DIRECTORY);
    (adds && !has_own && (was_taken_away || serves)).then_some(REBUILT_DIRECTORY)
}

fn runs(configuration: &Descriptor) -> bool {
    configuration.media_type.is_empty() || media_type::is_configuration(&configuration.media_type)
}

/// The type of an artifact: its own, else that of its configuration, else that of what it holds.
fn artifact_type(manifest: &ImageManifest) -> String {
    let configuration = Some(&manifest.config.media_type).filter(|kind| *kind != media_type::EMPTY && !kind.is_empty());
    let layer = manifest.layers.first().map(|layer| &layer.media_type);
    manifest.artifact_type.as_ref().or(configuration).or(layer).cloned().unwrap_or_default()
}

fn by_types(manifest: &ImageManifest) -> Option<ImageKind> {
    let own = manifest.artifact_type.as_deref();
    let configuration = Some(manifest.config.media_type.as_str());
    let layers = manifest.layers.iter().map(|layer| Some(layer.media_type.as_str()));
    let stated = manifest.annotations.get(PREDICATE);
    [own, configuration].into_iter().chain(layers).flatten().find_map(|kind| by_type(kind, stated.map(String::as_str)))
}

fn by_type(media_type: &str, predicate: Option<&str>) -> Option<ImageKind> {
    match media_type {
        "application/vnd.dev.cosign.simplesigning.v1+json"
        | "application/vnd.dev.cosign.artifact.sig.v1+json"
        | "application/vnd.cncf.notary.signature" => Some(ImageKind::Signature),
        "application/vnd.in-toto+json" | "application/vnd.dsse.envelope.v1+json" => Some(ImageKind::Attestation),
        "application/spdx+json"
        | "text/spdx"
        | "text/spdx+json"
        | "text/spdx+xml"
        | "application/vnd.cyclonedx"
        | "application/vnd.cyclonedx+json"
        | "application/vnd.cyclonedx+xml"
        | "application/vnd.syft+json" => Some(ImageKind::Sbom),
        bundle if bundle.starts_with("application/vnd.dev.sigstore.bundle") => match predicate {
            Some(SIGNING_PREDICATE) | None => Some(ImageKind::Signature),
            Some(_) => Some(ImageKind::Attestation),
        },
        _ => None,
    }
}

fn by_cosign_tag(tag: &str) -> Option<ImageKind> {
    let (hex, suffix) = tag.strip_prefix("sha256-")?.split_once('.')?;
    format!("sha256:{hex}").parse::<crate::finding::ContentDigest>().ok()?;
    match suffix {
        "sig" => Some(ImageKind::Signature),
        "att" => Some(ImageKind::Attestation),
        "sbom" => Some(ImageKind::Sbom),
        _ => None,
    }
}

fn by_labels(configuration: &Configuration) -> Result<Option<ImageKind>, LabelError> {
    let label = |name: &str| configuration.labels.get(name).filter(|value| !value.is_empty());
    let directory = |name: &'static str, otherwise: &str| {
        label(name).map_or_else(|| Ok(otherwise.to_owned()), |value| clean(name, value))
    };
    if let Some(version) = label(RELEASE_LABEL) {
        return Ok(Some(ImageKind::ReleasePayload { version: version.clone() }));
    }
    if let Some(value) = label(CATALOG_LABEL) {
        return clean(CATALOG_LABEL, value).map(|directory| Some(ImageKind::Catalog { directory }));
    }
    if label(DATABASE_LABEL).is_some() {
        return Ok(Some(ImageKind::SqliteCatalog));
    }
    if label(MANIFESTS_LABEL).or_else(|| label(PACKAGE_LABEL)).is_none() {
        return Ok(None);
    }
    let channels = label(CHANNELS_LABEL).map(String::as_str).unwrap_or_default();
    Ok(Some(ImageKind::Bundle {
        manifests: directory(MANIFESTS_LABEL, "manifests")?,
        metadata: directory(METADATA_LABEL, "metadata")?,
        package: label(PACKAGE_LABEL).cloned(),
        channels: channels.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
    }))
}

/// A directory of an image as plain names, wherever its label has slashes.
fn clean(label: &'static str, value: &str) -> Result<String, LabelError> {
    if value.contains('\0') || value.split('/').any(|name| name == "..") {
        return Err(LabelError { label, value: value.chars().take(160).collect() });
    }
    let names: Vec<&str> = value.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    Ok(names.join("/"))
}

fn by_name(repository: &str, tag: Option<&str>) -> Option<ImageKind> {
    let mut parts = repository.rsplit('/');
    match (parts.next()?, parts.next()) {
        ("graph-image", Some("openshift") | None) | ("cincinnati-graph-data" | "graph-data", _) => {
            Some(ImageKind::GraphData)
        }
        ("release", Some("openshift")) => Some(ImageKind::PayloadComponent),
        ("oc-mirror", _) => tag.filter(|tag| is_uuid(tag)).map(|_| ImageKind::OcMirrorMetadata),
        _ => None,
    }
}

/// Whether a tag is the identifier of a workspace of oc-mirror v1.
fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.chars().all(|each| each == '-' || each.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests;
