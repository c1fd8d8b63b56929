//! Layers of catalog images: read once, kept by digest.
//!
//! What a layer holds of a catalog does not depend on the layers below it, so that layers go over the threads one by one and
//! a kept one is never read again: the key is the digest of the layer, the wanted paths and, where the file system tells,
//! size and time of the file that holds it. A layer whose end does not match its digest or size gives nothing, and neither
//! is kept. Cost: one decompression of each layer that is not known; nothing of a known one.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::documents::{FileDocuments, StreamedFiles};
use super::facts::{FactStore, Found};
use super::input::ImageInput;
use super::unpack::{stamp_text, walk};
use super::work::{Observer, RunContext};
use crate::cache::{Cache, Stage};
use crate::finding::Digest;
use crate::source::image::{Descriptor, LayerEntries, Wanted};
use crate::source::store::{Presence, StoreError};
use crate::source::tree::Stamp;
use crate::source::{IGNORE_FILE, SourceLimits};

/// What layers hold of catalogs, by layer.
pub const LAYERS: Stage = Stage { name: "layers", version: 2 };

/// What a layer holds of a catalog.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct LayerDocuments {
    pub(super) entries: LayerEntries,
    /// Files by the number of their entry.
    pub(super) files: BTreeMap<usize, FileDocuments>,
    /// The texts of ignore files by the number of their entry.
    pub(super) ignores: BTreeMap<usize, String>,
}

/// Reads layers for one run.
pub(super) struct LayerReader<'r> {
    pub(super) store: &'r FactStore<'r>,
    pub(super) cache: &'r Cache,
    pub(super) context: &'r RunContext,
    pub(super) observer: &'r dyn Observer,
    /// Layers that were decompressed.
    pub(super) decompressed: AtomicUsize,
}

/// What came of one layer.
pub(super) struct ReadLayer {
    pub(super) documents: Arc<LayerDocuments>,
    /// Documents that were met first here.
    pub(super) found: Vec<Found>,
}

impl LayerReader<'_> {
    /// What a layer of an image holds under the wanted paths.
    pub(super) fn read(
        &self,
        image: &ImageInput,
        layer: &Descriptor,
        wanted: &Wanted,
    ) -> Result<ReadLayer, StoreError> {
        let repository = image.repository.as_deref();
        let presence = image.store.presence(repository, &layer.digest);
        let stamp = match presence {
            Presence::Present { stamp, .. } => stamp,
            // Reading it says why, in the store's own words.
            _ => None,
        };
        let key = key(layer, stamp, wanted);
        if matches!(presence, Presence::Present { .. })
            && let Some(known) = self.known(&key)
        {
            self.observer.advance(layer.bytes);
            return Ok(known);
        }
        let read = self.decompress(image, layer, wanted)?;
        if let Ok(bytes) = serde_json::to_vec(&*read.documents) {
            self.cache.put_object(LAYERS, &key, &bytes);
        }
        Ok(read)
    }

    /// A kept layer, where the facts of all its documents are kept, too.
    fn known(&self, key: &Digest) -> Option<ReadLayer> {
        let documents: LayerDocuments = serde_json::from_slice(&self.cache.get_object(LAYERS, key)?).ok()?;
        let files = documents.files.values();
        let found = self.store.recall(files.flat_map(|file| file.documents.iter().map(|(key, _)| *key)))?;
        Some(ReadLayer { documents: Arc::new(documents), found })
    }

    fn decompress(&self, image: &ImageInput, layer: &Descriptor, wanted: &Wanted) -> Result<ReadLayer, StoreError> {
        self.decompressed.fetch_add(1, Ordering::Relaxed);
        let streamed = StreamedFiles::new(self.store, self.context, self.observer);
        let mut ignores = BTreeMap::new();
        let walked = rayon::in_place_scope(|scope| {
            walk(image, layer, wanted, &mut |number, path, _bytes, file| {
                if path.rsplit('/').next() == Some(IGNORE_FILE) {
                    ignores.insert(number, ignore_text(file, &self.context.source_limits)?);
                    return Ok(());
                }
                streamed.read(number, file, scope)
            })
        });
        let (files, found) = streamed.finish();
        Ok(ReadLayer { documents: Arc::new(LayerDocuments { entries: walked?, files, ignores }), found })
    }
}

fn ignore_text(file: &mut dyn Read, limits: &SourceLimits) -> std::io::Result<String> {
    let mut text = Vec::new();
    file.take(limits.ignore_bytes).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn key(layer: &Descriptor, stamp: Option<Stamp>, wanted: &Wanted) -> Digest {
    let parts = [layer.digest.to_string(), stamp_text(stamp), wanted.paths().join("\0")];
    Digest::of_parts(parts.iter().map(String::as_bytes))
}
