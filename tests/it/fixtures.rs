//! The catalogs in `fixtures/`, read and checked as a whole: each faulty one raises the code that it is named for, the
//! demo pair is valid and shows what its page promises.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use skipstone::catalog::facts::DecodedDocument;
use skipstone::catalog::{Catalog, Located, assemble, check, document};
use skipstone::codec::{Limits, split};
use skipstone::engines::advice::advise;
use skipstone::finding::{Finding, Severity, SourceRef, Subject, codes};
use skipstone::source::{SourceLimits, walk_catalog};

use crate::program::{fixture, folders};

/// A catalog with everything that is found in it.
fn read(folder: &str) -> (Catalog, Vec<Finding>) {
    let name: Arc<str> = folder.into();
    let limits = Limits::default();
    let mut documents: Vec<(SourceRef, DecodedDocument)> = Vec::new();
    let mut findings = Vec::new();
    for file in walk_catalog(&fixture(folder), &SourceLimits::default()).expect("the folder is readable").files {
        let place = SourceRef::file(name.clone(), file.path.as_str());
        let bytes = fs::read(&file.place).expect("a fixture is readable");
        let cut = split(&bytes, &limits);
        for (number, part) in (1..).zip(&cut.documents) {
            let at = place.clone().document(number, part.line);
            documents.push((at, document(part.bytes, part.format, &limits)));
        }
        if cut.fault.is_some() {
            findings.push(Finding::new(codes::DECODE_ERROR, Subject::catalog(name.clone())).at(&place));
        }
    }
    let located: Vec<Located<'_>> =
        documents.iter().map(|(at, document)| Located { at: at.clone(), document }).collect();
    let (catalog, of_documents) = assemble(&name, &located);
    findings.extend(of_documents);
    findings.extend(check(&catalog));
    for package in catalog.packages.values() {
        findings.extend(package.channels.iter().flat_map(|channel| advise(&name, package, channel)));
    }
    (catalog, findings)
}

fn codes_of(findings: &[Finding], severity: impl Fn(Severity) -> bool) -> BTreeSet<&'static str> {
    findings.iter().filter(|finding| severity(finding.severity())).map(|finding| finding.code.name()).collect()
}

fn is_error(severity: Severity) -> bool {
    severity == Severity::Error
}

#[test]
fn each_faulty_catalog_breaks_the_rule_that_it_is_named_for() {
    for folder in folders("invalid") {
        let (_, findings) = read(&format!("invalid/{folder}"));
        let mut errors = codes_of(&findings, is_error);
        if folder == "no-channels" {
            // A package without channels cannot declare its default channel either.
            errors.remove("catalog/default-channel-missing");
        }
        assert_eq!(errors, BTreeSet::from([format!("catalog/{folder}").as_str()]), "fixtures/invalid/{folder}");
    }
}

#[test]
fn every_rule_has_its_faulty_catalog() {
    let folders = folders("invalid");
    let rules = codes::ALL.iter().filter(|code| code.severity() == Severity::Error);
    for rule in rules.filter_map(|code| code.name().strip_prefix("catalog/")) {
        assert!(folders.iter().any(|folder| folder == rule), "fixtures/invalid/{rule} is missing");
    }
}

#[test]
fn broken_files_are_errors() {
    for folder in folders("broken") {
        let (_, findings) = read(&format!("broken/{folder}"));
        assert!(!codes_of(&findings, is_error).is_empty(), "fixtures/broken/{folder} is taken for good");
    }
}

#[test]
fn a_stray_file_leaves_the_rest_readable() {
    let (catalog, _) = read("broken/stray-readme");
    assert_eq!((catalog.counts.packages, catalog.counts.channels, catalog.counts.bundles), (1, 1, 2));
}

#[test]
fn the_demo_pair_is_valid() {
    for (folder, bundles, entries) in [("demo/4.18", 54, 84), ("demo/4.20", 55, 86)] {
        let (catalog, findings) = read(folder);
        assert_eq!(codes_of(&findings, is_error), BTreeSet::new(), "{folder}");
        assert_eq!((catalog.counts.packages, catalog.counts.bundles, catalog.counts.entries), (9, bundles, entries));
    }
}

/// What the page of the demo pair promises: package, code, and in which of the two.
#[test]
fn the_demo_pair_shows_its_warnings() {
    let pair = [("demo/4.18", read("demo/4.18").1), ("demo/4.20", read("demo/4.20").1)];
    for (folder, package, code) in [
        ("demo/4.18", "pilot-boat", "dead-end"),
        ("demo/4.18", "pilot-boat", "engines-differ"),
        ("demo/4.18", "pilot-boat", "skip-range-annotation-ignored"),
        ("demo/4.18", "cormorant", "v0-loop"),
        ("demo/4.18", "cormorant", "duplicate-key"),
        ("demo/4.18", "cormorant", "image-not-in-related-images"),
        ("demo/4.18", "cormorant", "skip-range-matches-self"),
        ("demo/4.18", "cormorant", "skip-range-matches-newer"),
        ("demo/4.18", "albatross", "downgrade-edge"),
        ("demo/4.18", "harbour-master", "skips-unknown"),
        ("demo/4.18", "tugboat", "lifecycle-invalid"),
        ("demo/4.18", "gull", "unsatisfied-dependency"),
        ("demo/4.18", "gull", "bad-constraint"),
        ("demo/4.18", "dry-dock", "replaces-unknown"),
        ("demo/4.20", "cormorant", "skip-range-matches-nothing"),
        ("demo/4.20", "gull", "head-deprecated"),
        ("demo/4.20", "kingfisher", "default-channel-deprecated"),
        ("demo/4.20", "gull", "yaml-1-1-scalar"),
        ("demo/4.20", "tugboat", "yaml-1-1-scalar"),
    ] {
        let shown = pair.iter().filter(|(name, _)| *name == folder).flat_map(|(_, findings)| findings).any(|finding| {
            let in_file = finding.at.as_ref().and_then(|at| at.path.as_deref()).unwrap_or_default();
            let about = finding.subject.package.as_deref() == Some(package) || in_file.starts_with(package);
            finding.code.name() == format!("catalog/{code}") && about
        });
        assert!(shown, "{folder} does not show catalog/{code} in {package}");
    }
}
