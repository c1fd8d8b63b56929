//! Images as honest tools write them, with parts taken away or swapped.

use super::*;
use crate::source::image::memory::MemoryStore;
use crate::source::image::{Platform, media_type};

/// A store with an image of one configuration and one layer: the digests of manifest, configuration and layer.
fn image(store: &mut MemoryStore, layer: &str) -> [ContentDigest; 3] {
    let text = r#"{"os": "linux", "architecture": "amd64", "config": {"Labels":
        {"operators.operatorframework.io.index.configs.v1": "/configs"}}, "rootfs": {"type": "layers", "diff_ids": []}}"#;
    let (config, content) = (store.add(text), store.add(layer));
    let manifest = format!(
        r#"{{"schemaVersion": 2, "mediaType": "{}",
            "config": {{"mediaType": "{}", "digest": "{config}", "size": {}}},
            "layers": [{{"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": "{content}", "size": {}}}]}}"#,
        media_type::OCI_IMAGE,
        media_type::OCI_CONFIGURATION,
        text.len(),
        layer.len()
    );
    [store.add(manifest), config, content]
}

fn member(store: &MemoryStore, digest: &ContentDigest, platform: &str) -> String {
    let bytes = store.manifest(None, digest).map_or(7, |raw| raw.bytes.len());
    let (os, architecture) = platform.split_once('/').unwrap();
    format!(
        r#"{{"mediaType": "{}", "digest": "{digest}", "size": {bytes},
            "platform": {{"os": "{os}", "architecture": "{architecture}"}}}}"#,
        media_type::OCI_IMAGE
    )
}

fn index(store: &mut MemoryStore, members: &[String]) -> ContentDigest {
    store.add(format!(
        r#"{{"schemaVersion": 2, "mediaType": "{}", "manifests": [{}]}}"#,
        media_type::OCI_INDEX,
        members.join(",")
    ))
}

const SHALLOW: Closeness = Closeness { verifies: false, reads_labels: false };
const VERIFYING: Closeness = Closeness { verifies: true, reads_labels: false };
const READING: Closeness = Closeness { verifies: false, reads_labels: true };

fn looked(store: &MemoryStore, digest: &ContentDigest, closeness: Closeness) -> ImageFacts {
    Inspector::new(store, closeness).image(None, None, digest)
}

fn conditions(facts: &ImageFacts) -> Vec<Condition> {
    facts.instances.iter().flat_map(|instance| &instance.content).map(|part| part.condition.clone()).collect()
}

#[test]
fn a_whole_image_is_there_and_tells_what_it_is() {
    let mut store = MemoryStore::default();
    let [manifest, config, layer] = image(&mut store, "layer");
    let facts = looked(&store, &manifest, READING);
    assert_eq!(conditions(&facts), [Condition::Present, Condition::Present]);
    assert_eq!((facts.kind.as_str(), facts.labels["catalog_directory"].as_str()), ("catalog", "configs"));
    assert_eq!(facts.instances[0].platform, Some(Platform::default()));
    let digests: Vec<&ContentDigest> = facts.instances[0].content.iter().map(|part| &part.digest).collect();
    assert_eq!(digests, [&config, &layer]);
    assert_eq!(conditions(&looked(&store, &manifest, VERIFYING)), [Condition::Present, Condition::Present]);
}

#[test]
fn an_absent_manifest_is_absent() {
    let facts = looked(&MemoryStore::default(), &ContentDigest::of(b"x"), SHALLOW);
    assert_eq!((facts.manifest(), facts.instances.len()), (&Condition::Absent, 0));
}

#[test]
fn attack_a_layer_of_another_length() {
    for (swapped, is_right) in [
        ("lay", (|condition: &Condition| matches!(condition, Condition::Truncated(_))) as fn(&Condition) -> bool),
        ("layers", |condition| matches!(condition, Condition::BadSize(_))),
    ] {
        let mut store = MemoryStore::default();
        let [manifest, _, layer] = image(&mut store, "layer");
        store.lie(layer, swapped);
        assert!(is_right(&conditions(&looked(&store, &manifest, SHALLOW))[1]), "{swapped}");
    }
}

#[test]
fn attack_a_layer_with_other_bytes_is_found_by_reading_it() {
    let mut store = MemoryStore::default();
    let [manifest, _, layer] = image(&mut store, "layer");
    store.lie(layer, "reyal");
    assert_eq!(conditions(&looked(&store, &manifest, SHALLOW))[1], Condition::Present);
    assert!(matches!(conditions(&looked(&store, &manifest, VERIFYING))[1], Condition::BadDigest(_)));
}

#[test]
fn instances_that_are_absent_keep_their_platform() {
    let mut store = MemoryStore::default();
    let [here, ..] = image(&mut store, "layer");
    let gone = ContentDigest::of(b"gone");
    let members = [
        member(&store, &here, "linux/amd64"),
        member(&store, &gone, "linux/arm64"),
        member(&store, &gone, "unknown/unknown"),
    ];
    let index = index(&mut store, &members);
    let facts = looked(&store, &index, READING);
    let seen: Vec<_> = facts
        .instances
        .iter()
        .map(|one| {
            (
                one.platform.as_ref().unwrap().to_string(),
                one.is_attestation,
                one.manifest.condition == Condition::Present,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("linux/amd64".to_owned(), false, true),
            ("linux/arm64".to_owned(), false, false),
            ("unknown/unknown".to_owned(), true, false)
        ]
    );
    assert_eq!(facts.kind, "catalog");
}

#[test]
fn attack_indexes_nested_without_end() {
    let mut store = MemoryStore::default();
    let [mut digest, ..] = image(&mut store, "layer");
    for _ in 0..20 {
        let bytes = store.manifest(None, &digest).unwrap().bytes.len();
        digest = index(&mut store, &[format!(r#"{{"digest": "{digest}", "size": {bytes}}}"#)]);
    }
    let facts = looked(&store, &digest, SHALLOW);
    assert_eq!((facts.manifests.len(), facts.instances.len()), (INDEX_DEPTH, 0));
    assert!(facts.faults[0].contains("deeper"), "{:?}", facts.faults);
}

#[test]
fn attack_an_index_that_repeats_one_image() {
    let mut store = MemoryStore::default();
    let [manifest, ..] = image(&mut store, "layer");
    let members = vec![member(&store, &manifest, "linux/amd64"); 5_000];
    let index = index(&mut store, &members);
    assert_eq!(looked(&store, &index, SHALLOW).instances.len(), 1);
}

#[test]
fn attack_an_index_of_more_images_than_anyone_makes() {
    let mut store = MemoryStore::default();
    let members: Vec<String> = (0..3_000)
        .map(|number: u32| member(&store, &ContentDigest::of(&number.to_le_bytes()), "linux/amd64"))
        .collect();
    let index = index(&mut store, &members);
    let facts = looked(&store, &index, SHALLOW);
    assert_eq!((facts.instances.len(), facts.faults.len()), (MANIFESTS_OF_AN_IMAGE, 1));
}

#[test]
fn a_layer_that_must_not_be_passed_on_is_not_missed() {
    let mut store = MemoryStore::default();
    let config = store.add("{}");
    let foreign = ContentDigest::of(b"foreign");
    let manifest = store.add(format!(
        r#"{{"config": {{"digest": "{config}", "size": 2}},
            "layers": [{{"mediaType": "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip", "digest": "{foreign}", "size": 9}}]}}"#
    ));
    assert_eq!(conditions(&looked(&store, &manifest, SHALLOW)), [Condition::Present]);
}
