//! Stores of images: one reader model for every shape in which mirrored content lies.
//!
//! A store lists its roots, resolves names to digests, and hands out manifests and blobs by digest; whatever is made of
//! images is written against these four verbs alone. What bytes say is believed only after their digest was checked (OCI
//! image specification, descriptor, "Digests"): [`Store::manifest`] has checked it, and [`Verified`] checks a blob while it
//! is read. Cost: looking at a store reads names and small files; a blob is read when somebody reads it.

mod blob_file;
mod docker_archive;
mod image_mirror;
mod layouts;
mod manifest_of_parts;
mod marks;
mod oc_mirror_v1;
mod oc_mirror_v2;
mod oci_layout;
mod open;
mod reference;
pub mod registry;
mod registry_storage;
mod repositories;
#[cfg(test)]
mod sample;
mod segments;
mod select;
mod selected;
mod skopeo_directory;
mod verified;
mod walk;

use std::fmt;

use crate::finding::ContentDigest;

use super::FileFault;
use super::tree::{Content, FileTree, Stamp};
pub use docker_archive::DockerArchive;
pub use image_mirror::ImageMirror;
pub(super) use marks::{is_archive, is_marked};
pub use oc_mirror_v1::{Metadata, MirroredCatalog, MirroredChannel, OcMirrorV1, PastMirror};
pub use oc_mirror_v2::{History, MirroringError, OcMirrorV2};
pub use oci_layout::OciLayout;
pub use open::{Mirror, open_mirror};
pub use registry_storage::RegistryStorage;
pub use select::select;
pub use selected::SelectedStore;
pub use skopeo_directory::SkopeoDirectory;
pub use verified::Verified;

/// The largest manifest, index or configuration that is read: four times what registries accept.
pub const MANIFEST_BYTES: u64 = 16 << 20;

/// In which shape a store lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoreShape {
    /// An OCI image layout, unpacked.
    OciLayout,
    /// An OCI image layout in a tar archive.
    OciArchive,
    /// A directory that `skopeo copy … dir:` wrote.
    SkopeoDirectory,
    /// An archive that `docker save` or `skopeo copy … docker-archive:` wrote.
    DockerArchive,
    /// The file system storage of a distribution registry; the cache of oc-mirror v2 is one, too.
    RegistryStorage,
    /// A tree that `oc image mirror --dir` or `oc adm release mirror --to-dir` wrote.
    ImageMirror,
    /// The workspace of oc-mirror v1.
    OcMirrorV1Workspace,
    /// Archives of oc-mirror v1.
    OcMirrorV1Archive,
    /// Archives of oc-mirror v2.
    OcMirrorV2Archive,
    /// The working directory of oc-mirror v2.
    OcMirrorV2WorkingDirectory,
    /// A live registry.
    Registry,
}

impl StoreShape {
    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::OciLayout => "oci-layout",
            Self::OciArchive => "oci-archive",
            Self::SkopeoDirectory => "skopeo-dir",
            Self::DockerArchive => "docker-archive",
            Self::RegistryStorage => "registry-storage",
            Self::ImageMirror => "image-mirror",
            Self::OcMirrorV1Workspace => "oc-mirror-v1-workspace",
            Self::OcMirrorV1Archive => "oc-mirror-v1-archive",
            Self::OcMirrorV2Archive => "oc-mirror-v2-archive",
            Self::OcMirrorV2WorkingDirectory => "oc-mirror-v2-working-dir",
            Self::Registry => "registry",
        }
    }
}

/// One image, catalog or payload that a store names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The repository, where the shape keeps one.
    pub repository: Option<String>,
    /// The tag, where it has one; an OCI layout may hold a whole reference here.
    pub tag: Option<String>,
    /// The digest that others know it by; `None` where that cannot be proven from what lies here (`docker save` loses it).
    pub identity: Option<ContentDigest>,
    /// What is to be read.
    pub content: RootContent,
    /// What a reader should know of this root, as a sentence; empty in most cases.
    pub notes: Vec<String>,
}

/// What a root consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RootContent {
    /// An image or an index of images: [`Store::manifest`] of this digest. It differs from the identity where the store
    /// holds a converted copy, as the working directory of oc-mirror v2 does.
    Image(ContentDigest),
    /// A directory of file-based catalog documents in [`Store::tree`].
    CatalogDirectory(String),
    /// A directory of [`Store::tree`] that holds `release-manifests/`.
    PayloadDirectory(String),
}

impl Root {
    /// The name for people and for `SOURCE#REF`: `repository:tag`, `repository@digest`, a tag, a digest, or `@N` for the
    /// Nth root of its store, counted from 0.
    pub fn name(&self, position: usize) -> String {
        let digest = self.identity.as_ref();
        match (&self.repository, &self.tag, digest) {
            (Some(repository), Some(tag), _) => format!("{repository}:{tag}"),
            (Some(repository), None, Some(digest)) => format!("{repository}@{digest}"),
            (None, Some(tag), _) => tag.clone(),
            (None, None, Some(digest)) => digest.to_string(),
            (_, None, None) => format!("@{position}"),
        }
    }
}

/// A manifest, byte for byte, whose digest was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawManifest {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The media type that the store states beside the bytes, where it does.
    pub media_type: Option<String>,
}

/// A blob that can be read.
pub struct Blob {
    /// The bytes, not yet checked: wrap them in [`Verified`].
    pub content: Content,
    /// Length, where the store knows it.
    pub bytes: Option<u64>,
    /// Tells whether it is still the same file; `None` where that cannot be told.
    pub stamp: Option<Stamp>,
}

/// Whether a blob or manifest lies in a store, told without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    /// It is there.
    Present {
        /// Length, where the store knows it.
        bytes: Option<u64>,
        /// Tells whether it is still the same file.
        stamp: Option<Stamp>,
    },
    /// It is not here, and a record says that the target registry has it already: which record.
    ExpectedAtTarget(String),
    /// It is not here.
    Absent,
    /// Something is here that cannot be it: why.
    Bad(String),
    /// It cannot be told whether it is here: why. A network that refuses is no absence.
    Unknown(String),
}

/// Why something of a store cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct StoreError {
    /// Which kind of reason.
    pub kind: StoreErrorKind,
    /// What is wrong, as a sentence that names the thing; never a credential.
    pub what: String,
}

impl StoreError {
    /// An error of a kind.
    pub fn new(kind: StoreErrorKind, what: impl fmt::Display) -> Self {
        Self { kind, what: what.to_string() }
    }
}

/// Kinds of reasons why something of a store cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// It is not there.
    Absent,
    /// It is not there, and a record says that the target registry has it already.
    ExpectedAtTarget,
    /// It is there, and its bytes are not what they should be: digest, size, form.
    Bad,
    /// The machine, the medium or the network refuses.
    Unreadable,
    /// It is larger than the limits allow.
    Limit,
    /// The registry refuses for want of credentials or trust.
    Refused,
}

/// A store of images.
pub trait Store: Send + Sync {
    /// Its shape.
    fn shape(&self) -> StoreShape;

    /// Where it lies, for people: a path or `registry:HOST`, never with credentials.
    fn place(&self) -> String;

    /// Everything that it names, in a fixed order that `@N` counts: that of its index, or sorted by repository, tag, digest.
    ///
    /// # Errors
    /// [`StoreError`] where the list itself cannot be had.
    fn roots(&self) -> Result<Vec<Root>, StoreError>;

    /// What a tag or digest of a repository means here; `None` where it means nothing. A store without repositories looks at
    /// the last part only.
    ///
    /// # Errors
    /// [`StoreError`] where that cannot be told.
    fn resolve(&self, repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError>;

    /// A manifest by its digest, checked against it, of at most [`MANIFEST_BYTES`].
    ///
    /// # Errors
    /// [`StoreError`] of the kind that applies.
    fn manifest(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError>;

    /// A blob by its digest, not yet checked.
    ///
    /// # Errors
    /// [`StoreError`] of the kind that applies.
    fn blob(&self, repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError>;

    /// Whether a manifest or blob is here, without reading it.
    fn presence(&self, repository: Option<&str>, digest: &ContentDigest) -> Presence;

    /// The repositories that hold a manifest of this digest, sorted; empty where there is none or where the shape keeps no
    /// repositories.
    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String>;

    /// The files that lie beside the images, for [`RootContent::CatalogDirectory`] and [`RootContent::PayloadDirectory`].
    fn tree(&self) -> Option<std::sync::Arc<dyn FileTree>> {
        None
    }

    /// What was wrong with the store as a whole when it was opened: torn links, truncated archives, segments that miss. A
    /// registry knows only once [`Store::roots`] was asked.
    fn faults(&self) -> &[FileFault] {
        &[]
    }

    /// Whether the digests that others know its images by can be checked here.
    fn is_provable(&self) -> bool {
        true
    }
}
