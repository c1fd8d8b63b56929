//! Lines worked out by hand from where mirror tools put images.

use super::*;
use crate::codec::Limits;
use crate::finding::{ContentDigest, SourceRef};
use crate::mirror::facts::{Condition, ImageFacts};
use crate::mirror::judge::Found;
use crate::mirror::missing::{Group, Need};

/// An answer about one bundle: references with their verdicts, and the repository where each was found.
fn answer(images: &[(&str, Verdict, Option<&str>)]) -> Answer {
    let need = |reference: &str| Need { reference: reference.to_owned(), roles: Vec::new() };
    let facts = || ImageFacts::bare(ContentDigest::of(b"x"), None, Condition::Present).into();
    let judged = images.iter().map(|(reference, verdict, repository)| {
        let found = repository.map(|repository| Found {
            stock: 0,
            repository: Some(repository.to_owned()),
            tag: None,
            facts: facts(),
        });
        ((*reference).to_owned(), Judgement { verdict: *verdict, reason: None, found })
    });
    Answer {
        groups: vec![Group {
            catalog: Some("c".into()),
            package: Some("gull".into()),
            name: "gull.v1".into(),
            images: images.iter().map(|(reference, ..)| need(reference)).collect(),
        }],
        judgements: judged.collect(),
    }
}

fn lines(repairs: &[Repair]) -> Vec<String> {
    repairs.iter().map(|repair| format!("{}={}", repair.source, repair.destination)).collect()
}

fn by_digest() -> (String, String) {
    let digest = ContentDigest::of(b"gone");
    (format!("up.example/birds/gull@{digest}"), format!("sha256-{}", digest.hex()))
}

#[test]
fn without_rules_the_path_stays_and_a_digest_becomes_a_tag() {
    let (gull, tag) = by_digest();
    let broken = answer(&[
        (&gull, Verdict::ManifestAbsent, None),
        ("up.example/birds/tern:1.0", Verdict::BlobAbsent, Some("birds/tern")),
        ("up.example/birds/auk", Verdict::BadDigest, Some("birds/auk")),
        ("oci:///birds", Verdict::Unmirrorable, None),
        ("up.example/birds/owl:1", Verdict::Present, Some("site/birds/owl")),
    ]);
    let expected = [
        "up.example/birds/auk=host.example:5000/site/birds/auk:latest".to_owned(),
        format!("{gull}=host.example:5000/site/birds/gull:{tag}"),
        "up.example/birds/tern:1.0=host.example:5000/site/birds/tern:1.0".to_owned(),
    ];
    assert_eq!(lines(&repairs(&broken, None, Some("host.example:5000"))), expected);
    let none_there = answer(&[(&gull, Verdict::ManifestAbsent, None)]);
    assert_eq!(lines(&repairs(&none_there, None, None)), [format!("{gull}=birds/gull:{tag}")]);
}

#[test]
fn a_mirror_of_two_prefixes_or_joined_paths_tells_no_destination() {
    let gone = ("up.example/birds/gull:1", Verdict::ManifestAbsent, None);
    let at = |repository| ("up.example/birds/owl:1", Verdict::Present, Some(repository));
    let two = [gone, at("a/birds/owl"), ("up.example/birds/auk:1", Verdict::Present, Some("b/birds/auk"))];
    assert_eq!(repairs(&answer(&two), None, None), []);
    assert_eq!(repairs(&answer(&[gone, at("birds-owl")]), None, None), []);
    assert_eq!(repairs(&answer(&[at("birds/owl")]), None, None), []);
}

#[test]
fn rules_say_where_an_image_belongs() {
    let text = b"kind: ImageDigestMirrorSet\napiVersion: config.openshift.io/v1\nspec:\n  imageDigestMirrors:\n  \
        - {source: up.example/birds, mirrors: [m.example/a, m.example/b]}\n";
    let mut rules = MirrorRules::default();
    assert!(rules.add(text, &SourceRef::file("rules", "idms.yaml"), &Limits::default()).is_empty());
    let (gull, tag) = by_digest();
    let broken = answer(&[
        (&gull, Verdict::WrongRepository, Some("elsewhere/gull")),
        ("up.example/fish/cod:1", Verdict::NoRule, Some("fish/cod")),
        ("up.example/fish/eel:1", Verdict::ManifestAbsent, None),
    ]);
    assert_eq!(lines(&repairs(&broken, Some(&rules), Some("h.example"))), [format!("{gull}=m.example/a/gull:{tag}")]);
}
