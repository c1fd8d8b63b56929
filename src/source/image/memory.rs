//! A store in memory, for tests.

use std::collections::BTreeMap;
use std::io::Cursor;

use crate::finding::ContentDigest;
use crate::source::store::{
    Blob, Presence, RawManifest, Root, RootContent, Store, StoreError, StoreErrorKind, StoreShape,
};

/// Manifests and blobs by whatever digest a test gives them, and tags.
#[derive(Default)]
pub(crate) struct MemoryStore {
    content: BTreeMap<ContentDigest, Vec<u8>>,
    tags: BTreeMap<(String, String), ContentDigest>,
}

impl MemoryStore {
    /// Keeps content under its digest.
    pub(crate) fn add(&mut self, bytes: impl Into<Vec<u8>>) -> ContentDigest {
        let bytes = bytes.into();
        let digest = ContentDigest::of(&bytes);
        self.content.insert(digest.clone(), bytes);
        digest
    }

    /// Keeps content under a digest that is not its own, as no honest store would.
    pub(crate) fn lie(&mut self, digest: ContentDigest, bytes: impl Into<Vec<u8>>) {
        self.content.insert(digest, bytes.into());
    }

    /// Names a digest.
    pub(crate) fn tag(&mut self, repository: &str, tag: &str, digest: ContentDigest) {
        self.tags.insert((repository.to_owned(), tag.to_owned()), digest);
    }

    fn bytes(&self, digest: &ContentDigest) -> Result<Vec<u8>, StoreError> {
        let absent = || StoreError::new(StoreErrorKind::Absent, format!("{digest} is not here"));
        self.content.get(digest).cloned().ok_or_else(absent)
    }
}

impl Store for MemoryStore {
    fn shape(&self) -> StoreShape {
        StoreShape::OciLayout
    }

    fn place(&self) -> String {
        "memory".to_owned()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        let root = |((repository, tag), digest): (&(String, String), &ContentDigest)| Root {
            repository: None,
            tag: Some(format!("host.example/{repository}:{tag}")),
            identity: Some(digest.clone()),
            content: RootContent::Image(digest.clone()),
            notes: Vec::new(),
        };
        Ok(self.tags.iter().map(root).collect())
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        Ok(self.tags.get(&(repository.to_owned(), reference.to_owned())).cloned())
    }

    fn manifest(&self, _: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        Ok(RawManifest { bytes: self.bytes(digest)?, media_type: None })
    }

    fn blob(&self, _: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        Ok(Blob { content: Box::new(Cursor::new(self.bytes(digest)?)), bytes: None, stamp: None })
    }

    fn presence(&self, _: Option<&str>, digest: &ContentDigest) -> Presence {
        self.content
            .get(digest)
            .map_or(Presence::Absent, |bytes| Presence::Present { bytes: u64::try_from(bytes.len()).ok(), stamp: None })
    }

    fn repositories_with(&self, _: &ContentDigest) -> Vec<String> {
        Vec::new()
    }
}
