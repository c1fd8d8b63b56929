//! Contents of the bundles that catalogs name, from wherever they lie.
//!
//! Rule: a bundle by digest is the image of that digest and nothing else; where the digest cannot be proven (a directory
//! that somebody extracted, what `docker save` wrote) its ClusterServiceVersion must have the bundle's name, and a finding
//! says so. Facts are kept by the digest of the image. Cost: the layers of every bundle that is not known, once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use super::describe::describe;
use super::image_files::read_files;
use super::input::ImageInput;
use super::locate::{Located, locate};
use super::mirrors::mirror_roots;
use super::plain_files;
use super::unpack::stamp_text;
use super::work::RunContext;
use crate::bundle::{self, BundleFacts, bundle_directories};
use crate::cache::{Cache, Pack, Stage};
use crate::finding::{Digest, Finding, SourceRef, Subject, codes};
use crate::source::image::{Chosen, Configuration, FileSet, ImageKind, Platform};
use crate::source::store::{Presence, Store, StoreError, StoreErrorKind};

/// Facts of bundles, by image.
pub const BUNDLES: Stage = Stage { name: "bundles", version: 1 };

/// Where contents may lie.
#[derive(Clone, Default)]
pub struct ContentPlaces {
    /// Stores of images.
    pub stores: Vec<Arc<dyn Store>>,
    /// Directories of what was extracted.
    pub directories: Vec<PathBuf>,
}

impl ContentPlaces {
    /// Whether there is no place at all.
    pub fn is_empty(&self) -> bool {
        self.stores.is_empty() && self.directories.is_empty()
    }
}

/// What is known of the contents of one bundle.
#[derive(Debug, Clone)]
pub enum Contents {
    /// They were read.
    Known(Arc<BundleFacts>),
    /// No place holds them: why nothing is known.
    Unknown(String),
}

/// Contents of bundles, and what was noticed on the way.
pub(super) struct BundleReading {
    /// By the reference to the image as catalogs state it, and by the bundle's name.
    found: BTreeMap<(String, String), Contents>,
    pub(super) findings: Vec<Finding>,
    /// Digest over everything that was read, and over why other contents are not known.
    pub(super) digest: Digest,
    /// Bundles whose contents are known.
    pub(super) known: usize,
    /// Objects in them.
    pub(super) objects: usize,
}

impl BundleReading {
    /// What is known of a bundle.
    pub(super) fn contents(&self, image: &str, bundle: &str) -> Contents {
        let found = self.found.get(&(image.to_owned(), bundle.to_owned()));
        found.cloned().unwrap_or_else(|| Contents::Unknown("the catalog names no image for it".to_owned()))
    }
}

/// A bundle that a catalog names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WantedBundle {
    pub(super) image: String,
    pub(super) name: String,
    pub(super) subject: Subject,
}

/// Reads bundles for one run.
pub(super) struct BundleReader<'r> {
    places: &'r ContentPlaces,
    platform: &'r Platform,
    context: &'r RunContext,
    known: Pack,
}

/// A bundle that was read, with the key and the bytes to keep.
struct Read {
    facts: Arc<BundleFacts>,
    kept: Option<(Digest, Vec<u8>)>,
}

impl<'r> BundleReader<'r> {
    pub(super) fn new(
        places: &'r ContentPlaces,
        platform: &'r Platform,
        cache: &Cache,
        context: &'r RunContext,
    ) -> Self {
        Self { places, platform, context, known: cache.load_pack(BUNDLES) }
    }

    /// Reads the contents of bundles; the list is sorted and holds no two equal ones.
    pub(super) fn read(&self, wanted: &[WantedBundle], cache: &Cache) -> BundleReading {
        let mut reading = BundleReading {
            found: BTreeMap::new(),
            findings: Vec::new(),
            digest: Digest::of(b""),
            known: 0,
            objects: 0,
        };
        let loose = self.loose(&mut reading.findings);
        let read: Vec<_> = wanted.par_iter().with_max_len(1).map(|bundle| (bundle, self.bundle(bundle))).collect();
        let mut fresh = BTreeMap::new();
        let mut parts: Vec<Vec<u8>> = Vec::new();
        for (bundle, outcome) in read {
            let contents = match outcome {
                Ok(Some(Read { facts, kept })) => {
                    fresh.extend(kept);
                    Contents::Known(facts)
                }
                Ok(None) => match loose.get(&bundle.name) {
                    Some(facts) => {
                        reading.findings.push(Finding::new(codes::CONTENTS_UNPROVEN, bundle.subject.clone()));
                        Contents::Known(facts.clone())
                    }
                    None => Contents::Unknown("none of the given places holds this image".to_owned()),
                },
                Err(error) if error.kind == StoreErrorKind::ExpectedAtTarget => Contents::Unknown(
                    "the image is in the target registry, by the record of the mirror tool, and not here".to_owned(),
                ),
                Err(error) if error.kind == StoreErrorKind::Absent => {
                    Contents::Unknown(format!("the mirror names the image and lacks a part of it: {error}"))
                }
                Err(error) => {
                    let at = SourceRef::input(bundle.subject.catalog.clone().unwrap_or_default());
                    let finding = Finding::new(codes::INPUT_UNREADABLE, bundle.subject.clone()).at(&at);
                    reading.findings.push(finding.with("path", &bundle.image).with("reason", &error.what));
                    Contents::Unknown(format!("the image cannot be read: {error}"))
                }
            };
            parts.push(serde_json::to_vec(&(&bundle.image, &bundle.name)).unwrap_or_default());
            match &contents {
                Contents::Known(facts) => {
                    parts.push(serde_json::to_vec(&**facts).unwrap_or_default());
                    reading.known += 1;
                    reading.objects += facts.objects.len();
                }
                Contents::Unknown(reason) => parts.push(reason.clone().into_bytes()),
            }
            reading.found.insert((bundle.image.clone(), bundle.name.clone()), contents);
        }
        reading.digest = Digest::of_parts(parts.iter().map(Vec::as_slice));
        self.keep(fresh, cache);
        reading
    }

    fn keep(&self, fresh: BTreeMap<Digest, Vec<u8>>, cache: &Cache) {
        if fresh.is_empty() {
            return;
        }
        let before = self.known.iter().map(|(key, bytes)| (key, bytes.to_vec()));
        cache.store_pack(BUNDLES, fresh.into_iter().chain(before));
    }

    /// A bundle by its image; `None` where no store holds it.
    fn bundle(&self, wanted: &WantedBundle) -> Result<Option<Read>, StoreError> {
        let Some(Located { store, repository, digest }) = locate(&self.places.stores, &wanted.image)? else {
            return Ok(None);
        };
        let image = ImageInput {
            name: wanted.image.clone(),
            store,
            repository,
            identity: Some(digest.clone()),
            digest,
            platform: self.platform.clone(),
        };
        self.image(&image).map(Some)
    }

    fn image(&self, image: &ImageInput) -> Result<Read, StoreError> {
        let described = describe(&*image.store, image.repository.as_deref(), None, &image.digest, self.platform)?;
        let key = key_of(image, &described.chosen);
        let known = key.and_then(|key| serde_json::from_slice::<BundleFacts>(self.known.get(&key)?).ok());
        if let Some(facts) = known {
            return Ok(Read { facts: Arc::new(facts), kept: None });
        }
        let (manifests, metadata) = directories(&described.kind);
        let files = read_files(image, &described.chosen.manifest, &[&manifests, &metadata])?;
        let facts = facts(&files, described.configuration.as_ref());
        let kept = key.and_then(|key| Some((key, serde_json::to_vec(&facts).ok()?)));
        Ok(Read { facts: Arc::new(facts), kept })
    }

    /// Bundles whose digest cannot be proven, by the name of their ClusterServiceVersion; the first of several counts.
    fn loose(&self, findings: &mut Vec<Finding>) -> BTreeMap<String, Arc<BundleFacts>> {
        let mut loose = BTreeMap::new();
        let mut add = |facts: BundleFacts| {
            if let Some(name) = facts.csv.as_ref().map(|csv| csv.name.clone()) {
                loose.entry(name).or_insert(Arc::new(facts));
            }
        };
        for place in &self.places.directories {
            let mut refuse = |path: &str, reason: String| {
                let shown = super::scan::name_of(place);
                let at = SourceRef::input(shown.clone());
                let finding = Finding::new(codes::INPUT_UNREADABLE, Subject::default()).at(&at);
                let path = if path.is_empty() { shown } else { format!("{shown}/{path}") };
                findings.push(finding.with("path", path).with("reason", reason));
            };
            match plain_files::directory(place) {
                Err(error) => refuse("", error.to_string()),
                Ok(tree) => {
                    let paths = plain_files::paths(&tree, "", &self.context.source_limits);
                    paths.faults.into_iter().for_each(|fault| refuse(&fault.path, fault.reason));
                    for directory in bundle_directories(paths.files.iter().map(String::as_str)) {
                        match plain_files::read_below(&tree, &directory, &paths.files) {
                            Ok(files) => add(bundle::read(&files, None).facts),
                            Err(error) => refuse(&directory, error.to_string()),
                        }
                    }
                }
            }
        }
        for facts in self.unprovable() {
            add(facts);
        }
        loose
    }

    /// Bundles of stores that cannot prove a digest. What cannot be read there is told by the inventory.
    fn unprovable(&self) -> Vec<BundleFacts> {
        let stores: Vec<Arc<dyn Store>> =
            self.places.stores.iter().filter(|store| !store.is_provable()).cloned().collect();
        let roots = mirror_roots(&stores).unwrap_or_default();
        let is_bundle = |kind: Result<ImageKind, _>| matches!(kind, Ok(ImageKind::Bundle { .. }));
        let bundles = roots.iter().filter(|root| is_bundle(root.kind(self.platform)));
        let images = bundles.filter_map(|root| root.image(self.platform));
        images.filter_map(|image| self.image(&image).ok()).map(|read| (*read.facts).clone()).collect()
    }
}

/// What decides whether kept facts are those of this image: its digest, and the files that hold its layers, all of which
/// must be there. `None` where one is not, so that reading it says why.
pub(super) fn key_of(image: &ImageInput, chosen: &Chosen) -> Option<Digest> {
    let mut parts = vec![chosen.digest.to_string()];
    for layer in &chosen.manifest.layers {
        let Presence::Present { stamp, .. } = image.store.presence(image.repository.as_deref(), &layer.digest) else {
            return None;
        };
        parts.push(stamp_text(stamp));
    }
    Some(Digest::of_parts(parts.iter().map(String::as_bytes)))
}

fn directories(kind: &ImageKind) -> (String, String) {
    match kind {
        ImageKind::Bundle { manifests, metadata, .. } => (manifests.clone(), metadata.clone()),
        _ => ("manifests".to_owned(), "metadata".to_owned()),
    }
}

fn facts(files: &FileSet, configuration: Option<&Configuration>) -> BundleFacts {
    bundle::read(files, configuration.map(|configuration| &configuration.labels)).facts
}
