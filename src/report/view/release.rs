//! The documents of release payloads.
//!
//! Rule: the same payload gives the same document, whatever store it came from; only the list of releases tells digests.
//! Cost: linear in images and manifests.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::text::stated;
use super::{findings_views, severity_counts};
use crate::finding::{ContentDigest, Finding};
use crate::payload::{
    AdminGates, Component, PayloadFacts, PayloadImage, ReleaseArchitecture, StatedArchitecture, StatedPayload,
};
use crate::report::place;
use crate::report::schema::{
    AdminGatesView, ApiDocument, ComponentView, DigestView, NamedImageView, ReleaseDocument, ReleaseRow, ReleasesIndex,
    SCHEMA_VERSION,
};
use crate::version::SemanticVersion;

/// The document of a release; `findings` are those of [`crate::payload::findings`], sorted.
pub fn release_document(facts: &PayloadFacts, payload: &StatedPayload, findings: &[Finding]) -> ReleaseDocument {
    let image = |image: &PayloadImage| NamedImageView { name: image.name.clone(), reference: image.reference.clone() };
    let mut objects = BTreeMap::new();
    for object in &facts.objects {
        *objects.entry(object.object.kind.clone()).or_insert(0) += 1;
    }
    ReleaseDocument {
        schema_version: SCHEMA_VERSION,
        version: stated(&facts.version),
        architecture: architecture(facts, &payload.architecture),
        previous: facts.previous.clone(),
        url: facts.metadata.get("url").and_then(|url| stated(url)),
        images: facts.images.iter().map(image).collect(),
        components: facts.components.iter().map(|(name, found)| (name.clone(), component_view(found))).collect(),
        objects,
        admin_gates: gates_view(&facts.admin_gates),
        findings: findings_views(findings),
    }
}

/// The row of a release; `digest` is that of the image or index, or why it is not known.
pub fn release_row(
    facts: &PayloadFacts,
    payload: &StatedPayload,
    digest: Result<&ContentDigest, &str>,
    findings: &[Finding],
) -> ReleaseRow {
    ReleaseRow {
        version: stated(&facts.version),
        architecture: architecture(facts, &payload.architecture),
        digest: DigestView {
            known: digest.is_ok(),
            reason: digest.err().map(str::to_owned),
            digest: digest.ok().map(ToString::to_string),
        },
        images: facts.images.len(),
        objects: facts.objects.len(),
        findings: severity_counts(findings),
        api: place::release_api(&facts.name(payload)),
    }
}

/// The list of releases: by version, architecture and digest; equal rows once.
pub fn releases_index(mut releases: Vec<ReleaseRow>) -> ReleasesIndex {
    releases.sort_by(|one, other| {
        by_version(one.version.as_deref(), other.version.as_deref()).then_with(|| {
            let rest = |row: &ReleaseRow| (row.architecture.clone(), row.digest.clone(), row.api.clone());
            rest(one).cmp(&rest(other))
        })
    });
    releases.dedup();
    ReleasesIndex { schema_version: SCHEMA_VERSION, releases }
}

/// The entries of the documents of releases in the list of all documents: the list of releases, then each document once.
pub fn release_entries(index: &ReleasesIndex) -> Vec<ApiDocument> {
    let entry = |kind: &str, path: &str| ApiDocument {
        kind: kind.to_owned(),
        path: path.to_owned(),
        schema: kind.to_owned(),
        catalog: None,
        package: None,
    };
    let mut documents: Vec<ApiDocument> = index.releases.iter().map(|row| entry("release", &row.api)).collect();
    documents.sort();
    documents.dedup();
    documents.insert(0, entry("releases", place::RELEASES_API));
    documents
}

fn architecture(facts: &PayloadFacts, stated: &StatedArchitecture) -> Option<String> {
    match facts.architecture(stated) {
        ReleaseArchitecture::Known(architecture) | ReleaseArchitecture::Part(architecture) => Some(architecture),
        ReleaseArchitecture::Unknown(_) => None,
    }
}

fn component_view(component: &Component) -> ComponentView {
    ComponentView {
        version: component.version.clone(),
        display_name: stated(&component.display_name),
        versions: component.versions.clone(),
    }
}

fn gates_view(gates: &AdminGates) -> AdminGatesView {
    match gates {
        AdminGates::Known(gates) => AdminGatesView { known: true, reason: None, gates: Some(gates.clone()) },
        AdminGates::Unknown(reason) => AdminGatesView { known: false, reason: Some(reason.clone()), gates: None },
    }
}

/// Versions by precedence, then as texts; what is no version comes first.
fn by_version(one: Option<&str>, other: Option<&str>) -> Ordering {
    let parsed = |text: Option<&str>| text.and_then(|text| SemanticVersion::parse_strict(text).ok());
    let order = match (parsed(one), parsed(other)) {
        (Some(one), Some(other)) => one.precedence(&other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    };
    order.then_with(|| one.cmp(&other))
}
