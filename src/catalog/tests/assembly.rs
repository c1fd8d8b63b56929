//! From documents to the model: the order in which they come changes nothing.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;

use super::super::{Counts, assemble, check};
use super::{GOOD, catalog, changed, documents, located};
use crate::finding::{Finding, codes};

#[test]
fn counts_and_order() {
    let text = format!("{GOOD}---\nschema: olm.deprecations\npackage: p\n---\nschema: x\n---\nschema: x\n");
    let (catalog, _) = catalog(&text);
    let counts = Counts { packages: 1, channels: 1, entries: 2, bundles: 2, deprecations: 1, other: 2 };
    assert_eq!(catalog.counts, counts);
    let package = &catalog.packages["p"];
    assert_eq!(package.default_channel(), Some("s"));
    assert_eq!(package.bundles.iter().map(|bundle| &*bundle.name).collect::<Vec<_>>(), ["p.v1.0.0", "p.v1.1.0"]);
    assert_eq!(package.bundle("p.v1.1.0").and_then(|bundle| bundle.at.line), Some(21));
    assert!(package.bundle("p.v1.2.0").is_none() && package.channel("t").is_none());
}

#[test]
fn a_package_that_is_only_mentioned_is_there_and_undefined() {
    let (catalog, _) = catalog(&changed(&[("schema: olm.package\nname: p\ndefaultChannel: s\n---\n", "")]));
    assert!(catalog.packages["p"].defined.is_none());
    assert_eq!(catalog.packages["p"].bundles.len(), 2);
}

#[test]
fn equal_names_in_two_packages_are_not_duplicates() {
    let other = GOOD
        .replace("name: p\n", "name: q\n")
        .replace("package: p\n", "package: q\n")
        .replace("packageName: p", "packageName: q");
    let (catalog, findings) = catalog(&format!("{GOOD}---\n{other}"));
    assert_eq!(findings, []);
    assert_eq!(catalog.packages.len(), 2);
}

#[test]
fn of_two_equal_ones_the_later_is_named() {
    let (catalog, findings) =
        catalog(&format!("{GOOD}---\nschema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: b\n"));
    let twice: Vec<&Finding> = findings.iter().filter(|finding| finding.code == codes::DUPLICATE_BUNDLE).collect();
    assert_eq!(twice.len(), 1);
    assert_eq!(twice[0].at.as_ref().and_then(|at| at.document), Some(5));
    assert_eq!(catalog.packages["p"].bundle("p.v1.0.0").map(|bundle| &*bundle.facts.image), Some("host.example/p:1"));
}

#[test]
fn a_fault_is_told_at_its_line_in_the_file() {
    let text = changed(&[("- name: p.v1.0.0\n", "- name: p.v1.0.0\n  : {\n")]);
    let (_, findings) = catalog(&text);
    let fault = findings.iter().find(|finding| finding.code == codes::DECODE_ERROR).expect("it does not decode");
    let at = fault.at.as_ref().expect("it has a place");
    assert_eq!(at.document, Some(2));
    assert!(at.line >= Some(10), "{at:?}");
}

/// Documents with every kind of conflict: duplicates, undefined packages, deprecations and lifecycles before and after.
const PARTS: &[&str] = &[
    "schema: olm.package\nname: p\ndefaultChannel: s",
    "schema: olm.package\nname: p\ndefaultChannel: t",
    "schema: olm.channel\npackage: p\nname: s\nentries: [{name: a}]",
    "schema: olm.channel\npackage: p\nname: s\nentries: [{name: b, replaces: a}]",
    "schema: olm.channel\npackage: q\nname: s\nentries: [{name: a}]",
    "schema: olm.bundle\npackage: p\nname: a\nimage: one",
    "schema: olm.bundle\npackage: p\nname: a\nimage: two",
    "schema: olm.bundle\npackage: q\nname: b\nimage: one",
    "schema: olm.deprecations\npackage: p\nentries: [{reference: {schema: olm.package}, message: one}]",
    "schema: olm.deprecations\npackage: p\nentries: [{reference: {schema: olm.package}, message: two}]",
    "schema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\nversions: [{name: '1.0'}]",
    "schema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\nversions: 7",
    "schema: x\nname: n\nname: m",
    "{",
    "a: 1",
];

fn parts() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(select(PARTS.to_vec()), 0..12)
}

proptest! {
    #[test]
    fn the_order_in_which_documents_come_changes_nothing(parts in parts(), seed in any::<u64>()) {
        let documents = documents(&parts.join("\n---\n"));
        let all = |order: &[(crate::finding::SourceRef, super::super::facts::DecodedDocument)]| {
            let (catalog, mut findings) = assemble(&Arc::from("c"), &located(order));
            findings.extend(check(&catalog));
            (format!("{catalog:?}"), findings)
        };
        let mut shuffled = documents.clone();
        let count = shuffled.len().max(1);
        for index in 0..shuffled.len() {
            let other = usize::try_from(seed.rotate_left(u32::try_from(index * 5).unwrap()) % 1000).unwrap() % count;
            shuffled.swap(index, other);
        }
        prop_assert_eq!(all(&documents), all(&shuffled));
    }
}

#[test]
fn a_file_of_faulty_documents_is_told_up_to_a_thousand_and_then_counted() {
    let codes = |documents: usize| {
        let (_, findings) = catalog(&"---\na: 1\n".repeat(documents));
        let more: Vec<String> = findings
            .iter()
            .filter(|finding| finding.code.name() == "catalog/more-faults")
            .map(Finding::message)
            .collect();
        (findings.len() - more.len(), more)
    };
    assert_eq!(codes(1_000), (1_000, vec![]));
    let (told, more) = codes(1_002);
    assert_eq!(told, 1_000);
    assert!(more.len() == 1 && more[0].starts_with("2 documents more"), "{more:?}");
}
