//! A live registry as a store of images.
//!
//! Rule: OCI distribution specification, "API", as distribution/distribution serves it. The one place of the program that opens
//! a connection, and only to a host that the user named. Everything that an answer can be is bounded in bytes, in time and in number; what it
//! says is believed after its digest was checked; an error never holds a credential.
//! Cost: one request for each question; lists are read once and kept.

mod address;
mod authorization;
mod body;
mod certificates;
mod challenge;
mod client;
mod credentials;
mod gate;
mod host;
mod listing;
mod manifest;
mod options;
mod peer;
mod reference;
mod retry;
#[cfg(test)]
mod tests;
mod tls;
mod verifier;

use std::sync::OnceLock;

use ureq::http::{HeaderMap, Method};

use crate::finding::ContentDigest;
use crate::source::FileFault;

use super::{Blob, Presence, RawManifest, Root, Store, StoreError, StoreErrorKind, StoreShape};
use authorization::Scope;
use body::Paced;
use client::{Client, Inquiry};
pub use host::{Host, HostError};
use listing::Listing;
pub use options::{Pace, RegistryLimits, RegistryOptions, UserDirectories};
pub use reference::{RegistryPart, RegistryReference, RegistryReferenceError};

/// A live registry, or a part of it.
pub struct RegistryStore {
    reference: RegistryReference,
    client: Client,
    listing: OnceLock<Result<Listing, StoreError>>,
}

impl RegistryStore {
    /// Greets a registry; nothing is listed yet.
    ///
    /// # Errors
    /// [`StoreError`] where there is no registry, or where a file of the options cannot be read.
    pub fn open(reference: RegistryReference, options: RegistryOptions) -> Result<Self, StoreError> {
        let client = Client::new(&reference.host, options)?;
        client.greet()?;
        Ok(Self { reference, client, listing: OnceLock::new() })
    }

    fn listing(&self) -> &Result<Listing, StoreError> {
        self.listing.get_or_init(|| listing::list(&self.client, &self.reference))
    }

    /// The repository to ask for a digest: the one that is named, the only one that is read, or one that lists it.
    fn repository(&self, named: Option<&str>, digest: &ContentDigest) -> Result<String, StoreError> {
        if let Some(repository) = named.or(self.reference.repository()) {
            if reference::is_repository(repository) {
                return Ok(repository.to_owned());
            }
            let what = format!("registry {}: {repository:?} is no name of a repository", self.client.host);
            return Err(StoreError::new(StoreErrorKind::Absent, what));
        }
        self.repositories_with(digest).into_iter().next().ok_or_else(|| {
            let what = format!("registry {}: no repository that it lists has a tag for {digest}", self.client.host);
            StoreError::new(StoreErrorKind::Absent, what)
        })
    }

    /// The headers of a blob or, where it is none, of a manifest.
    fn look(&self, repository: &str, digest: &ContentDigest) -> Result<Option<HeaderMap>, StoreError> {
        let scope = Scope::Repository(repository.to_owned());
        let path = format!("/v2/{repository}/blobs/{digest}");
        let inquiry = Inquiry { method: Method::HEAD, path: &path, accept: "*/*", scope: &scope, may_leave: true };
        match self.client.headers(&inquiry)? {
            Some(headers) => Ok(Some(headers)),
            None => self.client.manifest_headers(repository, &digest.to_string()),
        }
    }
}

impl Store for RegistryStore {
    fn shape(&self) -> StoreShape {
        StoreShape::Registry
    }

    fn place(&self) -> String {
        self.reference.to_string()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        self.listing().as_ref().map(|listing| listing.roots.clone()).map_err(Clone::clone)
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        let is_reference = reference::is_tag(reference) || reference.parse::<ContentDigest>().is_ok();
        if !reference::is_repository(repository) || !is_reference {
            return Ok(None);
        }
        self.client.resolve(repository, reference)
    }

    fn manifest(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        self.client.manifest(&self.repository(repository, digest)?, digest)
    }

    fn blob(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        let repository = self.repository(repository, digest)?;
        let path = format!("/v2/{repository}/blobs/{digest}");
        let scope = Scope::Repository(repository);
        let inquiry = Inquiry { method: Method::GET, path: &path, accept: "*/*", scope: &scope, may_leave: true };
        let host = &self.client.host;
        let Some(answer) = self.client.stream(&inquiry)? else {
            return Err(StoreError::new(StoreErrorKind::Absent, format!("registry {host}: {path} is not there")));
        };
        let options = self.client.options();
        let (body, most) = (answer.into_body(), options.limits.blob_bytes);
        let bytes = body.content_length();
        if bytes.is_some_and(|bytes| bytes > most) {
            let what = format!("registry {host}: {path} has more than {most} bytes");
            return Err(StoreError::new(StoreErrorKind::Limit, what));
        }
        let content = Paced::stream(body.into_reader(), most, options.pace);
        Ok(Blob { content: Box::new(content), bytes, stamp: None })
    }

    fn presence(&self, repository: Option<&str>, digest: &ContentDigest) -> Presence {
        let looked = self.repository(repository, digest).and_then(|repository| self.look(&repository, digest));
        match looked {
            Ok(Some(headers)) => {
                let length = headers.get("content-length").and_then(|value| value.to_str().ok()?.parse().ok());
                Presence::Present { bytes: length, stamp: None }
            }
            Ok(None) => Presence::Absent,
            Err(error) => match error.kind {
                StoreErrorKind::Absent => Presence::Absent,
                StoreErrorKind::Bad | StoreErrorKind::Limit => Presence::Bad(error.what),
                _ => Presence::Unknown(error.what),
            },
        }
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        let Ok(listing) = self.listing() else { return Vec::new() };
        let holders = listing.roots.iter().filter(|root| root.identity.as_ref() == Some(digest));
        let names: std::collections::BTreeSet<String> = holders.filter_map(|root| root.repository.clone()).collect();
        names.into_iter().collect()
    }

    fn faults(&self) -> &[FileFault] {
        match self.listing.get() {
            Some(Ok(listing)) => &listing.faults,
            _ => &[],
        }
    }
}
