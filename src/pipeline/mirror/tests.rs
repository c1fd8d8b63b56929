//! Payloads and tags.

use super::*;
use crate::mirror::verdict::Verdict;
use crate::pipeline::NoObserver;
use crate::source::image::memory::MemoryStore;

#[test]
fn a_payload_is_looked_for_by_its_pairs_of_name_and_reference() {
    let mut store = MemoryStore::default();
    let config = store.add("{}");
    let manifest = store.add(format!(r#"{{"config": {{"digest": "{config}", "size": 2}}, "layers": []}}"#));
    store.tag("release", "4.20.1", manifest.clone());
    let pairs = [
        ("payload".to_owned(), "up.example/release:4.20.1".to_owned()),
        ("etcd".to_owned(), format!("up.example/release@{manifest}")),
        ("console".to_owned(), format!("up.example/release@{}", ContentDigest::of(b"none"))),
    ];
    let stores: [Arc<dyn Store>; 1] = [Arc::new(store)];
    let request = MissingRequest {
        groups: vec![Group::payload("4.20.1", pairs)],
        stores: &stores,
        rules: None,
        wanted: &[Platform::default()],
        verifies: true,
    };
    let (answer, faults) = missing(request, &NoObserver);
    let verdicts: Vec<Verdict> = answer.judgements.values().map(|judgement| judgement.verdict).collect();
    let present = verdicts.iter().filter(|verdict| **verdict == Verdict::Present).count();
    assert_eq!((verdicts.len(), present), (3, 2));
    assert!(verdicts.contains(&Verdict::ManifestAbsent));
    assert_eq!(faults, []);
}

#[test]
fn an_image_of_a_layout_is_found_by_path_and_tag_and_not_by_the_tag_alone() {
    let mut store = MemoryStore::default();
    let config = store.add("{}");
    let manifest = store.add(format!(r#"{{"config": {{"digest": "{config}", "size": 2}}, "layers": []}}"#));
    store.tag("org/m", "1", manifest);
    let stores: [Arc<dyn Store>; 1] = [Arc::new(store)];
    for (reference, expected) in [
        ("up.example/org/m:1", Verdict::Present),
        ("up.example/org/other:1", Verdict::ManifestAbsent),
        ("up.example/other/m:1", Verdict::ManifestAbsent),
        ("up.example/org/m:2", Verdict::ManifestAbsent),
    ] {
        let groups = vec![Group::payload("4.20.1", [("etcd".to_owned(), reference.to_owned())])];
        let request =
            MissingRequest { groups, stores: &stores, rules: None, wanted: &[Platform::default()], verifies: false };
        let (answer, _) = missing(request, &NoObserver);
        assert_eq!(answer.judgements[reference].verdict, expected, "{reference}");
    }
}

#[test]
fn a_payload_needs_itself_where_its_digest_is_known() {
    let digest = ContentDigest::of(b"payload");
    let mut facts = crate::payload::PayloadFacts { version: "4.20.1".to_owned(), ..Default::default() };
    let reference = "up.example/release:etcd".to_owned();
    facts.images = vec![crate::payload::PayloadImage { name: "etcd".to_owned(), reference, ..Default::default() }];
    let release =
        |digest| crate::pipeline::ReadRelease { facts: Arc::new(facts.clone()), stated: Default::default(), digest };
    let groups = release_groups(&[release(Some(digest.clone())), release(None)]);
    let needs: Vec<Vec<String>> = groups
        .iter()
        .map(|group| group.images.iter().map(|need| format!("{} {}", need.roles.join(","), need.reference)).collect())
        .collect();
    let component = "etcd up.example/release:etcd".to_owned();
    assert_eq!(needs, [vec![format!("payload {digest}"), component.clone()], vec![component]]);
}

#[test]
fn places_are_shown_without_what_lies_above() {
    assert_eq!(shown("/srv/secret/storage"), "storage");
    assert_eq!(shown("storage/"), "storage");
    assert_eq!(shown("registry:host.example/a"), "registry:host.example/a");
    assert_eq!(shown("."), ".");
}
