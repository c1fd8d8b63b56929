use super::super::sample::{layout, mirrored_manifest, registry_blob, registry_revision, registry_tag, write};
use super::super::{Presence, StoreShape};
use super::*;
use crate::finding::ContentDigest;
use crate::source::tar::sample::Archive;

fn opened(place: &Path) -> Mirror {
    open_mirror(place, &SourceLimits::default()).unwrap()
}

fn shapes(mirror: &Mirror) -> Vec<StoreShape> {
    mirror.stores.iter().map(|store| store.shape()).collect()
}

/// Everything below a directory as an archive; the paths that `is_in` takes.
fn archive_of(place: &Path, is_in: impl Fn(&str) -> bool) -> Vec<u8> {
    let mut archive = Archive::default();
    for entry in walkdir::WalkDir::new(place).sort_by_file_name() {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(place).unwrap().to_str().unwrap().to_owned();
        if entry.file_type().is_file() && is_in(&path) {
            let bytes = fs::read(entry.path()).unwrap();
            let records = [("path", path.as_str())];
            archive = archive.pax(b'x', &records).entry("long", b'0', &bytes);
        }
    }
    archive.end()
}

/// The storage of a registry with one tagged image; its digest.
fn registry(place: &Path) -> ContentDigest {
    let v2 = place.join("docker/registry/v2");
    let digest = registry_blob(&v2, b"{\"layers\":[]}");
    registry_revision(&v2, "birds/index", &digest);
    registry_tag(&v2, "birds/index", "v1", &digest);
    digest
}

#[test]
fn a_layout_reads_the_same_in_an_archive() {
    let place = tempfile::tempdir().unwrap();
    let digest = layout(place.path(), "one", b"{\"layers\":[]}");
    let archive = place.path().join("any-name");
    fs::write(&archive, archive_of(&place.path().join("one"), |_| true)).unwrap();
    let (unpacked, packed) = (opened(&place.path().join("one")), opened(&archive));
    assert_eq!((shapes(&unpacked), shapes(&packed)), (vec![StoreShape::OciLayout], vec![StoreShape::OciArchive]));
    assert_eq!(unpacked.stores[0].roots(), packed.stores[0].roots());
    assert_eq!(unpacked.stores[0].manifest(None, &digest), packed.stores[0].manifest(None, &digest));
    assert!(packed.faults.is_empty() && packed.skipped.is_empty());
}

#[test]
fn layouts_below_one_another_directories_are_all_found_and_deeper_ones_are_not() {
    let place = tempfile::tempdir().unwrap();
    for path in ["b", "a/x", "a/y", "c/d/e"] {
        layout(place.path(), path, path.as_bytes());
    }
    let mirror = opened(place.path());
    let places: Vec<String> = mirror.stores.iter().map(|store| store.place()).collect();
    let expected = ["a/x", "a/y", "b"].map(|path| place.path().join(path).display().to_string());
    assert_eq!(places, expected);
}

#[test]
fn a_destination_of_oc_mirror_holds_archives_and_a_working_directory() {
    let (cache, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let digest = registry(cache.path());
    let is_link = |path: &str| path.contains("/repositories/");
    fs::write(place.path().join("mirror_000001.tar"), archive_of(cache.path(), is_link)).unwrap();
    fs::write(place.path().join("mirror_000002.tar"), archive_of(cache.path(), |path| !is_link(path))).unwrap();
    write(place.path(), "working-dir/cluster-resources/idms.yaml", "");
    let mirror = opened(place.path());
    assert_eq!(shapes(&mirror), [StoreShape::OcMirrorV2WorkingDirectory, StoreShape::OcMirrorV2Archive]);
    let names: Vec<String> = mirror.stores[1].roots().unwrap().iter().map(|root| root.name(0)).collect();
    assert_eq!(names, ["birds/index:v1"]);
    assert_eq!(mirror.stores[1].manifest(Some("birds/index"), &digest).unwrap().bytes, b"{\"layers\":[]}");
    assert_eq!(mirror.oc_mirror_v2.len(), 2);
    assert!(mirror.faults.is_empty(), "{:?}", mirror.faults);
}

#[test]
fn one_segment_that_is_named_alone_says_that_there_are_others() {
    let (cache, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    registry(cache.path());
    for name in ["mirror_000001.tar", "mirror_000002.tar"] {
        fs::write(place.path().join(name), archive_of(cache.path(), |_| true)).unwrap();
    }
    let mirror = opened(&place.path().join("mirror_000001.tar"));
    assert_eq!(mirror.stores.len(), 1);
    assert!(mirror.faults[0].reason.starts_with("it is one of 2 segments"), "{:?}", mirror.faults);
}

#[test]
fn archives_of_oc_mirror_v1_are_one_store() {
    let (source, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    mirrored_manifest(source.path(), "birds/tern", b"{\"layers\":[]}");
    for name in ["mirror_seq1_000000.tar", "mirror_seq2_000000.tar"] {
        fs::write(place.path().join(name), archive_of(source.path(), |_| true)).unwrap();
    }
    let mirror = opened(place.path());
    assert_eq!(shapes(&mirror), [StoreShape::OcMirrorV1Archive]);
    assert_eq!(mirror.oc_mirror_v1.len(), 1);
}

#[test]
fn shapes_side_by_side_are_each_found() {
    let place = tempfile::tempdir().unwrap();
    registry(place.path());
    mirrored_manifest(place.path(), "birds/tern", b"{\"layers\":[]}");
    layout(place.path(), "layouts/one", b"one");
    layout(place.path(), "packed", b"two");
    let packed = archive_of(&place.path().join("packed"), |_| true);
    fs::remove_dir_all(place.path().join("packed")).unwrap();
    fs::write(place.path().join("packed.tar"), packed).unwrap();
    let expected =
        [StoreShape::RegistryStorage, StoreShape::ImageMirror, StoreShape::OciArchive, StoreShape::OciLayout];
    assert_eq!(shapes(&opened(place.path())), expected);
}

#[test]
fn a_part_of_a_storage_is_not_looked_through() {
    let place = tempfile::tempdir().unwrap();
    let digest = registry(place.path());
    let mirror = opened(&place.path().join("docker/registry/v2"));
    assert_eq!(shapes(&mirror), [StoreShape::RegistryStorage]);
    assert!(matches!(mirror.stores[0].presence(None, &digest), Presence::Present { .. }));
}

#[test]
fn archives_without_images_are_passed_over_and_named() {
    let place = tempfile::tempdir().unwrap();
    layout(place.path(), "one", b"one");
    write(place.path(), "client.tar", Archive::default().file("oc", "").end());
    write(place.path(), "tool.tar.gz", [0x1f, 0x8b, 8, 0]);
    let mirror = opened(place.path());
    let skipped: Vec<&str> = mirror.skipped.iter().map(|file| file.path.rsplit('/').next().unwrap()).collect();
    assert_eq!((skipped, mirror.faults.len(), mirror.stores.len()), (vec!["client.tar", "tool.tar.gz"], 0, 1));
}

#[test]
fn compressed_segments_and_broken_archives_are_faults() {
    let place = tempfile::tempdir().unwrap();
    layout(place.path(), "one", b"one");
    write(place.path(), "mirror_000001.tar.gz", [0x1f, 0x8b, 8, 0]);
    write(place.path(), "broken.tar", "no archive");
    let mirror = opened(place.path());
    let faults: Vec<&str> = mirror.faults.iter().map(|fault| fault.path.rsplit('/').next().unwrap()).collect();
    assert_eq!(faults, ["broken.tar", "mirror_000001.tar.gz"]);
    assert!(mirror.faults[1].reason.contains("gzip -dc"), "{:?}", mirror.faults);
}

#[test]
fn a_place_without_images_is_an_error_that_says_why() {
    let place = tempfile::tempdir().unwrap();
    let why = |path: &str| {
        let error = open_mirror(&place.path().join(path), &SourceLimits::default()).err().unwrap();
        error.to_string()
    };
    write(place.path(), "catalog/p.yaml", "schema: olm.package");
    assert!(why("catalog").ends_with("no images lie here"));
    write(place.path(), "empty.tar", Archive::default().file("x", "").end());
    assert!(why("empty.tar").ends_with("no images lie here"));
    write(place.path(), "packed/mirror.tar.zst", [0x28, 0xb5, 0x2f, 0xfd]);
    assert!(why("packed").contains("zstd -dc"), "{}", why("packed"));
    assert!(why("packed/mirror.tar.zst").contains("zstd -dc"));
    why("nothing");
}

#[test]
fn links_between_directories_and_loops_are_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    layout(outside.path(), "secret", b"secret");
    layout(place.path(), "own", b"own");
    std::os::unix::fs::symlink(outside.path(), place.path().join("out")).unwrap();
    std::os::unix::fs::symlink("..", place.path().join("up")).unwrap();
    assert_eq!(opened(place.path()).stores.len(), 1);
}

#[test]
fn a_pipe_is_not_waited_for() {
    let place = tempfile::tempdir().unwrap();
    layout(place.path(), "own", b"own");
    let pipe = place.path().join("pipe.tar");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert_eq!(opened(place.path()).stores.len(), 1);
    assert!(open_mirror(&pipe, &SourceLimits::default()).is_err());
    assert!(!super::super::is_archive(&pipe));
}
