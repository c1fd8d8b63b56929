//! Releases of a small mirror, with signatures good, bad, foreign and absent.

use std::sync::Arc;

use super::*;
use crate::mirror::facts::{Condition, ImageFacts};
use crate::source::signature::sample::{DAY, SIGNED, key, key_file, signed, statement};

fn digest(name: &str) -> ContentDigest {
    ContentDigest::of(name.as_bytes())
}

/// A mirror with images of these names and kinds.
fn mirror(images: &[(&str, &str)]) -> Vec<StoreFacts> {
    let root = |(name, kind): &(&str, &str)| {
        let mut facts = ImageFacts::bare(digest(name), None, Condition::Present);
        facts.kind = (*kind).to_owned();
        facts.labels = [("release", (*name).to_owned())].into();
        RootFacts {
            repository: Some("release".to_owned()),
            tag: None,
            identity: Some(digest(name)),
            content: Content::Image(Arc::new(facts)),
            notes: Vec::new(),
        }
    };
    let roots = images.iter().map(root).collect();
    vec![StoreFacts { shape: "image-mirror", place: "m".into(), is_provable: true, roots, faults: Vec::new() }]
}

fn found(file: &str, promised: Option<&str>, message: Vec<u8>) -> FoundSignature {
    FoundSignature { file: file.to_owned(), digest: promised.map(digest), message }
}

/// A message about a release, by the key of a number.
fn message(seed: u64, release: &str) -> Vec<u8> {
    signed(&key(seed), &statement(&digest(release)))
}

fn check(images: &[(&str, &str)], found: &[FoundSignature], keys: &[u64]) -> ReleaseSignatures {
    let mut ring = KeyRing::default();
    for seed in keys {
        ring.add(&key_file(&key(*seed))).unwrap();
    }
    let now = jiff::Timestamp::from_second(i64::from(SIGNED + DAY)).unwrap();
    ReleaseSignatures::check(&mirror(images), found, &ring, now)
}

/// Code and severity of each finding.
fn codes_of(signatures: &ReleaseSignatures) -> Vec<(&'static str, &'static str)> {
    signatures.findings().iter().map(|finding| (finding.code.name(), finding.severity().name())).collect()
}

fn is_verified(signatures: &ReleaseSignatures, release: &str) -> bool {
    let checked = signatures.of(&digest(release));
    matches!(checked.map(|checked| &checked.verdict), Some(SignatureVerdict::Verified { .. }))
}

#[test]
fn a_release_signed_by_a_given_key_is_verified() {
    let signatures =
        check(&[("4.20.1", "release"), ("tern", "bundle")], &[found("s", Some("4.20.1"), message(1, "4.20.1"))], &[1]);
    assert!(is_verified(&signatures, "4.20.1") && signatures.is_release(&digest("4.20.1")));
    assert!(!signatures.is_release(&digest("tern")));
    assert_eq!(codes_of(&signatures), []);
}

#[test]
fn a_signature_of_another_release_is_bad_and_one_good_one_is_enough() {
    let other = found("other", Some("4.20.1"), message(1, "4.20.2"));
    let signatures = check(&[("4.20.1", "release")], std::slice::from_ref(&other), &[1]);
    assert_eq!(codes_of(&signatures), [("mirror/bad-signature", "error")]);
    assert!(matches!(signatures.of(&digest("4.20.1")).unwrap().verdict, SignatureVerdict::Bad { .. }));
    let both = check(&[("4.20.1", "release")], &[other, found("good", Some("4.20.1"), message(1, "4.20.1"))], &[1]);
    assert!(is_verified(&both, "4.20.1"));
    assert_eq!(codes_of(&both), [("mirror/bad-signature", "error")]);
}

#[test]
fn a_foreign_key_proves_nothing_and_no_key_asks_nothing() {
    let of = [found("s", Some("4.20.1"), message(1, "4.20.1"))];
    assert_eq!(codes_of(&check(&[("4.20.1", "release")], &of, &[2])), [("mirror/signature-unproven", "warning")]);
    let without = check(&[("4.20.1", "release")], &of, &[]);
    let reason = SignatureVerdict::NotVerified { reason: "no key was given".to_owned() };
    assert_eq!(without.of(&digest("4.20.1")).unwrap().verdict, reason);
    assert_eq!(codes_of(&without), []);
}

#[test]
fn no_signature_weighs_more_where_keys_are_given() {
    let images = [("4.20.1", "release"), ("tern", "bundle")];
    assert_eq!(codes_of(&check(&images, &[], &[])), [("mirror/signature-absent", "info")]);
    assert_eq!(codes_of(&check(&images, &[], &[1])), [("mirror/signature-absent", "warning")]);
}

#[test]
fn a_name_that_promises_nothing_is_held_against_every_release() {
    let images = [("4.20.1", "release"), ("4.20.2", "release")];
    let signatures = check(&images, &[found("s", None, message(1, "4.20.2"))], &[1]);
    assert!(is_verified(&signatures, "4.20.2") && !is_verified(&signatures, "4.20.1"));
    assert_eq!(codes_of(&signatures), [("mirror/signature-absent", "warning")]);
    let stranger = check(&images[..1], &[found("s", None, message(1, "4.20.2"))], &[1]);
    assert_eq!(codes_of(&stranger), [("mirror/signature-absent", "warning"), ("input/skipped", "info")]);
}

#[test]
fn what_is_promised_a_signature_is_a_release_though_its_label_is_not_there() {
    let signatures = check(&[("x", "unknown")], &[found("s", Some("x"), message(1, "x"))], &[1]);
    assert!(is_verified(&signatures, "x"));
}
