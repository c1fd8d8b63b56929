//! A store, asked as the judge of mirrors asks.
//!
//! A question that the store cannot answer counts as no, and is told as a fault of the store. A shape without repositories may
//! name images by whole references (OCI image specification, annotations.md, `org.opencontainers.image.ref.name`): such a
//! reference counts by its path and tag, and a tag alone names no repository. Cost: the list of roots once; each question is one
//! of the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::inspect::{Closeness, Inspector};
use super::inspected;
use crate::finding::ContentDigest;
use crate::mirror::facts::{Condition, ImageFacts};
use crate::mirror::judge::Stock;
use crate::reference::ImageReference;
use crate::source::store::{Presence, Root, RootContent, Store, StoreError, StoreShape};
use crate::source::{FileFault, FileFaultKind};

/// A store with the list of its repositories at hand.
pub(super) struct StoreStock<'s> {
    inspector: Inspector<'s>,
    /// The repositories that the store keeps; where it keeps none, the paths of the references that it names images by.
    repositories: Vec<String>,
    /// Images by path and tag, and tags without any path; `None` where the store keeps repositories.
    names: Option<Names>,
    /// Why questions were not answered.
    unanswered: Mutex<BTreeSet<String>>,
}

/// What a store without repositories calls its images.
#[derive(Default)]
struct Names {
    references: BTreeMap<(String, String), ContentDigest>,
    bare_tags: BTreeSet<String>,
}

impl Names {
    fn new(roots: &[Root]) -> Self {
        let mut names = Self::default();
        for root in roots {
            let (Some(tag), RootContent::Image(digest)) = (&root.tag, &root.content) else { continue };
            if !tag.contains(['/', ':']) {
                names.bare_tags.insert(tag.clone());
            } else if let Ok(reference) = tag.parse::<ImageReference>() {
                let tag = reference.target();
                names.references.entry((reference.path, tag)).or_insert_with(|| digest.clone());
            }
        }
        names
    }
}

impl<'s> StoreStock<'s> {
    /// Reads which repositories a store has.
    pub(super) fn new(store: &'s dyn Store, closeness: Closeness) -> Result<Self, StoreError> {
        let roots = store.roots()?;
        let kept: BTreeSet<&String> = roots.iter().filter_map(|root| root.repository.as_ref()).collect();
        let names = kept.is_empty().then(|| Names::new(&roots));
        let repositories: BTreeSet<&String> = match &names {
            Some(names) => names.references.keys().map(|(path, _)| path).collect(),
            None => kept,
        };
        let repositories = repositories.into_iter().cloned().collect();
        Ok(Self { inspector: Inspector::new(store, closeness), repositories, names, unanswered: Mutex::default() })
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
        if let Some(names) = &self.names {
            return names.references.get(&(repository.to_owned(), tag.to_owned())).cloned();
        }
        self.inspector.store.resolve(repository, tag).unwrap_or_else(|error| {
            self.unanswered.lock().unwrap_or_else(PoisonError::into_inner).insert(error.what);
            None
        })
    }

    fn has_bare_tag(&self, tag: &str) -> bool {
        self.names.as_ref().is_some_and(|names| names.bare_tags.contains(tag))
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        self.inspector.store.repositories_with(digest)
    }

    fn image(&self, repository: Option<&str>, digest: &ContentDigest) -> Arc<ImageFacts> {
        if self.names.is_some() {
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
