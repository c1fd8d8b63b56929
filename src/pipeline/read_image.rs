//! Reads a catalog out of an image: its layers over the threads, then what of them is visible.
//!
//! Rule: the label of the configuration names the directory (operator-registry, `alpha/declcfg/load.go` for what counts in
//! it); oc-mirror rebuilds a filtered catalog as a layer that adds `/configs`, whatever the label says. Of an index with
//! several instances one is read, and the others are held against it. Cost: that of the layers, once for each instance.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use rayon::prelude::*;

use super::describe::describe;
use super::facts::Found;
use super::input::{CatalogInput, ImageInput};
use super::layers::{LayerDocuments, LayerReader};
use super::read::{ReadCatalog, ReadFile};
use super::unpack::unpack;
use crate::finding::{ContentDigest, Finding, SourceRef, Subject, codes};
use crate::source::image::{Chosen, ImageKind, ImageManifest, ImageTree, Platform, Wanted, rebuilt_catalog_directory};
use crate::source::store::{Presence, StoreError, StoreErrorKind};
use crate::source::{FileFault, FileFaultKind, IgnoreRules, SkippedFile, SourceError};

/// Where oc-mirror puts the catalog that it filtered.
const REBUILT: &str = "configs";

/// A catalog that was read out of an image, with the documents that were met first there.
pub(super) struct ImageReading {
    pub(super) catalog: Result<ReadCatalog, SourceError>,
    pub(super) found: Vec<Found>,
}

/// Reads the catalog of an image.
pub(super) fn read_image(input: &CatalogInput, image: &ImageInput, reader: &LayerReader<'_>) -> ImageReading {
    let mut found = Vec::new();
    let catalog = read_chosen(input, image, reader, &mut found);
    let catalog = catalog.map_err(|cause| SourceError::Store { path: input.whole_place(), cause });
    ImageReading { catalog, found }
}

fn read_chosen(
    input: &CatalogInput,
    image: &ImageInput,
    reader: &LayerReader<'_>,
    found: &mut Vec<Found>,
) -> Result<ReadCatalog, StoreError> {
    let CatalogOf { chosen, directory, command } = catalog_of(image, &image.digest)?;
    let identity = image.identity.clone();
    let at = SourceRef::input(input.name.clone()).in_image(identity.clone());
    let main = read_instance(image, &chosen.manifest, (&directory, &command), reader, found);
    let mut catalog = ReadCatalog {
        input: input.clone(),
        image: identity,
        files: main.files,
        skipped: main.skipped,
        faults: main.faults,
        notes: Vec::new(),
        bytes: main.bytes,
    };
    if main.is_rebuilt {
        let finding = Finding::new(codes::mirror::REBUILT_CATALOG, Subject::catalog(input.name.clone())).at(&at);
        catalog.notes.push(finding.with("directory", &directory));
    }
    for other in differing(image, &chosen, &catalog.files, reader, found) {
        let finding = Finding::new(codes::mirror::INSTANCES_DIFFER, Subject::catalog(input.name.clone())).at(&at);
        let finding = finding
            .with("one", platform_name(chosen.platform.as_ref()))
            .with("other", &other.0)
            .with("difference", &other.1);
        catalog.notes.push(finding);
    }
    Ok(catalog)
}

/// The image to read.
struct CatalogOf {
    chosen: Chosen,
    /// The directory of the catalog that its label names.
    directory: String,
    /// What it runs.
    command: Vec<String>,
}

fn catalog_of(image: &ImageInput, digest: &ContentDigest) -> Result<CatalogOf, StoreError> {
    let described = describe(&*image.store, image.repository.as_deref(), None, digest, &image.platform)?;
    let refused = |what: String| Err(StoreError::new(StoreErrorKind::Bad, what));
    match described.kind {
        ImageKind::Catalog { directory } => {
            let configuration = described.configuration.unwrap_or_default();
            let command = [configuration.entrypoint, configuration.command].concat();
            Ok(CatalogOf { chosen: described.chosen, directory, command })
        }
        ImageKind::SqliteCatalog => refused(
            "it is a catalog with an SQLite database, a form that OLM gave up, and cannot be read; ask its publisher for \
             a file-based one"
                .to_owned(),
        ),
        other => refused(format!("it is no catalog but an image of the kind {}: no label names a catalog", other.name())),
    }
}

/// What one instance of a catalog shows.
#[derive(Default)]
struct Instance {
    files: Vec<ReadFile>,
    skipped: Vec<SkippedFile>,
    faults: Vec<FileFault>,
    bytes: u64,
    is_rebuilt: bool,
}

fn read_instance(
    image: &ImageInput,
    manifest: &ImageManifest,
    (directory, command): (&str, &[String]),
    reader: &LayerReader<'_>,
    found: &mut Vec<Found>,
) -> Instance {
    let mut instance = Instance::default();
    let read = |wanted: &Wanted| {
        instance.faults.clear();
        Ok::<_, Infallible>(read_layers(image, manifest, wanted, reader, found, &mut instance.faults))
    };
    let unpacked = unpack(Wanted::new([directory, REBUILT]), |layer: &Arc<LayerDocuments>| &layer.entries, read);
    let Ok((layers, tree)) = unpacked;
    let added =
        layers.last().into_iter().flat_map(|layer| layer.entries.entries.iter().map(|entry| entry.path.as_str()));
    let before = layers.len().checked_sub(2).and_then(|position| layers.get(position));
    let was_taken_away = before.is_some_and(|layer| layer.entries.whiteouts.iter().any(|path| path == REBUILT));
    let rebuilt = rebuilt_catalog_directory(directory, added, was_taken_away, command);
    instance.is_rebuilt = rebuilt.is_some();
    instance.take_visible(rebuilt.unwrap_or(directory), &tree, &layers);
    instance
}

fn read_layers(
    image: &ImageInput,
    manifest: &ImageManifest,
    wanted: &Wanted,
    reader: &LayerReader<'_>,
    found: &mut Vec<Found>,
    faults: &mut Vec<FileFault>,
) -> Vec<Arc<LayerDocuments>> {
    let read: Vec<_> =
        manifest.layers.par_iter().with_max_len(1).map(|layer| reader.read(image, layer, wanted)).collect();
    let layers = read.into_iter().zip(&manifest.layers).map(|(read, layer)| match read {
        Ok(read) => {
            found.extend(read.found);
            read.documents
        }
        Err(error) => {
            let kind = match error.kind {
                StoreErrorKind::Limit => FileFaultKind::Limit,
                _ => FileFaultKind::Unreadable,
            };
            faults.push(FileFault { path: layer.digest.to_string(), kind, reason: error.what });
            Arc::default()
        }
    });
    layers.collect()
}

impl Instance {
    /// Takes over what is visible below a directory, and leaves out what its ignore files name.
    fn take_visible(&mut self, directory: &str, tree: &ImageTree, layers: &[Arc<LayerDocuments>]) {
        self.faults.extend(tree.faults.iter().cloned());
        let visible = match tree.below(directory) {
            Ok(visible) => visible,
            Err(fault) => return self.faults.push(fault),
        };
        self.faults.extend(visible.faults);
        let visible = visible.files;
        let mut rules = IgnoreRules::default();
        for (path, file) in &visible {
            let text = layers.get(file.layer).and_then(|layer| layer.ignores.get(&file.entry));
            if let Some(text) = text {
                let place = path.rsplit_once('/').map_or("", |(directory, _)| directory);
                rules.add(place, text);
            }
        }
        for (relative, file) in visible {
            if relative.rsplit('/').next() == Some(crate::source::IGNORE_FILE) {
                continue;
            }
            let path = format!("{directory}/{relative}");
            if rules.ignores(&relative) {
                self.skipped.push(SkippedFile { path, reason: "an .indexignore names it".to_owned() });
                continue;
            }
            let documents = layers.get(file.layer).and_then(|layer| layer.files.get(&file.entry));
            let documents = documents.cloned().unwrap_or_default();
            self.bytes += documents.bytes;
            self.files.push(ReadFile::new(path, documents));
        }
    }
}

/// The other instances of an index that show another catalog: platform and what differs. Instances that are absent on
/// purpose are not looked at, and one that cannot be read is told as differing, since it is not known to be the same.
fn differing(
    image: &ImageInput,
    chosen: &Chosen,
    files: &[ReadFile],
    reader: &LayerReader<'_>,
    found: &mut Vec<Found>,
) -> Vec<(String, String)> {
    let mut differing = Vec::new();
    let mut compared: BTreeSet<&ContentDigest> = BTreeSet::from([&chosen.digest]);
    for instance in &chosen.instances {
        if !matches!(instance.presence, Presence::Present { .. }) || !compared.insert(&instance.digest) {
            continue;
        }
        let platform = platform_name(instance.platform.as_ref());
        match catalog_of(image, &instance.digest) {
            Err(error) => differing.push((platform, error.what)),
            Ok(CatalogOf { chosen: other, directory, command }) => {
                let other = read_instance(image, &other.manifest, (&directory, &command), reader, found);
                differing.extend(difference(files, &other).map(|difference| (platform, difference)));
            }
        }
    }
    differing
}

fn platform_name(platform: Option<&Platform>) -> String {
    platform.map_or_else(|| "a platform that is not stated".to_owned(), Platform::to_string)
}

fn difference(files: &[ReadFile], other: &Instance) -> Option<String> {
    if let Some(fault) = other.faults.first() {
        return Some(format!("{} cannot be read: {}", fault.path, fault.reason));
    }
    let content = |file: &ReadFile| (file.path.clone(), file.documents.iter().map(|(key, _)| *key).collect::<Vec<_>>());
    let one: BTreeMap<_, _> = files.iter().map(content).collect();
    let two: BTreeMap<_, _> = other.files.iter().map(content).collect();
    let paths: BTreeSet<_> = one.keys().chain(two.keys()).collect();
    let first = paths.into_iter().find(|path| one.get(*path) != two.get(*path))?;
    Some(format!("{first} is not the same"))
}
