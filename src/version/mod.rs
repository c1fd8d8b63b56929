//! Versions, releases and version ranges, as the parts of the Operator Lifecycle Manager read them.
//!
//! Three libraries decide what an upgrade graph means, and they disagree on details that decide whole upgrades:
//!
//! * blang/semver v4 (`semver.go`) parses and orders the versions of bundles: [`SemanticVersion`].
//! * blang/semver v4 (`range.go`) reads `skipRange` and the ranges of dependencies: [`BlangRange`].
//! * Masterminds/semver v3 (`constraints.go`) reads the version field of a ClusterExtension: [`MastermindsRange`].
//!
//! On top of the first, operator-registry (`alpha/model/versionrelease.go`) and operator-controller
//! (`bundleutil/bundle.go`) put a release, which tells rebuilds of one version apart: [`BundleVersion`].
//!
//! The `semver` crate is not used: its order takes build metadata into account, it has no tolerant parse with
//! blang's rules, and it keeps a numeric pre-release identifier as text of any size, whereas blang refuses one that
//! does not fit 64 bits (date stamps such as `4.17.0-202412170235` do fit, and compare as numbers).
//!
//! Cost: every parse is one pass over a text of bounded length; every comparison is linear in the number of
//! identifiers.

mod bundle;
mod error;
mod identifier;
pub mod range;
mod release;
mod semantic;

pub use bundle::{BundleVersion, BundleVersionError};
pub use error::VersionError;
pub use identifier::PreReleaseIdentifier;
pub use range::{BlangRange, Dialect, DialectError, MastermindsRange, Range, RangeError, parse_range};
pub use release::{Release, ReleaseError};
pub use semantic::SemanticVersion;
