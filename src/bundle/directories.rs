//! Where in an image or a plain directory the parts of a bundle lie.
//!
//! Rule: operator-registry `pkg/lib/bundle/generate.go` (the labels) and `docs/design/operator-bundle.md` (the layout of a
//! bundle on disk: `manifests/` and `metadata/` side by side). Cost: one pass over the paths.

use std::collections::BTreeMap;

use super::facts::BundleFault;
use crate::source::image::directories_with;

/// The file of the metadata directory that names package and channels.
pub const ANNOTATIONS_FILE: &str = "annotations.yaml";

/// What the keys of all labels and annotations of a bundle begin with.
pub(super) const PREFIX: &str = "operators.operatorframework.io.bundle.";
pub(super) const MEDIA_TYPE: &str = "operators.operatorframework.io.bundle.mediatype.v1";
pub(super) const MANIFESTS: &str = "operators.operatorframework.io.bundle.manifests.v1";
pub(super) const METADATA: &str = "operators.operatorframework.io.bundle.metadata.v1";
pub(super) const PACKAGE: &str = "operators.operatorframework.io.bundle.package.v1";
pub(super) const CHANNELS: &str = "operators.operatorframework.io.bundle.channels.v1";
pub(super) const DEFAULT_CHANNEL: &str = "operators.operatorframework.io.bundle.channel.default.v1";

/// The directories below which bundles lie, `""` for the root itself, sorted: each holds `metadata/annotations.yaml`.
/// Takes the paths of a plain directory, so that a reader can choose before it reads.
///
/// ```
/// use skipstone::bundle::bundle_directories;
///
/// let paths = ["tern/1.0.0/manifests/csv.yaml", "tern/1.0.0/metadata/annotations.yaml", "tern/README.md"];
/// assert_eq!(bundle_directories(paths), ["tern/1.0.0"]);
/// ```
#[must_use]
pub fn bundle_directories<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    directories_with(paths, &["metadata/annotations.yaml"])
}

/// The directory that a key names, or the usual one where the key is not there or names none.
pub(super) fn named(
    stated: &BTreeMap<String, String>,
    key: &str,
    usual: &str,
    faults: &mut Vec<BundleFault>,
) -> String {
    let Some(value) = stated.get(key).filter(|value| !value.is_empty()) else { return usual.to_owned() };
    clean(value).unwrap_or_else(|| {
        faults.push(BundleFault::BadDirectory {
            key: key.to_owned(),
            value: value.clone(),
            directory: usual.to_owned(),
        });
        usual.to_owned()
    })
}

/// The directory without `.` and closing `/`; `None` where it is the root or leads out of it.
fn clean(directory: &str) -> Option<String> {
    let parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.is_empty() && !parts.contains(&"..")).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_cleaned_and_one_that_leads_out_is_refused() {
        assert_eq!(clean("manifests/").as_deref(), Some("manifests"));
        assert_eq!(clean("/deploy/./olm//").as_deref(), Some("deploy/olm"));
        for bad in ["", "/", ".", "../etc", "a/../../etc"] {
            assert_eq!(clean(bad), None, "{bad}");
        }
    }
}
