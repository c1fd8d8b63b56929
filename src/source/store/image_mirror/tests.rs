use std::fs;

use super::super::StoreErrorKind;
use super::super::sample::{index, link, mirrored_manifest, tree, write};
use super::*;

fn store(place: &std::path::Path) -> ImageMirror {
    ImageMirror::open(tree(place), &SourceLimits::default()).unwrap().unwrap()
}

fn names(store: &ImageMirror) -> Vec<String> {
    store.roots().unwrap().iter().enumerate().map(|(position, root)| root.name(position)).collect()
}

#[test]
fn tags_are_links_beside_their_manifests() {
    let place = tempfile::tempdir().unwrap();
    let child = mirrored_manifest(place.path(), "openshift/release", b"{}");
    let index = mirrored_manifest(place.path(), "openshift/release", index(&[&child]).as_bytes());
    link(place.path(), "v2/openshift/release/manifests/4.18.2-x86_64", &index.to_string());
    let nested = mirrored_manifest(place.path(), "openshift", b"{ }");
    let store = store(place.path());
    assert_eq!(names(&store), [format!("openshift@{nested}"), "openshift/release:4.18.2-x86_64".to_owned()]);
    assert_eq!(store.resolve("openshift/release", "4.18.2-x86_64").unwrap(), Some(index.clone()));
    assert_eq!(store.manifest(Some("openshift/release"), &child).unwrap().bytes, b"{}");
    assert_eq!(store.repositories_with(&child), ["openshift/release"]);
    assert!(store.faults().is_empty(), "{:?}", store.faults());
}

#[test]
fn other_trees_are_not_taken_for_one() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), "v2/repositories/a/_manifests/tags/v1/current/link", "");
    write(place.path(), "v2/blobs/sha256/00/data", "");
    assert!(ImageMirror::open(tree(place.path()), &SourceLimits::default()).unwrap().is_none());
}

#[test]
fn blobs_belong_to_their_repository() {
    let place = tempfile::tempdir().unwrap();
    mirrored_manifest(place.path(), "a", b"{}");
    mirrored_manifest(place.path(), "b", b"{}");
    let layer = ContentDigest::of(b"layer");
    write(place.path(), &format!("v2/b/blobs/{layer}"), "layer");
    let store = store(place.path());
    assert_eq!(store.presence(Some("a"), &layer), Presence::Absent);
    assert!(matches!(store.presence(Some("b"), &layer), Presence::Present { bytes: Some(5), .. }));
    assert!(matches!(store.presence(None, &layer), Presence::Present { .. }));
    assert_eq!(store.blob(Some("a"), &layer).err().unwrap().kind, StoreErrorKind::Absent);
}

#[test]
fn a_medium_without_links_keeps_digests() {
    let place = tempfile::tempdir().unwrap();
    let digest = ContentDigest::of(b"{}");
    write(place.path(), &format!("v2/a/manifests/sha256-{}", digest.hex()), "{}");
    let store = store(place.path());
    assert_eq!(names(&store), [format!("a@{digest}")]);
    assert_eq!(store.manifest(Some("a"), &digest).unwrap().bytes, b"{}");
}

#[test]
fn a_copy_in_the_place_of_a_link_is_a_tag() {
    let place = tempfile::tempdir().unwrap();
    let digest = mirrored_manifest(place.path(), "a", b"{}");
    write(place.path(), "v2/a/manifests/v1", "{}");
    write(place.path(), "v2/a/manifests/v2", "{ }");
    let store = store(place.path());
    assert_eq!(store.resolve("a", "v1").unwrap(), Some(digest));
    assert_eq!(store.resolve("a", "v2").unwrap(), None);
    assert_eq!(store.faults().len(), 1);
    assert_eq!(store.faults()[0].path, "v2/a/manifests/v2");
}

#[test]
fn leftovers_are_passed_over() {
    let place = tempfile::tempdir().unwrap();
    let digest = mirrored_manifest(place.path(), "a", b"{}");
    write(place.path(), &format!("v2/a/manifests/{digest}.download"), "{");
    write(place.path(), "v2/a/manifests/.tmp-1", "{");
    let store = store(place.path());
    assert_eq!(names(&store), [format!("a@{digest}")]);
    assert!(store.faults().is_empty(), "{:?}", store.faults());
}

#[test]
fn signatures_of_releases_are_listed() {
    let place = tempfile::tempdir().unwrap();
    mirrored_manifest(place.path(), "openshift/release", b"{}");
    write(place.path(), "config/signature-sha256-ab.json", "{}");
    write(place.path(), "config/other.json", "{}");
    assert_eq!(store(place.path()).release_signatures(), ["config/signature-sha256-ab.json"]);
}

#[test]
fn links_that_escape_mean_nothing() {
    let outside = tempfile::tempdir().unwrap();
    let digest = ContentDigest::of(b"{}");
    write(outside.path(), &digest.to_string(), "{}");
    let escape = outside.path().join(digest.to_string());
    for target in ["/etc/passwd", "../../../../etc/passwd", "nothing", escape.to_str().unwrap()] {
        let place = tempfile::tempdir().unwrap();
        mirrored_manifest(place.path(), "a", b"{ }");
        link(place.path(), "v2/a/manifests/v1", target);
        let store = store(place.path());
        assert_eq!(store.resolve("a", "v1").unwrap(), None, "{target}");
        assert_eq!(store.faults().len(), 1, "{target}");
    }
    let place = tempfile::tempdir().unwrap();
    mirrored_manifest(place.path(), "a", b"{ }");
    link(place.path(), &format!("v2/a/manifests/{digest}"), escape.to_str().unwrap());
    let store = store(place.path());
    assert!(store.manifest(Some("a"), &digest).is_err());
    assert_eq!(store.presence(Some("a"), &digest), Presence::Absent);
}

#[test]
fn a_repository_name_that_escapes_finds_nothing() {
    let place = tempfile::tempdir().unwrap();
    let digest = ContentDigest::of(b"secret");
    write(place.path(), &format!("outside/blobs/{digest}"), "secret");
    let inside = place.path().join("inside");
    fs::create_dir(&inside).unwrap();
    mirrored_manifest(&inside, "a", b"{}");
    assert_eq!(store(&inside).presence(Some("../../outside"), &digest), Presence::Absent);
}

#[test]
fn wrong_bytes_under_a_digest_are_bad() {
    let place = tempfile::tempdir().unwrap();
    let digest = ContentDigest::of(b"{}");
    write(place.path(), &format!("v2/a/manifests/{digest}"), "[]");
    assert_eq!(store(place.path()).manifest(None, &digest).unwrap_err().kind, StoreErrorKind::Bad);
}
