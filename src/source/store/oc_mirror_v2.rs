//! Archives and the working directory of oc-mirror v2.
//!
//! Rule: oc-mirror, `internal/pkg/archive`: the segments `mirror_<number>.tar` of a run together hold the storage of a
//! registry under `docker/registry/v2`, the working directory and the configuration. Every link of the cache is in each
//! archive, but only new blobs are, so that a manifest without its blob is normal: the history tells whether the target has
//! it. What a path means is told by how it begins; oc-mirror's own search anywhere in the path takes a repository called
//! `working-dir` for the working directory. Cost: that of the storage's links and of the small files of the directory.

mod history;
mod mirroring_errors;
mod working_directory;

use std::sync::Arc;

use crate::finding::ContentDigest;

use super::layouts::{Layouts, holder};
use super::walk::{Walk, join};
use super::{
    Blob, Presence, RawManifest, RegistryStorage, Root, RootContent, Store, StoreError, StoreShape, blob_file, segments,
};
use crate::source::tree::FileTree;
use crate::source::{FileFault, SourceError, SourceLimits};
pub use history::History;
pub use mirroring_errors::MirroringError;
use working_directory::{OtherFiles, WorkingDirectory};

/// The name of the working directory.
const WORKING_DIRECTORY: &str = "working-dir";

/// Bytes of all logs of errors together.
const LOG_BYTES: u64 = 64 << 20;

/// Archives of one run of oc-mirror v2, or its working directory.
pub struct OcMirrorV2 {
    shape: StoreShape,
    tree: Arc<dyn FileTree>,
    storage: Option<RegistryStorage>,
    layouts: Layouts,
    roots: Vec<Root>,
    files: OtherFiles,
    history: History,
    faults: Vec<FileFault>,
}

impl OcMirrorV2 {
    /// Opens the archives of one run as one tree; `None` where the tree holds nothing of oc-mirror. `names` are those of the
    /// segments, which are held against one another; a working directory `beside` the archives has the newest history.
    ///
    /// # Errors
    /// [`SourceError`] where a part cannot be looked at.
    pub(super) fn open_archive(
        tree: Arc<dyn FileTree>,
        names: &[String],
        beside: Option<&Arc<dyn FileTree>>,
        limits: &SourceLimits,
    ) -> Result<Option<Self>, SourceError> {
        let storage = RegistryStorage::open(Arc::clone(&tree), limits)?;
        let mut walk = Walk::new(&*tree, limits);
        let configurations = working_directory::configurations(&mut walk, "");
        if storage.is_none() && configurations.is_empty() && !tree.is_directory(WORKING_DIRECTORY) {
            return Ok(None);
        }
        let mut faults = segments::of_oc_mirror_v2(names).map_or_else(Vec::new, |(_, faults)| faults);
        faults.extend(storage.iter().flat_map(|storage| storage.faults()).cloned());
        let mut history = History::default();
        if let Some(beside) = beside {
            let mut walk = Walk::new(&**beside, limits);
            history.read(&mut walk, &join(WORKING_DIRECTORY, ".history"), limits);
            faults.extend(walk.into_faults());
        }
        faults.extend(walk.into_faults());
        let mut archive = Self::open(StoreShape::OcMirrorV2Archive, tree, WORKING_DIRECTORY, history, limits)?;
        archive.files.configurations.splice(0..0, configurations);
        archive.storage = storage;
        archive.faults.splice(0..0, faults);
        Ok(Some(archive))
    }

    /// Opens a working directory, which lies in the tree as `working-dir` or is the tree; `None` where there is none.
    ///
    /// # Errors
    /// [`SourceError`] where a part cannot be looked at.
    pub(super) fn open_working_directory(
        tree: Arc<dyn FileTree>,
        limits: &SourceLimits,
    ) -> Result<Option<Self>, SourceError> {
        let Some(base) = [WORKING_DIRECTORY, ""].into_iter().find(|base| working_directory::is_one(&*tree, base))
        else {
            return Ok(None);
        };
        let shape = StoreShape::OcMirrorV2WorkingDirectory;
        Self::open(shape, tree, base, History::default(), limits).map(Some)
    }

    fn open(
        shape: StoreShape,
        tree: Arc<dyn FileTree>,
        base: &str,
        mut history: History,
        limits: &SourceLimits,
    ) -> Result<Self, SourceError> {
        let mut walk = Walk::new(&*tree, limits);
        history.read(&mut walk, &join(base, ".history"), limits);
        let WorkingDirectory { roots, layouts, files } = working_directory::read(&mut walk, &tree, base, limits)?;
        let mut faults = walk.into_faults();
        faults.extend(layouts.faults.iter().cloned());
        Ok(Self { shape, tree, storage: None, layouts, roots, files, history, faults })
    }

    /// Paths of the answers of the update service that were kept, `<architecture>-<channel>.json`, sorted.
    pub fn graph_files(&self) -> &[String] {
        &self.files.graphs
    }

    /// Paths of the signatures of releases, `<tag>-sha256-<digits>`, sorted.
    pub fn release_signatures(&self) -> &[String] {
        &self.files.signatures
    }

    /// Paths of the manifests for the cluster, sorted.
    pub fn cluster_resources(&self) -> &[String] {
        &self.files.cluster_resources
    }

    /// Paths of the image set configurations, as written and with catalogs pinned to digests, sorted.
    pub fn configurations(&self) -> &[String] {
        &self.files.configurations
    }

    /// What was sent before.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The digests that a tag of the storage meant before it was moved.
    pub fn tag_history(&self, repository: &str, tag: &str) -> Vec<ContentDigest> {
        self.storage.as_ref().map_or_else(Vec::new, |storage| storage.history(repository, tag))
    }

    /// The images that could not be mirrored, by log, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where a log cannot be read.
    pub fn mirroring_errors(&self) -> Result<Vec<(String, Vec<MirroringError>)>, StoreError> {
        let mut left = LOG_BYTES;
        let mut errors = Vec::new();
        for path in &self.files.logs {
            let bytes = self.tree.read(path, left).map_err(|error| blob_file::of_io(path, &error))?;
            left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            errors.push((path.clone(), mirroring_errors::parse(&String::from_utf8_lossy(&bytes))));
        }
        Ok(errors)
    }

    /// The stores that can hold something of a repository. One that the storage has lies there alone: what the working
    /// directory holds is never pushed from there.
    fn stores(&self, repository: Option<&str>) -> impl Iterator<Item = &dyn Store> {
        let storage = self.storage.as_ref();
        let is_stored = storage.is_some_and(|storage| repository.is_some_and(|name| storage.has_repository(name)));
        let layouts = self.layouts.stores().filter(move |_| !is_stored);
        storage.into_iter().map(|storage| storage as &dyn Store).chain(layouts)
    }

    /// The store that holds a digest.
    fn holder(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<&dyn Store, StoreError> {
        match (holder(self.stores(repository), repository, digest), self.history.record_of(digest)) {
            (Some((store, _)), _) => Ok(store),
            (None, Some(record)) => Err(blob_file::expected_at_target(digest, record)),
            (None, None) => Err(blob_file::absent(digest)),
        }
    }
}

/// Whether a digest is that of a root, be it the one that others know or the one of the copy here.
fn is_of(root: &Root, digest: &ContentDigest) -> bool {
    root.identity.as_ref() == Some(digest) || matches!(&root.content, RootContent::Image(own) if own == digest)
}

impl Store for OcMirrorV2 {
    fn shape(&self) -> StoreShape {
        self.shape
    }

    fn place(&self) -> String {
        self.tree.place().display().to_string()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        let mut roots = self.storage.as_ref().map_or_else(|| Ok(Vec::new()), Store::roots)?;
        roots.extend(self.roots.iter().cloned());
        Ok(roots)
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        if let Some(storage) = &self.storage
            && let Some(digest) = storage.resolve(repository, reference)?
        {
            return Ok(Some(digest));
        }
        let digest = reference.parse::<ContentDigest>().ok();
        let mut named = self.roots.iter().filter(|root| root.repository.as_deref() == Some(repository));
        let found = named.find(|root| match &digest {
            Some(digest) => is_of(root, digest),
            None => root.tag.as_deref() == Some(reference),
        });
        Ok(found.and_then(|root| match &root.content {
            RootContent::Image(digest) => Some(digest.clone()),
            RootContent::CatalogDirectory(_) | RootContent::PayloadDirectory(_) => root.identity.clone(),
        }))
    }

    fn manifest(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        self.holder(repository, digest)?.manifest(repository, digest)
    }

    fn blob(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        self.holder(repository, digest)?.blob(repository, digest)
    }

    fn presence(&self, repository: Option<&str>, digest: &ContentDigest) -> Presence {
        match (holder(self.stores(repository), repository, digest), self.history.record_of(digest)) {
            (Some((_, presence)), _) => presence,
            (None, Some(record)) => Presence::ExpectedAtTarget(record.to_owned()),
            (None, None) => Presence::Absent,
        }
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        let mut names = self.storage.as_ref().map_or_else(Vec::new, |storage| storage.repositories_with(digest));
        let named = self.roots.iter().filter(|root| is_of(root, digest));
        names.extend(named.filter_map(|root| root.repository.clone()));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn tree(&self) -> Option<Arc<dyn FileTree>> {
        Some(Arc::clone(&self.tree))
    }

    fn faults(&self) -> &[FileFault] {
        &self.faults
    }

    /// Converted copies, which a working directory holds, keep no digest that others know.
    fn is_provable(&self) -> bool {
        self.storage.is_some()
    }
}

#[cfg(test)]
mod tests;
