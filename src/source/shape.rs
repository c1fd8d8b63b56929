//! What lies at a place, told by its content.
//!
//! Rule: a directory that holds `report.json` and `api/v1/index.json` is a report; a place of which
//! [`open_mirror`](super::store::open_mirror) can open a store is a mirror; anything else that is a directory or a file is
//! taken for a file-based catalog. Three things are known and not read: compressed files, the storage of Quay, whose names
//! lie in its database (quay, digest/digest_tools.py), and that of podman and CRI-O, which keeps unpacked layers
//! (containers/storage, store.go). Cost: a listing of each directory, two deep; the first header of an archive.

use std::fs;
use std::path::Path;

use super::store::{is_archive, is_marked};
use super::tree::Compression;

/// The shapes that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A file-based catalog: a directory or one file.
    Catalog,
    /// A report that this program wrote.
    Report,
    /// Images, in one or several stores.
    Mirror,
    /// Something that cannot be read as it lies.
    Foreign(Foreign),
}

/// What cannot be read as it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// A compressed file.
    Compressed(Compression),
    /// The storage of Quay: blobs without names.
    QuayStorage,
    /// The storage of podman or CRI-O: unpacked layers.
    ContainersStorage,
}

impl Foreign {
    /// What it is, to be put behind "is".
    pub fn what(self) -> String {
        match self {
            Self::Compressed(compression) => format!("a file compressed by {}", compression.program()),
            Self::QuayStorage => "the storage of Quay, which holds blobs without their names".to_owned(),
            Self::ContainersStorage => "the storage of podman or CRI-O, which holds unpacked layers".to_owned(),
        }
    }

    /// What to do about it.
    pub fn remedy(self, place: &Path) -> String {
        match self {
            Self::Compressed(compression) => compression.remedy(place),
            Self::QuayStorage => "read it through the registry, as registry:HOST/REPOSITORY:TAG".to_owned(),
            Self::ContainersStorage => "copy the images out first, as with `skopeo copy containers-storage:IMAGE \
                                        oci:DIRECTORY`"
                .to_owned(),
        }
    }
}

/// Tells what lies at a place that exists.
pub fn detect(place: &Path) -> Shape {
    let has = |name: &str| place.join(name).exists();
    if has("report.json") && has("api/v1/index.json") {
        return Shape::Report;
    }
    if place.is_file() {
        return of_file(place);
    }
    if is_marked(place) {
        return Shape::Mirror;
    }
    if ["overlay", "vfs"].iter().any(|driver| has(&format!("{driver}-images")) && has(&format!("{driver}-layers"))) {
        return Shape::Foreign(Foreign::ContainersStorage);
    }
    let blobs = ["", "registry", "datastorage/registry"].map(|directory| place.join(directory).join("sha256"));
    if blobs.iter().any(|blobs| holds_nameless_blobs(blobs)) {
        return Shape::Foreign(Foreign::QuayStorage);
    }
    Shape::Catalog
}

fn of_file(place: &Path) -> Shape {
    if let Ok(Some(compression)) = Compression::of_file(place) {
        return Shape::Foreign(Foreign::Compressed(compression));
    }
    // An archive without a single entry has no header to tell it by.
    let is_named_so = place.extension().is_some_and(|extension| extension == "tar");
    if is_named_so || is_archive(place) { Shape::Mirror } else { Shape::Catalog }
}

/// Whether a directory holds `<two digits>/<digest>` with files of that name.
fn holds_nameless_blobs(directory: &Path) -> bool {
    let names_in = |directory: &Path| fs::read_dir(directory).into_iter().flatten().flatten().take(1000);
    let is_hexadecimal = |name: &str, length| name.len() == length && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut shards = names_in(directory).filter(|entry| is_hexadecimal(&entry.file_name().to_string_lossy(), 2));
    shards.any(|shard| {
        let mut blobs = names_in(&shard.path());
        blobs.any(|blob| is_hexadecimal(&blob.file_name().to_string_lossy(), 64) && blob.path().is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tar::sample::Archive;

    fn shape_of(files: &[(&str, &[u8])]) -> Shape {
        let place = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let file = place.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        detect(place.path())
    }

    #[test]
    fn stores_of_every_shape_are_mirrors() {
        let manifests = format!("v2/a/b/manifests/sha256:{}", "0".repeat(64));
        let archive = Archive::default().file("x", "").end();
        for files in [
            &[("oci-layout", b"{}".as_slice())][..],
            &[("one/oci-layout", b"")],
            &[("one/two/oci-layout", b"")],
            &[("version", b"Directory Transport Version: 1.1\n")],
            &[("manifest.json", b"[{\"Config\":\"c.json\"}]")],
            &[("docker/registry/v2/blobs/x", b"")],
            &[(".oc-mirror/.cache/docker/registry/v2/repositories/x", b"")],
            &[(manifests.as_str(), b"")],
            &[("oc-mirror-workspace/src/publish/.metadata.json", b"{}")],
            &[("working-dir/operator-catalogs/x", b"")],
            &[("operator-catalogs/x", b""), ("hold-release/x", b"")],
            &[("some.tar", archive.as_slice())],
        ] {
            assert_eq!(shape_of(files), Shape::Mirror, "{:?}", files[0].0);
        }
    }

    #[test]
    fn catalogs_and_reports_are_no_mirrors() {
        for files in [
            &[("p/catalog.yaml", b"schema: olm.package".as_slice())][..],
            &[("version", b"1.0"), ("manifest.json", b"{}")],
            &[("v2/catalog.json", b"{}"), ("docker/catalog.json", b"{}")],
            &[("a/b/c/oci-layout", b"{}")],
            &[("some.tar", b"no archive")],
            &[],
        ] {
            assert_eq!(shape_of(files), Shape::Catalog, "{files:?}");
        }
        assert_eq!(shape_of(&[("report.json", b"{}"), ("api/v1/index.json", b"{}")]), Shape::Report);
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_remedy() {
        let blob = format!("datastorage/registry/sha256/ab/ab{}", "0".repeat(62));
        assert_eq!(shape_of(&[(&blob, b"")]), Shape::Foreign(Foreign::QuayStorage));
        let storage = [("overlay-images/images.json", b"".as_slice()), ("overlay-layers/layers.json", b"")];
        assert_eq!(shape_of(&storage), Shape::Foreign(Foreign::ContainersStorage));
        assert!(Foreign::QuayStorage.remedy(Path::new("q")).contains("through the registry"));
    }

    #[test]
    fn a_file_is_an_archive_a_compressed_file_or_a_catalog() {
        let place = tempfile::tempdir().unwrap();
        let shape = |name: &str, bytes: &[u8]| {
            fs::write(place.path().join(name), bytes).unwrap();
            detect(&place.path().join(name))
        };
        assert_eq!(shape("anything", &Archive::default().file("x", "").end()), Shape::Mirror);
        assert_eq!(shape("catalog.json", b"{\"schema\": \"olm.package\"}"), Shape::Catalog);
        let Shape::Foreign(foreign) = shape("m.tar", &[0x1f, 0x8b, 8, 0]) else { panic!("it is compressed") };
        assert_eq!(foreign.what(), "a file compressed by gzip");
        assert!(foreign.remedy(Path::new("m.tar")).contains("`gzip -dc m.tar > plain.tar`"));
    }
}
