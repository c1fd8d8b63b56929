//! Lists what a registry holds: repositories, tags, and what the tags mean.
//!
//! Rule: OCI distribution specification, "Listing Tags", and distribution/distribution `docs/content/spec/api.md`, "Catalog": pages
//! follow by `Link`, tags may be `null` after deletions. What a tag means is asked by `HEAD`. Names that are none are faults, and so are pages that
//! repeat or never end. A registry that falls silent in the middle ends the list, with what was had until then.
//! Cost: one request for each page and each tag, one after the other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;
use ureq::http::Method;

use crate::source::{FileFault, FileFaultKind};

use super::super::{MANIFEST_BYTES, Root, RootContent, StoreError, StoreErrorKind};
use super::address::{next_page, resolve};
use super::authorization::Scope;
use super::client::{Client, Inquiry};
use super::reference::{RegistryPart, RegistryReference, is_repository, is_tag};

/// Under which key a list stands: that of a registry, and that of a repository.
const LIST_KEYS: [&str; 2] = ["repositories", "tags"];

/// Names that are asked for at once.
const PAGE: usize = 1_000;

/// Faults that are kept; the last one says that there are more.
const MOST_FAULTS: usize = 1_000;

/// Characters of a strange name that are shown.
const SHOWN_CHARACTERS: usize = 160;

/// What a registry holds.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Sorted by repository, tag, digest.
    pub(super) roots: Vec<Root>,
    /// What could not be listed.
    pub(super) faults: Vec<FileFault>,
}

/// Lists the part of a registry that is named.
///
/// # Errors
/// [`StoreError`] where nothing of it can be listed.
pub(super) fn list(client: &Client, reference: &RegistryReference) -> Result<Listing, StoreError> {
    let mut lister = Lister { client, listing: Listing::default() };
    match &reference.part {
        RegistryPart::Everything => lister.everything()?,
        RegistryPart::Repository(repository) => match lister.repository(repository) {
            Err(error) if lister.listing.roots.is_empty() => return Err(error),
            Err(error) => lister.fault(repository, &error),
            Ok(()) => {}
        },
        RegistryPart::Tag { repository, tag } => lister.tag(repository, tag)?,
        RegistryPart::Digest { repository, digest } => {
            let Some(_) = client.resolve(repository, &digest.to_string())? else {
                return Err(absent(client, &format!("{repository}@{digest}")));
            };
            lister.push(repository, None, digest.clone());
        }
    }
    lister.listing.roots.sort_by(|one, other| {
        (&one.repository, &one.tag, &one.identity).cmp(&(&other.repository, &other.tag, &other.identity))
    });
    Ok(lister.listing)
}

struct Lister<'c> {
    client: &'c Client,
    listing: Listing,
}

impl Lister<'_> {
    fn everything(&mut self) -> Result<(), StoreError> {
        let limit = self.client.options().limits.repositories;
        let path = format!("/v2/_catalog?n={PAGE}");
        let repositories = self.names(&path, &Scope::Catalog, limit, is_repository)?;
        for repository in repositories {
            if let Err(error) = self.repository(&repository) {
                let ends = error.kind == StoreErrorKind::Unreadable;
                self.fault(&repository, &error);
                if ends {
                    self.end(&repository);
                    break;
                }
            }
            if self.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// All tags of a repository. A fault of a single tag is kept; what would be the same for all others is an error.
    fn repository(&mut self, repository: &str) -> Result<(), StoreError> {
        let limit = self.client.options().limits.tags.saturating_sub(self.listing.roots.len());
        let path = format!("/v2/{repository}/tags/list?n={PAGE}");
        let tags = self.names(&path, &Scope::Repository(repository.to_owned()), limit, is_tag)?;
        for tag in tags {
            let Err(error) = self.tag(repository, &tag) else { continue };
            if matches!(error.kind, StoreErrorKind::Unreadable | StoreErrorKind::Refused) {
                return Err(error);
            }
            self.fault(&format!("{repository}:{tag}"), &error);
        }
        Ok(())
    }

    fn tag(&mut self, repository: &str, tag: &str) -> Result<(), StoreError> {
        let found = self.client.resolve(repository, tag)?;
        let digest = found.ok_or_else(|| absent(self.client, &format!("{repository}:{tag}")))?;
        self.push(repository, Some(tag), digest);
        Ok(())
    }

    fn push(&mut self, repository: &str, tag: Option<&str>, digest: crate::finding::ContentDigest) {
        self.listing.roots.push(Root {
            repository: Some(repository.to_owned()),
            tag: tag.map(str::to_owned),
            identity: Some(digest.clone()),
            content: RootContent::Image(digest),
            notes: Vec::new(),
        });
    }

    /// The names of all pages. What the first page refuses is an error, what a later one does is a fault.
    fn names(
        &mut self,
        first: &str,
        scope: &Scope,
        limit: usize,
        is_name: fn(&str) -> bool,
    ) -> Result<BTreeSet<String>, StoreError> {
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut path = first.to_owned();
        loop {
            let (page, next) = match self.page(&path, scope) {
                Ok(page) => page,
                Err(error) if seen.is_empty() => return Err(error),
                Err(error) => {
                    self.fault(first, &error);
                    return Ok(names);
                }
            };
            for name in page {
                if names.len() >= limit {
                    self.limit(first, format!("more than {limit} names are listed; the rest was left out"));
                    return Ok(names);
                }
                if is_name(&name) {
                    names.insert(name);
                } else {
                    let shown: String = name.chars().take(SHOWN_CHARACTERS).collect();
                    self.bad(first, format!("{shown:?} is no name that a registry may list"));
                }
            }
            seen.insert(path);
            let Some(next) = next else { return Ok(names) };
            if seen.contains(&next) {
                let reason = "the list of names comes back to a page that was read".to_owned();
                self.push_fault(first, FileFaultKind::Unreadable, reason);
                return Ok(names);
            }
            if seen.len() >= self.client.options().limits.pages {
                self.limit(first, format!("the list has more than {} pages; the rest was left out", seen.len()));
                return Ok(names);
            }
            path = next;
        }
    }

    /// The names of a page, and the path of the next one.
    fn page(&self, path: &str, scope: &Scope) -> Result<(Vec<String>, Option<String>), StoreError> {
        let bad =
            |what: &str| StoreError::new(StoreErrorKind::Bad, format!("registry {}: {path}: {what}", self.client.host));
        let inquiry = Inquiry { method: Method::GET, path, accept: "application/json", scope, may_leave: false };
        let Some(document) = self.client.document(&inquiry, MANIFEST_BYTES)? else {
            return Err(absent(self.client, path));
        };
        let names = listed(&document.bytes).ok_or_else(|| bad("it is no list of names"))?;
        let next = match next_page(&document.headers) {
            None => None,
            Some(link) => {
                let target =
                    resolve(path, link).ok_or_else(|| bad("the link to the next page is no address of HTTP"))?;
                if let Some((scheme, host)) = target.place
                    && !self.client.peer(&self.client.host)?.is(scheme, &host)
                {
                    let what = format!("the next page is said to lie at {}://{host}, another host", scheme.name());
                    return Err(StoreError::new(StoreErrorKind::Refused, bad(&what)));
                }
                Some(target.path)
            }
        };
        Ok((names, next))
    }

    fn is_full(&mut self) -> bool {
        let limit = self.client.options().limits.tags;
        let is_full = self.listing.roots.len() >= limit;
        if is_full {
            self.limit(
                "_catalog",
                format!("there are {limit} tags, as many as are listed; further repositories were left out"),
            );
        }
        is_full
    }

    fn end(&mut self, repository: &str) {
        let reason = "the registry no longer answers; the repositories behind this one were not listed".to_owned();
        self.push_fault(repository, FileFaultKind::Unreadable, reason);
    }

    /// Whatever the error is, what it kept from being listed is not known.
    fn fault(&mut self, path: &str, error: &StoreError) {
        let kind = match error.kind {
            StoreErrorKind::Limit => FileFaultKind::Limit,
            _ => FileFaultKind::Unreadable,
        };
        self.push_fault(path, kind, error.what.clone());
    }

    fn bad(&mut self, path: &str, reason: String) {
        self.push_fault(path, FileFaultKind::Catalog, reason);
    }

    fn limit(&mut self, path: &str, reason: String) {
        self.push_fault(path, FileFaultKind::Limit, reason);
    }

    fn push_fault(&mut self, path: &str, kind: FileFaultKind, reason: String) {
        let faults = &mut self.listing.faults;
        match faults.len() {
            count if count < MOST_FAULTS => faults.push(FileFault { path: path.to_owned(), kind, reason }),
            MOST_FAULTS => {
                let reason = format!("there are more than {MOST_FAULTS} faults; the rest is not told");
                faults.push(FileFault { path: String::new(), kind: FileFaultKind::Limit, reason });
            }
            _ => {}
        }
    }
}

/// The names of a list; `null` is a list that lost its last name. The key must be there: anything else is no list.
fn listed(page: &[u8]) -> Option<Vec<String>> {
    let keys: BTreeMap<String, &RawValue> = serde_json::from_slice(page).ok()?;
    let list = LIST_KEYS.iter().find_map(|key| keys.get(*key))?;
    serde_json::from_str::<Option<Vec<String>>>(list.get()).ok().map(Option::unwrap_or_default)
}

fn absent(client: &Client, what: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Absent, format!("registry {}: {what} is not there", client.host))
}
