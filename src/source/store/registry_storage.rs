//! The file system storage of a distribution registry; the cache of oc-mirror v2 is one, too.
//!
//! Rule: distribution, `registry/storage/paths.go`: `repositories/<name>/_manifests` holds links, which are files with a
//! digest in them; `blobs/<algorithm>/<first two digits>/<digits>/data` holds all bytes of all repositories. Names nest. A
//! delete takes links away and leaves directories, so that an empty directory means nothing, and links under `_layers`
//! outlive the blobs, so that only `data` proves one. Cost: opening reads each link of tags and revisions.

use std::io::ErrorKind;
use std::sync::Arc;

use crate::finding::ContentDigest;

use super::repositories::{Repositories, Repository, is_tag};
use super::walk::{Walk, join};
use super::{Blob, Presence, RawManifest, Root, Store, StoreError, StoreShape, blob_file};
use crate::source::tree::{Entry, FileTree};
use crate::source::{FileFault, FileFaultKind, SourceError, SourceLimits};

/// Where the storage lies below a root directory, and below the places of oc-mirror's cache.
const PREFIXES: [&str; 3] = ["docker/registry/v2", ".cache/docker/registry/v2", ".oc-mirror/.cache/docker/registry/v2"];

/// A link holds a digest, of 135 bytes at most.
const LINK_BYTES: u64 = 512;

/// The file system storage of a distribution registry.
pub struct RegistryStorage {
    tree: Arc<dyn FileTree>,
    prefix: String,
    repositories: Repositories,
    faults: Vec<FileFault>,
}

impl RegistryStorage {
    /// Opens a storage, whose `docker/registry/v2` lies in the tree or is the tree; `None` where there is none.
    ///
    /// # Errors
    /// None today: what cannot be read is among the faults.
    pub(super) fn open(tree: Arc<dyn FileTree>, limits: &SourceLimits) -> Result<Option<Self>, SourceError> {
        let has = |prefix: &str, child: &str| tree.is_directory(&join(prefix, child));
        let below = PREFIXES.into_iter().find(|prefix| has(prefix, "repositories") || has(prefix, "blobs"));
        let itself = (has("", "repositories") && has("", "blobs")).then_some("");
        Ok(below.or(itself).map(|prefix| Self::new(Arc::clone(&tree), prefix, limits)))
    }

    fn new(tree: Arc<dyn FileTree>, prefix: &str, limits: &SourceLimits) -> Self {
        let mut scan = Scan { walk: Walk::new(&*tree, limits), prefix, repositories: Repositories::default() };
        scan.repositories();
        let (repositories, faults) = (scan.repositories, scan.walk.into_faults());
        Self { tree, prefix: prefix.to_owned(), repositories, faults }
    }

    /// The digests that a tag meant before it was moved, sorted: in which order it meant them is not kept.
    pub fn history(&self, repository: &str, tag: &str) -> Vec<ContentDigest> {
        self.repositories.history(repository, tag)
    }

    /// Whether it has a repository of this name.
    pub(super) fn has_repository(&self, name: &str) -> bool {
        self.repositories.by_name.contains_key(name)
    }

    fn data(&self, digest: &ContentDigest) -> String {
        data_path(&self.prefix, digest)
    }
}

impl Store for RegistryStorage {
    fn shape(&self) -> StoreShape {
        StoreShape::RegistryStorage
    }

    fn place(&self) -> String {
        self.tree.place().display().to_string()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        Ok(self.repositories.roots(|repository, digest| self.manifest(Some(repository), digest)))
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        Ok(self.repositories.resolve(repository, reference))
    }

    fn manifest(&self, _: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        blob_file::manifest(&*self.tree, &self.data(digest), digest, None)
    }

    fn blob(&self, _: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        blob_file::blob(&*self.tree, &self.data(digest), digest, None)
    }

    fn presence(&self, _: Option<&str>, digest: &ContentDigest) -> Presence {
        blob_file::presence(&*self.tree, &self.data(digest), digest, None)
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        self.repositories.with(digest)
    }

    fn tree(&self) -> Option<Arc<dyn FileTree>> {
        Some(Arc::clone(&self.tree))
    }

    fn faults(&self) -> &[FileFault] {
        &self.faults
    }
}

fn data_path(prefix: &str, digest: &ContentDigest) -> String {
    let hex = digest.hex();
    let shard: String = hex.chars().take(2).collect();
    join(prefix, &format!("blobs/{}/{shard}/{hex}/data", digest.algorithm()))
}

/// The reading of all links.
struct Scan<'t> {
    walk: Walk<'t>,
    prefix: &'t str,
    repositories: Repositories,
}

impl Scan<'_> {
    fn repositories(&mut self) {
        let start = join(self.prefix, "repositories");
        let mut found = Vec::new();
        self.walk.descend(&start, |walk, name, names| {
            if !name.is_empty()
                && names.iter().any(|child| child == "_manifests")
                && walk.is_own_directory(&join(&join(&start, name), "_manifests"))
            {
                found.push(name.to_owned());
            }
            names.into_iter().filter(|child| !child.starts_with('_')).collect()
        });
        for name in found {
            let repository = self.repository(&format!("{start}/{name}/_manifests"));
            self.repositories.by_name.insert(name, repository);
        }
    }

    fn repository(&mut self, manifests: &str) -> Repository {
        let mut repository = Repository::default();
        for (digest, directory) in self.digest_directories(&format!("{manifests}/revisions")) {
            let link = format!("{directory}/link");
            let Some(linked) = self.link(&link) else { continue };
            if linked == digest {
                self.look_at_data(&digest);
                repository.manifests.insert(digest);
            } else {
                let reason = format!("the link names {linked}, its directory {digest}");
                self.walk.fault(&link, FileFaultKind::Unreadable, reason);
            }
        }
        let tags = format!("{manifests}/tags");
        for tag in self.walk.names(&tags) {
            let directory = format!("{tags}/{tag}");
            if !is_tag(&tag) {
                self.walk.fault(&directory, FileFaultKind::Unreadable, "its name can be no tag".to_owned());
                continue;
            }
            let current = self.link(&format!("{directory}/current/link"));
            let mut earlier: std::collections::BTreeSet<_> = self
                .digest_directories(&format!("{directory}/index"))
                .into_iter()
                .filter(|(_, directory)| self.walk.tree.is_file(&format!("{directory}/link")))
                .map(|(digest, _)| digest)
                .collect();
            if let Some(current) = current {
                earlier.remove(&current);
                repository.tags.insert(tag.clone(), current);
            }
            if !earlier.is_empty() {
                repository.earlier.insert(tag, earlier);
            }
        }
        repository
    }

    /// The directories `<algorithm>/<digits>` below a directory.
    fn digest_directories(&mut self, directory: &str) -> Vec<(ContentDigest, String)> {
        let mut found = Vec::new();
        for algorithm in self.walk.names(directory) {
            let below = format!("{directory}/{algorithm}");
            for hex in self.walk.names(&below) {
                let path = format!("{below}/{hex}");
                match format!("{algorithm}:{hex}").parse() {
                    Ok(digest) => found.push((digest, path)),
                    Err(_) => {
                        self.walk.fault(&path, FileFaultKind::Unreadable, "its name is no digest".to_owned());
                    }
                }
            }
        }
        found
    }

    /// The digest in a link; `None` where a delete took the link away, and where it is torn, which is a fault.
    fn link(&mut self, path: &str) -> Option<ContentDigest> {
        let bytes = match self.walk.tree.read(path, LINK_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                let is_gone = error.kind() == ErrorKind::NotFound
                    && self.walk.tree.entry(path).is_none()
                    && self.walk.tree.link(path).is_none();
                if !is_gone {
                    self.walk.fault(path, FileFaultKind::Unreadable, format!("the link cannot be read: {error}"));
                }
                return None;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        match text.trim().parse() {
            Ok(digest) => Some(digest),
            Err(_) if text.trim().is_empty() => {
                self.walk.fault(path, FileFaultKind::Unreadable, "the link is empty: a torn write".to_owned());
                None
            }
            Err(error) => {
                self.walk.fault(path, FileFaultKind::Unreadable, format!("the link is torn: {error}"));
                None
            }
        }
    }

    fn look_at_data(&mut self, digest: &ContentDigest) {
        let path = data_path(self.prefix, digest);
        if self.walk.tree.entry(&path) == Some(Entry::File { bytes: 0 })
            && let Presence::Bad(reason) = blob_file::presence(self.walk.tree, &path, digest, None)
        {
            self.walk.fault(&path, FileFaultKind::Unreadable, reason);
        }
    }
}

#[cfg(test)]
mod tests;
