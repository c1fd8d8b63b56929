//! What lies in mirrors: repositories with their tags and images, each blob counted once.
//!
//! Rule: distribution, where an index and its children are all revisions of a repository and the index alone has the tag, so
//! that an untagged child is shown with its index; cosign, which puts the signature of a digest under the tag
//! `sha256-<hex>.sig`. Cost: a sort of the roots, and one look at each part.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::facts::{ImageFacts, Weight};
use crate::finding::ContentDigest;
use crate::source::FileFault;

/// What was read of one mirror.
#[derive(Debug, Clone)]
pub struct StoreFacts {
    /// The name of its shape.
    pub shape: &'static str,
    /// Where it lies, without the directories above.
    pub place: String,
    /// Whether the digests that others know its images by can be checked.
    pub is_provable: bool,
    /// What it names, in its own order.
    pub roots: Vec<RootFacts>,
    /// What is wrong with it as a whole.
    pub faults: Vec<FileFault>,
}

/// What was read of one root of a mirror.
#[derive(Debug, Clone)]
pub struct RootFacts {
    /// The repository, where the shape keeps one.
    pub repository: Option<String>,
    /// The tag, where it has one.
    pub tag: Option<String>,
    /// The digest that others know it by, where it can be proven.
    pub identity: Option<ContentDigest>,
    /// What it consists of.
    pub content: Content,
    /// What a reader should know, as sentences.
    pub notes: Vec<String>,
}

/// What a root consists of.
#[derive(Debug, Clone)]
pub enum Content {
    /// An image or an index.
    Image(Arc<ImageFacts>),
    /// A directory of file-based catalog documents: its path.
    CatalogDirectory(String),
    /// A directory with the manifests of a payload: its path.
    PayloadDirectory(String),
}

/// A repository of one mirror.
#[derive(Debug)]
pub struct Repository<'f> {
    /// Of which mirror, counted from 0.
    pub store: usize,
    /// Its name; `None` where the mirror keeps none.
    pub name: Option<&'f str>,
    /// What each tag means; `None` where that cannot be proven.
    pub tags: BTreeMap<&'f str, Option<&'f ContentDigest>>,
    /// Its images.
    pub images: Vec<Image<'f>>,
    /// Bytes over its distinct blobs.
    pub unique_bytes: u64,
}

/// An image of a repository.
#[derive(Debug)]
pub struct Image<'f> {
    /// The root that names it first.
    pub root: &'f RootFacts,
    /// All its tags, sorted.
    pub tags: Vec<&'f str>,
    /// The tags of what signs or attests it: tag and kind.
    pub signatures: Vec<(&'f str, &'static str)>,
}

impl Image<'_> {
    /// What is known of it, where it is an image.
    pub fn facts(&self) -> Option<&ImageFacts> {
        match &self.root.content {
            Content::Image(facts) => Some(facts),
            Content::CatalogDirectory(_) | Content::PayloadDirectory(_) => None,
        }
    }
}

/// The repositories of mirrors, by mirror and name.
pub fn repositories(stores: &[StoreFacts]) -> Vec<Repository<'_>> {
    let mut grouped: BTreeMap<(usize, Option<&str>), Vec<&RootFacts>> = BTreeMap::new();
    for (store, facts) in stores.iter().enumerate() {
        for root in &facts.roots {
            grouped.entry((store, root.repository.as_deref())).or_default().push(root);
        }
    }
    grouped.into_iter().map(|((store, name), roots)| repository(store, name, &roots)).collect()
}

/// Bytes over all distinct blobs of mirrors.
pub fn unique_bytes(stores: &[StoreFacts]) -> u64 {
    weight(stores.iter().flat_map(|store| &store.roots))
}

fn weight<'f>(roots: impl Iterator<Item = &'f RootFacts>) -> u64 {
    let mut weight = Weight::default();
    for root in roots {
        if let Content::Image(facts) = &root.content {
            weight.add(facts.parts());
        }
    }
    weight.bytes()
}

fn repository<'f>(store: usize, name: Option<&'f str>, roots: &[&'f RootFacts]) -> Repository<'f> {
    let tags: BTreeMap<&str, Option<&ContentDigest>> =
        roots.iter().filter_map(|root| Some((root.tag.as_deref()?, root.identity.as_ref()))).collect();
    let children: BTreeSet<&ContentDigest> = roots.iter().flat_map(|root| children(root)).collect();
    let is_child =
        |root: &RootFacts| root.tag.is_none() && root.identity.as_ref().is_some_and(|digest| children.contains(digest));
    let mut images: Vec<Image<'f>> = Vec::new();
    let mut known: BTreeMap<&ContentDigest, usize> = BTreeMap::new();
    for root in roots.iter().copied().filter(|root| !is_child(root)) {
        let digest = root.identity.as_ref();
        let earlier = digest.and_then(|digest| known.get(digest)).and_then(|position| images.get_mut(*position));
        match earlier {
            Some(image) => image.tags.extend(root.tag.as_deref()),
            None => {
                known.extend(digest.map(|digest| (digest, images.len())));
                let signatures = digest.map(|digest| signatures(digest, &tags)).unwrap_or_default();
                images.push(Image { root, tags: root.tag.as_deref().into_iter().collect(), signatures });
            }
        }
    }
    images.iter_mut().for_each(|image| image.tags.sort_unstable());
    Repository { store, name, tags, images, unique_bytes: weight(roots.iter().copied()) }
}

/// The manifests below an index.
fn children(root: &RootFacts) -> impl Iterator<Item = &ContentDigest> {
    let facts = match &root.content {
        Content::Image(facts) => Some(facts),
        Content::CatalogDirectory(_) | Content::PayloadDirectory(_) => None,
    };
    facts.into_iter().flat_map(|facts| {
        let manifests = facts.manifests.iter().chain(facts.instances.iter().map(|instance| &instance.manifest));
        manifests.map(|part| &part.digest).filter(|digest| **digest != facts.digest)
    })
}

/// The tags under which cosign keeps what it says of a digest.
fn signatures<'f>(
    digest: &ContentDigest,
    tags: &BTreeMap<&'f str, Option<&ContentDigest>>,
) -> Vec<(&'f str, &'static str)> {
    let kinds = [("sig", "cosign-signature"), ("att", "cosign-attestation"), ("sbom", "cosign-sbom")];
    let base = format!("{}-{}", digest.algorithm(), digest.hex());
    let found = kinds.iter().filter_map(|(ending, kind)| {
        let (tag, _) = tags.get_key_value(format!("{base}.{ending}").as_str())?;
        Some((*tag, *kind))
    });
    found.collect()
}
