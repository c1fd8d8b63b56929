//! Release payloads, from wherever they lie.
//!
//! Rule: a payload is an image with the label `io.openshift.release`, or a directory with `release-manifests/`; all layers
//! count, since admin gates lie in the base layers. Facts are kept by the digest of the image. Cost: the layers of every
//! payload that is not known, once.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use super::bundles::key_of;
use super::describe::{Described, describe};
use super::image_files::read_files;
use super::input::ImageInput;
use super::mirrors::MirrorRoot;
use super::plain_files;
use super::work::RunContext;
use crate::cache::{Cache, Pack, Stage};
use crate::finding::{ContentDigest, Digest, Finding, SourceRef, Subject, codes};
use crate::payload::{self, PayloadFacts, ReleaseArchitecture, StatedArchitecture, StatedPayload, payload_directories};
use crate::source::image::{ImageKind, Platform};
use crate::source::store::{RootContent, StoreError, StoreErrorKind};
use crate::source::tree::FileTree;

/// Facts of payloads, by image.
pub const PAYLOADS: Stage = Stage { name: "payloads", version: 1 };

/// The label that names the version of a release.
const RELEASE_LABEL: &str = "io.openshift.release";
/// Directories of a payload image that count.
const DIRECTORIES: [&str; 2] = ["release-manifests", "manifests"];

/// Where payloads may lie: parts of stores, and directories of what was extracted.
#[derive(Clone, Default)]
pub struct ReleasePlaces {
    /// Roots of stores; what is no payload among them is passed over.
    pub roots: Vec<MirrorRoot>,
    /// Directories.
    pub directories: Vec<PathBuf>,
}

/// A payload that was read.
#[derive(Debug, Clone)]
pub struct ReadRelease {
    /// What it holds.
    pub facts: Arc<PayloadFacts>,
    /// What the image states beside its files.
    pub stated: StatedPayload,
    /// The digest of the release image, where it is known and proven.
    pub digest: Option<ContentDigest>,
}

/// Payloads, and what was noticed on the way.
#[derive(Default)]
pub struct ReleaseReading {
    /// By name and digest, each once.
    pub releases: Vec<ReadRelease>,
    /// What could not be read.
    pub findings: Vec<Finding>,
}

/// A payload, with key and bytes to keep where no earlier run kept it.
type Read = (ReadRelease, Option<(Digest, Vec<u8>)>);
/// What came of one place: nothing where it holds no payload, or its path and why it cannot be read.
type Outcome = Result<Option<Read>, (String, String)>;

/// Reads all payloads of some places; must run on the threads of the context.
pub fn read_releases(
    places: &ReleasePlaces,
    platform: &Platform,
    cache: &Cache,
    context: &RunContext,
) -> ReleaseReading {
    let known = cache.load_pack(PAYLOADS);
    let mut outcomes: Vec<Outcome> = places
        .roots
        .par_iter()
        .with_max_len(1)
        .map(|root| match of_root(root, platform, &known, context) {
            // What it is stands in a manifest that the target registry has.
            Err(error) if error.kind == StoreErrorKind::ExpectedAtTarget => Ok(None),
            read => read.map_err(|error| (root.name(), error.what)),
        })
        .collect();
    for place in &places.directories {
        outcomes.extend(of_directory(place, context));
    }
    let mut reading = ReleaseReading::default();
    let mut fresh = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(Some((release, kept))) => {
                reading.releases.push(release);
                fresh.extend(kept);
            }
            Ok(None) => {}
            Err((path, reason)) => {
                let at = SourceRef::input(path.clone());
                let finding = Finding::new(codes::INPUT_UNREADABLE, Subject::default()).at(&at);
                reading.findings.push(finding.with("path", path).with("reason", reason));
            }
        }
    }
    let order = |release: &ReadRelease| (release.facts.name(&release.stated), release.digest.clone());
    reading.releases.sort_by_key(order);
    reading.releases.dedup_by_key(|release| order(release));
    drop_parts(&mut reading.releases);
    if !fresh.is_empty() {
        let before = known.iter().map(|(key, bytes)| (key, bytes.to_vec()));
        cache.store_pack(PAYLOADS, fresh.into_iter().chain(before));
    }
    reading
}

/// Leaves out the images of single architectures that are parts of a release for several, where that release is there.
fn drop_parts(releases: &mut Vec<ReadRelease>) {
    let several: BTreeSet<String> = releases
        .iter()
        .filter(|release| release.stated.architecture == StatedArchitecture::Index)
        .map(|release| release.facts.version.clone())
        .collect();
    releases.retain(|release| {
        let architecture = release.facts.architecture(&release.stated.architecture);
        !(matches!(architecture, ReleaseArchitecture::Part(_)) && several.contains(&release.facts.version))
    });
}

fn of_root(
    root: &MirrorRoot,
    platform: &Platform,
    known: &Pack,
    context: &RunContext,
) -> Result<Option<Read>, StoreError> {
    match &root.root.content {
        RootContent::CatalogDirectory(_) => Ok(None),
        RootContent::PayloadDirectory(directory) => {
            let Some(tree) = root.store.tree() else { return Ok(None) };
            let paths = plain_files::paths(&*tree, directory, &context.source_limits);
            let unreadable = |reason: String| StoreError::new(StoreErrorKind::Unreadable, reason);
            if let Some(fault) = paths.faults.first() {
                return Err(unreadable(format!("{}: {}", fault.path, fault.reason)));
            }
            let release = of_tree(&*tree, directory, &paths.files).map_err(|error| unreadable(error.to_string()))?;
            Ok(Some((ReadRelease { digest: root.root.identity.clone(), ..release }, None)))
        }
        RootContent::Image(_) => {
            let Some(image) = root.image(platform) else { return Ok(None) };
            of_image(&image, root.root.tag.as_deref(), platform, known)
        }
    }
}

fn of_image(
    image: &ImageInput,
    tag: Option<&str>,
    platform: &Platform,
    known: &Pack,
) -> Result<Option<Read>, StoreError> {
    let described = describe(&*image.store, image.repository.as_deref(), tag, &image.digest, platform)?;
    if !matches!(described.kind, ImageKind::ReleasePayload { .. }) {
        return Ok(None);
    }
    let stated = stated(&described);
    let key = key_of(image, &described.chosen);
    let digest = image.identity.clone();
    let kept = key.and_then(|key| serde_json::from_slice::<PayloadFacts>(known.get(&key)?).ok());
    if let Some(facts) = kept {
        return Ok(Some((ReadRelease { facts: Arc::new(facts), stated, digest }, None)));
    }
    let files = read_files(image, &described.chosen.manifest, &DIRECTORIES)?;
    let facts = payload::read(&files);
    let kept = key.and_then(|key| Some((key, serde_json::to_vec(&facts).ok()?)));
    Ok(Some((ReadRelease { facts: Arc::new(facts), stated, digest }, kept)))
}

fn stated(described: &Described) -> StatedPayload {
    let configuration = described.configuration.as_ref();
    let architecture = match (described.chosen.instances.len(), configuration) {
        (2.., _) => StatedArchitecture::Index,
        (_, Some(configuration)) => {
            let platform = configuration.platform.as_ref();
            StatedArchitecture::Image(platform.map(|platform| platform.architecture.clone()).unwrap_or_default())
        }
        (_, None) => StatedArchitecture::Nowhere,
    };
    let version_label = configuration.and_then(|configuration| configuration.labels.get(RELEASE_LABEL).cloned());
    StatedPayload { version_label, architecture }
}

fn of_directory(place: &std::path::Path, context: &RunContext) -> Vec<Outcome> {
    let shown = super::scan::name_of(place);
    let tree = match plain_files::directory(place) {
        Ok(tree) => tree,
        Err(error) => return vec![Err((shown, error.to_string()))],
    };
    let paths = plain_files::paths(&tree, "", &context.source_limits);
    let directories = payload_directories(paths.files.iter().map(String::as_str));
    let faults = paths.faults.iter().map(|fault| Err((format!("{shown}/{}", fault.path), fault.reason.clone())));
    let mut outcomes: Vec<Outcome> = faults.collect();
    if directories.is_empty() {
        outcomes.push(Err((shown.clone(), "it holds no release payload".to_owned())));
    }
    outcomes.extend(directories.iter().map(|directory| {
        let read = of_tree(&tree, directory, &paths.files);
        read.map(|release| Some((release, None))).map_err(|error| (format!("{shown}/{directory}"), error.to_string()))
    }));
    outcomes
}

fn of_tree(tree: &dyn FileTree, directory: &str, paths: &[String]) -> std::io::Result<ReadRelease> {
    let files = plain_files::read_below(tree, directory, paths)?;
    Ok(ReadRelease { facts: Arc::new(payload::read(&files)), stated: StatedPayload::default(), digest: None })
}
