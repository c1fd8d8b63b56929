//! What must be said of images that lie here, there, and nowhere.

use std::collections::BTreeMap;

use super::*;
use crate::codec::Limits;
use crate::finding::SourceRef;
use crate::mirror::facts::{Instance, Part};

/// A mirror of images with one layer.
struct Mirror {
    repositories: Vec<String>,
    tags: BTreeMap<(String, String), ContentDigest>,
    bare_tag: Option<&'static str>,
    provable: bool,
    pushed: bool,
    /// The layer of each image.
    layer: Condition,
    recorded: Vec<ContentDigest>,
    images: Vec<(String, ContentDigest)>,
}

fn mirror(images: &[(&str, &str)]) -> Mirror {
    let images: Vec<(String, ContentDigest)> =
        images.iter().map(|(path, content)| ((*path).to_owned(), digest(content))).collect();
    let mut repositories: Vec<String> = images.iter().map(|(path, _)| path.clone()).collect();
    repositories.sort();
    let (tags, recorded) = (BTreeMap::new(), Vec::new());
    let bare_tag = None;
    Mirror { repositories, tags, bare_tag, provable: true, pushed: true, layer: Condition::Present, recorded, images }
}

impl Mirror {
    fn tagged(mut self, repository: &str, tag: &str, content: &str) -> Self {
        self.tags.insert((repository.to_owned(), tag.to_owned()), digest(content));
        self
    }
}

impl Stock for Mirror {
    fn repositories(&self) -> &[String] {
        &self.repositories
    }

    fn resolve(&self, repository: &str, tag: &str) -> Option<ContentDigest> {
        self.tags.get(&(repository.to_owned(), tag.to_owned())).cloned()
    }

    fn has_bare_tag(&self, tag: &str) -> bool {
        self.bare_tag == Some(tag)
    }

    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String> {
        self.images.iter().filter(|(_, other)| other == digest).map(|(path, _)| path.clone()).collect()
    }

    fn image(&self, repository: Option<&str>, digest: &ContentDigest) -> Arc<ImageFacts> {
        let is_here = self.images.iter().any(|(path, other)| repository == Some(path) && other == digest);
        let condition = match (is_here, self.recorded.contains(digest)) {
            (true, _) => Condition::Present,
            (false, true) => Condition::ExpectedAtTarget("history".to_owned()),
            (false, false) => Condition::Absent,
        };
        let mut facts = ImageFacts::bare(digest.clone(), Some(1), condition);
        if is_here {
            let manifest = facts.manifests[0].clone();
            let layer = Part { digest: self::digest("layer"), bytes: Some(5), condition: self.layer.clone() };
            facts.instances = vec![Instance { platform: None, is_attestation: false, manifest, content: vec![layer] }];
        }
        Arc::new(facts)
    }

    fn is_provable(&self) -> bool {
        self.provable
    }

    fn is_pushed(&self) -> bool {
        self.pushed
    }
}

fn digest(content: &str) -> ContentDigest {
    ContentDigest::of(content.as_bytes())
}

fn by_digest(path: &str, content: &str) -> String {
    format!("up.example/{path}@{}", digest(content))
}

fn rules(source: &str, mirror: &str) -> MirrorRules {
    let mut rules = MirrorRules::default();
    for (kind, list) in [("ImageDigestMirrorSet", "imageDigestMirrors"), ("ImageTagMirrorSet", "imageTagMirrors")] {
        let text = format!(
            "kind: {kind}\napiVersion: config.openshift.io/v1\nspec:\n  {list}:\n  - source: {source}\n    mirrors: [{mirror}]\n"
        );
        assert_eq!(rules.add(text.as_bytes(), &SourceRef::input("rules"), &Limits::default()), []);
    }
    rules
}

fn ask(reference: &str, rules: Option<&MirrorRules>, stocks: &[&dyn Stock]) -> (Verdict, Option<String>) {
    let judged = judge(reference, &Question { rules, stocks, wanted: &[Platform::default()] });
    (judged.verdict, judged.found.and_then(|found| found.repository))
}

fn at(repository: &str) -> Option<String> {
    Some(repository.to_owned())
}

#[test]
fn a_digest_is_found_in_its_own_path_before_any_other() {
    let both = mirror(&[("a/b", "x"), ("0/other", "x"), ("y", "y")]);
    assert_eq!(ask(&by_digest("a/b", "x"), None, &[&both]), (Verdict::Present, at("a/b")));
    assert_eq!(ask(&by_digest("a/b", "y"), None, &[&both]), (Verdict::Present, at("y")));
    assert_eq!(ask(&by_digest("a/b", "z"), None, &[&both]), (Verdict::ManifestAbsent, None));
}

#[test]
fn the_second_mirror_helps_where_the_first_is_damaged() {
    let mut damaged = mirror(&[("a/b", "x")]);
    damaged.layer = Condition::Absent;
    let whole = mirror(&[("c", "x")]);
    assert_eq!(ask(&by_digest("a/b", "x"), None, &[&damaged]).0, Verdict::BlobAbsent);
    assert_eq!(ask(&by_digest("a/b", "x"), None, &[&damaged, &whole]), (Verdict::Present, at("c")));
}

#[test]
fn rules_lead_there_or_the_image_is_in_the_wrong_place() {
    let stock = mirror(&[("m/a/b", "x"), ("elsewhere", "y")]);
    let rules = rules("up.example/a", "mirror.example/m/a");
    assert_eq!(ask(&by_digest("a/b", "x"), Some(&rules), &[&stock]), (Verdict::Present, at("m/a/b")));
    assert_eq!(ask(&by_digest("a/b", "y"), Some(&rules), &[&stock]), (Verdict::WrongRepository, at("elsewhere")));
    assert_eq!(ask(&by_digest("c", "y"), Some(&rules), &[&stock]), (Verdict::NoRule, at("elsewhere")));
    assert_eq!(ask(&by_digest("c", "z"), Some(&rules), &[&stock]), (Verdict::ManifestAbsent, None));
}

#[test]
fn an_archive_has_not_gained_the_prefix_of_the_rules_yet() {
    let mut archive = mirror(&[("a/b", "x")]);
    archive.pushed = false;
    let rules = rules("up.example/a", "mirror.example/prefix/a");
    assert_eq!(ask(&by_digest("a/b", "x"), Some(&rules), &[&archive]), (Verdict::Present, at("a/b")));
    archive.pushed = true;
    assert_eq!(ask(&by_digest("a/b", "x"), Some(&rules), &[&archive]).0, Verdict::WrongRepository);
}

#[test]
fn tags_are_found_below_prefixes_and_with_joined_parts() {
    for repository in ["a/b/c", "prefix/a/b/c", "a/b-c", "prefix/a-b-c"] {
        let stock = mirror(&[(repository, "x")]).tagged(repository, "1.0", "x");
        assert_eq!(ask("up.example/a/b/c:1.0", None, &[&stock]), (Verdict::Present, at(repository)));
        assert_eq!(ask("up.example/a/b/c:1.1", None, &[&stock]).0, Verdict::ManifestAbsent);
    }
}

#[test]
fn a_tag_that_means_another_digest_has_moved() {
    let stock = mirror(&[("a/b", "y")]).tagged("a/b", "1.0", "y");
    let reference = format!("up.example/a/b:1.0@{}", digest("x"));
    assert_eq!(ask(&reference, None, &[&stock]), (Verdict::TagMoved, at("a/b")));
    let tag = format!("sha256-{}", digest("x").hex());
    let converted = mirror(&[("a/b", "y")]).tagged("a/b", &tag, "y");
    assert_eq!(ask(&by_digest("a/b", "x"), None, &[&converted]), (Verdict::TagMoved, at("a/b")));
}

#[test]
fn a_record_is_believed_and_told() {
    let mut stock = mirror(&[]);
    stock.recorded = vec![digest("x")];
    assert_eq!(ask(&by_digest("a", "x"), None, &[&stock]).0, Verdict::ExpectedAtTarget);
    let rules = rules("up.example", "mirror.example");
    assert_eq!(ask(&by_digest("a", "x"), Some(&rules), &[&stock]).0, Verdict::ExpectedAtTarget);
}

#[test]
fn an_archive_without_digests_proves_nothing() {
    let mut archive = mirror(&[("a/b", "other")]);
    archive.provable = false;
    assert_eq!(ask(&by_digest("a/b", "x"), None, &[&archive]).0, Verdict::Unprovable);
    assert_eq!(ask(&by_digest("c", "x"), None, &[&archive]).0, Verdict::ManifestAbsent);
}

#[test]
fn an_image_of_an_archive_without_digests_is_never_present() {
    let mut archive = mirror(&[("a/b", "x")]).tagged("a/b", "1.0", "x");
    archive.provable = false;
    assert_eq!(ask("up.example/a/b:1.0", None, &[&archive]), (Verdict::Unprovable, at("a/b")));
    // The digest that it makes up for its image is nobody's, so that no tag of it has moved.
    let pinned = format!("up.example/a/b:1.0@{}", digest("y"));
    assert_eq!(ask(&pinned, None, &[&archive]).0, Verdict::Unprovable);
    let registry = mirror(&[("a/b", "x")]).tagged("a/b", "1.0", "x");
    assert_eq!(ask("up.example/a/b:1.0", None, &[&archive, &registry]), (Verdict::Present, at("a/b")));
}

#[test]
fn a_tag_without_a_repository_proves_nothing() {
    let mut layout = mirror(&[]);
    layout.bare_tag = Some("1.0");
    assert_eq!(ask("up.example/a/b:1.0", None, &[&layout]), (Verdict::Unprovable, None));
    assert_eq!(ask("up.example/a/b:1.1", None, &[&layout]), (Verdict::ManifestAbsent, None));
    assert_eq!(ask(&by_digest("a/b", "x"), None, &[&layout]), (Verdict::ManifestAbsent, None));
}

#[test]
fn what_is_no_reference_cannot_be_mirrored() {
    for text in ["", "oci:///layout", "up.example/A", "up.example/a@sha256:00"] {
        assert_eq!(ask(text, None, &[]), (Verdict::Unmirrorable, None), "{text}");
    }
}

#[test]
fn a_digest_alone_is_looked_for_in_every_repository() {
    let stock = mirror(&[("openshift/release-images", "x")]);
    let found = (Verdict::Present, at("openshift/release-images"));
    assert_eq!(ask(&digest("x").to_string(), None, &[&stock]), found);
    assert_eq!(ask(&digest("x").to_string(), Some(&rules("up.example", "mirror.example")), &[&stock]), found);
    assert_eq!(ask(&digest("y").to_string(), None, &[&stock]).0, Verdict::ManifestAbsent);
    assert_eq!(ask(&digest("x").to_string(), None, &[]).0, Verdict::ManifestAbsent);
}

#[test]
fn without_a_mirror_everything_is_absent() {
    assert_eq!(ask(&by_digest("a", "x"), None, &[]).0, Verdict::ManifestAbsent);
}
