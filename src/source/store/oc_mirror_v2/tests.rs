use std::fs;
use std::path::Path;

use super::super::StoreErrorKind;
use super::super::sample::{layout, link, registry_blob, registry_data, registry_revision, registry_tag, tree, write};
use super::*;

fn archive(place: &Path) -> OcMirrorV2 {
    OcMirrorV2::open_archive(tree(place), &[], None, &SourceLimits::default()).unwrap().unwrap()
}

fn working_directory(place: &Path) -> OcMirrorV2 {
    OcMirrorV2::open_working_directory(tree(place), &SourceLimits::default()).unwrap().unwrap()
}

fn names(store: &OcMirrorV2) -> Vec<String> {
    store.roots().unwrap().iter().enumerate().map(|(position, root)| root.name(position)).collect()
}

fn storage(place: &Path) -> std::path::PathBuf {
    let v2 = place.join("docker/registry/v2");
    fs::create_dir_all(v2.join("repositories")).unwrap();
    v2
}

#[test]
fn an_archive_is_a_storage_a_working_directory_and_a_configuration() {
    let place = tempfile::tempdir().unwrap();
    let v2 = storage(place.path());
    let digest = registry_blob(&v2, b"{}");
    registry_tag(&v2, "redhat/index", "v4.18", &digest);
    write(place.path(), "isc_2026-01-01T00:00:00Z", "kind: ImageSetConfiguration");
    write(place.path(), "working-dir/isc_pinned_2026-01-01T00:00:00Z.yaml", "");
    let release = layout(place.path(), "working-dir/release-images/ocp-release/4.18.2-x86_64", b"{ }");
    let store = archive(place.path());
    assert_eq!(store.shape(), StoreShape::OcMirrorV2Archive);
    assert_eq!(names(&store), ["redhat/index:v4.18", "ocp-release:4.18.2-x86_64"]);
    assert_eq!(
        store.configurations(),
        ["isc_2026-01-01T00:00:00Z", "working-dir/isc_pinned_2026-01-01T00:00:00Z.yaml"]
    );
    assert_eq!(store.resolve("redhat/index", "v4.18").unwrap(), Some(digest));
    assert_eq!(store.resolve("ocp-release", "4.18.2-x86_64").unwrap(), Some(release.clone()));
    assert_eq!(store.manifest(Some("ocp-release"), &release).unwrap().bytes, b"{ }");
    assert!(store.is_provable());
    assert!(store.faults().is_empty(), "{:?}", store.faults());
}

#[test]
fn a_place_without_anything_of_oc_mirror_is_none() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), "catalog.yaml", "");
    fs::create_dir_all(place.path().join("signatures")).unwrap();
    let limits = SourceLimits::default();
    assert!(OcMirrorV2::open_archive(tree(place.path()), &[], None, &limits).unwrap().is_none());
    assert!(OcMirrorV2::open_working_directory(tree(place.path()), &limits).unwrap().is_none());
}

#[test]
fn an_incremental_archive_expects_at_the_target_what_its_history_lists() {
    let place = tempfile::tempdir().unwrap();
    let v2 = storage(place.path());
    let (sent, lost) = (ContentDigest::of(b"sent"), ContentDigest::of(b"lost"));
    registry_revision(&v2, "a", &sent);
    registry_revision(&v2, "a", &lost);
    let record = "working-dir/.history/.history-2026-01-01T00:00:00Z";
    write(place.path(), record, format!("{sent}\n"));
    let store = archive(place.path());
    assert_eq!(store.presence(Some("a"), &sent), Presence::ExpectedAtTarget(record.to_owned()));
    assert_eq!(store.manifest(Some("a"), &sent).unwrap_err().kind, StoreErrorKind::ExpectedAtTarget);
    assert_eq!(store.blob(None, &sent).err().unwrap().kind, StoreErrorKind::ExpectedAtTarget);
    assert_eq!(store.presence(Some("a"), &lost), Presence::Absent);
    assert_eq!(store.manifest(Some("a"), &lost).unwrap_err().kind, StoreErrorKind::Absent);
}

#[test]
fn the_history_beside_the_archives_counts() {
    let (place, around) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    storage(place.path());
    let sent = ContentDigest::of(b"sent");
    write(around.path(), "working-dir/.history/.history-2026-02-01T00:00:00Z", sent.to_string());
    let (beside, limits) = (tree(around.path()), SourceLimits::default());
    let store = OcMirrorV2::open_archive(tree(place.path()), &[], Some(&beside), &limits).unwrap().unwrap();
    assert!(matches!(store.presence(None, &sent), Presence::ExpectedAtTarget(_)));
    assert_eq!(archive(place.path()).presence(None, &sent), Presence::Absent);
}

#[test]
fn a_history_does_not_excuse_a_torn_blob() {
    let place = tempfile::tempdir().unwrap();
    let v2 = storage(place.path());
    let sent = ContentDigest::of(b"sent");
    write(&v2, &registry_data(&sent), "");
    write(place.path(), "working-dir/.history/.history-1", sent.to_string());
    let store = archive(place.path());
    assert!(matches!(store.presence(None, &sent), Presence::Bad(_)));
    assert_eq!(store.blob(None, &sent).err().unwrap().kind, StoreErrorKind::Bad);
}

#[test]
fn a_missing_segment_is_a_fault() {
    let place = tempfile::tempdir().unwrap();
    storage(place.path());
    let segments = ["mirror_000001.tar".to_owned(), "mirror_000003.tar".to_owned()];
    let limits = SourceLimits::default();
    let store = OcMirrorV2::open_archive(tree(place.path()), &segments, None, &limits).unwrap().unwrap();
    let paths: Vec<&str> = store.faults().iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["mirror_000002.tar"]);
}

#[test]
fn a_repository_called_working_dir_is_a_repository() {
    let place = tempfile::tempdir().unwrap();
    let v2 = storage(place.path());
    let digest = registry_blob(&v2, b"{}");
    registry_tag(&v2, "team/working-dir/operator-catalogs", "v1", &digest);
    let store = archive(place.path());
    assert_eq!(names(&store), ["team/working-dir/operator-catalogs:v1"]);
    assert!(store.graph_files().is_empty());
}

#[test]
fn a_catalog_is_known_by_the_digest_in_its_directory() {
    let place = tempfile::tempdir().unwrap();
    let hex = "ab".repeat(32);
    let directory = format!("working-dir/operator-catalogs/redhat-operator-index/{hex}");
    let own = layout(place.path(), &format!("{directory}/catalog-image"), b"{}");
    write(place.path(), &format!("{directory}/catalog-config/configs/foo/catalog.json"), "{}");
    let store = working_directory(place.path());
    let identity: ContentDigest = format!("sha256:{hex}").parse().unwrap();
    let roots = store.roots().unwrap();
    assert_eq!(roots.len(), 1);
    assert_eq!(roots[0].identity, Some(identity.clone()));
    assert_eq!(roots[0].content, RootContent::Image(own.clone()));
    assert!(roots[0].notes[0].contains(&own.to_string()), "{:?}", roots[0].notes);
    assert_eq!(store.resolve("redhat-operator-index", &identity.to_string()).unwrap(), Some(own.clone()));
    assert_eq!(store.repositories_with(&identity), ["redhat-operator-index"]);
    assert!(!store.is_provable());
}

#[test]
fn the_unpacked_catalog_stands_in_for_an_image_that_is_not_there() {
    let place = tempfile::tempdir().unwrap();
    let directory = format!("working-dir/operator-catalogs/index/{}", "ab".repeat(32));
    write(place.path(), &format!("{directory}/catalog-config/configs/foo/catalog.json"), "{}");
    write(place.path(), &format!("{directory}/catalog-config/etc/configs/stranger"), "");
    fs::create_dir_all(place.path().join(&directory).join("catalog-image")).unwrap();
    let store = working_directory(place.path());
    let roots = store.roots().unwrap();
    assert_eq!(roots.len(), 1);
    assert_eq!(roots[0].content, RootContent::CatalogDirectory(format!("{directory}/catalog-config/configs")));
    assert_eq!(store.faults().len(), 1);
    assert_eq!(store.faults()[0].path, format!("{directory}/catalog-image"));
}

#[test]
fn filtered_catalogs_are_roots_by_the_name_of_their_filter() {
    let place = tempfile::tempdir().unwrap();
    let filtered = format!("operator-catalogs/index/{}/filtered-catalogs", "ab".repeat(32));
    for (filter, digest) in [("1", Some("cd".repeat(32))), ("2", None), ("3", Some("torn".to_owned()))] {
        write(place.path(), &format!("{filtered}/{filter}/catalog-config/foo/catalog.json"), "{}");
        if let Some(digest) = digest {
            write(place.path(), &format!("{filtered}/{filter}/digest"), format!("{digest}\n"));
        }
    }
    write(place.path(), &format!("{filtered}/4/other"), "");
    fs::create_dir(place.path().join(".history")).unwrap();
    let store = working_directory(place.path());
    assert_eq!(names(&store), ["index:1", "index:2", "index:3"]);
    let roots = store.roots().unwrap();
    assert_eq!(roots[0].content, RootContent::CatalogDirectory(format!("{filtered}/1/catalog-config")));
    assert_eq!(roots[0].identity, format!("sha256:{}", "cd".repeat(32)).parse().ok());
    assert!(roots[1].notes.iter().any(|note| note.contains("no image was ever built")), "{:?}", roots[1].notes);
    assert_eq!((roots[1].identity.clone(), roots[2].identity.clone()), (None, None));
    let paths: Vec<&str> = store.faults().iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, [format!("{filtered}/3/digest")]);
}

#[test]
fn a_stale_layout_shows_when_it_is_read() {
    let place = tempfile::tempdir().unwrap();
    let path = "working-dir/release-images/ocp-release/4.18.2-x86_64";
    let digest = layout(place.path(), path, b"{}");
    fs::remove_file(place.path().join(path).join("blobs/sha256").join(digest.hex())).unwrap();
    let store = working_directory(place.path());
    assert_eq!(names(&store), ["ocp-release:4.18.2-x86_64"]);
    assert_eq!(store.presence(Some("ocp-release"), &digest), Presence::Absent);
    assert_eq!(store.manifest(Some("ocp-release"), &digest).unwrap_err().kind, StoreErrorKind::Absent);
}

#[test]
fn releases_are_known_by_tag_or_by_digest_and_unpacked() {
    let place = tempfile::tempdir().unwrap();
    let hex = "ab".repeat(32);
    layout(place.path(), &format!("working-dir/release-images/ocp-release@sha256/{hex}"), b"{}");
    let held = "working-dir/hold-release/ocp-release/4.18.2-x86_64";
    write(place.path(), &format!("{held}/release-manifests/release-metadata"), "{}");
    write(place.path(), "working-dir/hold-release/ocp-release/4.18.3-x86_64/other", "{}");
    let store = working_directory(place.path());
    assert_eq!(
        names(&store),
        [format!("ocp-release@sha256:{hex}"), "hold-release/ocp-release:4.18.2-x86_64".to_owned()]
    );
    assert_eq!(store.roots().unwrap()[1].content, RootContent::PayloadDirectory(held.to_owned()));
    assert!(store.tree().unwrap().is_directory(held));
}

#[test]
fn what_is_no_image_is_listed() {
    let place = tempfile::tempdir().unwrap();
    let files = [
        "hold-release/cincinnati-graph-data/amd64-stable-4.18.json",
        "hold-release/cincinnati-graph-data/README",
        "signatures/4.18.2-x86_64-sha256-abcd",
        "cluster-resources/idms-oc-mirror.yaml",
        "isc_pinned_1.yaml",
        "disc_pinned_1.yaml",
    ];
    for file in files {
        write(place.path(), &format!("working-dir/{file}"), "{}");
    }
    let log = "error mirroring image docker://a (Operator bundles: [b.v1] - Operators: [b]) error: gone\n";
    write(place.path(), "working-dir/logs/mirroring_errors_20260101_000000.txt", log);
    let store = working_directory(place.path());
    assert_eq!(store.graph_files(), [format!("working-dir/{}", files[0])]);
    assert_eq!(store.release_signatures(), [format!("working-dir/{}", files[2])]);
    assert_eq!(store.cluster_resources(), [format!("working-dir/{}", files[3])]);
    assert_eq!(store.configurations(), ["working-dir/disc_pinned_1.yaml", "working-dir/isc_pinned_1.yaml"]);
    let errors = store.mirroring_errors().unwrap();
    assert_eq!(errors[0].0, "working-dir/logs/mirroring_errors_20260101_000000.txt");
    assert_eq!(errors[0].1[0].bundles, ["b.v1"]);
}

#[test]
fn logs_without_end_meet_their_limit() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("working-dir/signatures")).unwrap();
    for name in ["1", "2"] {
        let path = format!("working-dir/logs/mirroring_errors_{name}.txt");
        write(place.path(), &path, "");
        let file = fs::File::options().write(true).open(place.path().join(path)).unwrap();
        file.set_len(LOG_BYTES / 2 + 1).unwrap();
    }
    assert_eq!(working_directory(place.path()).mirroring_errors().unwrap_err().kind, StoreErrorKind::Limit);
}

#[test]
fn directories_that_are_links_are_not_followed() {
    let (place, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    layout(outside.path(), "4.18.2-x86_64", b"{}");
    fs::create_dir_all(place.path().join("working-dir/release-images/loop")).unwrap();
    link(place.path(), "working-dir/release-images/ocp-release", outside.path().to_str().unwrap());
    link(place.path(), "working-dir/release-images/loop/again", "..");
    let store = working_directory(place.path());
    assert!(store.roots().unwrap().is_empty());
    assert_eq!(store.faults().len(), 1, "{:?}", store.faults());
}

#[test]
fn a_directory_whose_name_is_no_digest_has_no_identity() {
    let place = tempfile::tempdir().unwrap();
    layout(place.path(), "working-dir/operator-catalogs/index/latest/catalog-image", b"{}");
    let store = working_directory(place.path());
    assert_eq!(store.roots().unwrap()[0].identity, None);
    assert_eq!(store.faults().len(), 1);
}

#[test]
fn what_the_storage_lacks_is_not_lent_from_a_layout() {
    let place = tempfile::tempdir().unwrap();
    let v2 = storage(place.path());
    let digest = layout(place.path(), "working-dir/release-images/ocp-release/v1", b"{}");
    registry_revision(&v2, "openshift/release-images", &digest);
    let store = archive(place.path());
    assert_eq!(store.presence(Some("openshift/release-images"), &digest), Presence::Absent);
    assert!(matches!(store.presence(Some("ocp-release"), &digest), Presence::Present { .. }));
    assert!(matches!(store.presence(None, &digest), Presence::Present { .. }));
}
