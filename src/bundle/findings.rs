//! Holds the contents of a bundle against what a catalog states of it.
//!
//! Rule: that of [`super`]; that a catalog and its bundle agree is ours: OLM decides by the first and installs the second.
//! No place in a store is told, so that equal contents give equal findings wherever they came from. Cost: linear in the
//! faults.

use std::sync::Arc;

use super::directories::ANNOTATIONS_FILE;
use super::facts::{BundleFacts, BundleFault};
use crate::codec::ManifestFault;
use crate::finding::{Code, ContentDigest, Finding, SourceRef, Subject, codes, first_names};

const NAMES_TOLD: usize = 5;

/// What a catalog states of a bundle.
#[derive(Debug, Clone)]
pub struct StatedBundle {
    /// The catalog's name.
    pub catalog: Arc<str>,
    /// The package's name.
    pub package: Arc<str>,
    /// The bundle's name.
    pub bundle: Arc<str>,
    /// The version, where the catalog states one.
    pub version: Option<String>,
    /// The image as the catalog refers to it, empty where it names none.
    pub image: String,
}

impl StatedBundle {
    /// What findings about the bundle are about.
    #[must_use]
    pub fn subject(&self) -> Subject {
        Subject::bundle(self.catalog.clone(), self.package.clone(), self.bundle.clone())
    }

    /// The digest in the reference to the image, where it is one by digest.
    #[must_use]
    pub fn digest(&self) -> Option<ContentDigest> {
        self.image.rsplit_once('@').and_then(|(_, digest)| digest.parse().ok())
    }

    fn place(&self) -> SourceRef {
        SourceRef::input(self.catalog.clone()).in_image(self.digest())
    }
}

/// Everything that is wrong with the contents of a bundle, sorted.
#[must_use]
pub fn findings(facts: &BundleFacts, stated: &StatedBundle) -> Vec<Finding> {
    let mut findings: Vec<Finding> = facts.faults.iter().map(|fault| of_fault(fault, facts, stated)).collect();
    findings.extend(mismatches(facts, stated));
    crate::finding::sort(&mut findings);
    findings
}

fn of_fault(fault: &BundleFault, facts: &BundleFacts, stated: &StatedBundle) -> Finding {
    let whole = |code: Code| Finding::new(code, stated.subject()).at(&stated.place());
    let in_file = |code: Code, path: &str| {
        Finding::new(code, stated.subject()).at(&SourceRef { path: Some(path.into()), ..stated.place() })
    };
    match fault {
        BundleFault::Undecodable(ManifestFault { path, document, line, reason }) => {
            let place = SourceRef { path: Some(path.as_str().into()), ..stated.place() }.document(*document, *line);
            Finding::new(codes::BUNDLE_DECODE_ERROR, stated.subject()).at(&place).with("reason", reason)
        }
        BundleFault::NoCsv => whole(codes::BUNDLE_NO_CSV).with("directory", format!("{}/", facts.manifests)),
        BundleFault::SeveralCsvs(names) => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            whole(codes::BUNDLE_SEVERAL_CSVS).with("names", first_names(&names, NAMES_TOLD))
        }
        BundleFault::MissingAnnotations => {
            whole(codes::BUNDLE_MISSING_ANNOTATIONS).with("path", format!("{}/{ANNOTATIONS_FILE}", facts.metadata))
        }
        BundleFault::AnnotationMismatch { key, label, annotation } => {
            let finding = whole(codes::BUNDLE_ANNOTATION_MISMATCH).with("key", key);
            finding.with("label", format!("{label:?}")).with("annotation", format!("{annotation:?}"))
        }
        BundleFault::BadDirectory { key, value, directory } => {
            let finding = whole(codes::BUNDLE_BAD_DIRECTORY).with("key", key).with("value", format!("{value:?}"));
            finding.with("directory", format!("{directory}/"))
        }
        BundleFault::UnknownMediaType(media_type) => {
            whole(codes::BUNDLE_UNKNOWN_MEDIA_TYPE).with("media_type", format!("{media_type:?}"))
        }
        BundleFault::NestedManifest(path) => in_file(codes::BUNDLE_NESTED_MANIFEST, path).with("path", path),
        BundleFault::SeveralDocuments { path, number } => {
            in_file(codes::BUNDLE_SEVERAL_DOCUMENTS, path).with("path", path).with("number", number)
        }
    }
}

/// Where catalog and contents say different things; what either does not say is no mismatch.
fn mismatches(facts: &BundleFacts, stated: &StatedBundle) -> Vec<Finding> {
    let csv = facts.csv.as_ref();
    let name = csv.map_or("", |csv| csv.name.as_str());
    let version = csv.map_or("", |csv| csv.version.as_str());
    let compared = [
        ("package", &*stated.package, facts.package.as_str()),
        ("name", &*stated.bundle, name),
        ("version", stated.version.as_deref().unwrap_or(""), version),
    ];
    let differ = |stated: &str, found: &str| !stated.is_empty() && !found.is_empty() && stated != found;
    let differing = compared.into_iter().filter(|(_, stated, found)| differ(stated, found));
    differing
        .map(|(what, said, found)| {
            let finding = Finding::new(codes::BUNDLE_CATALOG_MISMATCH, stated.subject()).at(&stated.place());
            finding.with("what", what).with("stated", format!("{said:?}")).with("found", format!("{found:?}"))
        })
        .collect()
}
