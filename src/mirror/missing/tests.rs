//! Sums over small answers, worked out by hand.

use super::*;
use crate::mirror::facts::{ImageFacts, Instance};
use crate::mirror::judge::Found;

fn part(name: &str, bytes: u64, condition: Condition) -> Part {
    Part { digest: ContentDigest::of(name.as_bytes()), bytes: Some(bytes), condition }
}

/// An image with a manifest of one byte and these layers.
fn judgement(name: &str, verdict: Verdict, layers: Vec<Part>) -> Judgement {
    let manifest = part(name, 1, Condition::Present);
    let mut facts = ImageFacts::bare(manifest.digest.clone(), Some(1), Condition::Present);
    facts.instances = vec![Instance { platform: None, is_attestation: false, manifest, content: layers }];
    let found = Found { stock: 0, repository: None, tag: None, facts: Arc::new(facts) };
    Judgement { verdict, reason: None, found: Some(found) }
}

fn group(package: &str, images: &[&str]) -> Group {
    let images = images.iter().map(|image| (String::new(), (*image).to_owned()));
    Group {
        catalog: Some("c".into()),
        package: Some(package.into()),
        name: format!("{package}.v1").as_str().into(),
        images: once_each(images),
    }
}

fn answer() -> Answer {
    let there = Condition::Present;
    let judged = [
        (
            "one",
            judgement("one", Verdict::Present, vec![part("base", 100, there.clone()), part("l1", 10, there.clone())]),
        ),
        (
            "two",
            judgement("two", Verdict::BlobAbsent, vec![part("base", 100, there), part("l2", 20, Condition::Absent)]),
        ),
        ("three", Judgement { verdict: Verdict::ManifestAbsent, reason: None, found: None }),
    ];
    Answer {
        groups: vec![group("p", &["one", "two"]), group("q", &["two", "three"])],
        judgements: judged.into_iter().map(|(name, judgement)| (name.to_owned(), judgement)).collect(),
    }
}

#[test]
fn totals_count_each_blob_once_and_say_what_is_unknown() {
    let totals = answer().totals();
    assert_eq!((totals.images, totals.present, totals.absent, totals.unknown_size), (3, 1, 2, 1));
    assert_eq!((totals.needed_bytes, totals.present_bytes, totals.carry_bytes), (132, 112, 20));
    assert!(answer().is_broken());
}

#[test]
fn a_package_has_alone_what_no_other_needs() {
    let shares = answer().shares();
    let numbers: Vec<_> = shares
        .iter()
        .map(|share| (&*share.package, share.images, share.broken, share.unknown_size, share.bytes, share.unique_bytes))
        .collect();
    // p: manifests 1 + 1, base 100, l1 10, l2 20; alone: the manifest of one and l1. q shares all that is known.
    assert_eq!(numbers, [("p", 2, 1, 0, 132, 11), ("q", 2, 2, 1, 121, 0)]);
}

#[test]
fn a_payload_shares_too() {
    let mut answer = answer();
    answer.groups = vec![group("p", &["one"]), Group::payload("4.20.1", [("etcd".to_owned(), "two".to_owned())])];
    assert_eq!(answer.shares().iter().map(|share| (share.bytes, share.unique_bytes)).collect::<Vec<_>>(), [(111, 11)]);
}

#[test]
fn a_reference_comes_once_with_all_its_roles() {
    let pairs = [("bundle", "a"), ("x", "b"), ("y", "b"), ("", "b"), ("z", "")];
    let needs = once_each(pairs.map(|(role, image)| (role.to_owned(), image.to_owned())));
    let seen: Vec<(&str, String)> = needs.iter().map(|need| (need.reference.as_str(), need.roles.join(","))).collect();
    assert_eq!(seen, [("a", "bundle".to_owned()), ("b", "x,y".to_owned()), ("", "z".to_owned())]);
}

#[test]
fn a_record_carries_nothing_and_a_moved_tag_weighs_nothing() {
    let mut answer = answer();
    let recorded = vec![part("l3", 30, Condition::ExpectedAtTarget("history".into()))];
    answer.judgements.insert("one".into(), judgement("one", Verdict::ExpectedAtTarget, recorded));
    answer
        .judgements
        .insert("two".into(), judgement("two", Verdict::TagMoved, vec![part("l4", 40, Condition::Absent)]));
    let totals = answer.totals();
    assert_eq!((totals.needed_bytes, totals.present_bytes, totals.carry_bytes), (31, 1, 0));
    assert_eq!((totals.expected_at_target, totals.unknown_size), (1, 2));
}
