//! A store, asked as the judge of mirrors asks.
//!
//! A question that the store cannot answer counts as no, and is told as a fault of the store. Cost: the list of roots once; each question is one of the store.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::inspect::{Closeness, Inspector};
use super::inspected;
use crate::finding::ContentDigest;
use crate::mirror::facts::{Condition, ImageFacts};
use crate::mirror::judge::Stock;
use crate::source::store::{Presence, Store, StoreError, StoreShape};
use crate::source::{FileFault, FileFaultKind};

/// A store with the list of its repositories at hand.
pub(super) struct StoreStock<'s> {
    inspector: Inspector<'s>,
    repositories: Vec<String>,
    /// Why questions were not answered.
    unanswered: Mutex<BTreeSet<String>>,
}

impl<'s> StoreStock<'s> {
    /// Reads which repositories a store has.
    pub(super) fn new(store: &'s dyn Store, closeness: Closeness) -> Result<Self, StoreError> {
        let mut repositories: Vec<String> = store.roots()?.into_iter().filter_map(|root| root.repository).collect();
        repositories.sort_unstable();
        repositories.dedup();
        Ok(Self { inspector: Inspector::new(store, closeness), repositories, unanswered: Mutex::default() })
    }

    /// Why questions were not answered, each reason once.
    pub(super) fn faults(self) -> impl Iterator<Item = FileFault> {
        let reasons = self.unanswered.into_inner().unwrap_or_else(PoisonError::into_inner);
        reasons.into_iter().map(|reason| FileFault { path: String::new(), kind: FileFaultKind::Unreadable, reason })
    }
}

impl Stock for StoreStock<'_> {
    fn repositories(&self) -> &[String] {
        &self.repositories
    }

    fn resolve(&self, repository: &str, tag: &str) -> Option<ContentDigest> {
        self.inspector.store.resolve(repository, tag).unwrap_or_else(|error| {
            self.unanswered.lock().unwrap_or_else(PoisonError::into_inner).insert(error.what);
            None
        })
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        self.inspector.store.repositories_with(digest)
    }

    fn image(&self, repository: Option<&str>, digest: &ContentDigest) -> Arc<ImageFacts> {
        if self.repositories.is_empty() {
            return inspected(&self.inspector, repository, None, digest);
        }
        // Its bytes alone are no image: a registry serves a manifest in the repositories that link it and in no other.
        let linked =
            repository.map_or(Ok(None), |repository| self.inspector.store.resolve(repository, &digest.to_string()));
        let condition = match linked {
            Ok(Some(linked)) if linked == *digest => return inspected(&self.inspector, repository, None, digest),
            Ok(_) => match self.inspector.store.presence(repository, digest) {
                Presence::ExpectedAtTarget(record) => Condition::ExpectedAtTarget(record),
                _ => Condition::Absent,
            },
            Err(error) => Condition::Unreadable(error.what),
        };
        Arc::new(ImageFacts::bare(digest.clone(), None, condition))
    }

    fn is_provable(&self) -> bool {
        self.inspector.store.is_provable()
    }

    fn is_pushed(&self) -> bool {
        matches!(self.inspector.store.shape(), StoreShape::RegistryStorage | StoreShape::Registry)
    }
}
