//! From an image to its files: manifests, the choice of a platform, configurations, layers.
//!
//! Rule: OCI image specification (index, manifest, configuration, layer); docker schema 2 counts as equal everywhere. Cost:
//! a layer is decompressed once, and only wanted paths are handed out.

mod choose;
mod configuration;
mod decompress;
mod files;
mod flatten;
mod json;
mod kind;
mod layer;
mod manifest;
#[cfg(test)]
pub(crate) mod memory;
mod platform;
mod read;
#[cfg(test)]
mod sample;
mod tree;
mod wanted;

pub use choose::{Chosen, INDEX_DEPTH, Instance, MANIFESTS_OF_AN_IMAGE, choose, is_attestation};
pub use configuration::{Configuration, read_configuration};
pub use decompress::{Compression, DecompressLimits, Decompressed};
pub use files::FileSet;
pub(crate) use files::directories_with;
pub use flatten::flatten;
pub use kind::{ImageKind, LabelError, image_kind, rebuilt_catalog_directory};
pub use layer::{LayerEntries, LayerEntry, LayerEntryKind, LayerError, LayerLimits, Visit, walk_layer};
pub use manifest::{
    Descriptor, DescriptorFault, ImageManifest, Index, MANIFEST_DESCRIPTORS, MANIFEST_LAYERS, Manifest, ManifestError,
    media_type, parse_manifest,
};
pub use platform::{Platform, PlatformError};
pub use read::read_manifest;
pub use tree::{DirectoryFiles, ImageFile, ImageTree};
pub use wanted::Wanted;
