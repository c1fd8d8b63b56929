//! Where in an image or a plain directory the parts of a payload lie.
//!
//! Rule: oc `pkg/cli/admin/release/new.go` (`release-manifests/` in the top layer), cluster-version-operator
//! `pkg/payload/payload.go` (`manifests/` beside it); `oc adm release extract` writes the files of the first without a
//! directory. Cost: one pass over the paths.

use crate::source::image::{FileSet, directories_with};

pub(super) const RELEASE_MANIFESTS: &str = "release-manifests/";
pub(super) const MANIFESTS: &str = "manifests/";
pub(super) const IMAGE_REFERENCES: &str = "image-references";
pub(super) const RELEASE_METADATA: &str = "release-metadata";

/// The directories below which payloads lie, `""` for the root itself, sorted: each holds `release-manifests/`, or the files
/// of one as `oc adm release extract` writes them. Takes the paths of a plain directory, so that a reader can choose before
/// it reads.
///
/// ```
/// use skipstone::payload::payload_directories;
///
/// let paths = ["4.20.1/release-manifests/release-metadata", "4.20.1/manifests/gate.yaml", "flat/release-metadata"];
/// assert_eq!(payload_directories(paths), ["4.20.1", "flat"]);
/// ```
#[must_use]
pub fn payload_directories<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    directories_with(paths, &["release-manifests/", IMAGE_REFERENCES, RELEASE_METADATA])
}

/// What the payload's own files begin with: [`RELEASE_MANIFESTS`], or nothing where they were extracted without it.
pub(super) fn own_directory(files: &FileSet) -> &'static str {
    let is_flat = !files.keys().any(|path| path.starts_with(RELEASE_MANIFESTS))
        && [IMAGE_REFERENCES, RELEASE_METADATA].iter().any(|name| files.contains_key(*name));
    if is_flat { "" } else { RELEASE_MANIFESTS }
}

/// Whether a file is a manifest by its name.
pub(super) fn is_manifest(path: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|ending| path.ends_with(ending))
}
