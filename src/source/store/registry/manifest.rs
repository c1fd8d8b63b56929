//! Manifests of a registry: what a name means, and the bytes behind a digest.
//!
//! Rule: OCI distribution specification, "Pulling manifests", and the four media types of manifests and indexes of OCI and
//! docker. Own digests of bodies are believed; `Docker-Content-Digest` is held against them, and counts alone only for a
//! `HEAD`. Cost: one request, and one digest of a body.

use ureq::http::{HeaderMap, Method};

use crate::finding::ContentDigest;

use super::super::{MANIFEST_BYTES, RawManifest, StoreError, StoreErrorKind};
use super::authorization::Scope;
use super::client::{Client, Document, Inquiry};

/// The media types of manifests and indexes.
const MANIFEST_TYPES: &str = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, \
                              application/vnd.docker.distribution.manifest.v2+json, \
                              application/vnd.docker.distribution.manifest.list.v2+json";

impl Client {
    /// What a tag or digest means; `None` where it means nothing.
    ///
    /// # Errors
    /// [`StoreError`] where that cannot be told.
    pub(super) fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        let Some(headers) = self.manifest_headers(repository, reference)? else { return Ok(None) };
        let wanted = reference.parse::<ContentDigest>().ok();
        match (stated_digest(&headers), wanted) {
            (Some(stated), Some(wanted)) if stated.algorithm() == wanted.algorithm() && stated != wanted => {
                Err(self.bad(&format!("{repository}@{wanted}: it says that this is {stated}")))
            }
            (_, Some(wanted)) => Ok(Some(wanted)),
            (Some(stated), None) => Ok(Some(stated)),
            (None, None) => self.computed(repository, reference),
        }
    }

    /// The digest of what is behind a tag, where the registry does not say it.
    fn computed(&self, repository: &str, tag: &str) -> Result<Option<ContentDigest>, StoreError> {
        let Some(document) = self.manifest_document(repository, tag)? else { return Ok(None) };
        let own = ContentDigest::of(&document.bytes);
        match stated_digest(&document.headers) {
            Some(stated) if stated.algorithm() == own.algorithm() && stated != own => {
                Err(self.bad(&format!("{repository}:{tag}: it says that this is {stated}, and the bytes are {own}")))
            }
            _ => Ok(Some(own)),
        }
    }

    /// The headers of a manifest.
    ///
    /// # Errors
    /// [`StoreError`] of the kind that applies.
    pub(super) fn manifest_headers(&self, repository: &str, reference: &str) -> Result<Option<HeaderMap>, StoreError> {
        let (path, scope) = manifest_place(repository, reference);
        self.headers(&inquiry(Method::HEAD, &path, &scope))
    }

    fn manifest_document(&self, repository: &str, reference: &str) -> Result<Option<Document>, StoreError> {
        let (path, scope) = manifest_place(repository, reference);
        self.document(&inquiry(Method::GET, &path, &scope), MANIFEST_BYTES)
    }

    /// A manifest whose digest was checked.
    ///
    /// # Errors
    /// [`StoreError`] of the kind that applies.
    pub(super) fn manifest(&self, repository: &str, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        let Some(document) = self.manifest_document(repository, &digest.to_string())? else {
            let what = format!("registry {}: {repository}@{digest} is not there", self.host);
            return Err(StoreError::new(StoreErrorKind::Absent, what));
        };
        let mut hasher = digest.hasher();
        hasher.update(&document.bytes);
        let found = hasher.finish();
        if found != *digest {
            let stated = match stated_digest(&document.headers) {
                Some(stated) if stated == *digest => ", whatever its header says",
                _ => "",
            };
            return Err(self.bad(&format!("{repository}@{digest} has bytes of the digest {found}{stated}")));
        }
        let media_type = document.headers.get("content-type").and_then(|value| value.to_str().ok());
        let media_type = media_type.and_then(|text| text.split(';').next()).map(|text| text.trim().to_owned());
        Ok(RawManifest { bytes: document.bytes, media_type: media_type.filter(|text| !text.is_empty()) })
    }

    fn bad(&self, what: &str) -> StoreError {
        StoreError::new(StoreErrorKind::Bad, format!("registry {}: {what}", self.host))
    }
}

fn manifest_place(repository: &str, reference: &str) -> (String, Scope) {
    (format!("/v2/{repository}/manifests/{reference}"), Scope::Repository(repository.to_owned()))
}

fn inquiry<'i>(method: Method, path: &'i str, scope: &'i Scope) -> Inquiry<'i> {
    Inquiry { method, path, accept: MANIFEST_TYPES, scope, may_leave: false }
}

/// The digest that the registry states; one that is none counts as not stated.
fn stated_digest(headers: &HeaderMap) -> Option<ContentDigest> {
    headers.get("docker-content-digest")?.to_str().ok()?.parse().ok()
}
