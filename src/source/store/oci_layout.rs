//! OCI image layouts: a directory, or the same tree in a tar archive.
//!
//! Rule: OCI image specification, image-layout.md: `oci-layout` marks the layout, `index.json` lists what it holds, blobs lie
//! at `blobs/<algorithm>/<encoded>`; unknown files and unknown media types are no error. A tag is the annotation
//! `org.opencontainers.image.ref.name` of a descriptor in `index.json` and nothing else; it may hold a whole reference.
//! Docker schema 2 media types count as equal. Cost: reading `oci-layout` and `index.json`.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use serde::Deserialize;

use super::super::tree::FileTree;
use super::super::{FileFault, FileFaultKind, SourceError, SourceLimits};
use super::blob_file;
use super::reference;
use super::{
    Blob, MANIFEST_BYTES, Presence, RawManifest, Root, RootContent, Store, StoreError, StoreErrorKind, StoreShape,
};
use crate::finding::ContentDigest;

/// The file that marks a layout.
pub(super) const MARKER: &str = "oci-layout";
/// The file that lists what a layout holds.
pub(super) const INDEX: &str = "index.json";
const TAG: &str = "org.opencontainers.image.ref.name";
const MARKER_BYTES: u64 = 64 << 10;

/// An OCI image layout.
pub struct OciLayout {
    tree: Arc<dyn FileTree>,
    shape: StoreShape,
    descriptors: Result<Vec<Descriptor>, StoreError>,
    /// What `index.json` states of what it names: length and media type. The first descriptor of a digest counts.
    stated: BTreeMap<ContentDigest, (Option<u64>, Option<String>)>,
    faults: Vec<FileFault>,
}

/// A member of `index.json`, as far as it is looked at.
#[derive(Debug, Clone, Deserialize)]
struct Descriptor {
    #[serde(rename = "mediaType")]
    media_type: Option<String>,
    digest: ContentDigest,
    size: Option<u64>,
    annotations: Option<BTreeMap<String, serde_json::Value>>,
}

impl Descriptor {
    fn tag(&self) -> Option<&str> {
        self.annotations.as_ref()?.get(TAG)?.as_str().filter(|tag| !tag.is_empty())
    }
}

#[derive(Deserialize)]
struct Marker {
    #[serde(rename = "imageLayoutVersion")]
    version: String,
}

#[derive(Deserialize)]
struct Index<'a> {
    #[serde(borrow)]
    manifests: Option<Vec<&'a serde_json::value::RawValue>>,
}

impl OciLayout {
    /// Opens the layout at the root of a tree; `None` where there is none. A layout whose index cannot be read is opened,
    /// and [`Store::roots`] says why.
    ///
    /// # Errors
    /// None today; it is what every shape answers.
    pub(super) fn open(tree: Arc<dyn FileTree>, _limits: &SourceLimits) -> Result<Option<Self>, SourceError> {
        if !tree.is_file(MARKER) {
            return Ok(None);
        }
        let mut faults = Vec::new();
        faults.extend(fault_of_marker(&*tree).map(|reason| fault(MARKER, reason)));
        if tree.link("blobs").is_some() && tree.entry("blobs").is_none() {
            faults.push(fault("blobs", "it is a link that leaves the layout, and is not followed".to_owned()));
        }
        let descriptors = read_index(&*tree, &mut faults);
        let mut stated = BTreeMap::new();
        for descriptor in descriptors.iter().flatten() {
            let facts = || (descriptor.size, descriptor.media_type.clone());
            stated.entry(descriptor.digest.clone()).or_insert_with(facts);
        }
        let shape = if tree.place().is_dir() { StoreShape::OciLayout } else { StoreShape::OciArchive };
        Ok(Some(Self { tree, shape, descriptors, stated, faults }))
    }

    fn stated_bytes(&self, digest: &ContentDigest) -> Option<u64> {
        self.stated.get(digest).and_then(|(bytes, _)| *bytes)
    }
}

/// Where a blob lies in a layout.
fn path_of(digest: &ContentDigest) -> String {
    format!("blobs/{}/{}", digest.algorithm(), digest.hex())
}

fn fault(path: &str, reason: String) -> FileFault {
    FileFault { path: path.to_owned(), kind: FileFaultKind::Unreadable, reason }
}

fn fault_of_marker(tree: &dyn FileTree) -> Option<String> {
    let bytes = match tree.read(MARKER, MARKER_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => return Some(error.to_string()),
    };
    match serde_json::from_slice::<Marker>(&bytes) {
        Ok(marker) if marker.version == "1.0.0" => None,
        Ok(marker) => Some(format!("its imageLayoutVersion is {:?}, and only 1.0.0 is known", marker.version)),
        Err(error) => Some(format!("it is no marker of an image layout: {error}")),
    }
}

/// The descriptors that can be read, in the order of the index. One that cannot is a fault and leaves the others alone.
fn read_index(tree: &dyn FileTree, faults: &mut Vec<FileFault>) -> Result<Vec<Descriptor>, StoreError> {
    let bytes = tree.read(INDEX, MANIFEST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => StoreError::new(StoreErrorKind::Absent, format!("{INDEX} is not here")),
        _ => blob_file::of_io(INDEX, &error),
    })?;
    let index: Index = serde_json::from_slice(&bytes)
        .map_err(|error| StoreError::new(StoreErrorKind::Bad, format!("{INDEX} is no image index: {error}")))?;
    let mut descriptors = Vec::new();
    for (position, member) in index.manifests.unwrap_or_default().into_iter().enumerate() {
        match serde_json::from_str(member.get()) {
            Ok(descriptor) => descriptors.push(descriptor),
            Err(error) => faults.push(fault(INDEX, format!("manifests[{position}] is no descriptor: {error}"))),
        }
    }
    Ok(descriptors)
}

impl Store for OciLayout {
    fn shape(&self) -> StoreShape {
        self.shape
    }

    fn place(&self) -> String {
        self.tree.place().display().to_string()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        let root = |descriptor: &Descriptor| Root {
            repository: None,
            tag: descriptor.tag().map(str::to_owned),
            identity: Some(descriptor.digest.clone()),
            content: RootContent::Image(descriptor.digest.clone()),
            notes: Vec::new(),
        };
        self.descriptors.as_ref().map(|all| all.iter().map(root).collect()).map_err(Clone::clone)
    }

    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        if let Ok(digest) = reference.parse() {
            let is_here = self.stated.contains_key(&digest) || self.tree.is_file(&path_of(&digest));
            return Ok(is_here.then_some(digest));
        }
        let descriptors = self.descriptors.as_ref().map_err(Clone::clone)?;
        let tagged = || descriptors.iter().filter_map(|one| Some((one.tag()?, &one.digest)));
        let whole = format!("{repository}:{reference}");
        let exact = tagged().find(|(tag, _)| *tag == whole || *tag == reference);
        let last_part = || tagged().find(|(tag, _)| reference::tag_of(tag) == Some(reference));
        Ok(exact.or_else(last_part).map(|(_, digest)| digest.clone()))
    }

    fn manifest(&self, _repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        let mut manifest = blob_file::manifest(&*self.tree, &path_of(digest), digest, self.stated_bytes(digest))?;
        manifest.media_type = self.stated.get(digest).and_then(|(_, media_type)| media_type.clone());
        Ok(manifest)
    }

    fn blob(&self, _repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        blob_file::blob(&*self.tree, &path_of(digest), digest, self.stated_bytes(digest))
    }

    fn presence(&self, _repository: Option<&str>, digest: &ContentDigest) -> Presence {
        blob_file::presence(&*self.tree, &path_of(digest), digest, self.stated_bytes(digest))
    }

    fn repositories_with(&self, _digest: &ContentDigest) -> Vec<String> {
        Vec::new()
    }

    fn faults(&self) -> &[FileFault] {
        &self.faults
    }
}

#[cfg(test)]
mod tests;
