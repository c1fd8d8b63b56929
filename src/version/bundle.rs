//! The version of a bundle: a semantic version and a release.
//!
//! Rules: operator-registry, `alpha/model/versionrelease.go` (order, safe name), `alpha/model/model.go` (what makes
//! two versions duplicates) and `alpha/declcfg/declcfg.go` (`Bundle.VersionRelease`); operator-controller,
//! `bundleutil/bundle.go` (`ParseLegacyVersionRelease`, `ParseExplicitRelease`). Cost: that of the parses.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{Release, ReleaseError, SemanticVersion, VersionError};

/// The version and the release of a bundle.
///
/// Which of the two a text such as `1.0.0+2` belongs to depends on who reads it: see the constructors.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BundleVersion {
    /// The semantic version; what ranges are matched against.
    pub version: SemanticVersion,
    /// The release, where there is one.
    pub release: Option<Release>,
}

/// Why a bundle has no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundleVersionError {
    /// The version is at fault.
    #[error(transparent)]
    Version(#[from] VersionError),
    /// The release is at fault.
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

impl BundleVersion {
    /// Reads the two fields of a package property as they stand; build metadata stays with the version.
    ///
    /// So reads `opm validate`, and OLM v1 with its feature gate BundleReleaseSupport on.
    ///
    /// # Errors
    /// When the version is no strict version, or the release is not empty and no release.
    pub fn from_fields(version: &str, release: &str) -> Result<Self, BundleVersionError> {
        Ok(Self { version: SemanticVersion::parse_strict(version)?, release: Release::parse_optional(release)? })
    }

    /// Reads the two fields of a bundle that substitutes for another (its ClusterServiceVersion has the annotation
    /// `olm.substitutesFor`): without a release, the build metadata is the release and is cut from the version.
    ///
    /// So operator-registry orders bundles.
    ///
    /// # Errors
    /// As [`from_fields`](Self::from_fields), and when build metadata stands in for the release but is none.
    pub fn from_fields_of_substitute(version: &str, release: &str) -> Result<Self, BundleVersionError> {
        let read = Self::from_fields(version, release)?;
        if read.release.is_some() {
            return Ok(read);
        }
        let release = Release::parse_optional(&read.version.build().join("."))?;
        Ok(Self { version: read.version.without_build(), release })
    }

    /// Reads the version field alone: build metadata that parses as a release is the release and is cut from the
    /// version; other build metadata stays where it is.
    ///
    /// So reads OLM v1 with its feature gate BundleReleaseSupport off, the default, both for bundles of a catalog and
    /// for what is installed.
    ///
    /// ```
    /// use skipstone::version::BundleVersion;
    /// let rebuild = BundleVersion::from_legacy_version("1.0.0+2")?;
    /// let first = BundleVersion::from_legacy_version("1.0.0")?;
    /// assert!(rebuild.order(&first).is_gt());
    /// # Ok::<(), skipstone::version::VersionError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no strict version.
    pub fn from_legacy_version(version: &str) -> Result<Self, VersionError> {
        let version = SemanticVersion::parse_strict(version)?;
        match Release::parse_optional(&version.build().join(".")) {
            Ok(Some(release)) => Ok(Self { version: version.without_build(), release: Some(release) }),
            Ok(None) | Err(_) => Ok(Self { version, release: None }),
        }
    }

    /// The order of bundles: precedence of the version, then the release; no release is lowest.
    pub fn order(&self, other: &Self) -> Ordering {
        self.version.precedence(&other.version).then_with(|| self.release.cmp(&other.release))
    }

    /// The text that no two bundles of a package may share: the whole version, build metadata included, and
    /// `-RELEASE` where there is one.
    pub fn uniqueness_key(&self) -> String {
        match &self.release {
            Some(release) => format!("{}-{release}", self.version),
            None => self.version.to_string(),
        }
    }

    /// The text that stands for this version in the names of objects: lower case, `-` for `+`.
    pub fn object_name_part(&self) -> String {
        self.uniqueness_key().replace('+', "-").to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(read: &BundleVersion) -> (String, Option<String>) {
        (read.version.to_string(), read.release.as_ref().map(Release::to_string))
    }

    #[test]
    fn legacy_view_takes_build_metadata_as_release_where_it_parses() {
        let table = [
            ("1.0.0", "1.0.0", None),
            ("1.0.0+2", "1.0.0", Some("2")),
            ("1.0.0-pre+1.alpha.2", "1.0.0-pre", Some("1.alpha.2")),
            ("1.0.0+001", "1.0.0+001", None),
            ("1.0.0+aaaaaaaaaaaaaaaaaaaaa", "1.0.0+aaaaaaaaaaaaaaaaaaaaa", None),
        ];
        for (text, version, release) in table {
            let read = BundleVersion::from_legacy_version(text).unwrap();
            assert_eq!(shown(&read), (version.to_owned(), release.map(str::to_owned)), "{text}");
        }
        assert!(BundleVersion::from_legacy_version("v1.0.0").is_err());
    }

    #[test]
    fn fields_are_taken_as_they_stand() {
        let read = BundleVersion::from_fields("2.1.0+build", "1.alpha.3").unwrap();
        assert_eq!(shown(&read), ("2.1.0+build".to_owned(), Some("1.alpha.3".to_owned())));
        assert_eq!(BundleVersion::from_fields("1.0.0+2", "").unwrap().release, None);
        assert!(matches!(BundleVersion::from_fields("1.0.0", "001"), Err(BundleVersionError::Release(_))));
        assert!(matches!(BundleVersion::from_fields("1.0", "1"), Err(BundleVersionError::Version(_))));
    }

    #[test]
    fn build_metadata_of_a_substitute_is_its_release() {
        let read = BundleVersion::from_fields_of_substitute("1.3.1+0.1776877589.p", "").unwrap();
        assert_eq!(shown(&read), ("1.3.1".to_owned(), Some("0.1776877589.p".to_owned())));
        let explicit = BundleVersion::from_fields_of_substitute("1.3.1+7", "2").unwrap();
        assert_eq!(shown(&explicit), ("1.3.1+7".to_owned(), Some("2".to_owned())));
        assert_eq!(BundleVersion::from_fields_of_substitute("1.3.1", "").unwrap().release, None);
        assert!(BundleVersion::from_fields_of_substitute("1.3.1+01", "").is_err());
    }

    #[test]
    fn order_is_version_then_release() {
        let ascending = ["1.3.0+9", "1.3.1-rc.1+5", "1.3.1", "1.3.1+0.1776877589.p", "1.3.1+1", "1.3.1+a", "1.3.2"];
        let read: Vec<_> = ascending.iter().map(|text| BundleVersion::from_legacy_version(text).unwrap()).collect();
        assert!(read.is_sorted_by(|lower, higher| lower.order(higher).is_lt() && higher.order(lower).is_gt()));
    }

    #[test]
    fn build_metadata_that_is_no_release_takes_no_part_in_the_order() {
        let [left, right] = ["1.0.0+01", "1.0.0+02"].map(|text| BundleVersion::from_legacy_version(text).unwrap());
        assert_eq!(left.order(&right), Ordering::Equal);
        assert_ne!(left, right);
    }

    #[test]
    fn keys_and_names() {
        let table = [
            ("1.2.3", "", "1.2.3", "1.2.3"),
            ("1.2.3", "alpha.1", "1.2.3-alpha.1", "1.2.3-alpha.1"),
            ("2.0.0+beta.456", "rc.2", "2.0.0+beta.456-rc.2", "2.0.0-beta.456-rc.2"),
            ("3.4.5+BUILD.789", "", "3.4.5+BUILD.789", "3.4.5-build.789"),
        ];
        for (version, release, key, name) in table {
            let read = BundleVersion::from_fields(version, release).unwrap();
            assert_eq!((read.uniqueness_key(), read.object_name_part()), (key.to_owned(), name.to_owned()));
        }
    }
}
