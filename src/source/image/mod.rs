//! From an image to its files: manifests, the choice of a platform, configurations, layers.
//!
//! Rule: OCI image specification (index, manifest, configuration, layer); docker schema 2 counts as equal everywhere. Cost:
//! a layer is decompressed once, and only wanted paths are handed out.

mod decompress;
mod flatten;
mod layer;
#[cfg(test)]
mod sample;
mod tree;
mod wanted;

pub use decompress::{Compression, DecompressLimits, Decompressed};
pub use flatten::flatten;
pub use layer::{LayerEntries, LayerEntry, LayerEntryKind, LayerError, LayerLimits, Visit, walk_layer};
pub use tree::{DirectoryFiles, ImageFile, ImageTree};
pub use wanted::Wanted;
