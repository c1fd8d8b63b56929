//! The document of a bundle's contents.
//!
//! Rule: the same contents give the same bytes, whatever store they came from. Cost: linear in the objects.

use std::collections::BTreeMap;

use super::findings_views;
use super::text::stated;
use crate::bundle::{BundleFacts, CrdReference, CsvFacts, StatedBundle, TypedValue};
use crate::codec::ObjectFacts;
use crate::finding::Finding;
use crate::report::place;
use crate::report::schema::{
    ApiDocument, BundleDocument, ContentsView, CrdView, CsvView, InstallModeView, NamedImageView, ObjectView,
    PackageView, SCHEMA_VERSION, TypedValueView,
};

/// The document of a bundle: `contents` are its facts, or why they are not known, as a sentence without a store in it;
/// `findings` are those of [`crate::bundle::findings`], sorted.
pub fn bundle_document(
    bundle: &StatedBundle,
    contents: Result<&BundleFacts, &str>,
    findings: &[Finding],
) -> BundleDocument {
    let facts = contents.ok();
    BundleDocument {
        schema_version: SCHEMA_VERSION,
        catalog: bundle.catalog.to_string(),
        package: bundle.package.to_string(),
        bundle: bundle.bundle.to_string(),
        version: bundle.version.clone(),
        image: stated(&bundle.image),
        contents: contents_view(bundle, contents),
        csv: facts.and_then(|facts| facts.csv.as_ref()).map(csv_view),
        objects: facts.map(|facts| facts.objects.iter().map(object_view).collect()),
        annotations: facts.map(|facts| facts.annotations.clone()),
        dependencies: facts.map(|facts| typed_values(&facts.dependencies)),
        properties: facts.map(|facts| typed_values(&facts.properties)),
        other_files: facts.map(|facts| facts.other_files.iter().map(|file| file.path.clone()).collect()),
        findings: findings_views(findings),
    }
}

/// Whether the contents of a bundle are known, for its own document and for that of its package.
pub fn contents_view(bundle: &StatedBundle, contents: Result<&BundleFacts, &str>) -> ContentsView {
    let facts = contents.ok();
    ContentsView {
        known: facts.is_some(),
        reason: contents.err().map(str::to_owned),
        media_type: facts.and_then(|facts| stated(&facts.media_type)),
        objects: facts.map(|facts| facts.objects.len()),
        api: place::bundle_api(&bundle.catalog, &bundle.bundle),
    }
}

/// Puts what is known of contents beside the bundles of a package, by the bundle's name.
pub fn add_contents(package: &mut PackageView, mut contents: BTreeMap<String, ContentsView>) {
    for bundle in &mut package.bundles {
        bundle.contents = contents.remove(&bundle.name);
    }
}

/// The entry of a bundle's document in the list of all documents.
pub fn bundle_entry(document: &BundleDocument) -> ApiDocument {
    ApiDocument {
        kind: "bundle".to_owned(),
        path: document.contents.api.clone(),
        schema: "bundle".to_owned(),
        catalog: Some(document.catalog.clone()),
        package: Some(document.package.clone()),
    }
}

fn csv_view(csv: &CsvFacts) -> CsvView {
    let mode =
        |mode: &crate::bundle::InstallMode| InstallModeView { kind: mode.kind.clone(), supported: mode.supported };
    let image = |image: &crate::bundle::RelatedImage| NamedImageView {
        name: image.name.clone(),
        reference: image.image.clone(),
    };
    CsvView {
        name: csv.name.clone(),
        version: stated(&csv.version),
        display_name: stated(&csv.display_name),
        provider: stated(&csv.provider),
        maturity: stated(&csv.maturity),
        min_kube_version: stated(&csv.min_kube_version),
        replaces: stated(&csv.replaces),
        skips: csv.skips.clone(),
        skip_range: stated(&csv.skip_range),
        install_modes: csv.install_modes.iter().map(mode).collect(),
        related_images: csv.related_images.iter().map(image).collect(),
        owned_crds: csv.owned_crds.iter().map(crd_view).collect(),
        required_crds: csv.required_crds.iter().map(crd_view).collect(),
    }
}

fn crd_view(crd: &CrdReference) -> CrdView {
    CrdView { name: crd.name.clone(), version: crd.version.clone(), kind: crd.kind.clone() }
}

fn object_view(object: &ObjectFacts) -> ObjectView {
    ObjectView {
        api_version: object.api_version.clone(),
        kind: object.kind.clone(),
        name: stated(&object.name),
        namespace: stated(&object.namespace),
        path: object.path.clone(),
    }
}

fn typed_values(values: &[TypedValue]) -> Vec<TypedValueView> {
    values.iter().map(|value| TypedValueView { kind: value.kind.clone(), value: value.value.clone() }).collect()
}
