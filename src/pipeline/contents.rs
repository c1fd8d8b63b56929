//! What a scan reads beside catalogs: the contents of their bundles, release payloads, and dumps of clusters.
//!
//! Rule: bundles are looked for in the places that were given, and in the local stores that hold the catalogs themselves.
//! What cannot be read is a finding and stands under coverage; a bundle that no place holds is not known. Cost: that of
//! [`super::bundles`], [`super::releases`] and [`super::scan_cluster`].

use std::collections::BTreeSet;
use std::sync::Arc;

use super::bundles::{BundleReader, BundleReading, ContentPlaces, Contents, WantedBundle};
use super::input::{CatalogContent, CatalogInput};
use super::read::Reading;
use super::releases::{ReleasePlaces, ReleaseReading, read_releases};
use super::scan_cluster::{ClusterInput, ReadClusters};
use super::work::{Observer, RunContext};
use crate::bundle::{self, BundleFacts, StatedBundle};
use crate::cache::Cache;
use crate::catalog::facts::{DocumentFacts, Outcome};
use crate::catalog::{Bundle, Catalog};
use crate::finding::{Digest, Finding, SourceRef, Subject, codes, counted};
use crate::payload;
use crate::report::schema::{CoverageNote, Input};
use crate::source::FileFault;
use crate::source::image::Platform;
use crate::source::store::{Store, StoreShape};

/// What a scan is asked to read beside catalogs.
#[derive(Clone, Default)]
pub struct ContentRequest {
    /// Where contents of bundles lie.
    pub bundles: ContentPlaces,
    /// The places of bundles for the report, without any directory above them.
    pub bundles_shown: Vec<String>,
    /// Where release payloads lie.
    pub releases: ReleasePlaces,
    /// The places of payloads for the report.
    pub releases_shown: Vec<String>,
    /// The clusters, each with a name of its own.
    pub clusters: Vec<ClusterInput>,
    /// What was wrong with the places themselves when they were opened.
    pub faults: Vec<FileFault>,
    /// Those of them that are about places of payloads.
    pub release_faults: Vec<FileFault>,
}

/// What was read beside catalogs.
#[derive(Default)]
pub(super) struct ReadContents {
    /// `None` where there was no place to look at.
    pub(super) bundles: Option<BundleReading>,
    pub(super) releases: Option<ReleaseReading>,
    pub(super) clusters: ReadClusters,
    faults: Vec<FileFault>,
    /// Whether places for bundles were given, and not only those of the catalogs themselves looked at.
    is_asked: bool,
    /// The places of payloads for the report.
    releases_shown: Vec<String>,
}

impl ReadContents {
    /// Reads everything that is asked for.
    pub(super) fn read(
        request: &ContentRequest,
        inputs: &[CatalogInput],
        reading: &Reading,
        platform: &Platform,
        cache: &Cache,
        context: &RunContext,
        observer: &dyn Observer,
    ) -> Self {
        let mut places = request.bundles.clone();
        let is_asked = !places.is_empty();
        places.stores.extend(local_stores(inputs));
        let releases_shown = request.releases_shown.clone();
        let mut contents = Self { faults: request.faults.clone(), is_asked, releases_shown, ..Self::default() };
        if !places.is_empty() {
            let wanted = wanted(reading);
            observer.begin("reading bundles", u64::try_from(wanted.len()).unwrap_or(u64::MAX));
            let read = BundleReader::new(&places, platform, cache, context).read(&wanted, cache);
            contents.bundles = Some(read).filter(|read| is_asked || read.known > 0);
        }
        if !request.releases.roots.is_empty() || !request.releases.directories.is_empty() {
            observer.begin("reading releases", 1);
            contents.releases = Some(read_releases(&request.releases, platform, cache, context));
        }
        contents.clusters = ReadClusters::read(&request.clusters, context, observer);
        contents
    }

    /// The rows of the report's inputs.
    pub(super) fn inputs(&self, request: &ContentRequest) -> Vec<Input> {
        let row = |kind: &str, shown: &[String], digest: Digest, files: usize, documents: usize| Input {
            name: kind.to_owned(),
            kind: kind.to_owned(),
            source: shown.join(", "),
            digest: digest.to_string(),
            bytes: 0,
            files,
            documents,
            distinct_documents: documents,
        };
        let mut rows = Vec::new();
        if let Some(bundles) = &self.bundles {
            let own = ["the stores of the catalogs".to_owned()];
            let shown = if request.bundles_shown.is_empty() { &own[..] } else { &request.bundles_shown };
            rows.push(row("bundles", shown, bundles.digest, bundles.known, bundles.objects));
        }
        if let Some(releases) = &self.releases {
            let parts: Vec<Vec<u8>> = releases
                .releases
                .iter()
                .map(|release| {
                    let named = (release.facts.name(&release.stated), &release.digest, &*release.facts);
                    serde_json::to_vec(&named).unwrap_or_default()
                })
                .collect();
            let objects = releases.releases.iter().map(|release| release.facts.objects.len()).sum();
            let digest = Digest::of_parts(parts.iter().map(Vec::as_slice));
            rows.push(row("releases", &request.releases_shown, digest, releases.releases.len(), objects));
        }
        rows
    }

    /// What could not be read.
    pub(super) fn failed(&self) -> Vec<CoverageNote> {
        let of = |input: &str, findings: &[Finding]| {
            let unread = findings.iter().filter(|finding| finding.code == codes::INPUT_UNREADABLE);
            let note = |finding: &Finding| CoverageNote {
                input: input.to_owned(),
                path: finding.evidence.get("path").cloned(),
                reason: finding.evidence.get("reason").cloned().unwrap_or_default(),
            };
            unread.map(note).collect::<Vec<_>>()
        };
        let mut notes = self.bundles.as_ref().map(|read| of("bundles", &read.findings)).unwrap_or_default();
        notes.extend(self.releases.iter().flat_map(|read| of("releases", &read.findings)));
        notes.extend(self.faults.iter().map(|fault| CoverageNote {
            input: "mirror".to_owned(),
            path: Some(fault.path.clone()),
            reason: fault.reason.clone(),
        }));
        notes
    }

    /// Everything that was noticed, about no single bundle's contents.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let bundles = self.bundles.iter().flat_map(|read| read.findings.iter().cloned());
        let releases = self.releases.iter().flat_map(|read| {
            let own = read.releases.iter().flat_map(|release| payload::findings(&release.facts, &release.stated));
            read.findings.iter().cloned().chain(own)
        });
        let faults = self.faults.iter().map(|fault| {
            let at = SourceRef::input(fault.path.as_str());
            let finding = Finding::new(codes::INPUT_UNREADABLE, Subject::default()).at(&at);
            finding.with("path", &fault.path).with("reason", &fault.reason)
        });
        let nothing = self.releases.as_ref().filter(|read| read.releases.is_empty() && read.findings.is_empty());
        let nothing = nothing.map(|_| {
            let places = self.releases_shown.join(", ");
            let finding = Finding::new(codes::PAYLOAD_NONE, Subject::default()).at(&SourceRef::input(places.as_str()));
            finding.with("places", &places)
        });
        bundles.chain(releases).chain(nothing).chain(faults).chain(self.clusters.findings()).collect()
    }

    /// Says of a catalog how many of its bundles lie in no place that was given, where any was.
    pub(super) fn unknown_contents(&self, catalog: &Catalog) -> Option<Finding> {
        let bundles = catalog.packages.values().flat_map(|package| &package.bundles);
        let looked_for: Vec<bool> =
            bundles.filter_map(|bundle| self.bundle(bundle)).map(|contents| contents.is_err()).collect();
        let unknown = looked_for.iter().filter(|is_unknown| **is_unknown).count();
        (self.is_asked && unknown > 0).then(|| {
            let finding = Finding::new(codes::CONTENTS_UNKNOWN, Subject::catalog(catalog.name.clone()));
            finding.with("unknown", unknown).with("bundles", counted(looked_for.len(), "bundle"))
        })
    }

    /// What is known of the contents of a bundle; `None` where nobody looked.
    pub(super) fn bundle(&self, bundle: &Bundle) -> Option<Result<Arc<BundleFacts>, String>> {
        let contents = self.bundles.as_ref()?.contents(&bundle.facts.image, &bundle.name);
        Some(match contents {
            Contents::Known(facts) => Ok(facts),
            Contents::Unknown(reason) => Err(reason),
        })
    }

    /// What is wrong with the contents of a bundle.
    pub(super) fn bundle_findings(&self, catalog: &Arc<str>, package: &Arc<str>, bundle: &Bundle) -> Vec<Finding> {
        match self.bundle(bundle) {
            Some(Ok(facts)) => bundle::findings(&facts, &stated_bundle(catalog, package, bundle)),
            _ => Vec::new(),
        }
    }
}

/// What a catalog states of a bundle, for its contents to be held against.
pub(super) fn stated_bundle(catalog: &Arc<str>, package: &Arc<str>, bundle: &Bundle) -> StatedBundle {
    StatedBundle {
        catalog: catalog.clone(),
        package: package.clone(),
        bundle: bundle.name.clone(),
        version: bundle.version.as_ref().map(ToString::to_string),
        image: bundle.facts.image.clone(),
    }
}

/// The stores on this machine that hold the catalogs: a registry is asked for bundles only where it is named for them.
fn local_stores(inputs: &[CatalogInput]) -> Vec<Arc<dyn Store>> {
    let mut stores: Vec<Arc<dyn Store>> = Vec::new();
    for input in inputs {
        if let CatalogContent::Image(image) = &input.content
            && image.store.shape() != StoreShape::Registry
            && !stores.iter().any(|store| Arc::ptr_eq(store, &image.store))
        {
            stores.push(image.store.clone());
        }
    }
    stores
}

/// Every bundle that the catalogs name, once for each image and name.
fn wanted(reading: &Reading) -> Vec<WantedBundle> {
    let mut wanted = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for catalog in reading.catalogs.iter().flatten() {
        for (key, _) in catalog.files.iter().flat_map(|file| &file.documents) {
            let Some(document) = reading.documents.get(key) else { continue };
            let Outcome::Facts(DocumentFacts::Bundle(facts)) = &document.outcome else { continue };
            if facts.image.is_empty() || !seen.insert((facts.image.clone(), facts.name.clone())) {
                continue;
            }
            let name = catalog.input.name.clone();
            let subject = Subject::bundle(name, facts.package.as_str(), facts.name.as_str());
            wanted.insert(WantedBundle { image: facts.image.clone(), name: facts.name.clone(), subject });
        }
    }
    wanted.into_iter().collect()
}
