//! Pairs of small mirrors and catalogs, and what changed.

use std::sync::Arc;

use super::*;
use crate::catalog::{Catalog, Located, assemble, document};
use crate::codec::{Limits, split};
use crate::finding::{ContentDigest, SourceRef, codes};
use crate::mirror::facts::{Condition, ImageFacts};
use crate::mirror::inventory::{Content, RootFacts, StoreFacts};

/// A mirror of `repository tag content`; the tag may be `-`.
fn mirror(roots: &[&str]) -> Vec<StoreFacts> {
    let roots = roots.iter().map(|root| {
        let [repository, tag, content] = root.split(' ').collect::<Vec<_>>()[..] else { panic!("three words") };
        let digest = ContentDigest::of(content.as_bytes());
        RootFacts {
            repository: Some(repository.to_owned()),
            tag: Some(tag.to_owned()).filter(|tag| tag != "-"),
            identity: Some(digest.clone()),
            content: Content::Image(Arc::new(ImageFacts::bare(digest, None, Condition::Present))),
            notes: Vec::new(),
        }
    });
    let roots = roots.collect();
    vec![StoreFacts { shape: "registry-storage", place: "s".into(), is_provable: true, roots, faults: Vec::new() }]
}

fn seen(changes: &[Change]) -> Vec<(&'static str, String)> {
    let subject = |change: &Change| {
        let subject = &change.subject;
        let levels = [&subject.repository, &subject.tag, &subject.package, &subject.channel, &subject.bundle];
        levels.into_iter().flatten().cloned().collect::<Vec<_>>().join(" ")
    };
    changes.iter().map(|change| (change.code.name().trim_start_matches("mirror/"), subject(change))).collect()
}

fn own(text: &str) -> String {
    text.to_owned()
}

#[test]
fn repositories_tags_and_images_come_and_go() {
    let old = mirror(&["a v1 x", "a v2 y", "a old y", "gone - x"]);
    let new = mirror(&["a v1 x", "a v2 z", "a new x", "come - x"]);
    let changes = images(&old, &new);
    assert_eq!(
        seen(&changes),
        [
            ("image-added", own("a")),
            ("image-removed", own("a")),
            ("tag-added", own("a new")),
            ("tag-removed", own("a old")),
            ("tag-moved", own("a v2")),
            ("repository-added", own("come")),
            ("repository-removed", own("gone")),
        ]
    );
    let moved = changes.iter().find(|change| change.code == codes::mirror::TAG_MOVED).unwrap();
    assert_eq!(moved.old, Some(ContentDigest::of(b"y").to_string()));
    assert_eq!(moved.new, Some(ContentDigest::of(b"z").to_string()));
    assert_eq!(images(&old, &old), []);
}

#[test]
fn a_tag_that_repeats_its_digest_says_nothing_of_its_own() {
    let root = format!("a sha256-{} x", ContentDigest::of(b"x").hex());
    let changes = images(&mirror(&["a v1 y"]), &mirror(&["a v1 y", &root]));
    assert_eq!(seen(&changes), [("image-added", own("a"))]);
}

fn catalog(text: &str) -> Catalog {
    let limits = Limits::default();
    let decoded: Vec<_> =
        split(text.as_bytes(), &limits).documents.iter().map(|cut| document(cut.bytes, cut.format, &limits)).collect();
    let at = SourceRef::file("birds", "gull.yaml");
    let located: Vec<_> = decoded.iter().map(|document| Located { at: at.clone(), document }).collect();
    assemble(&Arc::from("birds"), &located).0
}

const OLD: &str = "
schema: olm.package
name: gull
defaultChannel: stable
---
schema: olm.channel
package: gull
name: stable
entries: [{name: gull.v1, skips: [a, b]}, {name: gull.v2, replaces: gull.v1}]
---
schema: olm.bundle
package: gull
name: gull.v1
image: up.example/gull:1
relatedImages: [{name: one, image: up.example/x:1}, {name: two, image: up.example/y:1}]
---
schema: olm.bundle
package: gull
name: gull.v2
image: up.example/gull:2
";

#[test]
fn order_and_names_that_mean_nothing_change_nothing() {
    let new = OLD.replace("[a, b]", "[b, a]").replace(
        "[{name: one, image: up.example/x:1}, {name: two, image: up.example/y:1}]",
        "[{name: other, image: up.example/y:1}, {name: one, image: up.example/x:1}]",
    );
    assert_eq!(catalogs(&catalog(OLD), &catalog(&new)), []);
}

#[test]
fn a_bundle_with_another_image_is_republished() {
    let changes = catalogs(&catalog(OLD), &catalog(&OLD.replace("up.example/gull:2", "up.example/gull:2b")));
    assert_eq!(seen(&changes), [("bundle-republished", own("gull gull.v2"))]);
    assert_eq!(changes[0].old.as_deref(), Some("up.example/gull:2"));
    assert_eq!(changes[0].new.as_deref(), Some("up.example/gull:2b"));
}

#[test]
fn a_bundle_whose_image_only_moved_is_not_republished() {
    let digest = |content: &[u8]| format!("up.example/gull@{}", ContentDigest::of(content));
    let old = OLD.replace("up.example/gull:2", &digest(b"one"));
    let moved = old.replace("up.example/gull@", "other.example/birds/gull@");
    assert_eq!(catalogs(&catalog(&old), &catalog(&moved)), []);
    let other = OLD.replace("up.example/gull:2", &digest(b"two"));
    assert_eq!(seen(&catalogs(&catalog(&old), &catalog(&other))), [("bundle-republished", own("gull gull.v2"))]);
}

#[test]
fn edges_channels_and_related_images_are_compared() {
    let new = OLD
        .replace("replaces: gull.v1}", "replaces: gull.v1, skipRange: <2.0.0}")
        .replace("up.example/x:1", "up.example/x:2")
        .replace("defaultChannel: stable", "defaultChannel: fast")
        + "---\nschema: olm.channel\npackage: gull\nname: fast\nentries: [{name: gull.v2}]\n";
    let changes = catalogs(&catalog(OLD), &catalog(&new));
    assert_eq!(
        seen(&changes),
        [
            ("default-channel-changed", own("gull")),
            ("related-images-changed", own("gull gull.v1")),
            ("channel-added", own("gull fast")),
            ("entry-changed", own("gull stable gull.v2")),
        ]
    );
}

#[test]
fn packages_bundles_entries_and_deprecations_come_and_go() {
    let fewer = OLD
        .split("---\nschema: olm.bundle\npackage: gull\nname: gull.v2")
        .next()
        .unwrap()
        .replace(", {name: gull.v2, replaces: gull.v1}", "")
        + "---\nschema: olm.deprecations\npackage: gull\nentries:\n- {reference: {schema: olm.package}, message: over}\n";
    let changes = catalogs(&catalog(OLD), &catalog(&fewer));
    assert_eq!(
        seen(&changes),
        [
            ("deprecation-changed", own("gull")),
            ("bundle-removed", own("gull gull.v2")),
            ("entry-removed", own("gull stable gull.v2")),
        ]
    );
    let other = catalog(&OLD.replace("gull", "tern"));
    assert_eq!(
        seen(&catalogs(&catalog(OLD), &other)),
        [("package-removed", own("gull")), ("package-added", own("tern"))]
    );
}
