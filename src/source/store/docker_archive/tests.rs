use std::fs;
use std::path::Path;

use serde_json::json;

use super::super::super::tree::DirectoryTree;
use super::*;

fn write(place: &Path, path: &str, bytes: &[u8]) {
    let file = place.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

fn configuration(layers: &[&[u8]]) -> Vec<u8> {
    let diff_ids: Vec<ContentDigest> = layers.iter().map(|layer| ContentDigest::of(layer)).collect();
    json!({"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": diff_ids}})
        .to_string()
        .into()
}

/// What skopeo writes: layers and configuration named by their digests.
fn saved_by_skopeo(references: &serde_json::Value, layers: &[&[u8]]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let configuration = configuration(layers);
    let config_name = format!("{}.json", ContentDigest::of(&configuration).hex());
    let names: Vec<String> = layers.iter().map(|layer| format!("{}.tar", ContentDigest::of(layer).hex())).collect();
    write(place.path(), &config_name, &configuration);
    for (name, layer) in names.iter().zip(layers) {
        write(place.path(), name, layer);
    }
    let list = json!([{"Config": config_name, "RepoTags": references, "Layers": names}]);
    write(place.path(), LIST, list.to_string().as_bytes());
    place
}

fn open(place: &Path) -> Option<DockerArchive> {
    DockerArchive::open(Arc::new(DirectoryTree::new(place).unwrap()), &SourceLimits::default()).unwrap()
}

fn read_blob(store: &DockerArchive, digest: &ContentDigest) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.blob(None, digest).unwrap().content.read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn an_image_is_served_under_a_manifest_made_here_and_claims_no_identity() {
    let place = saved_by_skopeo(&json!(["example.com:5000/cat:v1", "cat:latest"]), &[b"low", b"high"]);
    let store = open(place.path()).unwrap();
    let roots = store.roots().unwrap();
    let names: Vec<String> = roots.iter().enumerate().map(|(position, root)| root.name(position)).collect();
    assert_eq!(names, ["example.com:5000/cat:v1", "cat:latest"]);
    assert!(roots.iter().all(|root| root.identity.is_none()) && !store.is_provable());

    let digest = store.resolve("cat", "latest").unwrap().unwrap();
    let config = configuration(&[b"low", b"high"]);
    let part = |bytes: &[u8]| Part { digest: ContentDigest::of(bytes), bytes: bytes.len() as u64 };
    let manifest = image_manifest(&part(&config), &[part(b"low"), part(b"high")]);
    assert_eq!(
        (digest.clone(), store.manifest(None, &digest).unwrap().bytes),
        (ContentDigest::of(&manifest), manifest)
    );
    assert_eq!(read_blob(&store, &ContentDigest::of(b"high")), b"high");
    assert_eq!(read_blob(&store, &ContentDigest::of(&config)), config);
    assert_eq!(store.repositories_with(&digest), ["cat", "example.com:5000/cat"]);
    assert_eq!(store.resolve("cat", "v1").unwrap(), None);
    assert!(store.faults().is_empty());
}

#[test]
fn layers_in_directories_of_the_old_form_are_found_by_diff_id() {
    let place = tempfile::tempdir().unwrap();
    let config = configuration(&[b"low", b"low"]);
    write(place.path(), "config.json", &config);
    write(place.path(), "1a/layer.tar", b"low");
    fs::create_dir(place.path().join("2b")).unwrap();
    std::os::unix::fs::symlink("../1a/layer.tar", place.path().join("2b/layer.tar")).unwrap();
    let list = json!([{"Config": "config.json", "RepoTags": null, "Layers": ["1a/layer.tar", "2b/layer.tar"]}]);
    write(place.path(), LIST, list.to_string().as_bytes());
    let store = open(place.path()).unwrap();
    assert_eq!(read_blob(&store, &ContentDigest::of(b"low")), b"low");
    assert_eq!(store.roots().unwrap()[0].name(0), "@0");
    assert!(store.faults().is_empty(), "{:?}", store.faults());
}

#[test]
fn docker_25_writes_a_layout_too_and_that_is_read_instead() {
    let place = saved_by_skopeo(&json!(["a:b"]), &[b"low"]);
    write(place.path(), "oci-layout", b"{\"imageLayoutVersion\":\"1.0.0\"}");
    assert!(open(place.path()).is_some());
    write(place.path(), "index.json", b"{\"manifests\":[]}");
    assert!(open(place.path()).is_none());
}

#[test]
fn a_configuration_with_other_bytes_than_its_name_says_is_a_fault() {
    let place = saved_by_skopeo(&json!(["a:b"]), &[b"low"]);
    let name = format!("{}.json", ContentDigest::of(&configuration(&[b"low"])).hex());
    write(place.path(), &name, &configuration(&[b"lie"]));
    let store = open(place.path()).unwrap();
    assert!(store.roots().unwrap().is_empty());
    assert_eq!(store.faults()[0].path, name);
}

#[test]
fn a_layer_outside_of_the_archive_is_not_read() {
    let place = tempfile::tempdir().unwrap();
    let (root, secret) = (place.path().join("root"), b"secret".as_slice());
    write(place.path(), "secret", secret);
    write(&root, "c.json", &configuration(&[secret, secret]));
    std::os::unix::fs::symlink("../secret", root.join("link.tar")).unwrap();
    let list = json!([{"Config": "c.json", "Layers": ["../secret", "link.tar"]}]);
    write(&root, LIST, list.to_string().as_bytes());
    let store = open(&root).unwrap();
    assert_eq!(store.faults().len(), 2);
    assert_eq!(store.presence(None, &ContentDigest::of(secret)), Presence::Absent);
}

#[test]
fn a_list_that_lies_about_its_layers_is_a_fault_and_leaves_other_images_alone() {
    let place = saved_by_skopeo(&json!(["a:b"]), &[b"low"]);
    let list: serde_json::Value = serde_json::from_slice(&fs::read(place.path().join(LIST)).unwrap()).unwrap();
    let mut fewer = list[0].clone();
    fewer["Layers"] = json!([]);
    write(place.path(), LIST, json!([fewer, "no image", list[0]]).to_string().as_bytes());
    let store = open(place.path()).unwrap();
    assert_eq!((store.roots().unwrap().len(), store.faults().len()), (1, 2));
}

#[test]
fn compressed_layers_are_named_as_a_fault() {
    let place = saved_by_skopeo(&json!(["a:b"]), &[b"\x1f\x8b\x08rest"]);
    assert!(open(place.path()).unwrap().faults()[0].reason.contains("compressed"));
}

#[test]
fn a_configuration_with_a_thousand_names_is_read_a_bounded_number_of_times() {
    let place = tempfile::tempdir().unwrap();
    let mut config = configuration(&[]);
    config.resize(CONFIGURATION_BYTES as usize, b' ');
    write(place.path(), "c0", &config);
    let times = usize::try_from(ALL_CONFIGURATIONS_BYTES / CONFIGURATION_BYTES).unwrap() + 1;
    let names: Vec<String> = (0..times).map(|number| format!("c{number}")).collect();
    for name in &names[1..] {
        std::os::unix::fs::symlink("c0", place.path().join(name)).unwrap();
    }
    let list: Vec<_> = names.iter().map(|name| json!({"Config": name})).collect();
    write(place.path(), LIST, json!(list).to_string().as_bytes());
    let store = open(place.path()).unwrap();
    assert_eq!((store.roots().unwrap().len(), store.faults().len()), (times - 1, 1));
}

#[test]
fn other_files_of_the_same_name_are_no_archive() {
    for text in ["{\"schemaVersion\":2}", "[]", "[{\"Layers\":[]}]", "", "[1"] {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), LIST, text.as_bytes());
        assert!(open(place.path()).is_none(), "{text}");
    }
}
