//! The workspace and the archives of oc-mirror v1.
//!
//! Rule: oc-mirror, `v1/pkg/config/metadata.go` and `v1/pkg/archive/archive.go`: `src` of the workspace holds images as
//! `oc image mirror` writes them, catalogs by registry, name and tag, and the record of all runs; an archive holds the same
//! with all blobs in one directory. An archive holds what is new since the sequence before, and a publish takes the rest
//! from the target (`v1/pkg/cli/mirror/publish.go`); so the sequences of a directory are one store, the newest first. Cost:
//! the names of manifests and catalogs, and one record for each sequence.

mod catalogs;
mod metadata;
mod sequences;

use std::sync::Arc;

use crate::finding::ContentDigest;

use super::image_mirror::ImageMirror;
use super::layouts::{Layouts, holder};
use super::repositories::Repositories;
use super::walk::{Walk, join};
use super::{Blob, Presence, RawManifest, Root, RootContent, Store, StoreError, StoreShape, blob_file, segments};
use crate::source::tree::{FileTree, Subtree};
use crate::source::{FileFault, FileFaultKind, SourceError, SourceLimits};
pub use metadata::{Metadata, MirroredCatalog, MirroredChannel, PastMirror};
use sequences::Sequences;

/// Where a workspace lies: around the place, at it, or above it.
const WORKSPACES: [&str; 3] = ["oc-mirror-workspace/src", "src", ""];

/// The workspace of oc-mirror v1, or the archives of one directory.
pub struct OcMirrorV1 {
    shape: StoreShape,
    tree: Arc<dyn FileTree>,
    runs: Vec<Run>,
    repositories: Repositories,
    layouts: Layouts,
    catalogs: Vec<Root>,
    is_complete: bool,
    faults: Vec<FileFault>,
}

/// What one run left.
struct Run {
    directory: String,
    images: ImageMirror,
    metadata: Option<Metadata>,
    signatures: Vec<String>,
}

impl OcMirrorV1 {
    /// Opens a workspace; `None` where there is none.
    ///
    /// # Errors
    /// [`SourceError`] where a part cannot be looked at.
    pub(super) fn open_workspace(tree: Arc<dyn FileTree>, limits: &SourceLimits) -> Result<Option<Self>, SourceError> {
        let is_workspace = |base: &&str| {
            tree.is_file(&join(base, metadata::PATH))
                || (!base.is_empty() && tree.is_directory(&join(base, catalogs::DIRECTORY)))
        };
        let Some(base) = WORKSPACES.into_iter().find(is_workspace) else { return Ok(None) };
        let shape = StoreShape::OcMirrorV1Workspace;
        Self::open(shape, tree, vec![base.to_owned()], false, Vec::new(), limits).map(Some)
    }

    /// Opens the archives of one directory, each sequence as a tree of its own with its number; `None` where there are none.
    /// `names` are those of the archives, which are held against one another.
    ///
    /// # Errors
    /// [`SourceError`] where a part cannot be looked at.
    pub(super) fn open_archives(
        trees: Vec<(u32, Arc<dyn FileTree>)>,
        names: &[String],
        limits: &SourceLimits,
    ) -> Result<Option<Self>, SourceError> {
        let Some(sequences) = Sequences::new(trees) else { return Ok(None) };
        let (_, faults) = segments::of_oc_mirror_v1(names);
        let directories = sequences.newest_first();
        let is_complete = sequences.begins_with_the_first() && faults.is_empty();
        let shape = StoreShape::OcMirrorV1Archive;
        Self::open(shape, Arc::new(sequences), directories, is_complete, faults, limits).map(Some)
    }

    fn open(
        shape: StoreShape,
        tree: Arc<dyn FileTree>,
        directories: Vec<String>,
        is_complete: bool,
        mut faults: Vec<FileFault>,
        limits: &SourceLimits,
    ) -> Result<Self, SourceError> {
        let mut walk = Walk::new(&*tree, limits);
        let mut repositories = Repositories::default();
        let mut runs = Vec::new();
        let mut found = catalogs::Catalogs::default();
        for directory in directories {
            found.read(&mut walk, &tree, &directory, limits)?;
            let run = Run::read(&mut walk, &tree, directory, limits);
            repositories.add_older(run.images.repositories());
            let images = run.images.faults().iter();
            faults.extend(images.map(|fault| FileFault { path: join(&run.directory, &fault.path), ..fault.clone() }));
            runs.push(run);
        }
        faults.extend(walk.into_faults());
        let catalogs::Catalogs { roots: catalogs, layouts, .. } = found;
        faults.extend(layouts.faults.iter().cloned());
        Ok(Self { shape, tree, runs, repositories, layouts, catalogs, is_complete, faults })
    }

    /// The newest record of all runs.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.runs.iter().find_map(|run| run.metadata.as_ref())
    }

    /// Paths of the config maps with signatures of releases, in the tree of this store; those of the newest run first.
    pub fn release_signatures(&self) -> Vec<&str> {
        self.runs.iter().flat_map(|run| &run.signatures).map(String::as_str).collect()
    }

    /// The digests that a tag meant in earlier sequences.
    pub fn tag_history(&self, repository: &str, tag: &str) -> Vec<ContentDigest> {
        self.repositories.history(repository, tag)
    }

    /// The stores that can hold something of a repository: what a catalog's layout holds is no image of a repository.
    fn stores(&self, repository: Option<&str>) -> impl Iterator<Item = &dyn Store> {
        let is_mirrored = repository.is_some_and(|name| self.repositories.by_name.contains_key(name));
        let images = self.runs.iter().map(|run| &run.images as &dyn Store);
        images.chain(self.layouts.stores().filter(move |_| !is_mirrored))
    }

    /// The record that says that something is at the target. Where every sequence is here, all of it must be here.
    fn record_of(&self, digest: &ContentDigest) -> Option<String> {
        let mut runs = self.runs.iter().filter(|_| !self.is_complete);
        let run = runs.find(|run| run.metadata.as_ref().is_some_and(|metadata| metadata.lists(digest)))?;
        Some(join(&run.directory, metadata::PATH))
    }

    fn holder(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<&dyn Store, StoreError> {
        match holder(self.stores(repository), repository, digest) {
            Some((store, _)) => Ok(store),
            None => Err(self
                .record_of(digest)
                .map_or_else(|| blob_file::absent(digest), |record| blob_file::expected_at_target(digest, &record))),
        }
    }
}

impl Run {
    fn read(walk: &mut Walk<'_>, tree: &Arc<dyn FileTree>, directory: String, limits: &SourceLimits) -> Self {
        let part: Arc<dyn FileTree> = Arc::new(Subtree::new(Arc::clone(tree), directory.clone()));
        let metadata = Metadata::read(&*part).unwrap_or_else(|reason| {
            walk.fault(&join(&directory, metadata::PATH), FileFaultKind::Unreadable, reason);
            None
        });
        let signatures = join(&directory, "release-signatures");
        let mut names = walk.names(&signatures);
        names.retain(|name| name.starts_with("signature-") && name.ends_with(".json"));
        let signatures = names.iter().map(|name| join(&signatures, name)).collect();
        Self { directory, images: ImageMirror::new(part, limits), metadata, signatures }
    }
}

impl Store for OcMirrorV1 {
    fn shape(&self) -> StoreShape {
        self.shape
    }

    fn place(&self) -> String {
        self.tree.place().display().to_string()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        let mut roots = self.repositories.roots(|repository, digest| self.manifest(Some(repository), digest));
        roots.extend(self.catalogs.iter().cloned());
        Ok(roots)
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        if let Some(digest) = self.repositories.resolve(repository, reference) {
            return Ok(Some(digest));
        }
        let mut catalogs = self.catalogs.iter().filter(|root| root.repository.as_deref() == Some(repository));
        let named = catalogs.find_map(|root| match &root.content {
            RootContent::Image(digest) if digest.to_string() == reference || root.tag.as_deref() == Some(reference) => {
                Some(digest.clone())
            }
            _ => None,
        });
        Ok(named)
    }

    fn manifest(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        self.holder(repository, digest)?.manifest(repository, digest)
    }

    fn blob(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        self.holder(repository, digest)?.blob(repository, digest)
    }

    fn presence(&self, repository: Option<&str>, digest: &ContentDigest) -> Presence {
        let held = holder(self.stores(repository), repository, digest).map(|(_, presence)| presence);
        held.or_else(|| self.record_of(digest).map(Presence::ExpectedAtTarget)).unwrap_or(Presence::Absent)
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

#[cfg(test)]
mod tests;
