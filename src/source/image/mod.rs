//! From an image to its files: manifests, the choice of a platform, configurations, layers.
//!
//! Rule: OCI image specification (index, manifest, configuration, layer); docker schema 2 counts as equal everywhere. Cost:
//! a layer is decompressed once, and only wanted paths are handed out.

mod decompress;
mod layer;
mod wanted;

pub use decompress::{Compression, DecompressLimits, Decompressed};
pub use layer::{LayerEntries, LayerEntry, LayerEntryKind, LayerError, LayerLimits, Visit, walk_layer};
pub use wanted::Wanted;
