//! Reads the files of a bundle.
//!
//! Rule: that of [`super`]. The directories are those of the image's labels, else those of the annotations, else
//! `manifests/` and `metadata/`, which OLM v1 takes whatever is stated. Files of manifests whose name begins with a dot are
//! passed over as opm passes over them. Cost: every manifest is decoded once.

use std::collections::BTreeMap;

use super::csv;
use super::directories::{
    ANNOTATIONS_FILE, CHANNELS, DEFAULT_CHANNEL, MANIFESTS, MEDIA_TYPE, METADATA, PACKAGE, PREFIX, named,
};
use super::facts::{BundleContents, BundleFault, FileFacts};
use super::metadata::Metadata;
use super::secret::without_secrets;
use crate::codec::{Limits, ManifestFault, ManifestObject, manifest_objects};
use crate::source::image::FileSet;

const REGISTRY_V1: &str = "registry+v1";
const CSV_KIND: &str = "ClusterServiceVersion";
const USUAL_MANIFESTS: &str = "manifests";
const USUAL_METADATA: &str = "metadata";

/// The contents of a bundle from the files of its image, or of a plain directory, with paths from its root.
///
/// `labels` are those of the image's configuration; a plain directory has none. Nothing is refused: whatever is wrong is a
/// fault of the facts.
///
/// ```
/// use skipstone::bundle::{BundleFault, read};
/// use skipstone::source::image::FileSet;
///
/// let csv = b"{apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, metadata: {name: tern.v1.0.0}}";
/// let files = FileSet::from([("manifests/csv.yaml".to_owned(), csv.to_vec())]);
/// let contents = read(&files, None);
/// assert_eq!(contents.facts.csv.unwrap_or_default().name, "tern.v1.0.0");
/// assert_eq!(contents.facts.faults, [BundleFault::MissingAnnotations]);
/// ```
#[must_use]
pub fn read(files: &FileSet, labels: Option<&BTreeMap<String, String>>) -> BundleContents {
    let labels: BTreeMap<String, String> = labels.map(bundle_keys).unwrap_or_default();
    let mut reading = Reading::default();
    reading.metadata(files, &labels);
    reading.manifests(files, &labels);
    reading.contents.facts.faults.sort();
    reading.contents.facts.other_files.sort_by(|one, other| one.path.cmp(&other.path));
    reading.contents
}

/// Labels of other purposes are no part of a bundle's facts.
fn bundle_keys(labels: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let of_bundles = labels.iter().filter(|(key, _)| key.starts_with(PREFIX));
    of_bundles.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// A bundle while it is read.
#[derive(Default)]
struct Reading {
    contents: BundleContents,
    /// The names of the ClusterServiceVersions.
    csvs: Vec<String>,
}

impl Reading {
    fn fault(&mut self, fault: BundleFault) {
        self.contents.facts.faults.push(fault);
    }

    fn metadata(&mut self, files: &FileSet, labels: &BTreeMap<String, String>) {
        let mut metadata = Metadata::default();
        let directory = named(labels, METADATA, USUAL_METADATA, &mut self.contents.facts.faults);
        for (path, rest, bytes) in below(files, &directory) {
            if rest.contains('/') || !metadata.take(path, bytes) {
                self.other_file(path, bytes);
            }
        }
        self.contents.facts.metadata = directory;
        metadata.faults.drain(..).map(BundleFault::Undecodable).for_each(|fault| self.fault(fault));
        let annotations = metadata.annotations.unwrap_or_default();
        self.annotations(annotations, labels);
        let facts = &mut self.contents.facts;
        facts.dependencies = metadata.dependencies;
        facts.properties = metadata.properties;
    }

    fn annotations(&mut self, (path, stated): (String, BTreeMap<String, String>), labels: &BTreeMap<String, String>) {
        if path != format!("{}/{ANNOTATIONS_FILE}", self.contents.facts.metadata) {
            self.fault(BundleFault::MissingAnnotations);
        }
        for (key, annotation) in &stated {
            if let Some(label) = labels.get(key).filter(|label| *label != annotation) {
                self.fault(BundleFault::AnnotationMismatch {
                    key: key.clone(),
                    label: label.clone(),
                    annotation: annotation.clone(),
                });
            }
        }
        let stated = if stated.is_empty() { labels.clone() } else { stated };
        let text = |key: &str| stated.get(key).or_else(|| labels.get(key)).cloned().unwrap_or_default();
        let facts = &mut self.contents.facts;
        facts.media_type = text(MEDIA_TYPE);
        facts.package = text(PACKAGE);
        facts.default_channel = text(DEFAULT_CHANNEL);
        let channels = text(CHANNELS);
        facts.channels =
            channels.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        facts.annotations = stated;
        if !["", REGISTRY_V1].contains(&facts.media_type.as_str()) {
            let media_type = facts.media_type.clone();
            self.fault(BundleFault::UnknownMediaType(media_type));
        }
    }

    fn manifests(&mut self, files: &FileSet, labels: &BTreeMap<String, String>) {
        let facts = &mut self.contents.facts;
        let stated = if labels.contains_key(MANIFESTS) { labels } else { &facts.annotations };
        let directory = named(stated, MANIFESTS, USUAL_MANIFESTS, &mut facts.faults);
        for (path, rest, bytes) in below(files, &directory) {
            if rest.contains('/') {
                self.fault(BundleFault::NestedManifest(path.to_owned()));
                self.other_file(path, bytes);
            } else if rest.starts_with('.') {
                self.other_file(path, bytes);
            } else {
                self.manifest(path, bytes);
            }
        }
        let metadata = self.contents.facts.metadata.clone();
        let is_elsewhere = |path: &str| ![&directory, &metadata].iter().any(|known| is_below(path, known));
        for (path, bytes) in files.iter().filter(|(path, _)| is_elsewhere(path)) {
            self.other_file(path, bytes);
        }
        self.contents.facts.manifests = directory;
        match self.csvs.len() {
            0 => self.fault(BundleFault::NoCsv),
            1 => {}
            _ => {
                let names = std::mem::take(&mut self.csvs);
                self.fault(BundleFault::SeveralCsvs(names));
            }
        }
    }

    fn manifest(&mut self, path: &str, bytes: &[u8]) {
        let file = manifest_objects(path, bytes, &Limits::of_manifests());
        file.faults.into_iter().map(BundleFault::Undecodable).for_each(|fault| self.fault(fault));
        if file.documents > 1 {
            self.fault(BundleFault::SeveralDocuments { path: path.to_owned(), number: file.documents });
        }
        for object in file.objects {
            if object.facts.kind == CSV_KIND {
                self.csv(&object);
            }
            let value = without_secrets(object.value.to_json(), &object.facts.kind);
            self.contents.facts.objects.push(object.facts);
            self.contents.values.push(value);
        }
    }

    fn csv(&mut self, object: &ManifestObject<'_>) {
        self.csvs.push(object.facts.name.clone());
        if self.csvs.len() > 1 {
            return;
        }
        match csv::facts(&object.value) {
            Ok(facts) => self.contents.facts.csv = Some(facts),
            Err(reason) => {
                let facts = &object.facts;
                let (path, document, line) = (facts.path.clone(), facts.document, facts.line);
                self.fault(BundleFault::Undecodable(ManifestFault { path, document, line, reason }));
            }
        }
    }

    fn other_file(&mut self, path: &str, bytes: &[u8]) {
        let bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.contents.facts.other_files.push(FileFacts { path: path.to_owned(), bytes });
    }
}

fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// The files below a directory: path, path from the directory, bytes.
fn below<'f>(files: &'f FileSet, directory: &str) -> impl Iterator<Item = (&'f str, &'f str, &'f [u8])> {
    let prefix = format!("{directory}/");
    files.iter().filter_map(move |(path, bytes)| {
        path.strip_prefix(prefix.as_str()).map(|rest| (path.as_str(), rest, bytes.as_slice()))
    })
}
