//! Where an image that somebody refers to lies in some stores.
//!
//! Rule: mirrors drop the registry's host and keep the path (oc-mirror, `internal/pkg/operator/common.go`), or join parts
//! of it; so the path is asked first, then the digest in any repository. A reference by tag is looked for under its path
//! only. Cost: a look-up in each store.

use std::str::FromStr as _;
use std::sync::Arc;

use crate::finding::ContentDigest;
use crate::reference::ImageReference;
use crate::source::store::{Presence, Store, StoreError, StoreErrorKind};

/// An image in a store.
pub(super) struct Located {
    pub(super) store: Arc<dyn Store>,
    pub(super) repository: Option<String>,
    pub(super) digest: ContentDigest,
}

/// Finds an image in the first store that holds it.
///
/// # Errors
/// [`StoreError`] where a store cannot tell and no other one holds it.
pub(super) fn locate(stores: &[Arc<dyn Store>], reference: &str) -> Result<Option<Located>, StoreError> {
    // What is no reference lies nowhere; the rules of the catalog say what is wrong with it.
    let Ok(reference) = ImageReference::from_str(reference) else { return Ok(None) };
    let mut refused = None;
    for store in stores.iter().filter(|store| store.is_provable()) {
        match locate_in(store, &reference) {
            Ok(Some(located)) => return Ok(Some(located)),
            Ok(None) => {}
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    refused.map_or(Ok(None), Err)
}

fn locate_in(store: &Arc<dyn Store>, reference: &ImageReference) -> Result<Option<Located>, StoreError> {
    let located = |repository: Option<String>, digest| Some(Located { store: store.clone(), repository, digest });
    let ImageReference { path, tag, digest, .. } = reference;
    let name = match (digest, tag) {
        (Some(digest), _) => digest.to_string(),
        (None, tag) => tag.clone().unwrap_or_else(|| "latest".to_owned()),
    };
    if let Some(digest) = store.resolve(path, &name)? {
        return Ok(located(Some(path.clone()), digest));
    }
    let Some(digest) = digest else { return Ok(None) };
    if let Some(repository) = store.repositories_with(digest).into_iter().next() {
        return Ok(located(Some(repository), digest.clone()));
    }
    match store.presence(None, digest) {
        Presence::Present { .. } => Ok(located(None, digest.clone())),
        Presence::Unknown(reason) => Err(StoreError::new(StoreErrorKind::Unreadable, reason)),
        Presence::Absent | Presence::ExpectedAtTarget(_) | Presence::Bad(_) => Ok(None),
    }
}
