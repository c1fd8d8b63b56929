//! Tells whether images lie at a place, without opening them.
//!
//! Rule: each shape has files or directories that nothing else has, and those are looked for at the place and two
//! directories below it, in plain archives, too. Cost: one listing for each directory; for an archive its first headers,
//! in a directory its names alone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::super::tar::{TarLimits, TarReader};
use super::super::tree::{Compression, DirectoryTree, FileTree};
use super::{docker_archive, oci_layout, skopeo_directory};

/// How deep below the place stores may lie: `mirrors/<name>/<tag>`.
pub(super) const DEPTH: usize = 2;
/// Directories that are looked into.
pub(super) const DIRECTORIES: usize = 10_000;

/// What archives are called.
const ARCHIVE_NAMES: [&str; 7] = [".tar", ".tgz", ".tar.gz", ".tar.zst", ".tar.xz", ".tar.bz2", ".tbz2"];

/// How the names of all archives of oc-mirror begin.
pub(super) const SEGMENT: &str = "mirror_";

/// Directories that only a store of several repositories holds.
const DIRECTORY_MARKS: [&str; 9] = [
    "docker/registry/v2",
    ".cache/docker/registry/v2",
    ".oc-mirror/.cache/docker/registry/v2",
    "oc-mirror-workspace/src",
    "src/catalogs",
    "working-dir/operator-catalogs",
    "working-dir/release-images",
    "working-dir/hold-release",
    "working-dir/cluster-resources",
];

/// Directories that mark a store where both are there.
const PAIRS: [(&str, &str); 5] = [
    ("repositories", "blobs"),
    ("operator-catalogs", "hold-release"),
    ("operator-catalogs", "release-images"),
    ("operator-catalogs", "cluster-resources"),
    ("release-images", "hold-release"),
];

/// Whether images lie at a directory, or below it.
pub(in crate::source) fn is_marked(place: &Path) -> bool {
    let mut waiting = vec![(place.to_owned(), 0)];
    let mut looked_at = 0;
    while let Some((directory, depth)) = waiting.pop() {
        let Ok(tree) = DirectoryTree::new(&directory) else { continue };
        let names = tree.names("").unwrap_or_default();
        if has_mark(&tree, &names) || holds_archive(&directory, &names) {
            return true;
        }
        looked_at += 1;
        if depth < DEPTH && looked_at < DIRECTORIES {
            waiting.extend(subdirectories(&directory, &names).map(|below| (below, depth + 1)));
        }
    }
    false
}

/// Whether a file is a plain archive: its first header is one.
pub(in crate::source) fn is_archive(place: &Path) -> bool {
    let is_file = fs::metadata(place).is_ok_and(|metadata| metadata.is_file());
    let first = |file| TarReader::streaming(file, TarLimits::default()).next_entry().ok().flatten();
    is_file && File::open(place).ok().and_then(first).is_some()
}

/// Whether a name is one that archives have, compressed or not.
pub(super) fn is_archive_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ARCHIVE_NAMES.into_iter().any(|ending| name.ends_with(ending))
}

/// The directories in a directory; links are none.
pub(super) fn subdirectories<'n>(directory: &'n Path, names: &'n [String]) -> impl Iterator<Item = PathBuf> + 'n {
    let children = names.iter().map(move |name| directory.join(name));
    children.filter(|child| fs::symlink_metadata(child).is_ok_and(|metadata| metadata.is_dir()))
}

/// Whether a directory holds an archive, or a compressed one whose name is that of a segment of oc-mirror.
fn holds_archive(directory: &Path, names: &[String]) -> bool {
    names.iter().filter(|name| is_archive_name(name)).any(|name| {
        let archive = directory.join(name);
        let is_compressed = || matches!(Compression::of_file(&archive), Ok(Some(_)));
        is_archive(&archive) || (name.starts_with(SEGMENT) && archive.is_file() && is_compressed())
    })
}

/// Whether the names of a directory are those of a store.
fn has_mark(tree: &dyn FileTree, names: &[String]) -> bool {
    let has = |name: &str| names.iter().any(|own| own == name);
    let first = |path: &str| has(path.split('/').next().unwrap_or(path));
    (has(oci_layout::MARKER) && tree.is_file(oci_layout::MARKER))
        || (has(skopeo_directory::MARKER) && skopeo_directory::is_marked(tree))
        || (has(docker_archive::LIST) && docker_archive::read_list(tree).is_some())
        || DIRECTORY_MARKS.into_iter().any(|path| first(path) && tree.is_directory(path))
        || PAIRS
            .into_iter()
            .any(|(one, other)| has(one) && has(other) && tree.is_directory(one) && tree.is_directory(other))
        || (has("publish") && tree.is_file("publish/.metadata.json"))
        || (has("v2") && holds_manifests(tree))
}

/// Whether a directory below `v2` has a `manifests` directory, as a repository of `oc image mirror` has.
fn holds_manifests(tree: &dyn FileTree) -> bool {
    let mut waiting = vec!["v2".to_owned()];
    let mut looked_at = 0;
    while let Some(directory) = waiting.pop() {
        let names = tree.names(&directory).unwrap_or_default();
        if directory != "v2" && names.iter().any(|name| name == "manifests") {
            return true;
        }
        looked_at += 1;
        if looked_at < DIRECTORIES {
            let children = names.iter().rev().map(|name| format!("{directory}/{name}"));
            waiting.extend(children.filter(|child| tree.link(child).is_none() && tree.is_directory(child)));
        }
    }
    false
}
