//! What lies at a place, told by its content.
//!
//! Rule: a directory that holds `report.json` and `api/v1/index.json` is a report; `oci-layout` marks an OCI image layout
//! (OCI image specification, image layout); anything else that is a directory or a file is taken for a file-based catalog.
//! Cost: a few looks at the directory, none into a file.

use std::path::Path;

/// The shapes that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A file-based catalog: a directory or one file.
    Catalog,
    /// A report that this program wrote.
    Report,
    /// Images or archives, which this version does not open: what it is.
    Foreign(&'static str),
    /// m
    Mirror,
}

/// Tells what lies at a place that exists.
pub fn detect(place: &Path) -> Shape {
    let has = |name: &str| place.join(name).exists();
    if has("report.json") && has("api/v1/index.json") {
        return Shape::Report;
    }
    if has("oci-layout") {
        return Shape::Foreign("an OCI image layout");
    }
    if has("docker/registry/v2") {
        return Shape::Foreign("the storage of a registry");
    }
    let is_archive =
        place.extension().is_some_and(|extension| extension == "tar" || extension == "tgz" || extension == "gz");
    if place.is_file() && is_archive {
        return Shape::Foreign("an archive");
    }
    Shape::Catalog
}
