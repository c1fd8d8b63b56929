//! What was learned of an image: its parts, and whether each lies in the mirror.
//!
//! Rule: OCI image specification, image-index.md and manifest.md. A part is known by its digest, so that what several images
//! share counts once (OCI descriptor: equal digests are equal bytes). Cost: a few words for each part.

use std::collections::BTreeMap;

use crate::finding::ContentDigest;
use crate::source::image::Platform;

/// Whether a part of an image lies in a mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// It is there; its bytes were read only where that was asked for, those of manifests always.
    Present,
    /// It is not there, and a record says that the target registry has it: which record.
    ExpectedAtTarget(String),
    /// It is not there.
    Absent,
    /// Its bytes have another digest, or are not what they should be: what is wrong.
    BadDigest(String),
    /// It has more bytes than its manifest states.
    BadSize(String),
    /// It has fewer bytes than its manifest states.
    Truncated(String),
    /// It cannot be read, so that nothing is known: why.
    Unreadable(String),
}

/// A blob or manifest that an image consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its digest.
    pub digest: ContentDigest,
    /// Its length as its manifest states it, or as it was found; `None` where nobody knows.
    pub bytes: Option<u64>,
    /// Whether it is there.
    pub condition: Condition,
}

impl Part {
    /// Whether it is there, and is bad or cannot be read. What is absent is none of these: mirrors leave out by design.
    pub fn is_faulty(&self) -> bool {
        !matches!(self.condition, Condition::Present | Condition::ExpectedAtTarget(_) | Condition::Absent)
    }
}

/// One image of an index, or the image itself where there is no index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The machine that it is for, where that is stated.
    pub platform: Option<Platform>,
    /// Whether it only attests another instance: nobody runs it.
    pub is_attestation: bool,
    /// Its manifest.
    pub manifest: Part,
    /// Its configuration and its layers.
    pub content: Vec<Part>,
}

/// An image, or an index of images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFacts {
    /// Digest of its manifest.
    pub digest: ContentDigest,
    /// Media type of its manifest, where it is stated.
    pub media_type: Option<String>,
    /// What it is: the short name of its kind.
    pub kind: String,
    /// The manifest, and the indexes inside of an index; the manifest comes first.
    pub manifests: Vec<Part>,
    /// Its images.
    pub instances: Vec<Instance>,
    /// What its labels say of its content, by the words of the report.
    pub labels: BTreeMap<&'static str, String>,
    /// What is wrong with it beside missing parts, as sentences.
    pub faults: Vec<String>,
}

impl ImageFacts {
    /// Of an image of which nothing but this is known.
    pub fn bare(digest: ContentDigest, bytes: Option<u64>, condition: Condition) -> Self {
        let manifest = Part { digest: digest.clone(), bytes, condition };
        Self {
            digest,
            media_type: None,
            kind: "unknown".to_owned(),
            manifests: vec![manifest],
            instances: Vec::new(),
            labels: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// Whether the manifest itself is there.
    pub fn manifest(&self) -> &Condition {
        self.manifests.first().map_or(&Condition::Absent, |part| &part.condition)
    }

    /// Everything that it consists of; what several instances share comes several times.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        let instances = self.instances.iter();
        self.manifests
            .iter()
            .chain(instances.flat_map(|instance| [&instance.manifest].into_iter().chain(&instance.content)))
    }
}

/// Lengths of parts, each digest once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Weight<'p> {
    by_digest: BTreeMap<&'p ContentDigest, u64>,
}

impl<'p> Weight<'p> {
    /// Takes parts in; one of unknown length counts nothing.
    pub fn add(&mut self, parts: impl IntoIterator<Item = &'p Part>) {
        self.by_digest.extend(parts.into_iter().map(|part| (&part.digest, part.bytes.unwrap_or(0))));
    }

    /// Bytes over all distinct parts.
    pub fn bytes(&self) -> u64 {
        self.by_digest.values().fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }
}

/// Bytes over distinct parts.
pub fn weight<'p>(parts: impl IntoIterator<Item = &'p Part>) -> u64 {
    let mut weight = Weight::default();
    weight.add(parts);
    weight.bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_part_counts_once_and_sums_do_not_overflow() {
        let part = |name: &[u8], bytes| Part { digest: ContentDigest::of(name), bytes, condition: Condition::Present };
        assert_eq!(weight(&[part(b"a", Some(3)), part(b"b", Some(4)), part(b"a", Some(3)), part(b"c", None)]), 7);
        assert_eq!(weight(&[part(b"a", Some(u64::MAX)), part(b"b", Some(4))]), u64::MAX);
    }
}
