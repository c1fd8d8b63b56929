//! Reads catalogs: walks them, cuts their files into documents, and decodes each distinct document once.
//!
//! Files go largest first over the threads, and inside a window of a file its documents do; values are dropped as soon as
//! their facts are made. Cost: one read and one digest of every byte, one decode of every distinct document.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use rayon::prelude::*;

use super::documents::FileDocuments;
use super::facts::{FactStore, Found};
use super::input::{CatalogContent, CatalogInput};
use super::layers::LayerReader;
use super::read_image::{ImageReading, read_image};
use super::work::{Observer, RunContext};
use crate::cache::Cache;
use crate::catalog::facts::DecodedDocument;
use crate::codec;
use crate::finding::{ContentDigest, Digest, Finding, SourceRef, Subject, codes};
use crate::source::tree::Content;
use crate::source::{
    CatalogTree, FileFault, FileFaultKind, SkippedFile, SourceError, TreeFile, Windows, walk_catalog, walk_catalog_tree,
};

/// Everything that was read of several catalogs.
pub struct Reading {
    /// Each input, in the given order, or why nothing of it could be read.
    pub catalogs: Vec<Result<ReadCatalog, SourceError>>,
    /// Every distinct document, by its key.
    pub documents: HashMap<Digest, Arc<DecodedDocument>>,
    /// Faults of this program.
    pub panics: Vec<Finding>,
    /// Documents that were decoded in this run, and not taken from the cache.
    pub decoded: usize,
    /// Layers of images that were decompressed in this run, and not taken from the cache.
    pub decompressed: usize,
}

/// What was read of one catalog.
pub struct ReadCatalog {
    /// The input.
    pub input: CatalogInput,
    /// The digest of the image that it was read from, where it is one and the digest is known.
    pub image: Option<ContentDigest>,
    /// Its files with their documents, by path.
    pub files: Vec<ReadFile>,
    /// What a rule left out.
    pub skipped: Vec<SkippedFile>,
    /// What could not be read, and what opm could not read either.
    pub faults: Vec<FileFault>,
    /// What was noticed about the image itself.
    pub notes: Vec<Finding>,
    /// Bytes read.
    pub bytes: u64,
}

/// One file.
pub struct ReadFile {
    /// Path relative to the catalog.
    pub path: Arc<str>,
    /// Its documents: key and first line.
    pub documents: Vec<(Digest, u32)>,
    /// Why the rest of it is no document: line and reason.
    pub fault: Option<(u32, String)>,
    bytes: u64,
}

impl ReadFile {
    pub(super) fn new(path: impl Into<Arc<str>>, documents: FileDocuments) -> Self {
        let FileDocuments { documents, fault, bytes } = documents;
        Self { path: path.into(), documents, fault, bytes }
    }
}

impl ReadCatalog {
    /// A catalog of which the files are known, and not yet read.
    fn of_tree(input: &CatalogInput, tree: CatalogTree) -> Self {
        let CatalogTree { skipped, faults, .. } = tree;
        let input = input.clone();
        Self { input, image: None, files: Vec::new(), skipped, faults, notes: Vec::new(), bytes: 0 }
    }

    /// A file of this catalog as a place.
    pub(super) fn place(&self, path: impl Into<Arc<str>>) -> SourceRef {
        SourceRef::file(self.input.name.clone(), path).in_image(self.image.clone())
    }

    /// Digest over paths, documents and the lines that they begin in.
    pub fn digest(&self) -> Digest {
        let mut parts: Vec<Vec<u8>> = Vec::new();
        for file in &self.files {
            parts.push(file.path.as_bytes().to_vec());
            for (key, line) in &file.documents {
                parts.push(key.as_bytes().to_vec());
                parts.push(line.to_le_bytes().to_vec());
            }
            parts.extend(file.fault.iter().map(|(line, reason)| format!("{line} {reason}").into_bytes()));
        }
        Digest::of_parts(parts.iter().map(Vec::as_slice))
    }

    /// Number of documents.
    pub fn documents(&self) -> usize {
        self.files.iter().map(|file| file.documents.len()).sum()
    }

    /// What the files themselves break: rests that are no documents, and what could not be read.
    pub fn findings(&self) -> Vec<Finding> {
        let name = &self.input.name;
        let subject = || Subject::catalog(name.clone());
        let rests = self.files.iter().filter_map(|file| {
            let (line, reason) = file.fault.as_ref()?;
            let number = u32::try_from(file.documents.len() + 1).unwrap_or(u32::MAX);
            let at = self.place(file.path.clone()).document(number, *line);
            Some(Finding::new(codes::DECODE_ERROR, subject()).at(&at).with("reason", reason))
        });
        let faults = self.faults.iter().map(|fault| {
            let at = self.place(&*fault.path);
            let code = match fault.kind {
                FileFaultKind::Catalog => codes::DECODE_ERROR,
                FileFaultKind::Unreadable => codes::INPUT_UNREADABLE,
                FileFaultKind::Limit => codes::INPUT_LIMIT,
            };
            Finding::new(code, subject()).at(&at).with("path", &fault.path).with("reason", &fault.reason)
        });
        rests.chain(faults).chain(self.notes.iter().cloned()).collect()
    }

    /// Why nothing at all of the input could be read, where that is so.
    pub fn blank(&self) -> Option<String> {
        let reasons = self.faults.iter().map(|fault| format!("{}: {}", fault.path, fault.reason));
        let nothing = self.files.is_empty() && self.is_incomplete();
        nothing.then(|| reasons.collect::<Vec<_>>().join("; "))
    }

    /// Whether a part of the input could not be read, so that the answer is not the whole truth.
    pub fn is_incomplete(&self) -> bool {
        self.faults.iter().any(|fault| fault.kind != FileFaultKind::Catalog)
    }
}

/// What an input turned out to be.
enum Opened {
    Files(CatalogTree),
    Image(Box<ImageReading>),
}

/// Reads catalogs; must run on the threads of the context.
pub fn read_catalogs(inputs: &[CatalogInput], cache: &Cache, context: &RunContext, observer: &dyn Observer) -> Reading {
    let store = FactStore::open(cache, &context.limits);
    let reader = LayerReader { store: &store, cache, context, observer, decompressed: AtomicUsize::new(0) };
    observer.begin("reading", 0);
    let opened: Vec<Result<Opened, SourceError>> =
        inputs.par_iter().with_max_len(1).map(|input| open(input, &reader)).collect();
    let mut work: Vec<(usize, &TreeFile)> = Vec::new();
    for (index, opened) in opened.iter().enumerate() {
        if let Ok(Opened::Files(tree)) = opened {
            work.extend(tree.files.iter().map(|file| (index, file)));
        }
    }
    work.sort_by(|(one_index, one), (other_index, other)| {
        other.bytes.cmp(&one.bytes).then_with(|| (one_index, &one.path).cmp(&(other_index, &other.path)))
    });
    observer.begin("reading", work.iter().map(|(_, file)| file.bytes).sum());
    let read: Vec<(usize, Outcome)> = work
        .into_par_iter()
        .with_max_len(1)
        .map(|(index, file)| (index, read_file(inputs.get(index), file, &store, context, observer)))
        .collect();
    let decompressed = reader.decompressed.into_inner();
    Collected::new(opened, inputs, decompressed).fill(read, &store)
}

fn open(input: &CatalogInput, reader: &LayerReader<'_>) -> Result<Opened, SourceError> {
    let limits = &reader.context.source_limits;
    match &input.content {
        CatalogContent::Directory => walk_catalog(&input.place, limits).map(Opened::Files),
        CatalogContent::Tree { tree, directory, .. } => {
            Ok(Opened::Files(walk_catalog_tree(&**tree, directory, limits)))
        }
        CatalogContent::Unreadable(reason) => {
            Err(SourceError::Unsuitable { path: input.place.clone(), what: reason.clone() })
        }
        CatalogContent::Image(image) => Ok(Opened::Image(Box::new(read_image(input, image, reader)))),
    }
}

/// Opens a file of a catalog, in the file system or in the tree that holds it.
fn open_file(input: Option<&CatalogInput>, file: &TreeFile) -> std::io::Result<Content> {
    match input.map(|input| &input.content) {
        Some(CatalogContent::Tree { tree, .. }) => tree.open(&file.place.to_string_lossy()),
        _ => file.open(),
    }
}

/// The largest buffer that is kept for the next file.
const KEPT_BUFFER: usize = 64 << 20;

thread_local! {
    /// Buffers of files that this thread is done with; a thread that waits for others can have several.
    static BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// What came of one file: what was read of it, and why no more was. Documents that it claimed count even then: another file
/// may hold the same ones, and does not decode them again.
#[derive(Default)]
struct Outcome {
    file: Option<ReadFile>,
    found: Vec<Found>,
    fault: Option<FileFault>,
}

fn read_file(
    input: Option<&CatalogInput>,
    file: &TreeFile,
    store: &FactStore<'_>,
    context: &RunContext,
    observer: &dyn Observer,
) -> Outcome {
    let mut outcome = Outcome::default();
    let read = open_file(input, file)
        .and_then(|content| read_windows(content, &file.path, store, context, observer, &mut outcome));
    if let Err(error) = read {
        let kind = match error.kind() {
            ErrorKind::FileTooLarge => FileFaultKind::Limit,
            _ => FileFaultKind::Unreadable,
        };
        outcome.fault = Some(FileFault { path: file.path.clone(), kind, reason: error.to_string() });
    }
    outcome
}

fn read_windows(
    content: impl std::io::Read,
    path: &str,
    store: &FactStore<'_>,
    context: &RunContext,
    observer: &dyn Observer,
    outcome: &mut Outcome,
) -> std::io::Result<()> {
    let document_bytes = u64::try_from(context.limits.bytes_per_document).unwrap_or(u64::MAX);
    let buffer = BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_default();
    let mut windows = Windows::new(content, context.source_limits.file_bytes, document_bytes, buffer);
    let mut splitter = codec::Splitter::new(&context.limits);
    while let Some(window) = windows.next_window()? {
        let empty = || ReadFile::new(path, FileDocuments::default());
        let read = outcome.file.get_or_insert_with(empty);
        let split = splitter.cut(&window);
        let mut numbered: Vec<(usize, &codec::Document<'_>)> = split.documents.iter().enumerate().collect();
        numbered.sort_by_key(|(index, document)| (std::cmp::Reverse(document.bytes.len()), *index));
        let mut claimed: Vec<(usize, Digest, Option<Found>)> = numbered
            .into_par_iter()
            .map(|(index, document)| {
                let key = FactStore::key(document);
                (index, key, store.claim(key, document))
            })
            .collect();
        claimed.sort_by_key(|(index, _, _)| *index);
        for ((_, key, first), document) in claimed.into_iter().zip(&split.documents) {
            read.documents.push((key, document.line));
            outcome.found.extend(first);
        }
        let bytes = u64::try_from(window.len()).unwrap_or(u64::MAX);
        read.bytes += bytes;
        observer.advance(bytes);
        read.fault = split.fault.map(|fault| (fault.line, fault.message));
        if window.capacity() <= KEPT_BUFFER {
            BUFFERS.with_borrow_mut(|buffers| buffers.push(window));
        }
        if read.fault.is_some() {
            break;
        }
    }
    Ok(())
}

/// A place without a single file is no catalog, rather than one in which all is well.
fn refuse_empty(catalog: &mut Result<ReadCatalog, SourceError>) {
    if let Ok(read) = catalog
        && read.files.is_empty()
        && read.faults.is_empty()
    {
        let what = "there is no file of a catalog".to_owned();
        *catalog = Err(SourceError::Unsuitable { path: read.input.whole_place(), what });
    }
}

/// Puts what the threads read back under its catalog.
struct Collected {
    reading: Reading,
    fresh: HashMap<Digest, Vec<u8>>,
}

impl Collected {
    fn new(opened: Vec<Result<Opened, SourceError>>, inputs: &[CatalogInput], decompressed: usize) -> Self {
        let reading = Reading {
            catalogs: Vec::with_capacity(inputs.len()),
            documents: HashMap::new(),
            panics: Vec::new(),
            decoded: 0,
            decompressed,
        };
        let mut collected = Self { reading, fresh: HashMap::new() };
        for (opened, input) in opened.into_iter().zip(inputs) {
            let catalog = match opened {
                Err(error) => Err(error),
                Ok(Opened::Files(tree)) => Ok(ReadCatalog::of_tree(input, tree)),
                Ok(Opened::Image(read)) => {
                    collected.add(read.found);
                    read.catalog
                }
            };
            let catalog = catalog.map(|mut catalog| {
                catalog.faults.extend(input.faults.iter().cloned());
                catalog.skipped.extend(input.skipped.iter().cloned());
                catalog
            });
            collected.reading.catalogs.push(catalog);
        }
        collected
    }

    fn fill(mut self, read: Vec<(usize, Outcome)>, store: &FactStore<'_>) -> Reading {
        for (index, outcome) in read {
            let Some(Ok(catalog)) = self.reading.catalogs.get_mut(index) else { continue };
            catalog.bytes += outcome.file.as_ref().map_or(0, |file| file.bytes);
            catalog.files.extend(outcome.file);
            catalog.faults.extend(outcome.fault);
            self.add(outcome.found);
        }
        for catalog in &mut self.reading.catalogs {
            refuse_empty(catalog);
        }
        for catalog in self.reading.catalogs.iter_mut().flatten() {
            catalog.files.sort_by(|one, other| one.path.cmp(&other.path));
            catalog.faults.sort_by(|one, other| one.path.cmp(&other.path));
            catalog.skipped.sort_by(|one, other| one.path.cmp(&other.path));
        }
        let documents = &self.reading.documents;
        store.keep(&self.fresh, |key| documents.contains_key(key));
        self.reading
    }

    fn add(&mut self, found: Vec<Found>) {
        for Found { key, document, fresh, panic } in found {
            self.reading.documents.insert(key, document);
            self.reading.panics.extend(panic);
            if let Some(fresh) = fresh {
                self.reading.decoded += 1;
                self.fresh.insert(key, fresh);
            }
        }
    }
}
