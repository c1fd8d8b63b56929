//! What must hold of images with missing and damaged parts.

use super::*;
use crate::finding::ContentDigest;

fn part(name: &str, condition: Condition) -> Part {
    Part { digest: ContentDigest::of(name.as_bytes()), bytes: Some(1), condition }
}

fn instance(architecture: &str, manifest: Condition, layer: Condition) -> Instance {
    Instance {
        platform: Some(Platform::new("linux", architecture)),
        is_attestation: false,
        manifest: part(architecture, manifest),
        content: vec![part("layer", layer)],
    }
}

fn index(instances: Vec<Instance>) -> ImageFacts {
    let digest = ContentDigest::of(b"index");
    ImageFacts { instances, ..ImageFacts::bare(digest, Some(1), Condition::Present) }
}

fn judged(facts: &ImageFacts) -> Verdict {
    verdict(facts, &[Platform::default()]).verdict
}

use Condition::{Absent, Present};

#[test]
fn an_image_with_all_its_parts_is_present() {
    assert_eq!(judged(&index(vec![instance("amd64", Present, Present)])), Verdict::Present);
}

#[test]
fn a_missing_instance_counts_where_it_is_wanted() {
    let absent = || instance("arm64", Absent, Present);
    assert_eq!(judged(&index(vec![instance("amd64", Present, Present), absent()])), Verdict::Sparse);
    let both = index(vec![instance("amd64", Absent, Present), instance("arm64", Present, Present)]);
    assert_eq!(judged(&both), Verdict::InstanceAbsent);
    assert_eq!(verdict(&both, &[Platform::new("linux", "arm64")]).verdict, Verdict::Sparse);
}

#[test]
fn an_index_for_other_machines_needs_one_of_them() {
    let there = index(vec![instance("s390x", Present, Present), instance("arm64", Absent, Present)]);
    assert_eq!(judged(&there), Verdict::Sparse);
    assert_eq!(judged(&index(vec![instance("arm64", Absent, Present)])), Verdict::InstanceAbsent);
}

#[test]
fn an_attestation_is_never_missed() {
    let mut attestation = instance("unknown", Absent, Absent);
    attestation.is_attestation = true;
    assert_eq!(judged(&index(vec![instance("amd64", Present, Present), attestation])), Verdict::Present);
}

#[test]
fn a_missing_layer_is_told_and_damage_is_worse() {
    assert_eq!(judged(&index(vec![instance("amd64", Present, Absent)])), Verdict::BlobAbsent);
    for (condition, expected) in [
        (Condition::Truncated("short".into()), Verdict::Truncated),
        (Condition::BadSize("long".into()), Verdict::BadSize),
        (Condition::BadDigest("other".into()), Verdict::BadDigest),
        (Condition::Unreadable("denied".into()), Verdict::Unprovable),
        (Condition::ExpectedAtTarget("history".into()), Verdict::ExpectedAtTarget),
    ] {
        let found = verdict(&index(vec![instance("amd64", Present, condition)]), &[Platform::default()]);
        assert_eq!(found.verdict, expected);
        assert!(found.reason.unwrap().ends_with("(linux/amd64)"));
    }
    let damaged = instance("arm64", Present, Condition::BadDigest("other".into()));
    assert_eq!(judged(&index(vec![instance("amd64", Present, Absent), damaged])), Verdict::BadDigest);
}

#[test]
fn a_single_image_is_wanted_whatever_machine_it_is_for() {
    let mut facts = index(vec![instance("arm64", Present, Absent)]);
    facts.digest = ContentDigest::of(b"arm64");
    assert_eq!(judged(&facts), Verdict::BlobAbsent);
    let facts = ImageFacts::bare(ContentDigest::of(b"x"), None, Absent);
    assert_eq!(judged(&facts), Verdict::ManifestAbsent);
}

#[test]
fn names_are_those_of_the_contract() {
    assert_eq!(Verdict::WrongRepository.name(), Some("wrong-repo"));
    assert_eq!(Verdict::Present.name(), None);
    assert_eq!(Verdict::WrongRepository.state().name(), "absent");
    assert!(State::Bad.is_broken() && !State::Unprovable.is_broken() && !State::Sparse.is_broken());
}
