//! What a mirror holds: the roots of all its stores, and which of them are catalogs.
//!
//! Rule: `@N` counts the roots of a place over all stores that lie there. What an image is stands in its labels and media
//! types. Cost: one manifest and one configuration for each root whose kind is asked for.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::describe::describe;
use super::input::{CatalogContent, CatalogInput, ImageInput};
use crate::source::image::{ImageKind, Platform};
use crate::source::store::{Root, RootContent, Store, StoreError};

/// One root of a mirror, with the store that holds it.
#[derive(Clone)]
pub struct MirrorRoot {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Its number among all roots of the place, from 0.
    pub position: usize,
    /// The root.
    pub root: Root,
}

impl MirrorRoot {
    /// What people call it, as in `SOURCE#REF`.
    pub fn name(&self) -> String {
        self.root.name(self.position)
    }

    /// The image of this root, where it is one.
    pub fn image(&self, platform: &Platform) -> Option<ImageInput> {
        let RootContent::Image(digest) = &self.root.content else { return None };
        Some(ImageInput {
            name: self.name(),
            store: self.store.clone(),
            repository: self.root.repository.clone(),
            digest: digest.clone(),
            identity: self.root.identity.clone().filter(|_| self.store.is_provable()),
            platform: platform.clone(),
        })
    }

    /// What it is.
    ///
    /// # Errors
    /// [`StoreError`] where the manifest or the configuration cannot be had.
    pub fn kind(&self, platform: &Platform) -> Result<ImageKind, StoreError> {
        let digest = match &self.root.content {
            RootContent::CatalogDirectory(directory) => return Ok(ImageKind::Catalog { directory: directory.clone() }),
            RootContent::PayloadDirectory(_) => return Ok(ImageKind::ReleasePayload { version: String::new() }),
            RootContent::Image(digest) => digest,
        };
        let Root { repository, tag, .. } = &self.root;
        Ok(describe(&*self.store, repository.as_deref(), tag.as_deref(), digest, platform)?.kind)
    }

    /// This root as a catalog of a name, read at a place; `None` for what cannot be one.
    pub fn catalog(&self, name: Arc<str>, place: &Path, platform: &Platform) -> Option<CatalogInput> {
        let content = match &self.root.content {
            RootContent::Image(_) => CatalogContent::Image(self.image(platform)?),
            RootContent::CatalogDirectory(directory) => {
                CatalogContent::Tree { tree: self.store.tree()?, name: self.name(), directory: directory.clone() }
            }
            RootContent::PayloadDirectory(_) => return None,
        };
        Some(CatalogInput { name, place: place.to_owned(), content, faults: Vec::new(), skipped: Vec::new() })
    }

    /// A name for a report where none was given: the last part of the repository with the tag, or the beginning of the
    /// digest.
    fn short_name(&self) -> Option<String> {
        let last = |text: &str| text.rsplit('/').next().unwrap_or(text).to_owned();
        let digest = || self.root.identity.as_ref().map(|digest| digest.hex().chars().take(12).collect::<String>());
        let tag = self.root.tag.as_deref().map(last);
        let name = match (self.root.repository.as_deref().map(last), tag.or_else(digest)) {
            (Some(repository), Some(tag)) => format!("{repository}-{tag}"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return None,
        };
        Some(name.replace([':', '@'], "-"))
    }
}

/// All roots of some stores, in the order of the stores.
///
/// # Errors
/// [`StoreError`] of the first store that cannot list what it holds.
pub fn mirror_roots(stores: &[Arc<dyn Store>]) -> Result<Vec<MirrorRoot>, StoreError> {
    let mut roots = Vec::new();
    for store in stores {
        for root in store.roots()? {
            roots.push(MirrorRoot { store: store.clone(), position: roots.len(), root });
        }
    }
    Ok(roots)
}

/// What each of some roots is; must run on the threads of a context.
pub fn kinds(roots: &[MirrorRoot], platform: &Platform) -> Vec<Result<ImageKind, StoreError>> {
    roots.par_iter().with_max_len(1).map(|root| root.kind(platform)).collect()
}

/// The catalogs among some roots, each with a name of its own: the given one where there is one catalog, else short names,
/// behind the given one. A number is added where two would be equal.
pub fn catalog_inputs(
    roots: &[&MirrorRoot],
    given: Option<&str>,
    place: &Path,
    platform: &Platform,
) -> Vec<CatalogInput> {
    let is_single = roots.len() == 1;
    let mut taken = BTreeSet::new();
    let inputs = roots.iter().filter_map(|root| {
        let short = root.short_name();
        let name = match (given, short) {
            (Some(given), _) if is_single => given.to_owned(),
            (Some(given), short) => format!("{given}-{}", short.unwrap_or_else(|| root.position.to_string())),
            (None, Some(short)) if !is_single || is_registry(place) => short,
            (None, short) => match super::scan::name_of(place) {
                name if is_single => name,
                name => format!("{name}-{}", short.unwrap_or_else(|| root.position.to_string())),
            },
        };
        let mut unique = name.clone();
        let mut number = 2;
        while !taken.insert(unique.clone()) {
            unique = format!("{name}-{number}");
            number += 1;
        }
        root.catalog(unique.into(), place, platform)
    });
    inputs.collect()
}

fn is_registry(place: &Path) -> bool {
    place.to_string_lossy().starts_with("registry:")
}
