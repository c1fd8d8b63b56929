//! Takes manifests out of a store.
//!
//! Rule: OCI image specification, descriptor.md: whoever follows a descriptor checks the size, too. Cost: one manifest.

use crate::finding::ContentDigest;
use crate::source::store::{MANIFEST_BYTES, RawManifest, Store, StoreError, StoreErrorKind};

use super::{Descriptor, Manifest, ManifestError, parse_manifest};

/// Reads an index or manifest, and holds it against its descriptor where there is one.
///
/// # Errors
/// Those of the store; [`StoreErrorKind::Bad`] where it is not what the descriptor says or not well formed, and
/// [`StoreErrorKind::Limit`] where it is too large.
pub fn read_manifest(
    store: &dyn Store,
    repository: Option<&str>,
    digest: &ContentDigest,
    descriptor: Option<&Descriptor>,
) -> Result<(RawManifest, Manifest), StoreError> {
    if let Some(stated) = descriptor.map(|descriptor| descriptor.bytes).filter(|bytes| *bytes > MANIFEST_BYTES) {
        let what =
            format!("the manifest {digest} has {stated} bytes, as its descriptor says: more than {MANIFEST_BYTES}");
        return Err(StoreError::new(StoreErrorKind::Limit, what));
    }
    let raw = store.manifest(repository, digest)?;
    let found = u64::try_from(raw.bytes.len()).unwrap_or(u64::MAX);
    if let Some(reason) = descriptor.and_then(|descriptor| other_length(descriptor, found)) {
        return Err(StoreError::new(StoreErrorKind::Bad, format!("the manifest {digest}: {reason}")));
    }
    let stated = descriptor.map(|descriptor| descriptor.media_type.as_str()).or(raw.media_type.as_deref());
    let manifest = parse_manifest(&raw.bytes, stated).map_err(|error| {
        let kind = match error {
            ManifestError::Limit(_) => StoreErrorKind::Limit,
            ManifestError::Schema1 | ManifestError::Malformed(_) => StoreErrorKind::Bad,
        };
        StoreError::new(kind, format!("the manifest {digest}: {error}"))
    })?;
    Ok((raw, manifest))
}

/// Says so where a length is not the one stated.
pub(super) fn other_length(descriptor: &Descriptor, found: u64) -> Option<String> {
    let stated = descriptor.bytes;
    (found != stated).then(|| format!("it has {found} bytes, and its descriptor says {stated}"))
}
