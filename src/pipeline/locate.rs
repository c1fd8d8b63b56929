//! Where an image that somebody refers to lies in some stores.
//!
//! Rule: mirrors drop the registry's host and keep the path (oc-mirror, `internal/pkg/operator/common.go`), or join parts
//! of it; so the path is asked first, then the digest in any repository. A reference by tag is looked for under its path
//! only. Cost: a look-up in each store.

use std::sync::Arc;

use super::bundles::digest_of;
use crate::finding::ContentDigest;
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
    let mut refused = None;
    for store in stores.iter().filter(|store| store.is_provable()) {
        match locate_in(store, reference) {
            Ok(Some(located)) => return Ok(Some(located)),
            Ok(None) => {}
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    refused.map_or(Ok(None), Err)
}

fn locate_in(store: &Arc<dyn Store>, reference: &str) -> Result<Option<Located>, StoreError> {
    let located = |repository: Option<String>, digest| Some(Located { store: store.clone(), repository, digest });
    let (path, name) = path_and_name(reference);
    if let Some(digest) = store.resolve(path, name)? {
        return Ok(located(Some(path.to_owned()), digest));
    }
    let Some(digest) = digest_of(reference) else { return Ok(None) };
    if let Some(repository) = store.repositories_with(&digest).into_iter().next() {
        return Ok(located(Some(repository), digest));
    }
    match store.presence(None, &digest) {
        Presence::Present { .. } => Ok(located(None, digest)),
        Presence::Unknown(reason) => Err(StoreError::new(StoreErrorKind::Unreadable, reason)),
        Presence::Absent | Presence::ExpectedAtTarget(_) | Presence::Bad(_) => Ok(None),
    }
}

/// The path of a reference without its registry, and its digest or tag.
fn path_and_name(reference: &str) -> (&str, &str) {
    let (repository, digest) = match reference.split_once('@') {
        Some((repository, digest)) => (repository, Some(digest)),
        None => (reference, None),
    };
    let last_part = repository.rfind('/').map_or(0, |slash| slash + 1);
    let tagged =
        repository.rfind(':').filter(|colon| *colon > last_part).and_then(|colon| repository.split_at_checked(colon));
    let (repository, tag) =
        tagged.map_or((repository, "latest"), |(before, after)| (before, after.trim_start_matches(':')));
    let path = match repository.split_once('/') {
        Some((host, path)) if host.contains(['.', ':']) || host == "localhost" => path,
        _ => repository,
    };
    (path, digest.unwrap_or(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_is_dropped_and_the_digest_counts_before_the_tag() {
        for (reference, expected) in [
            ("quay.io/a/b@sha256:00", ("a/b", "sha256:00")),
            ("quay.io/a/b:v1@sha256:00", ("a/b", "sha256:00")),
            ("host:5000/a/b:v1", ("a/b", "v1")),
            ("localhost/b", ("b", "latest")),
            ("a/b:v1", ("a/b", "v1")),
            ("host:5000/b", ("b", "latest")),
        ] {
            assert_eq!(path_and_name(reference), expected, "{reference}");
        }
    }
}
