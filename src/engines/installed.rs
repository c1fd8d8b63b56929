//! What a cluster has installed, as the engines look at it.
//!
//! Rule: operator-lifecycle-manager reads versions tolerantly (`pkg/controller/registry/resolver/source_registry.go`),
//! operator-controller strictly, with build metadata as the release (`bundleutil/bundle.go`). Cost: two parses.

use std::sync::Arc;

use crate::catalog::Bundle;
use crate::version::{BundleVersion, SemanticVersion};

/// An installed bundle: its name, and its version where that is known.
///
/// The name alone decides about `replaces` and `skips`, the version alone about a skipRange; a bundle that the catalog no
/// longer holds has both from the cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The bundle's name.
    pub name: Arc<str>,
    /// Its version, `None` where nobody said it: then no range can be judged.
    pub version: Option<SemanticVersion>,
    /// Version and release, as OLM v1 compares them.
    pub version_and_release: Option<BundleVersion>,
}

impl Installed {
    /// A bundle of the catalog as installed.
    pub fn bundle(bundle: &Bundle) -> Self {
        let version = bundle.stated().and_then(|(_, version, _)| SemanticVersion::parse_tolerant(version).ok());
        Self { name: bundle.name.clone(), version, version_and_release: bundle.version_and_release() }
    }

    /// A bundle that is known by name and perhaps by version only.
    pub fn outside(name: &str, version: Option<SemanticVersion>) -> Self {
        let version_and_release =
            version.as_ref().and_then(|version| BundleVersion::from_legacy_version(&version.to_string()).ok());
        Self { name: name.into(), version, version_and_release }
    }

    /// Whether it is higher than another as OLM v1 compares them: never where a version is not known.
    pub(super) fn is_higher_than(&self, other: &Self) -> bool {
        match (&self.version_and_release, &other.version_and_release) {
            (Some(one), Some(other)) => one.order(other).is_gt(),
            _ => false,
        }
    }
}
