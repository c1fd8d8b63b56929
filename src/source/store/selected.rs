//! A part of a store: some of its roots, with everything that they consist of.
//!
//! Cost: that of the store.

use std::sync::Arc;

use super::{Blob, Presence, RawManifest, Root, Store, StoreError, StoreShape};
use crate::finding::ContentDigest;
use crate::source::FileFault;
use crate::source::tree::FileTree;

/// A store of which only some roots are meant.
pub struct SelectedStore {
    whole: Arc<dyn Store>,
    roots: Vec<Root>,
}

impl SelectedStore {
    /// These roots of a store.
    pub fn new(whole: Arc<dyn Store>, roots: Vec<Root>) -> Self {
        Self { whole, roots }
    }
}

impl Store for SelectedStore {
    fn shape(&self) -> StoreShape {
        self.whole.shape()
    }

    fn place(&self) -> String {
        self.whole.place()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        Ok(self.roots.clone())
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        self.whole.resolve(repository, reference)
    }

    fn manifest(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        self.whole.manifest(repository, digest)
    }

    fn blob(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        self.whole.blob(repository, digest)
    }

    fn presence(&self, repository: Option<&str>, digest: &ContentDigest) -> Presence {
        self.whole.presence(repository, digest)
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        self.whole.repositories_with(digest)
    }

    fn tree(&self) -> Option<Arc<dyn FileTree>> {
        self.whole.tree()
    }

    fn faults(&self) -> &[FileFault] {
        self.whole.faults()
    }

    fn is_provable(&self) -> bool {
        self.whole.is_provable()
    }
}
