//! Cuts a file that streams by into documents, and decodes them behind the reader.
//!
//! A file is read in windows that end between documents. Where several files come out of one stream, as out of a layer of
//! an image, windows are decoded on other threads while the stream goes on; a window that would be one too many is decoded
//! at once, so that memory stays bounded and one thread is enough. Cost: one read and one digest of every byte, one decode
//! of every distinct document.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::Scope;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::facts::{FactStore, Found};
use super::work::{Observer, RunContext};
use crate::codec;
use crate::finding::Digest;
use crate::source::Windows;

/// Bytes that a window of a layer aims at: small enough that the threads keep busy beside the one that decompresses.
const WINDOW: usize = 2 << 20;
/// Windows of a layer that wait for a thread at most.
const WAITING: usize = 8;

/// What one file consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileDocuments {
    /// Its documents: key and first line.
    pub(super) documents: Vec<(Digest, u32)>,
    /// Why the rest of it is no document: line and reason.
    pub(super) fault: Option<(u32, String)>,
    pub(super) bytes: u64,
}

/// Files that come out of one stream.
pub(super) struct StreamedFiles<'r> {
    store: &'r FactStore<'r>,
    context: &'r RunContext,
    observer: &'r dyn Observer,
    waiting: AtomicUsize,
    decoded: Mutex<Vec<DecodedWindow>>,
}

/// One window of one file.
struct DecodedWindow {
    file: usize,
    number: usize,
    documents: Vec<(Digest, u32)>,
    fault: Option<(u32, String)>,
    bytes: u64,
    found: Vec<Found>,
}

/// A window with the documents that it was cut into.
struct CutWindow {
    file: usize,
    number: usize,
    bytes: Vec<u8>,
    documents: Vec<CutDocument>,
    fault: Option<(u32, String)>,
}

/// One document by its place in the window.
struct CutDocument {
    start: usize,
    length: usize,
    line: u32,
    format: codec::Format,
}

impl CutWindow {
    fn document(&self, cut: &CutDocument) -> codec::Document<'_> {
        let bytes = self.bytes.get(cut.start..).and_then(|rest| rest.get(..cut.length)).unwrap_or_default();
        codec::Document { bytes, line: cut.line, format: cut.format }
    }
}

impl<'r> StreamedFiles<'r> {
    pub(super) fn new(store: &'r FactStore<'r>, context: &'r RunContext, observer: &'r dyn Observer) -> Self {
        Self { store, context, observer, waiting: AtomicUsize::new(0), decoded: Mutex::default() }
    }

    /// Reads the file of this number, and lets the scope's threads decode it.
    ///
    /// # Errors
    /// What reading says; what was read before still counts.
    pub(super) fn read<'s>(&'s self, file: usize, content: impl Read, scope: &Scope<'s>) -> io::Result<()> {
        let document_bytes = u64::try_from(self.context.limits.bytes_per_document).unwrap_or(u64::MAX);
        let file_bytes = self.context.source_limits.file_bytes;
        let mut windows = Windows::new(content, file_bytes, document_bytes, Vec::new()).of_size(WINDOW);
        let mut splitter = codec::Splitter::new(&self.context.limits);
        for number in 0.. {
            let Some(bytes) = windows.next_window()? else { break };
            let window = cut(file, number, bytes, &mut splitter);
            let ends = window.fault.is_some();
            if self.waiting.fetch_add(1, Ordering::Relaxed) < WAITING {
                scope.spawn(move |_| self.decode(&window));
            } else {
                self.decode(&window);
            }
            if ends {
                break;
            }
        }
        Ok(())
    }

    fn decode(&self, window: &CutWindow) {
        let claimed: Vec<(Digest, u32, Option<Found>)> = window
            .documents
            .par_iter()
            .map(|cut| {
                let document = window.document(cut);
                let key = FactStore::key(&document);
                (key, cut.line, self.store.claim(key, &document))
            })
            .collect();
        let bytes = u64::try_from(window.bytes.len()).unwrap_or(u64::MAX);
        let mut decoded = DecodedWindow {
            file: window.file,
            number: window.number,
            documents: Vec::with_capacity(claimed.len()),
            fault: window.fault.clone(),
            bytes,
            found: Vec::new(),
        };
        for (key, line, first) in claimed {
            decoded.documents.push((key, line));
            decoded.found.extend(first);
        }
        self.observer.advance(bytes);
        self.decoded.lock().unwrap_or_else(PoisonError::into_inner).push(decoded);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// The files by their numbers, and the documents that this stream met first. The scope must have ended.
    pub(super) fn finish(self) -> (BTreeMap<usize, FileDocuments>, Vec<Found>) {
        let mut windows = self.decoded.into_inner().unwrap_or_else(PoisonError::into_inner);
        windows.sort_by_key(|window| (window.file, window.number));
        let mut files: BTreeMap<usize, FileDocuments> = BTreeMap::new();
        let mut found = Vec::new();
        for window in windows {
            let file = files.entry(window.file).or_default();
            file.documents.extend(window.documents);
            file.fault = window.fault;
            file.bytes += window.bytes;
            found.extend(window.found);
        }
        (files, found)
    }
}

fn cut(file: usize, number: usize, bytes: Vec<u8>, splitter: &mut codec::Splitter<'_>) -> CutWindow {
    let split = splitter.cut(&bytes);
    let start_of_window = bytes.as_ptr().addr();
    let documents = split.documents.iter().map(|document| CutDocument {
        start: document.bytes.as_ptr().addr().saturating_sub(start_of_window),
        length: document.bytes.len(),
        line: document.line,
        format: document.format,
    });
    let documents = documents.collect();
    let fault = split.fault.map(|fault| (fault.line, fault.message));
    CutWindow { file, number, bytes, documents, fault }
}
