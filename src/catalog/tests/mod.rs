//! Tests of catalogs as a whole: from the text of documents to facts, the model, and what the rules find.

mod assembly;
mod chains;
mod constraints;
mod decoding;
mod dependencies;
mod good_and_bad;
mod lifecycles;

use std::sync::Arc;

use super::facts::{DecodedDocument, DocumentFacts, Outcome};
use super::{Catalog, Located, assemble, check, document};
use crate::codec::{Format, Limits, split};
use crate::finding::{Finding, SourceRef, Subject, codes};

/// One YAML document.
fn decoded(text: &str) -> DecodedDocument {
    document(text.as_bytes(), Format::Yaml, &Limits::default())
}

/// The facts of one YAML document, or why it has none.
fn facts(text: &str) -> Result<DocumentFacts, String> {
    match decoded(text).outcome {
        Outcome::Facts(facts) => Ok(facts),
        Outcome::MissingSchema => Err("no schema".to_owned()),
        Outcome::Fault { reason, .. } => Err(reason),
    }
}

/// The documents of one file with their places.
fn documents(text: &str) -> Vec<(SourceRef, DecodedDocument)> {
    let limits = Limits::default();
    let file = split(text.as_bytes(), &limits);
    let places = (1..).zip(&file.documents);
    places
        .map(|(number, part)| {
            let at = SourceRef::file("c", "c.yaml").document(number, part.line);
            (at, document(part.bytes, part.format, &limits))
        })
        .collect()
}

fn located(documents: &[(SourceRef, DecodedDocument)]) -> Vec<Located<'_>> {
    documents.iter().map(|(at, document)| Located { at: at.clone(), document }).collect()
}

/// The catalog `c` of one file, and everything that is found in it.
fn catalog(text: &str) -> (Catalog, Vec<Finding>) {
    let documents = documents(text);
    let (catalog, mut findings) = assemble(&Arc::from("c"), &located(&documents));
    findings.extend(check(&catalog));
    crate::finding::sort(&mut findings);
    (catalog, findings)
}

/// The codes found in one file, each once, without their common prefix, sorted.
fn codes_of(text: &str) -> Vec<&'static str> {
    let (_, findings) = catalog(text);
    let mut names: Vec<&'static str> =
        findings.iter().map(|finding| finding.code.name().trim_start_matches("catalog/")).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A valid catalog: package `p`, channel `s`, in which `p.v1.1.0` replaces `p.v1.0.0`.
const GOOD: &str = "schema: olm.package
name: p
defaultChannel: s
---
schema: olm.channel
package: p
name: s
entries:
- name: p.v1.0.0
- name: p.v1.1.0
  replaces: p.v1.0.0
---
schema: olm.bundle
package: p
name: p.v1.0.0
image: host.example/p:1
properties:
- type: olm.package
  value: {packageName: p, version: 1.0.0}
---
schema: olm.bundle
package: p
name: p.v1.1.0
image: host.example/p:2
properties:
- type: olm.package
  value: {packageName: p, version: 1.1.0}
";

/// The valid catalog with each text replaced where it stands first.
fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = GOOD.to_owned();
    for (before, after) in changes {
        assert!(text.contains(before), "{before:?} is not in the catalog");
        text = text.replacen(before, after, 1);
    }
    text
}

#[test]
fn the_valid_catalog_is_without_findings() {
    assert!(codes_of(GOOD).is_empty());
    let name = Subject::catalog("c");
    let missing = catalog("a: 1\n").1;
    assert_eq!(missing[0].code, codes::MISSING_SCHEMA);
    assert_eq!(missing[0].subject, name);
}
