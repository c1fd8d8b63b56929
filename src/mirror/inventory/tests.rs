//! Small mirrors, counted by hand.

use super::*;
use crate::mirror::facts::{Condition, Instance, Part};

fn digest(name: &str) -> ContentDigest {
    ContentDigest::of(name.as_bytes())
}

fn part(name: &str, bytes: u64) -> Part {
    Part { digest: digest(name), bytes: Some(bytes), condition: Condition::Present }
}

fn image(name: &str, children: &[&str], layers: &[(&str, u64)]) -> Content {
    let mut facts = ImageFacts::bare(digest(name), Some(1), Condition::Present);
    let names = if children.is_empty() { &[name][..] } else { children };
    facts.instances = names
        .iter()
        .map(|child| Instance {
            platform: None,
            is_attestation: false,
            manifest: part(child, 1),
            content: layers.iter().map(|(layer, bytes)| part(layer, *bytes)).collect(),
        })
        .collect();
    Content::Image(Arc::new(facts))
}

fn root(repository: Option<&str>, tag: Option<&str>, name: &str, content: Content) -> RootFacts {
    let (repository, tag) = (repository.map(str::to_owned), tag.map(str::to_owned));
    RootFacts { repository, tag, identity: Some(digest(name)), content, notes: Vec::new() }
}

fn store(roots: Vec<RootFacts>) -> StoreFacts {
    StoreFacts { shape: "registry-storage", place: "storage".into(), is_provable: true, roots, faults: Vec::new() }
}

#[test]
fn blobs_count_once_in_a_repository_and_once_in_all() {
    let shared = [("base", 100)];
    let stores = [
        store(vec![
            root(Some("a"), Some("1"), "x", image("x", &[], &shared)),
            root(Some("a"), Some("2"), "y", image("y", &[], &[("base", 100), ("own", 7)])),
            root(Some("b"), None, "x", image("x", &[], &shared)),
        ]),
        store(vec![root(None, Some("3"), "x", image("x", &[], &shared))]),
    ];
    let found = repositories(&stores);
    let seen: Vec<_> = found.iter().map(|one| (one.store, one.name, one.images.len(), one.unique_bytes)).collect();
    assert_eq!(seen, [(0, Some("a"), 2, 109), (0, Some("b"), 1, 101), (1, None, 1, 101)]);
    assert_eq!(unique_bytes(&stores), 109);
}

#[test]
fn one_image_has_all_its_tags_and_its_signatures() {
    let signature = format!("sha256-{}.sig", digest("x").hex());
    let stores = [store(vec![
        root(Some("a"), Some("v2"), "x", image("x", &[], &[])),
        root(Some("a"), Some("v1"), "x", image("x", &[], &[])),
        root(Some("a"), Some(&signature), "s", image("s", &[], &[])),
    ])];
    let found = repositories(&stores);
    let images: Vec<_> = found[0].images.iter().map(|image| (image.tags.clone(), image.signatures.clone())).collect();
    let expected = [(vec!["v1", "v2"], vec![(&*signature, "cosign-signature")]), (vec![&*signature], vec![])];
    assert_eq!(images, expected);
    assert_eq!(found[0].tags["v1"], Some(&digest("x")));
}

#[test]
fn a_child_without_a_tag_stands_with_its_index() {
    let index = || image("index", &["child", "tagged"], &[]);
    let stores = [store(vec![
        root(Some("a"), Some("v1"), "index", index()),
        root(Some("a"), None, "child", image("child", &[], &[])),
        root(Some("a"), Some("arm"), "tagged", image("tagged", &[], &[])),
        root(Some("a"), None, "stranger", image("stranger", &[], &[])),
    ])];
    let found = repositories(&stores);
    let digests: Vec<_> = found[0].images.iter().filter_map(|image| image.root.identity.clone()).collect();
    assert_eq!(digests, [digest("index"), digest("tagged"), digest("stranger")]);
}

#[test]
fn what_cannot_be_proven_is_never_taken_for_the_same() {
    let unproven = |tag| RootFacts { identity: None, ..root(None, Some(tag), "x", image("x", &[], &[])) };
    let stores = [store(vec![unproven("1"), unproven("2")])];
    let found = repositories(&stores);
    assert_eq!(found[0].images.len(), 2);
    assert_eq!(found[0].tags["1"], None);
}
