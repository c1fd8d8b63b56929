//! Where each document of a report lies: one function a kind, used by whoever writes the file and whoever links to it.
//!
//! Rule: paths are relative to the report, use `/`, and need no escaping in a link. Names of catalogs and packages are
//! foreign text, so every character outside `A-Z a-z 0-9 . _ -` is written as `~` and two hexadecimal digits for each of
//! its bytes (`~` is unreserved in RFC 3986, 2.3, so that file name and link are the same text). A leading dot is written
//! that way too: no name makes a hidden file or climbs to a directory above. Names longer than a file system takes are
//! cut and closed with a digest.
//! Cost: linear in the length of a name.

use crate::finding::Digest;

/// The page that a reader opens first.
pub const OVERVIEW_PAGE: &str = "index.html";
/// The summary of the report.
pub const OVERVIEW_API: &str = "report.json";
/// Every finding: what a renderer with a limit points at.
pub const FINDINGS_API: &str = "api/v1/findings.json";
/// The lifecycle phases of all bundles.
pub const LIFECYCLE_API: &str = "api/v1/lifecycle.json";
/// The release payloads that were read.
pub const RELEASES_API: &str = "api/v1/platform/releases.json";
/// The page of the release payloads.
pub const RELEASES_PAGE: &str = "platform/releases.html";
/// What lies in the mirrors.
pub const MIRROR_INVENTORY_API: &str = "api/v1/mirror/inventory.json";
/// What the mirrors lack.
pub const MIRROR_MISSING_API: &str = "api/v1/mirror/missing.json";
/// The list of all documents of the static API.
pub const API_INDEX: &str = "api/v1/index.json";
/// The digests of all files of the report.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// The longest encoded name, in bytes: file systems take 255 with the ending.
const LONGEST_NAME: usize = 180;

/// The page of a catalog.
///
/// ```
/// assert_eq!(skipstone::report::place::catalog_page("operators"), "catalogs/operators.html");
/// ```
pub fn catalog_page(catalog: &str) -> String {
    format!("catalogs/{}.html", file_name(catalog))
}

/// The page of a package.
///
/// ```
/// assert_eq!(skipstone::report::place::package_page("a/b", ".."), "packages/a~2Fb/~2E..html");
/// ```
pub fn package_page(catalog: &str, package: &str) -> String {
    format!("packages/{}/{}.html", file_name(catalog), file_name(package))
}

/// The document of a catalog in the static API.
pub fn catalog_api(catalog: &str) -> String {
    format!("api/v1/catalogs/{}.json", file_name(catalog))
}

/// The document of a package in the static API.
pub fn package_api(catalog: &str, package: &str) -> String {
    format!("api/v1/packages/{}/{}.json", file_name(catalog), file_name(package))
}

/// The document of a bundle's contents in the static API.
pub fn bundle_api(catalog: &str, bundle: &str) -> String {
    format!("api/v1/bundles/{}/{}.json", file_name(catalog), file_name(bundle))
}

/// The document of a release in the static API; its name is `<version>-<architecture>`.
///
/// ```
/// assert_eq!(skipstone::report::place::release_api("4.20.1-amd64"), "api/v1/platform/releases/4.20.1-amd64.json");
/// ```
pub fn release_api(name: &str) -> String {
    format!("api/v1/platform/releases/{}.json", file_name(name))
}

/// The document of what a cluster's dump holds in the static API.
///
/// ```
/// assert_eq!(skipstone::report::place::cluster_contents_api("east"), "api/v1/clusters/east/contents.json");
/// ```
pub fn cluster_contents_api(cluster: &str) -> String {
    format!("api/v1/clusters/{}/contents.json", file_name(cluster))
}

/// What leads from a document back to the report's root: `../` for each directory above it, or nothing.
///
/// ```
/// assert_eq!(skipstone::report::place::root_from("packages/a/b.html"), "../../");
/// assert_eq!(skipstone::report::place::root_from("index.html"), "");
/// ```
pub fn root_from(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// A foreign name as part of a path; different names stay different.
pub fn file_name(name: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for (position, byte) in name.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if plain && !(position == 0 && byte == b'.') {
            safe.push(char::from(byte));
        } else {
            safe.push_str(&format!("~{byte:02X}"));
        }
    }
    if safe.is_empty() {
        return "~".to_owned();
    }
    match safe.split_at_checked(LONGEST_NAME) {
        Some((start, rest)) if !rest.is_empty() => {
            let digest = Digest::of(name.as_bytes()).hex();
            let short = digest.split_at_checked(16).map_or(digest.as_str(), |(short, _)| short);
            format!("{start}~~{short}")
        }
        _ => safe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        assert_eq!(file_name("node-feature_discovery.v4"), "node-feature_discovery.v4");
        assert_eq!(package_api("c", "p"), "api/v1/packages/c/p.json");
        assert_eq!(catalog_api("c"), "api/v1/catalogs/c.json");
    }

    #[test]
    fn names_cannot_leave_the_report() {
        assert_eq!(file_name(".."), "~2E.");
        assert_eq!(file_name("../x"), "~2E.~2Fx");
        assert_eq!(file_name(""), "~");
        assert_eq!(file_name("a b%\"é"), "a~20b~25~22~C3~A9");
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let one = file_name(&"x".repeat(400));
        let other = file_name(&"x".repeat(401));
        assert!(one.len() < 220);
        assert_ne!(one, other);
        assert_eq!(file_name(&"x".repeat(180)), "x".repeat(180));
    }

    proptest! {
        #[test]
        fn every_name_becomes_one_safe_segment(name in any::<String>(), other in any::<String>()) {
            let safe = file_name(&name);
            prop_assert!(!safe.is_empty() && !safe.starts_with('.'));
            prop_assert!(safe.chars().all(|c| c.is_ascii_alphanumeric() || "._-~".contains(c)));
            prop_assert_eq!(safe == file_name(&other), name == other);
        }
    }
}
