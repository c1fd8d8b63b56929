//! From an image to its files: manifests, the choice of a platform, configurations, layers.
//!
//! Rule: OCI image specification (index, manifest, configuration, layer); docker schema 2 counts as equal everywhere. Cost:
//! a layer is decompressed once, and only wanted paths are handed out.

mod manifest;
mod platform;

pub use manifest::{
    Descriptor, DescriptorFault, ImageManifest, Index, MANIFEST_DESCRIPTORS, MANIFEST_LAYERS, Manifest, ManifestError,
    media_type, parse_manifest,
};
pub use platform::{Platform, PlatformError};
