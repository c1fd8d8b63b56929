//! From an image to its files: manifests, the choice of a platform, configurations, layers.
//!
//! Rule: OCI image specification (index, manifest, configuration, layer); docker schema 2 counts as equal everywhere. Cost:
//! a layer is decompressed once, and only wanted paths are handed out.

mod choose;
mod configuration;
mod json;
mod kind;
mod manifest;
#[cfg(test)]
pub(crate) mod memory;
mod platform;
mod read;

pub use choose::{Chosen, INDEX_DEPTH, Instance, MANIFESTS_OF_AN_IMAGE, choose, is_attestation};
pub use configuration::{Configuration, read_configuration};
pub use kind::{ImageKind, LabelError, image_kind, rebuilt_catalog_directory};
pub use manifest::{
    Descriptor, DescriptorFault, ImageManifest, Index, MANIFEST_DESCRIPTORS, MANIFEST_LAYERS, Manifest, ManifestError,
    media_type, parse_manifest,
};
pub use platform::{Platform, PlatformError};
pub use read::read_manifest;
