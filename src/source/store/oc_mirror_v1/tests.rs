use std::path::Path;

use super::super::StoreErrorKind;
use super::super::sample::{layout, link, mirrored_manifest, tree, write};
use super::*;

fn workspace(place: &Path) -> OcMirrorV1 {
    OcMirrorV1::open_workspace(tree(place), &SourceLimits::default()).unwrap().unwrap()
}

fn archives(places: &[(u32, &Path)], names: &[&str]) -> OcMirrorV1 {
    let trees = places.iter().map(|(number, place)| (*number, tree(place))).collect();
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    OcMirrorV1::open_archives(trees, &names, &SourceLimits::default()).unwrap().unwrap()
}

fn names(store: &OcMirrorV1) -> Vec<String> {
    store.roots().unwrap().iter().enumerate().map(|(position, root)| root.name(position)).collect()
}

fn record(sequence: u32, sent: &ContentDigest) -> String {
    format!(
        r#"{{"uid": "u", "pastMirror": {{"sequence": {sequence}}}, "pastAssociations": [{{"id": "", "layerDigests": ["{sent}"]}}]}}"#
    )
}

#[test]
fn a_workspace_has_images_catalogs_and_a_record() {
    let place = tempfile::tempdir().unwrap();
    let src = place.path().join("oc-mirror-workspace/src");
    let image = mirrored_manifest(&src, "redhat/a", b"{}");
    link(&src, "v2/redhat/a/manifests/v1", &image.to_string());
    let catalog = "catalogs/registry.example.com:5000/redhat/index/v4.18";
    write(&src, &format!("{catalog}/index/index.json"), "{}");
    write(&src, &format!("{catalog}/include-config.gob"), "gob");
    let original = layout(&src, &format!("{catalog}/layout"), b"{ }");
    write(&src, "publish/.metadata.json", record(2, &image));
    write(&src, "release-signatures/signature-sha256-ab.json", "{}");
    for place in [place.path(), &place.path().join("oc-mirror-workspace"), src.as_path()] {
        let store = workspace(place);
        let filtered = "registry.example.com:5000/redhat/index:v4.18";
        assert_eq!(names(&store), ["redhat/a:v1", filtered, "@2"]);
        let roots = store.roots().unwrap();
        let RootContent::CatalogDirectory(directory) = &roots[1].content else { panic!() };
        assert!(store.tree().unwrap().is_file(&format!("{directory}/index.json")));
        assert_eq!(roots[2].content, RootContent::Image(original.clone()));
        assert_eq!(store.manifest(roots[2].repository.as_deref(), &original).unwrap().bytes, b"{ }");
        assert_eq!(store.resolve("redhat/a", "v1").unwrap(), Some(image.clone()));
        assert_eq!(store.metadata().unwrap().past_mirror.sequence, 2);
        assert_eq!(store.release_signatures().len(), 1);
        assert!(store.faults().is_empty(), "{:?}", store.faults());
    }
}

#[test]
fn other_directories_are_no_workspace() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), "src/main.rs", "");
    write(place.path(), "catalogs/a/b/c/index/index.json", "{}");
    assert!(OcMirrorV1::open_workspace(tree(place.path()), &SourceLimits::default()).unwrap().is_none());
    assert!(OcMirrorV1::open_archives(Vec::new(), &[], &SourceLimits::default()).unwrap().is_none());
}

#[test]
fn a_catalog_by_digest_is_known_by_it() {
    let place = tempfile::tempdir().unwrap();
    let digest = format!("sha256:{}", "ab".repeat(32));
    let own = layout(place.path(), &format!("src/catalogs/r/n/index/{digest}/layout"), b"{}");
    let store = workspace(place.path());
    let roots = store.roots().unwrap();
    assert_eq!((roots.len(), roots[0].identity.clone()), (1, digest.parse().ok()));
    assert_eq!(roots[0].content, RootContent::Image(own));
    assert_eq!(names(&store), [format!("r/n/index@{digest}")]);
}

#[test]
fn archives_hold_all_blobs_in_one_directory_and_the_newest_sequence_counts() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (mirrored_manifest(old.path(), "a", b"{}"), mirrored_manifest(new.path(), "a", b"{ }"));
    link(old.path(), "v2/a/manifests/v1", &first.to_string());
    link(new.path(), "v2/a/manifests/v1", &second.to_string());
    let layer = ContentDigest::of(b"layer");
    write(old.path(), &format!("blobs/{layer}"), "layer");
    for place in [old.path(), new.path()] {
        write(place, "catalogs/r/n/index/v1/index/index.json", "{}");
    }
    let store = archives(&[(1, old.path()), (2, new.path())], &["mirror_seq1_000000.tar", "mirror_seq2_000000.tar"]);
    assert_eq!(names(&store), ["a:v1".to_owned(), format!("a@{first}"), "r/n/index:v1".to_owned()]);
    assert_eq!(store.resolve("a", "v1").unwrap(), Some(second));
    assert_eq!(store.tag_history("a", "v1"), [first]);
    let directory = RootContent::CatalogDirectory("mirror_seq2/catalogs/r/n/index/v1/index".to_owned());
    assert_eq!(store.roots().unwrap()[2].content, directory);
    assert!(matches!(store.presence(Some("a"), &layer), Presence::Present { bytes: Some(5), .. }));
    assert!(store.faults().is_empty(), "{:?}", store.faults());
}

#[test]
fn a_differential_archive_expects_at_the_target_what_its_record_lists() {
    let place = tempfile::tempdir().unwrap();
    mirrored_manifest(place.path(), "a", b"{}");
    let (sent, lost) = (ContentDigest::of(b"sent"), ContentDigest::of(b"lost"));
    write(place.path(), "publish/.metadata.json", record(2, &sent));
    let store = archives(&[(2, place.path())], &["mirror_seq2_000000.tar"]);
    let expected = Presence::ExpectedAtTarget("mirror_seq2/publish/.metadata.json".to_owned());
    assert_eq!(store.presence(Some("a"), &sent), expected);
    assert_eq!(store.blob(Some("a"), &sent).err().unwrap().kind, StoreErrorKind::ExpectedAtTarget);
    assert_eq!(store.presence(Some("a"), &lost), Presence::Absent);
    assert_eq!(store.manifest(Some("a"), &lost).unwrap_err().kind, StoreErrorKind::Absent);
}

#[test]
fn the_first_sequence_has_nothing_to_expect_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    mirrored_manifest(place.path(), "a", b"{}");
    let sent = ContentDigest::of(b"sent");
    write(place.path(), "publish/.metadata.json", record(1, &sent));
    let store = archives(&[(1, place.path())], &["mirror_seq1_000000.tar"]);
    assert_eq!(store.presence(Some("a"), &sent), Presence::Absent);
}

#[test]
fn a_gap_between_sequences_is_a_fault_that_names_it() {
    let (one, three) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let names = ["mirror_seq1_000000.tar", "mirror_seq3_000000.tar"];
    let store = archives(&[(1, one.path()), (3, three.path())], &names);
    let paths: Vec<&str> = store.faults().iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["mirror_seq2_000000.tar"]);
}

#[test]
fn torn_records_and_links_are_faults_with_their_place() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), "src/publish/.metadata.json", "{");
    mirrored_manifest(&place.path().join("src"), "a", b"{}");
    link(place.path(), "src/v2/a/manifests/v1", "/etc/passwd");
    let store = workspace(place.path());
    let mut paths: Vec<&str> = store.faults().iter().map(|fault| fault.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["src/publish/.metadata.json", "src/v2/a/manifests/v1"]);
    assert!(store.metadata().is_none());
}
