//! The main job: catalogs in, a report out.
//!
//! Every package is rendered into all its formats and written by the thread that looked at it, so that nothing but rows and
//! findings stays in memory; the documents over all packages follow, and the report appears in one step.
//! Cost: linear in the distinct documents and in the pairs that the report holds.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::analyse::{AnalysedCatalog, analyse};
use super::contents::{ContentRequest, ReadContents};
use super::input::CatalogInput;
use super::read::{ReadCatalog, Reading, read_catalogs};
use super::render::{RenderError, RenderedPackage, Renderer};
use super::scan_cluster::same_name;
use super::scan_mirror::{MirrorRequest, ReadMirror};
use super::unchanged;
use super::work::{Observer, RunContext};
use crate::cache::Cache;
use crate::catalog::facts::Outcome as DocumentOutcome;
use crate::emit::{EmitError, ReportDirectory, Written};
use crate::finding::{self, Digest, Finding, SourceRef, Subject, codes, counted};
use crate::report::schema::{
    ApiDocument, Coverage, CoverageNote, FindingView, Input, LifecycleRow, Overview, PackageRow, PairCounts,
};
use crate::report::view::{self, CatalogFacts, OverviewFacts};
use crate::source::SourceError;
use crate::source::image::Platform;

/// What to scan, and where the report goes.
pub struct ScanRequest<'r> {
    /// The catalogs, each with a name of its own.
    pub catalogs: &'r [CatalogInput],
    /// What is read beside them.
    pub contents: &'r ContentRequest,
    /// The mirrors that are looked into, where any are named.
    pub mirror: Option<&'r MirrorRequest>,
    /// Which image of an index is read.
    pub platform: &'r Platform,
    /// The report directory.
    pub output: &'r Path,
    /// The version of the program.
    pub version: &'r str,
    /// The digest of the program itself, where it can be had: a report of another build is never taken for its own.
    pub program: Option<Digest>,
}

/// A report was written.
pub struct ScanOutcome {
    /// Its summary.
    pub overview: Overview,
    /// All findings, worst first.
    pub findings: Vec<FindingView>,
    /// How much was written.
    pub written: Written,
    /// Documents that were decoded, and not taken from the cache.
    pub decoded: usize,
    /// Layers of images that were decompressed, and not taken from the cache.
    pub decompressed: usize,
    /// Whether the report stood there already, byte for byte.
    pub unchanged: bool,
}

impl ScanOutcome {
    /// Whether a unit of work failed by a fault of this program.
    pub fn has_panic(&self) -> bool {
        self.findings.iter().any(|finding| finding.code == codes::INTERNAL_PANIC.name())
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// Nothing of any input could be read.
    #[error("nothing could be read: {}", causes.join("; "))]
    NothingRead {
        /// What is wrong with each input.
        causes: Vec<String>,
    },
    /// Two inputs have the same name.
    #[error("two catalogs are named {0}; give each a name of its own with NAME=SOURCE")]
    SameName(String),
    /// Two clusters have the same name.
    #[error("two clusters are named {0}; give each a name of its own with NAME=DIR")]
    SameCluster(String),
    /// The report cannot be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A page or document cannot be made.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Scans catalogs and writes the report; must run on the threads of the context.
///
/// # Errors
/// [`ScanError`]; then the previous report, where there is one, is untouched.
pub fn scan(
    request: &ScanRequest<'_>,
    cache: &Cache,
    context: &RunContext,
    observer: &dyn Observer,
) -> Result<ScanOutcome, ScanError> {
    let mut inputs = request.catalogs.to_vec();
    inputs.sort_by(|one, other| one.name.cmp(&other.name));
    if let Some(pair) = inputs.windows(2).find(|pair| matches!(pair, [one, other] if one.name == other.name)) {
        return Err(ScanError::SameName(pair.first().map_or_else(String::new, |input| input.name.to_string())));
    }
    if let Some(name) = same_name(&request.contents.clusters) {
        return Err(ScanError::SameCluster(name.to_owned()));
    }
    let directory = ReportDirectory::create(request.output)?;
    let reading = read_catalogs(&inputs, cache, context, observer);
    let read: Vec<&ReadCatalog> = reading.catalogs.iter().flatten().collect();
    if read.iter().all(|read| read.blank().is_some()) {
        return Err(ScanError::NothingRead { causes: reading.catalogs.iter().filter_map(why_nothing).collect() });
    }
    let contents = ReadContents::read(request.contents, &inputs, &reading, request.platform, cache, context, observer);
    let analyse_all = || -> Vec<AnalysedCatalog> {
        observer.begin("analysing", u64::try_from(read.len()).unwrap_or(u64::MAX));
        read.par_iter().map(|catalog| analyse(catalog, &reading, context)).collect()
    };
    // Which images mirrors should have is known only of analysed catalogs.
    let early = request.mirror.map(|mirror| (mirror, analyse_all()));
    let mirror = early
        .as_ref()
        .map(|(mirror, analysed)| ReadMirror::read(mirror, analysed, &contents, request.contents, context, observer))
        .transpose()?;
    let mut overview_facts = overview_facts(request.version, context, &inputs, &reading);
    overview_facts.inputs.extend(contents.inputs(request.contents));
    overview_facts.coverage.failed.extend(contents.failed());
    if let Some(mirror) = &mirror {
        mirror.add_to(&mut overview_facts);
    }
    contents.clusters.add_to(&mut overview_facts);
    overview_facts.coverage.complete = overview_facts.coverage.failed.is_empty();
    let key = unchanged::key(request, &overview_facts, &beside(&read, &contents, mirror.as_ref()));
    observer.begin("comparing", 1);
    if let Some(outcome) = unchanged::standing(request, cache, key).filter(|_| reading.panics.is_empty()) {
        return Ok(outcome);
    }
    let mut analysed = early.map_or_else(analyse_all, |(_, analysed)| analysed);
    analysed.iter_mut().for_each(|catalog| add_bundle_findings(catalog, &contents));
    let renderer = Renderer::new(&directory, context.day(), &overview_facts, &contents)?;
    let packages = render_packages(&renderer, &analysed, observer)?;
    let mut findings: Vec<Finding> = analysed.iter().flat_map(|catalog| catalog.findings.iter().cloned()).collect();
    findings.extend(reading.panics.iter().cloned());
    findings.extend(packages.iter().flat_map(|catalog| catalog.panics.iter().cloned()));
    findings.extend(unread_findings(&inputs, &reading));
    findings.extend(contents.findings());
    findings.extend(mirror.iter().flat_map(|mirror| mirror.findings.iter().cloned()));
    finding::sort(&mut findings);
    let facts: Vec<CatalogFacts<'_>> = analysed
        .iter()
        .zip(&packages)
        .map(|(catalog, packages)| CatalogFacts {
            catalog: &catalog.catalog,
            findings: &catalog.findings,
            rows: &packages.rows,
            pairs: &packages.pairs,
        })
        .collect();
    let lifecycles = packages.iter().flat_map(|catalog| catalog.lifecycles.iter().cloned()).collect();
    let overview = view::overview(overview_facts, &facts, view::severity_counts(&findings));
    observer.begin("summing up", 1);
    let findings = view::findings_views(&findings);
    let mut entries: Vec<ApiDocument> = packages.iter().flat_map(|catalog| catalog.entries.iter().cloned()).collect();
    if let Some(mirror) = &mirror {
        entries.extend(mirror.write(&renderer)?);
    }
    renderer.whole(&overview, &facts, &findings, lifecycles, entries)?;
    observer.begin("flushing", 1);
    let written = directory.commit()?;
    let outcome = ScanOutcome {
        overview,
        findings,
        written,
        decoded: reading.decoded,
        decompressed: reading.decompressed,
        unchanged: false,
    };
    unchanged::remember(cache, key, &outcome);
    Ok(outcome)
}

/// What a report tells of its inputs beside what their digests cover: the image that a catalog lies in, and what was found
/// without reading a document.
fn beside(read: &[&ReadCatalog], contents: &ReadContents, mirror: Option<&ReadMirror>) -> Digest {
    let images = read.iter().map(|catalog| format!("{:?} {:?}", catalog.image, catalog.notes));
    let noticed =
        contents.findings().into_iter().chain(mirror.iter().flat_map(|mirror| mirror.findings.iter().cloned()));
    let parts: Vec<String> = images.chain(noticed.map(|finding| format!("{finding:?}"))).collect();
    Digest::of_parts(parts.iter().map(String::as_bytes))
}

/// Adds what is wrong with the contents of a catalog's bundles.
fn add_bundle_findings(analysed: &mut AnalysedCatalog, contents: &ReadContents) {
    let catalog = &analysed.catalog;
    let bundles = catalog.packages.values().flat_map(|package| {
        package.bundles.iter().flat_map(|bundle| contents.bundle_findings(&catalog.name, &package.name, bundle))
    });
    let found: Vec<Finding> = bundles.chain(contents.unknown_contents(catalog)).collect();
    analysed.findings.extend(found);
    finding::sort(&mut analysed.findings);
}

/// Why nothing of an input could be read.
fn why_nothing(catalog: &Result<ReadCatalog, SourceError>) -> Option<String> {
    match catalog {
        Ok(read) => read.blank().map(|reasons| format!("{}: {reasons}", read.input.whole_place().display())),
        Err(error) => Some(error.to_string()),
    }
}

/// What stays in memory of the packages of one catalog.
#[derive(Default)]
struct CatalogPackages {
    rows: Vec<PackageRow>,
    pairs: PairCounts,
    lifecycles: Vec<LifecycleRow>,
    /// Documents of bundles.
    entries: Vec<ApiDocument>,
    panics: Vec<Finding>,
}

fn render_packages(
    renderer: &Renderer<'_>,
    analysed: &[AnalysedCatalog],
    observer: &dyn Observer,
) -> Result<Vec<CatalogPackages>, ScanError> {
    let mut units = Vec::new();
    for (index, catalog) in analysed.iter().enumerate() {
        let mut grouped = view::by_package(&catalog.findings);
        for package in catalog.catalog.packages.values() {
            let findings = grouped.remove(&Some(package.name.clone())).unwrap_or_default();
            units.push((index, &catalog.catalog.name, package, findings));
        }
    }
    units
        .sort_by_key(|(index, _, package, _)| (std::cmp::Reverse(package.bundles.len()), *index, package.name.clone()));
    observer.begin("rendering", u64::try_from(units.len()).unwrap_or(u64::MAX));
    let rendered: Vec<(usize, Result<RenderedPackage, Box<Finding>>)> = units
        .into_par_iter()
        .with_max_len(1)
        .map(|(index, catalog, package, findings)| {
            let rendered = renderer.package(catalog, package, findings)?;
            observer.advance(1);
            Ok((index, rendered))
        })
        .collect::<Result<_, RenderError>>()?;
    let mut packages: Vec<CatalogPackages> = analysed.iter().map(|_| CatalogPackages::default()).collect();
    for (index, rendered) in rendered {
        let Some(catalog) = packages.get_mut(index) else { continue };
        match rendered {
            Ok(package) => {
                catalog.rows.push(package.row);
                catalog.pairs += &package.pairs;
                catalog.lifecycles.extend(package.lifecycles);
                catalog.entries.extend(package.entries);
            }
            Err(panic) => catalog.panics.push(*panic),
        }
    }
    for catalog in &mut packages {
        catalog.rows.sort_by(|one, other| one.package.cmp(&other.package));
        catalog.entries.sort();
        catalog.lifecycles.sort_by(|one, other| (&one.package, &one.bundle).cmp(&(&other.package, &other.bundle)));
    }
    Ok(packages)
}

fn overview_facts(version: &str, context: &RunContext, inputs: &[CatalogInput], reading: &Reading) -> OverviewFacts {
    OverviewFacts {
        version: version.to_owned(),
        generated_at: context.now.to_string(),
        inputs: reading.catalogs.iter().flatten().map(|read| input(read, reading)).collect(),
        mirror: None,
        clusters: Vec::new(),
        coverage: coverage(inputs, reading),
    }
}

fn input(read: &ReadCatalog, reading: &Reading) -> Input {
    let mut distinct: Vec<_> = read.files.iter().flat_map(|file| file.documents.iter().map(|(key, _)| key)).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.retain(|key| reading.documents.contains_key(key));
    Input {
        name: read.input.name.to_string(),
        kind: "catalog".to_owned(),
        source: read.input.shown_place(),
        digest: read.digest().to_string(),
        bytes: read.bytes,
        files: read.files.len(),
        documents: read.documents(),
        distinct_documents: distinct.len(),
    }
}

fn coverage(inputs: &[CatalogInput], reading: &Reading) -> Coverage {
    let mut coverage = Coverage::default();
    for (input, catalog) in inputs.iter().zip(&reading.catalogs) {
        let name = input.name.to_string();
        let note = |path: Option<String>, reason: String| CoverageNote { input: name.clone(), path, reason };
        match catalog {
            Ok(read) => {
                coverage.read += read.files.len();
                let skipped = read.skipped.iter().map(|file| note(Some(file.path.clone()), file.reason.clone()));
                coverage.skipped.extend(skipped);
                let failed = read.faults.iter().map(|fault| note(Some(fault.path.clone()), fault.reason.clone()));
                coverage.failed.extend(failed);
                coverage.failed.extend(undecoded(read, reading).map(|(path, reason)| note(Some(path), reason)));
            }
            Err(error) => {
                coverage.failed.push(note(None, cause(error, &input.shown_place())));
            }
        }
    }
    coverage.complete = coverage.failed.is_empty();
    coverage
}

/// Faulty documents of one file that are told one by one.
const TOLD_FAULTS: usize = 100;

/// Documents that do not decode, and rests of files that are no documents: what they state is not known.
fn undecoded<'r>(read: &'r ReadCatalog, reading: &'r Reading) -> impl Iterator<Item = (String, String)> + 'r {
    read.files.iter().flat_map(|file| {
        let documents = file.documents.iter().zip(1..).filter_map(|((key, _), number)| {
            match &reading.documents.get(key)?.outcome {
                DocumentOutcome::Fault { reason, .. } => Some(format!("document {number} does not decode: {reason}")),
                DocumentOutcome::Facts(_) | DocumentOutcome::MissingSchema => None,
            }
        });
        let rest = file.fault.iter().map(|(line, reason)| format!("from line {line} on it does not decode: {reason}"));
        let mut reasons: Vec<String> = documents.chain(rest).collect();
        if let Some(untold) = reasons.len().checked_sub(TOLD_FAULTS).filter(|untold| *untold > 0) {
            reasons.truncate(TOLD_FAULTS);
            reasons.push(format!("{} more do not decode", counted(untold, "document")));
        }
        reasons.into_iter().map(|reason| (file.path.to_string(), reason))
    })
}

/// What is wrong with an input, without the directories above it.
pub(super) fn cause(error: &SourceError, place: &str) -> String {
    match error {
        SourceError::Io { cause, .. } => format!("{place}: {cause}"),
        SourceError::Unsuitable { what, .. } => format!("{place}: {what}"),
        SourceError::Store { cause, .. } => format!("{place}: {cause}"),
    }
}

fn unread_findings(inputs: &[CatalogInput], reading: &Reading) -> Vec<Finding> {
    let unread = inputs.iter().zip(&reading.catalogs).filter_map(|(input, catalog)| {
        let error = catalog.as_ref().err()?;
        let subject = Subject::catalog(input.name.clone());
        let at = SourceRef::input(input.name.clone());
        let finding = Finding::new(codes::INPUT_UNREADABLE, subject).at(&at);
        Some(finding.with("path", &input.name).with("reason", cause(error, &input.shown_place())))
    });
    unread.collect()
}

/// The name that a catalog has where none is given: the last part of its place.
pub fn name_of(place: &Path) -> String {
    let mut place: PathBuf = place.to_owned();
    if place.file_name().is_none()
        && let Ok(real) = std::path::absolute(&place)
    {
        place = real;
    }
    place.file_name().map_or_else(|| "catalog".to_owned(), |name| name.to_string_lossy().into_owned())
}
