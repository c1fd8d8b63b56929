//! What cosign attached to an image by tags: signatures, statements, lists of parts.
//!
//! Rule: cosign (`pkg/oci/remote/remote.go`): the tag is the image's digest with `-` in the place of `:`, and a suffix; each
//! layer of a signature has its bytes in an annotation. Only their presence is told: nothing of them is verified.
//! Cost: three tags are resolved, and one manifest is read for each that is there.

use crate::finding::ContentDigest;
use crate::source::image::{Manifest, read_manifest};
use crate::source::store::{Store, StoreError};

/// The annotation of a layer that has the bytes of a signature.
const SIGNATURE: &str = "dev.cosignproject.cosign/signature";

/// What kind of attachment it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CosignAttachmentKind {
    /// Signatures: `.sig`.
    Signatures,
    /// Statements: `.att`.
    Attestations,
    /// A list of parts: `.sbom`.
    Sbom,
}

impl CosignAttachmentKind {
    fn suffix(self) -> &'static str {
        match self {
            Self::Signatures => "sig",
            Self::Attestations => "att",
            Self::Sbom => "sbom",
        }
    }
}

/// An attachment that a tag names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CosignAttachment {
    /// Its kind.
    pub kind: CosignAttachmentKind,
    /// The tag.
    pub tag: String,
    /// What the tag means.
    pub digest: ContentDigest,
    /// How many layers it has.
    pub layers: usize,
    /// How many of them carry a signature in their annotations.
    pub signatures: usize,
}

/// The attachments of an image in a repository, by kind.
///
/// # Errors
/// [`StoreError`] where a tag is there and what it means cannot be read.
pub fn cosign_signatures(
    store: &dyn Store,
    repository: &str,
    image: &ContentDigest,
) -> Result<Vec<CosignAttachment>, StoreError> {
    use CosignAttachmentKind::{Attestations, Sbom, Signatures};
    let kinds = [Signatures, Attestations, Sbom].into_iter();
    kinds.filter_map(|kind| attachment(store, repository, image, kind).transpose()).collect()
}

fn attachment(
    store: &dyn Store,
    repository: &str,
    image: &ContentDigest,
    kind: CosignAttachmentKind,
) -> Result<Option<CosignAttachment>, StoreError> {
    let tag = format!("{}-{}.{}", image.algorithm(), image.hex(), kind.suffix());
    let Some(digest) = store.resolve(repository, &tag)? else { return Ok(None) };
    let (_, manifest) = read_manifest(store, Some(repository), &digest, None)?;
    let layers = match manifest {
        Manifest::Image(manifest) => manifest.layers,
        Manifest::Index(index) => index.descriptors,
    };
    let signatures = layers.iter().filter(|layer| layer.annotations.contains_key(SIGNATURE)).count();
    Ok(Some(CosignAttachment { kind, tag, digest, layers: layers.len(), signatures }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::image::memory::MemoryStore;
    use crate::source::store::StoreErrorKind;

    #[test]
    fn tags_are_found_and_layers_counted() {
        let mut store = MemoryStore::default();
        let image = ContentDigest::of(b"image");
        let part = json!({"digest": image.to_string(), "size": 1});
        let mut signed = part.clone();
        signed["annotations"] = json!({"dev.cosignproject.cosign/signature": "MEUC"});
        let signatures = store.add(json!({"config": part, "layers": [signed, part]}).to_string());
        let sbom = store.add(json!({"config": part, "layers": [part], "annotations": {"a": "b"}}).to_string());
        store.tag("a", &format!("sha256-{}.sig", image.hex()), signatures);
        store.tag("a", &format!("sha256-{}.sbom", image.hex()), sbom);
        let found = cosign_signatures(&store, "a", &image).unwrap();
        let facts: Vec<_> = found.iter().map(|each| (each.kind, each.layers, each.signatures)).collect();
        assert_eq!(facts, [(CosignAttachmentKind::Signatures, 2, 1), (CosignAttachmentKind::Sbom, 1, 0)]);
        assert_eq!(cosign_signatures(&store, "b", &image), Ok(vec![]));
    }

    #[test]
    fn a_tag_that_leads_nowhere_is_an_error() {
        let mut store = MemoryStore::default();
        let image = ContentDigest::of(b"image");
        store.tag("a", &format!("sha256-{}.att", image.hex()), image.clone());
        assert_eq!(cosign_signatures(&store, "a", &image).unwrap_err().kind, StoreErrorKind::Absent);
    }
}
