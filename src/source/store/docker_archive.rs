//! Archives that `docker save` or `skopeo copy … docker-archive:` wrote, packed or unpacked.
//!
//! Rule: containers/image, docker/internal/tarfile/types.go and moby, image/tarexport: `manifest.json` is a list of images,
//! each with its configuration, its references and its layers; layers are plain archives in the order of `rootfs.diff_ids`.
//! Docker 25 and later write an image layout into the same archive, which is read instead of this. The manifest of the
//! registry and the compressed layers are lost, so that a manifest is made here from what is left, and no digest that others
//! know the image by can be checked. Cost: reading `manifest.json` and each configuration; a look at each layer.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::tree::{Entry, FileTree};
use super::super::{FileFault, FileFaultKind, SourceError, SourceLimits};
use super::manifest_of_parts::{Part, image_manifest};
use super::reference;
use super::{Blob, Presence, RawManifest, Root, RootContent, Store, StoreError, StoreShape};
use super::{blob_file, oci_layout};
use crate::finding::ContentDigest;

/// The file that lists the images of an archive.
pub(super) const LIST: &str = "manifest.json";
const LIST_BYTES: u64 = 4 << 20;
/// Images of one archive.
const IMAGES: usize = 10_000;
/// Layers of one image; docker makes at most 127.
const LAYERS: usize = 512;
/// Bytes of one configuration, and of all of them together: links may give one configuration a thousand names.
const CONFIGURATION_BYTES: u64 = 4 << 20;
const ALL_CONFIGURATIONS_BYTES: u64 = 256 << 20;
const UNPROVABLE: &str =
    "the archive keeps neither the manifest nor the compressed layers: no digest that others know can be checked";

/// An archive of `docker save`, or what was unpacked from one.
pub struct DockerArchive {
    tree: Arc<dyn FileTree>,
    roots: Vec<Root>,
    /// The manifests that were made here, by their own digests.
    manifests: BTreeMap<ContentDigest, Vec<u8>>,
    /// Where configurations and layers lie, by configuration digest and diff id.
    blobs: BTreeMap<ContentDigest, String>,
    faults: Vec<FileFault>,
}

/// A member of `manifest.json`.
#[derive(Deserialize)]
struct SavedImage {
    #[serde(rename = "Config")]
    configuration: String,
    #[serde(rename = "RepoTags")]
    references: Option<Vec<String>>,
    #[serde(rename = "Layers")]
    layers: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Configuration {
    rootfs: Option<RootFileSystem>,
}

#[derive(Deserialize)]
struct RootFileSystem {
    diff_ids: Option<Vec<ContentDigest>>,
}

impl DockerArchive {
    /// Opens what `docker save` wrote at the root of a tree; `None` where it is something else, an image layout among it.
    ///
    /// # Errors
    /// None today; it is what every shape answers.
    pub(super) fn open(tree: Arc<dyn FileTree>, _limits: &SourceLimits) -> Result<Option<Self>, SourceError> {
        let is_layout = tree.is_file(oci_layout::MARKER) && tree.is_file(oci_layout::INDEX);
        let Some(list) = (!is_layout).then(|| read_list(&*tree)).flatten() else { return Ok(None) };
        let Ok(members) = serde_json::from_slice::<Vec<&RawValue>>(&list) else { return Ok(None) };
        let mut reading = Reading::new(Self {
            tree,
            roots: Vec::new(),
            manifests: BTreeMap::new(),
            blobs: BTreeMap::new(),
            faults: Vec::new(),
        });
        if members.len() > IMAGES {
            reading.fault(LIST, FileFaultKind::Limit, format!("it lists more than {IMAGES} images"));
        }
        for (position, member) in members.into_iter().take(IMAGES).enumerate() {
            match serde_json::from_str::<SavedImage>(member.get()) {
                Ok(image) => reading.image(position, image),
                Err(error) => {
                    let reason = format!("[{position}] is no image: {error}");
                    reading.fault(LIST, FileFaultKind::Unreadable, reason);
                }
            }
        }
        Ok(Some(reading.archive))
    }
}

/// The bytes of `manifest.json` where its first member looks like an image that was saved.
pub(super) fn read_list(tree: &dyn FileTree) -> Option<Vec<u8>> {
    if !tree.is_file(LIST) {
        return None;
    }
    let bytes = tree.read(LIST, LIST_BYTES).ok()?;
    let members: Vec<&RawValue> = serde_json::from_slice(&bytes).ok()?;
    let has_saved = members.iter().any(|member| serde_json::from_str::<SavedImage>(member.get()).is_ok());
    has_saved.then_some(bytes)
}

/// What is kept of a configuration.
#[derive(Clone)]
struct KnownConfiguration {
    part: Part,
    diff_ids: Arc<[ContentDigest]>,
}

/// An archive while its images are read.
struct Reading {
    archive: DockerArchive,
    /// Configurations by their paths, or what is wrong with them: images may share one.
    configurations: BTreeMap<String, Result<KnownConfiguration, String>>,
    configuration_bytes: u64,
    faulty: BTreeSet<String>,
}

impl Reading {
    fn new(archive: DockerArchive) -> Self {
        Self { archive, configurations: BTreeMap::new(), configuration_bytes: 0, faulty: BTreeSet::new() }
    }

    fn image(&mut self, position: usize, image: SavedImage) {
        let layers = image.layers.unwrap_or_default();
        let KnownConfiguration { part, diff_ids } = match self.configuration(&image.configuration) {
            Ok(configuration) => configuration,
            Err(reason) => return self.fault(&image.configuration, FileFaultKind::Unreadable, reason),
        };
        if layers.len() != diff_ids.len() || layers.len() > LAYERS {
            let (listed, of) = (layers.len(), diff_ids.len());
            let reason =
                format!("[{position}] lists {listed} layers, its configuration {of}; at most {LAYERS} are read");
            return self.fault(LIST, FileFaultKind::Unreadable, reason);
        }
        self.archive.blobs.entry(part.digest.clone()).or_insert(image.configuration);
        let mut parts = Vec::new();
        for (path, diff_id) in layers.into_iter().zip(diff_ids.iter()) {
            parts.push(Part { digest: diff_id.clone(), bytes: self.layer(&path) });
            self.archive.blobs.entry(diff_id.clone()).or_insert(path);
        }
        let manifest = image_manifest(&part, &parts);
        let manifest_digest = ContentDigest::of(&manifest);
        self.archive.manifests.entry(manifest_digest.clone()).or_insert(manifest);
        self.roots(&manifest_digest, &image.references.unwrap_or_default());
    }

    fn configuration(&mut self, path: &str) -> Result<KnownConfiguration, String> {
        if let Some(known) = self.configurations.get(path) {
            return known.clone();
        }
        let left = ALL_CONFIGURATIONS_BYTES.saturating_sub(self.configuration_bytes).min(CONFIGURATION_BYTES);
        let read = self.archive.tree.read(path, left).map_err(|error| error.to_string());
        let known = read.and_then(|bytes| {
            let known = known_configuration(path, &bytes);
            self.configuration_bytes = self.configuration_bytes.saturating_add(length_of(&bytes));
            known
        });
        self.configurations.insert(path.to_owned(), known.clone());
        known
    }

    /// The length of a layer; 0 where it misses, which is a fault.
    fn layer(&mut self, path: &str) -> u64 {
        let Some(Entry::File { bytes }) = self.archive.tree.entry(path) else {
            self.fault(path, FileFaultKind::Unreadable, "the layer is not in the archive".to_owned());
            return 0;
        };
        if is_compressed(&*self.archive.tree, path) {
            let reason = "the layer is compressed, and so cannot be what its diff id names".to_owned();
            self.fault(path, FileFaultKind::Unreadable, reason);
        }
        bytes
    }

    fn roots(&mut self, manifest: &ContentDigest, references: &[String]) {
        let root = |repository: Option<&str>, tag: Option<&str>| Root {
            repository: repository.map(str::to_owned),
            tag: tag.map(str::to_owned),
            identity: None,
            content: RootContent::Image(manifest.clone()),
            notes: vec![UNPROVABLE.to_owned()],
        };
        if references.is_empty() {
            self.archive.roots.push(root(None, None));
        }
        for reference in references {
            let parts = reference::parts(reference);
            self.archive.roots.push(root(Some(parts.name), parts.tag));
        }
    }

    /// Each path is faulty once only, however many images share it.
    fn fault(&mut self, path: &str, kind: FileFaultKind, reason: String) {
        if path == LIST || self.faulty.insert(path.to_owned()) {
            self.archive.faults.push(FileFault { path: path.to_owned(), kind, reason });
        }
    }
}

/// A configuration, whose digest must be that of its name where that is one.
fn known_configuration(path: &str, bytes: &[u8]) -> Result<KnownConfiguration, String> {
    let digest = ContentDigest::of(bytes);
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".json").unwrap_or(name);
    let is_digest = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest && name != digest.hex() {
        return Err(format!("the configuration has bytes of the digest {digest}, not of its name"));
    }
    let configuration: Configuration =
        serde_json::from_slice(bytes).map_err(|error| format!("it is no configuration of an image: {error}"))?;
    let diff_ids = configuration.rootfs.and_then(|file_system| file_system.diff_ids).unwrap_or_default();
    Ok(KnownConfiguration { part: Part { digest, bytes: length_of(bytes) }, diff_ids: diff_ids.into() })
}

fn length_of(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Whether a file begins as gzip or Zstandard do.
fn is_compressed(tree: &dyn FileTree, path: &str) -> bool {
    let mut magic = Vec::new();
    let read = tree.open(path).and_then(|content| content.take(4).read_to_end(&mut magic));
    read.is_ok() && (magic.starts_with(&[0x1f, 0x8b]) || magic.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]))
}

impl Store for DockerArchive {
    fn shape(&self) -> StoreShape {
        StoreShape::DockerArchive
    }

    fn place(&self) -> String {
        self.tree.place().display().to_string()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        Ok(self.roots.clone())
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        if let Ok(digest) = reference.parse() {
            return Ok(self.manifests.contains_key(&digest).then_some(digest));
        }
        let mut named = self
            .roots
            .iter()
            .filter(|root| root.repository.as_deref() == Some(repository) && root.tag.as_deref() == Some(reference));
        Ok(named.find_map(|root| manifest_of(root).cloned()))
    }

    fn manifest(&self, _repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        let bytes = self.manifests.get(digest).cloned().ok_or_else(|| blob_file::absent(digest))?;
        Ok(RawManifest { bytes, media_type: None })
    }

    fn blob(&self, _repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        if let Some(bytes) = self.manifests.get(digest) {
            let content = Box::new(io::Cursor::new(bytes.clone()));
            return Ok(Blob { content, bytes: Some(length_of(bytes)), stamp: None });
        }
        let path = self.blobs.get(digest).ok_or_else(|| blob_file::absent(digest))?;
        blob_file::blob(&*self.tree, path, digest, None)
    }

    fn presence(&self, _repository: Option<&str>, digest: &ContentDigest) -> Presence {
        if let Some(bytes) = self.manifests.get(digest) {
            return Presence::Present { bytes: Some(length_of(bytes)), stamp: None };
        }
        match self.blobs.get(digest) {
            Some(path) => blob_file::presence(&*self.tree, path, digest, None),
            None => Presence::Absent,
        }
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        let of_digest = self.roots.iter().filter(|root| manifest_of(root) == Some(digest));
        let repositories: BTreeSet<String> = of_digest.filter_map(|root| root.repository.clone()).collect();
        repositories.into_iter().collect()
    }

    fn faults(&self) -> &[FileFault] {
        &self.faults
    }

    fn is_provable(&self) -> bool {
        false
    }
}

fn manifest_of(root: &Root) -> Option<&ContentDigest> {
    match &root.content {
        RootContent::Image(digest) => Some(digest),
        RootContent::CatalogDirectory(_) | RootContent::PayloadDirectory(_) => None,
    }
}

#[cfg(test)]
mod tests;
