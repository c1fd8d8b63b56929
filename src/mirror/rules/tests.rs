//! Tests of the rules, one of them against a slow second version.

use proptest::prelude::*;

use super::*;
use crate::codec::Limits;
use crate::finding::{ContentDigest, Finding, SourceRef, codes};

fn add(rules: &mut MirrorRules, text: &str) -> Vec<Finding> {
    rules.add(text.as_bytes(), &SourceRef::file("rules", "rules.yaml"), &Limits::default())
}

fn rules(text: &str) -> MirrorRules {
    let mut rules = MirrorRules::default();
    assert_eq!(add(&mut rules, text), []);
    rules
}

fn places(rules: &MirrorRules, reference: &str) -> Vec<String> {
    let reference = reference.replace("@D", &format!("@{}", ContentDigest::of(b"")));
    let resolution = rules.resolve(&reference.parse().unwrap());
    resolution.candidates.iter().map(|candidate| candidate.reference.name()).collect()
}

/// `source > mirror mirror`, one a line, as a document of a kind.
fn document(kind: &str, list: &str, lines: &[(&str, &[&str], &str)]) -> String {
    let group =
        if kind == "ImageContentSourcePolicy" { "operator.openshift.io/v1alpha1" } else { "config.openshift.io/v1" };
    let entries: Vec<serde_json::Value> = lines
        .iter()
        .map(|(source, mirrors, policy)| {
            let mut entry = serde_json::json!({"source": source, "mirrors": mirrors});
            if !policy.is_empty() {
                entry["mirrorSourcePolicy"] = (*policy).into();
            }
            entry
        })
        .collect();
    serde_json::json!({"kind": kind, "apiVersion": group, "spec": {list: entries}}).to_string()
}

fn digests(lines: &[(&str, &[&str], &str)]) -> String {
    document("ImageDigestMirrorSet", "imageDigestMirrors", lines)
}

fn tags(lines: &[(&str, &[&str], &str)]) -> String {
    document("ImageTagMirrorSet", "imageTagMirrors", lines)
}

#[test]
fn the_longest_source_at_a_border_counts_alone() {
    let rules = rules(&digests(&[("up.example/a", &["m/one"], ""), ("up.example/a/b", &["m/two", "m/three"], "")]));
    assert_eq!(places(&rules, "up.example/a/b/c@D"), ["m/two/c", "m/three/c", "up.example/a/b/c"]);
    assert_eq!(places(&rules, "up.example/a/bc@D"), ["m/one/bc", "up.example/a/bc"]);
    assert_eq!(places(&rules, "up.example/ab@D"), ["up.example/ab"]);
    assert_eq!(places(&rules, "up.example:5000/a/b@D"), ["up.example:5000/a/b"]);
}

#[test]
fn digests_and_tags_have_their_own_mirrors() {
    let mut rules = rules(&digests(&[("up.example/a", &["m/digests"], "")]));
    assert_eq!(add(&mut rules, &tags(&[("up.example/a", &["m/tags"], "")])), []);
    let icsp = document("ImageContentSourcePolicy", "repositoryDigestMirrors", &[("up.example/a", &["m/old"], "")]);
    assert_eq!(add(&mut rules, &icsp), []);
    assert_eq!(places(&rules, "up.example/a@D"), ["m/digests", "m/old", "up.example/a"]);
    assert_eq!(places(&rules, "up.example/a:1"), ["m/tags", "up.example/a"]);
    assert_eq!(places(&rules, "up.example/a:1@D"), ["m/digests", "m/old", "up.example/a"]);
    assert_eq!(places(&rules, "up.example/a"), ["m/tags", "up.example/a"]);
}

#[test]
fn a_longer_source_for_tags_hides_a_shorter_one_for_digests() {
    let mut rules = rules(&digests(&[("up.example/a", &["m/digests"], "")]));
    assert_eq!(add(&mut rules, &tags(&[("up.example/a/b", &["m/tags"], "")])), []);
    let resolution = rules.resolve(&format!("up.example/a/b@{}", ContentDigest::of(b"")).parse().unwrap());
    assert!(!resolution.has_rule);
    assert_eq!(resolution.candidates.len(), 1);
}

#[test]
fn a_domain_covers_the_hosts_below_it() {
    let rules = rules(&digests(&[("*.up.example", &["m/all"], ""), ("x.up.example/a", &["m/one"], "")]));
    assert_eq!(places(&rules, "x.up.example/b@D"), ["m/all/b", "x.up.example/b"]);
    assert_eq!(places(&rules, "y.x.up.example/b@D"), ["m/all/b", "y.x.up.example/b"]);
    assert_eq!(places(&rules, "x.up.example/a@D"), ["m/one", "x.up.example/a"]);
    assert_eq!(places(&rules, "up.example/b@D"), ["up.example/b"]);
}

#[test]
fn a_source_that_must_not_be_contacted_is_no_place() {
    let mut rules = rules(&digests(&[("up.example", &["m/a"], "NeverContactSource")]));
    assert_eq!(places(&rules, "up.example/b@D"), ["m/a/b"]);
    assert_eq!(places(&rules, "up.example/b:1"), [""; 0]);
    let found = add(&mut rules, &tags(&[("up.example", &["m/a"], "AllowContactingSource")]));
    assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [codes::mirror::RULE_CONFLICT]);
    assert_eq!(places(&rules, "up.example/b:1"), ["m/a/b"]);
}

#[test]
fn lists_and_streams_are_read_and_strangers_passed_over() {
    let one = digests(&[("up.example/a", &["m/a"], "")]);
    let list = format!("{{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [{one}]}}");
    assert_eq!(rules(&list), rules(&one));
    let stream = "---\nkind: CatalogSource\napiVersion: operators.coreos.com/v1alpha1\n---\nkind: ImageDigestMirrorSet\n\
                  apiVersion: config.openshift.io/v1\nspec:\n  imageDigestMirrors:\n  - source: up.example/a\n    mirrors:\n    - m/a\n";
    assert_eq!(rules(stream), rules(&one));
}

#[test]
fn what_cannot_be_used_is_told_and_the_rest_stands() {
    for bad in [
        digests(&[("up.example/A", &["m/a"], ""), ("up.example/b", &["m/b"], "")]),
        digests(&[("", &["m/a"], ""), ("up.example/b", &["m/b"], "")]),
        digests(&[("*.up.example/a", &["m/a"], ""), ("up.example/b", &["m/b"], "")]),
        digests(&[("up.example/a", &["m/a"], "Sometimes"), ("up.example/b", &["m/b"], "")]),
        digests(&[("up.example/b", &["m/b", "../../etc"], "")]),
    ] {
        let mut rules = MirrorRules::default();
        let found = add(&mut rules, &bad);
        assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [codes::mirror::BAD_RULE], "{bad}");
        assert_eq!(places(&rules, "up.example/b@D"), ["m/b", "up.example/b"]);
    }
    let found = add(&mut MirrorRules::default(), "kind: [\n");
    assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [codes::INPUT_UNREADABLE]);
}

/// The same answer the slow way: every source is tried as a text.
fn slow(sources: &[String], name: &str) -> Vec<String> {
    let covers = |source: &str| match source.strip_prefix('*') {
        Some(domain) => {
            let host = name.split('/').next().unwrap();
            host.ends_with(domain).then(|| name.strip_prefix(host).unwrap().to_owned())
        }
        None => {
            let rest = name.strip_prefix(source)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| rest.to_owned())
        }
    };
    let mut best: Option<(&String, String)> = None;
    for wildcard in [false, true] {
        for source in sources.iter().filter(|source| source.starts_with('*') == wildcard) {
            if let Some(rest) = covers(source)
                && best.as_ref().is_none_or(|(best, _)| best.len() < source.len())
            {
                best = Some((source, rest));
            }
        }
    }
    let position = best.and_then(|(source, rest)| Some((sources.iter().position(|other| other == source)?, rest)));
    let mirror = position.map(|(position, rest)| format!("m{position}/x{rest}"));
    mirror.into_iter().chain([name.to_owned()]).collect()
}

proptest! {
    #[test]
    fn the_quick_answer_is_the_slow_one(
        sources in proptest::collection::vec("(\\*\\.)?[ab](\\.[ab]){0,2}", 0..4),
        paths in proptest::collection::vec("(/[ab]{1,2}){0,3}", 4),
        name in "[ab](\\.[ab]){1,3}(/[ab]{1,2}){1,3}",
    ) {
        let path = |source: &String, path: &String| if source.starts_with('*') { source.clone() } else { format!("{source}{path}") };
        let mut sources: Vec<String> = sources.iter().zip(&paths).map(|(source, rest)| path(source, rest)).collect();
        let mut seen = std::collections::BTreeSet::new();
        sources.retain(|source| seen.insert(source.clone()));
        let mut all = MirrorRules::default();
        for (position, source) in sources.iter().enumerate() {
            let mirror = format!("m{position}/x");
            prop_assert_eq!(add(&mut all, &digests(&[(source, &[&mirror], "")])), []);
        }
        prop_assert_eq!(places(&all, &format!("{name}@D")), slow(&sources, &name));
    }
}
