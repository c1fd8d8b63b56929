//! The work list: which inputs are read, decoded, analysed, rendered and written, and on how many threads.
//!
//! This is the only place that knows rayon. Every parallel result is sorted by a total key before anyone sees it, so that
//! threads change nothing but the time; a unit of work that panics is a finding, and the others go on. Cost: reading and
//! decoding are linear in the bytes of distinct documents; analysis is linear in the pairs that a report holds.

mod analyse;
mod bundles;
mod cluster;
mod contents;
mod describe;
mod documents;
mod facts;
mod guard;
mod image_files;
mod input;
mod layers;
mod locate;
pub mod mirror;
mod mirrors;
mod plain_files;
mod read;
mod read_image;
mod releases;
mod render;
mod render_contents;
mod scan;
mod scan_cluster;
mod scan_mirror;
mod unchanged;
mod unpack;
mod work;

pub use analyse::{AnalysedCatalog, analyse};
pub use bundles::{BUNDLES, ContentPlaces, Contents};
pub use cluster::{ClusterDump, DumpCoverage, DumpInput};
pub use contents::ContentRequest;
pub use facts::FACTS;
pub use input::{CatalogContent, CatalogInput, ImageInput};
pub use layers::LAYERS;
pub use mirrors::{MirrorRoot, catalog_inputs, kinds, mirror_roots};
pub use read::{ReadCatalog, Reading, read_catalogs};
pub use releases::{PAYLOADS, ReadRelease, ReleasePlaces, ReleaseReading, read_releases};
pub use render::RenderError;
pub use scan::{ScanError, ScanOutcome, ScanRequest, name_of, scan};
pub use scan_cluster::{ClusterInput, contents_view};
pub use scan_mirror::MirrorRequest;
pub use unchanged::REPORTS;
pub use work::{NoObserver, Observer, RunContext, WorkError, on_threads};

/// Every stage of the cache that this version of the program uses.
pub const STAGES: &[crate::cache::Stage] = &[FACTS, LAYERS, BUNDLES, PAYLOADS, REPORTS];
