//! The contents of operator bundles in the format registry+v1: manifests, annotations, dependencies.
//!
//! Rule: operator-registry `docs/design/operator-bundle.md` and `pkg/registry/parse.go` (opm and OLM v0),
//! operator-controller `rukpak/bundle/source/source.go` (OLM v1); where the two differ, a [`BundleFault`] says so.
//! [`read`] makes [`BundleContents`] of the files: [`BundleFacts`] to keep, and the objects to look deeper into.
//! [`findings`] holds them against what the catalog states.
//! Cost: every manifest is decoded once.

mod csv;
mod directories;
mod facts;
mod findings;
mod metadata;
mod read;
mod secret;

pub use csv::{CrdReference, CsvFacts, InstallMode, RelatedImage};
pub use directories::{ANNOTATIONS_FILE, bundle_directories};
pub use facts::{BundleContents, BundleFacts, BundleFault, FileFacts, TypedValue};
pub use findings::{StatedBundle, findings};
pub use read::read;

#[cfg(test)]
mod tests;
