//! A manifest for an image whose own is lost: the same parts give the same bytes.
//!
//! Rule: OCI image specification, manifest.md, with the layer media type for plain archives. Cost: one small text.

use serde::Serialize;

use crate::finding::ContentDigest;

/// A configuration or a layer: its digest and its length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) digest: ContentDigest,
    pub(super) bytes: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Manifest<'p> {
    schema_version: u8,
    media_type: &'static str,
    config: Descriptor<'p>,
    layers: Vec<Descriptor<'p>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor<'p> {
    media_type: &'static str,
    digest: &'p ContentDigest,
    size: u64,
}

impl<'p> Descriptor<'p> {
    fn of(media_type: &'static str, part: &'p Part) -> Self {
        Self { media_type, digest: &part.digest, size: part.bytes }
    }
}

/// The bytes of a manifest over a configuration and layers, the lowest layer first.
pub(super) fn image_manifest(configuration: &Part, layers: &[Part]) -> Vec<u8> {
    let manifest = Manifest {
        schema_version: 2,
        media_type: "application/vnd.oci.image.manifest.v1+json",
        config: Descriptor::of("application/vnd.oci.image.config.v1+json", configuration),
        layers: layers.iter().map(|layer| Descriptor::of("application/vnd.oci.image.layer.v1.tar", layer)).collect(),
    };
    serde_json::to_vec(&manifest).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_is_that_of_the_specification() {
        let part = |bytes: &[u8]| Part { digest: ContentDigest::of(bytes), bytes: bytes.len() as u64 };
        let manifest = image_manifest(&part(b"{}"), &[part(b"layer")]);
        let expected = format!(
            "{{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"config\":{{\"mediaType\":\
             \"application/vnd.oci.image.config.v1+json\",\"digest\":\"{}\",\"size\":2}},\"layers\":[{{\"mediaType\":\
             \"application/vnd.oci.image.layer.v1.tar\",\"digest\":\"{}\",\"size\":5}}]}}",
            ContentDigest::of(b"{}"),
            ContentDigest::of(b"layer"),
        );
        assert_eq!(String::from_utf8(manifest).unwrap(), expected);
    }
}
