//! What an author is told of a channel: dead ends, circles, engines that differ.

use std::sync::Arc;

use super::super::advice::advise;
use super::sketch::{Sketch, channel};

/// The codes with the bundles that they name, and the sentences.
fn told(entries: &[&str]) -> (Vec<(&'static str, Option<String>)>, String) {
    let package = Sketch::of(entries).package();
    let findings = advise(&Arc::from("c"), &package, channel(&package, "s"));
    let codes =
        findings.iter().map(|finding| (finding.code.name(), finding.subject.bundle.as_deref().map(str::to_owned)));
    (codes.collect(), findings.iter().map(crate::finding::Finding::message).collect::<Vec<_>>().join("\n"))
}

fn of(code: &'static str, version: &str) -> (&'static str, Option<String>) {
    (code, Some(super::sketch::name(version)))
}

#[test]
fn a_line_needs_no_advice() {
    assert!(told(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0"]).0.is_empty());
}

#[test]
fn every_bundle_that_olm_v0_never_leaves_is_a_dead_end() {
    let (codes, _) = told(&["1.0.0", "2.0.0 < 1.0.0", "3.0.0 < 2.0.0 [2.0.0]"]);
    assert_eq!(codes, [of("catalog/dead-end", "1.0.0"), of("catalog/engines-differ", "1.0.0")]);
}

#[test]
fn a_circle_is_told_once_for_a_channel_with_its_names() {
    let (codes, text) = told(&["0.9.0", "1.0.0 < 0.9.0 (>=1.0.0 <3.0.0)", "2.0.0 < 1.0.0"]);
    assert_eq!(codes, [("catalog/v0-loop", None), of("catalog/engines-differ", "2.0.0")]);
    assert!(text.contains("a.v1.0.0 -> a.v2.0.0 -> a.v1.0.0"), "{text}");
    assert!(text.contains("v0 to a.v1.0.0, v1 to nowhere"), "{text}");
}

#[test]
fn engines_that_differ_are_counted_and_the_first_is_named() {
    let (codes, text) =
        told(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 [1.0.5]", "1.3.0 < 1.2.0", "1.2.5 < 1.3.0 (<1.1.0)"]);
    assert_eq!(codes.last(), Some(&of("catalog/engines-differ", "1.3.0")), "{text}");
    assert!(text.contains("from 1 bundle,"), "{text}");
}

#[test]
fn a_channel_that_olm_v0_refuses_has_no_advice() {
    assert!(told(&["1.0.0", "1.1.0"]).0.is_empty());
}

#[test]
fn a_way_down_is_told_with_its_hops() {
    let (codes, text) = told(&["2.0.0", "2.0.0-fix.1 < 2.0.0"]);
    assert_eq!(codes.first(), Some(&("catalog/v0-moves-down", None)));
    assert!(text.contains("a.v2.0.0 -> a.v2.0.0-fix.1"), "{text}");
    assert!(told(&["2.0.0", "2.0.1-fix.1 < 2.0.0"]).0.is_empty());
}

#[test]
fn what_olm_v1_would_choose_and_refuses_is_told_with_its_reason() {
    let requiring = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"]).property(
        "1.1.0",
        "olm.gvk.required",
        "{group: g, version: v1, kind: K}",
    );
    let package = requiring.package();
    let findings = advise(&Arc::from("c"), &package, channel(&package, "s"));
    let refused: Vec<String> = findings
        .iter()
        .filter(|finding| finding.code.name() == "catalog/v1-refuses")
        .map(crate::finding::Finding::message)
        .collect();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].contains("from 2 bundles") && refused[0].contains("olm.gvk.required"), "{refused:?}");
}

/// Each bundle is asked once, whatever the lengths of the walks: otherwise this would take hours.
#[test]
fn a_long_chain_needs_no_advice() {
    let line: Vec<String> = (0..3_000)
        .map(|number: u32| match number.checked_sub(1) {
            None => "1.0.0".to_owned(),
            Some(before) => format!("1.0.{number} < 1.0.{before}"),
        })
        .collect();
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    assert!(told(&line).0.is_empty());
}
