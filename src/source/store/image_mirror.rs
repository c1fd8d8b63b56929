//! A tree that `oc image mirror --dir`, `oc adm release mirror --to-dir` or oc-mirror v1 wrote.
//!
//! Rule: oc, `pkg/cli/image/imagesource/file.go`: `v2/<repository>/manifests/<digest>` and `…/blobs/<digest>`; a tag is a
//! symbolic link beside the manifest. On Windows the colon of a digest becomes a dash (`file_windows.go`), and a medium
//! without links keeps digests alone. An archive of oc-mirror v1 holds all blobs in one directory (`v1/pkg/archive/
//! archive.go`). Cost: opening lists the manifests of each repository and reads no more than files that stand for tags.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::finding::ContentDigest;

use super::repositories::{Repositories, Repository, is_tag};
use super::walk::{Walk, join};
use super::{Blob, MANIFEST_BYTES, Presence, RawManifest, Root, Store, StoreError, StoreShape, blob_file};
use crate::source::tree::FileTree;
use crate::source::{FileFault, FileFaultKind, SourceError, SourceLimits};

/// Where the signatures of releases lie.
const CONFIG: &str = "config";

/// Where all blobs of an archive of oc-mirror v1 lie.
const SHARED_BLOBS: &str = "blobs";

/// A tree of mirrored images.
pub struct ImageMirror {
    tree: Arc<dyn FileTree>,
    repositories: Repositories,
    signatures: Vec<String>,
    faults: Vec<FileFault>,
}

impl ImageMirror {
    /// Opens a tree that holds `v2/<repository>/manifests`; `None` where there is none.
    ///
    /// # Errors
    /// None today: what cannot be read is among the faults.
    pub(super) fn open(tree: Arc<dyn FileTree>, limits: &SourceLimits) -> Result<Option<Self>, SourceError> {
        let mirror = Self::new(tree, limits);
        let is_one = !mirror.repositories.by_name.is_empty();
        Ok(is_one.then_some(mirror))
    }

    /// Reads a tree that may hold no repository at all, as the later parts of an archive do.
    pub(super) fn new(tree: Arc<dyn FileTree>, limits: &SourceLimits) -> Self {
        let mut walk = Walk::new(&*tree, limits);
        let repositories = find_repositories(&mut walk);
        let mut signatures = walk.names(CONFIG);
        signatures.retain(|name| name.starts_with("signature-") && name.ends_with(".json"));
        let signatures = signatures.into_iter().map(|name| join(CONFIG, &name)).collect();
        let faults = walk.into_faults();
        Self { tree, repositories, signatures, faults }
    }

    /// Paths of the config maps with signatures of releases, in the tree of this store, sorted.
    pub fn release_signatures(&self) -> &[String] {
        &self.signatures
    }

    /// What it holds, by repository.
    pub(super) fn repositories(&self) -> &Repositories {
        &self.repositories
    }

    /// The file of a digest in one repository or, where none is named, in any; the shared directory comes last.
    fn find(&self, repository: Option<&str>, digest: &ContentDigest) -> Option<String> {
        let named = repository.into_iter();
        let all = self.repositories.by_name.keys().map(String::as_str).filter(|_| repository.is_none());
        let in_repositories =
            named.chain(all).flat_map(|name| ["manifests", "blobs"].map(|kind| format!("v2/{name}/{kind}")));
        let directories = in_repositories.chain([SHARED_BLOBS.to_owned()]);
        directories
            .flat_map(|directory| file_names(digest).map(|name| join(&directory, &name)))
            .find(|path| self.tree.entry(path).is_some() || self.tree.link(path).is_some())
    }
}

impl Store for ImageMirror {
    fn shape(&self) -> StoreShape {
        StoreShape::ImageMirror
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

    fn manifest(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        let path = self.find(repository, digest).ok_or_else(|| blob_file::absent(digest))?;
        blob_file::manifest(&*self.tree, &path, digest, None)
    }

    fn blob(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        let path = self.find(repository, digest).ok_or_else(|| blob_file::absent(digest))?;
        blob_file::blob(&*self.tree, &path, digest, None)
    }

    fn presence(&self, repository: Option<&str>, digest: &ContentDigest) -> Presence {
        let path = self.find(repository, digest);
        path.map_or(Presence::Absent, |path| blob_file::presence(&*self.tree, &path, digest, None))
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

/// The names that a digest has as a file, on Linux and on Windows.
fn file_names(digest: &ContentDigest) -> [String; 2] {
    [":", "-"].map(|separator| format!("{}{separator}{}", digest.algorithm(), digest.hex()))
}

fn digest_of_name(name: &str) -> Option<ContentDigest> {
    name.parse().ok().or_else(|| name.replacen('-', ":", 1).parse().ok())
}

fn find_repositories(walk: &mut Walk<'_>) -> Repositories {
    let mut found = Vec::new();
    walk.descend("v2", |walk, name, mut names| {
        let manifests = format!("v2/{name}/manifests");
        if !name.is_empty() && names.iter().any(|child| child == "manifests") && walk.is_own_directory(&manifests) {
            found.push(name.to_owned());
        }
        names.retain(|child| !matches!(child.as_str(), "manifests" | "blobs") && !child.starts_with('_'));
        names
    });
    let named = found.into_iter().map(|name| {
        let repository = read_repository(walk, &format!("v2/{name}/manifests"));
        (name, repository)
    });
    Repositories { by_name: named.collect::<BTreeMap<_, _>>() }
}

/// Reads the names of one `manifests` directory: digests, and tags as links to them.
fn read_repository(walk: &mut Walk<'_>, manifests: &str) -> Repository {
    let mut repository = Repository::default();
    let mut names = walk.names(manifests);
    names.retain(|name| !name.ends_with(".download") && !name.starts_with(".tmp-"));
    let (links, files): (Vec<_>, Vec<_>) =
        names.into_iter().partition(|name| walk.tree.link(&join(manifests, name)).is_some());
    let (digests, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|name| digest_of_name(name).is_some());
    repository.manifests = digests.iter().filter_map(|name| digest_of_name(name)).collect();
    for tag in links.into_iter().chain(others) {
        match tag_meaning(walk.tree, manifests, &tag, &repository) {
            Ok(digest) => {
                repository.tags.insert(tag, digest);
            }
            Err(reason) => walk.fault(&join(manifests, &tag), FileFaultKind::Unreadable, reason),
        }
    }
    repository
}

/// What a tag means: the digest that its link names, or that of a copy which took the place of the link.
fn tag_meaning(
    tree: &dyn FileTree,
    manifests: &str,
    tag: &str,
    repository: &Repository,
) -> Result<ContentDigest, String> {
    if !is_tag(tag) {
        return Err("its name is neither a digest nor a tag".to_owned());
    }
    let path = join(manifests, tag);
    let digest = if let Some(target) = tree.link(&path) {
        let (_, name) = target.rsplit_once(['/', '\\']).unwrap_or(("", &target));
        digest_of_name(name).ok_or_else(|| "it is a link, and leads to no digest".to_owned())?
    } else {
        let bytes = tree.read(&path, MANIFEST_BYTES).map_err(|error| error.to_string())?;
        ContentDigest::of(&bytes)
    };
    if repository.manifests.contains(&digest) {
        Ok(digest)
    } else {
        Err(format!("it means {digest}, which the repository does not hold"))
    }
}

#[cfg(test)]
mod tests;
