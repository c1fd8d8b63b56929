use std::fs;
use std::path::Path;

use serde_json::json;

use super::super::super::tree::DirectoryTree;
use super::*;

const MANIFEST_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";

fn write(place: &Path, path: &str, bytes: &[u8]) {
    let file = place.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

fn layout(index: &serde_json::Value, blobs: &[&[u8]]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), MARKER, b"{\"imageLayoutVersion\":\"1.0.0\"}");
    write(place.path(), INDEX, index.to_string().as_bytes());
    for blob in blobs {
        write(place.path(), &path_of(&ContentDigest::of(blob)), blob);
    }
    place
}

fn open(place: &Path) -> OciLayout {
    let tree = Arc::new(DirectoryTree::new(place).unwrap());
    OciLayout::open(tree, &SourceLimits::default()).unwrap().unwrap()
}

fn descriptor(bytes: &[u8], tag: Option<&str>) -> serde_json::Value {
    let mut value = json!({"mediaType": MANIFEST_TYPE, "digest": ContentDigest::of(bytes), "size": bytes.len()});
    if let Some(tag) = tag {
        value["annotations"] = json!({TAG: tag});
    }
    value
}

#[test]
fn roots_stand_in_the_order_of_the_index_and_may_share_a_digest() {
    let index = json!({"schemaVersion": 2, "manifests": [
        descriptor(b"two", Some("v2")), descriptor(b"one", Some("quay.io/a/b:v1")), descriptor(b"two", None)]});
    let place = layout(&index, &[b"one", b"two"]);
    let store = open(place.path());
    let roots = store.roots().unwrap();
    let seen: Vec<_> = roots.iter().map(|root| (root.tag.as_deref(), root.identity.clone().unwrap())).collect();
    let (one, two) = (ContentDigest::of(b"one"), ContentDigest::of(b"two"));
    assert_eq!(seen, [(Some("v2"), two.clone()), (Some("quay.io/a/b:v1"), one.clone()), (None, two.clone())]);
    assert_eq!((store.shape(), store.faults()), (StoreShape::OciLayout, [].as_slice()));

    assert_eq!(store.resolve("any", "v2").unwrap(), Some(two));
    assert_eq!(store.resolve("any", "v1").unwrap(), Some(one.clone()));
    assert_eq!(store.resolve("quay.io/a/b", "v1").unwrap(), Some(one.clone()));
    assert_eq!(store.resolve("any", "v3").unwrap(), None);
    assert_eq!(store.resolve("any", &one.to_string()).unwrap(), Some(one.clone()));
    assert_eq!(store.resolve("any", &ContentDigest::of(b"none").to_string()).unwrap(), None);

    let manifest = store.manifest(None, &one).unwrap();
    assert_eq!((manifest.bytes.as_slice(), manifest.media_type.as_deref()), (b"one".as_slice(), Some(MANIFEST_TYPE)));
}

#[test]
fn an_unknown_media_type_is_no_error_and_no_media_type_is_none() {
    let mut other = descriptor(b"one", None);
    other["mediaType"] = json!("application/x-unknown");
    let place = layout(&json!({"manifests": [other, descriptor(b"two", None)]}), &[b"one"]);
    let store = open(place.path());
    assert_eq!(store.roots().unwrap().len(), 2);
    assert!(store.faults().is_empty());
    assert_eq!(store.presence(None, &ContentDigest::of(b"two")), Presence::Absent);
}

#[test]
fn a_blob_of_another_size_than_stated_is_bad() {
    let mut lie = descriptor(b"one", None);
    lie["size"] = json!(4);
    let place = layout(&json!({"manifests": [lie]}), &[b"one"]);
    let store = open(place.path());
    let digest = ContentDigest::of(b"one");
    assert!(matches!(store.presence(None, &digest), Presence::Bad(_)));
    assert_eq!(store.manifest(None, &digest).unwrap_err().kind, StoreErrorKind::Bad);
    assert_eq!(store.blob(None, &digest).err().unwrap().kind, StoreErrorKind::Bad);
}

#[test]
fn a_manifest_whose_bytes_were_changed_is_bad() {
    let place = layout(&json!({"manifests": [descriptor(b"one", None)]}), &[]);
    write(place.path(), &path_of(&ContentDigest::of(b"one")), b"eno");
    assert_eq!(open(place.path()).manifest(None, &ContentDigest::of(b"one")).unwrap_err().kind, StoreErrorKind::Bad);
}

#[test]
fn a_digest_that_is_a_path_is_a_fault_and_the_others_stay() {
    let evil = json!({"mediaType": MANIFEST_TYPE, "digest": "sha256:../../../etc/passwd", "size": 1});
    let place = layout(&json!({"manifests": [evil, descriptor(b"one", None)]}), &[b"one"]);
    let store = open(place.path());
    assert_eq!(store.roots().unwrap().len(), 1);
    assert_eq!(store.faults().len(), 1);
    assert!(store.faults()[0].reason.starts_with("manifests[0] is no descriptor"), "{:?}", store.faults());
}

#[test]
fn blobs_that_are_a_link_out_of_the_layout_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), &format!("sha256/{}", ContentDigest::of(b"one").hex()), b"one");
    let place = layout(&json!({"manifests": [descriptor(b"one", None)]}), &[]);
    std::os::unix::fs::symlink(outside.path(), place.path().join("blobs")).unwrap();
    let store = open(place.path());
    assert_eq!(store.presence(None, &ContentDigest::of(b"one")), Presence::Absent);
    assert_eq!(store.faults()[0].path, "blobs");
}

#[test]
fn a_layout_without_a_readable_index_says_why() {
    let place = layout(&json!({}), &[]);
    assert!(open(place.path()).roots().unwrap().is_empty());
    for (bytes, kind) in [(b"[1, 2".as_slice(), StoreErrorKind::Bad), (b"\xff", StoreErrorKind::Bad)] {
        fs::write(place.path().join(INDEX), bytes).unwrap();
        assert_eq!(open(place.path()).roots().unwrap_err().kind, kind);
    }
    fs::remove_file(place.path().join(INDEX)).unwrap();
    assert_eq!(open(place.path()).roots().unwrap_err().kind, StoreErrorKind::Absent);
    fs::File::create(place.path().join(INDEX)).unwrap().set_len(MANIFEST_BYTES + 1).unwrap();
    assert_eq!(open(place.path()).roots().unwrap_err().kind, StoreErrorKind::Limit);
}

#[test]
fn another_version_of_the_layout_is_a_fault_and_is_read_all_the_same() {
    let place = layout(&json!({"manifests": [descriptor(b"one", None)]}), &[b"one"]);
    for marker in ["{\"imageLayoutVersion\":\"2.0.0\"}", "no JSON"] {
        fs::write(place.path().join(MARKER), marker).unwrap();
        let store = open(place.path());
        assert_eq!((store.faults().len(), store.roots().unwrap().len()), (1, 1), "{marker}");
    }
}

#[test]
fn without_the_marker_there_is_no_layout() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(INDEX), "{\"manifests\":[]}").unwrap();
    let tree = Arc::new(DirectoryTree::new(place.path()).unwrap());
    assert!(OciLayout::open(tree, &SourceLimits::default()).unwrap().is_none());
}
