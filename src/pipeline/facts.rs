//! Facts of documents by digest: decoded once in a run, and kept between runs.
//!
//! The key is the digest of the document's bytes and its format; the stage's version changes with everything that decides
//! what is made of them. A value that does not parse counts as absent. Cost: one parse of JSON for each document that an
//! earlier run decoded.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::{Cache, Pack, Stage};
use crate::catalog;
use crate::catalog::facts::{DecodedDocument, Outcome};
use crate::codec::{Document, Format, Limits};
use crate::finding::{Digest, Subject};

use super::guard::guarded;

/// Facts of catalog documents.
pub const FACTS: Stage = Stage { name: "facts", version: 2 };

const SHARDS: usize = 64;
/// Documents of earlier runs are kept while the pack stays below this many bytes; then only those of the last run are.
const KEPT_BYTES: usize = 256 << 20;

/// The facts of one run.
pub(super) struct FactStore<'c> {
    cache: &'c Cache,
    known: Pack,
    claimed: Vec<Mutex<HashSet<Digest>>>,
    limits: &'c Limits,
}

/// A document that this run met first at this place.
pub(super) struct Found {
    pub(super) key: Digest,
    pub(super) document: Arc<DecodedDocument>,
    /// The bytes to keep, where no earlier run kept them.
    pub(super) fresh: Option<Vec<u8>>,
    /// A fault of this program while it decoded.
    pub(super) panic: Option<crate::finding::Finding>,
}

impl<'c> FactStore<'c> {
    pub(super) fn open(cache: &'c Cache, limits: &'c Limits) -> Self {
        let claimed = (0..SHARDS).map(|_| Mutex::new(HashSet::new())).collect();
        Self { cache, known: cache.load_pack(FACTS), claimed, limits }
    }

    /// The key of a document.
    pub(super) fn key(document: &Document<'_>) -> Digest {
        let format: &[u8] = match document.format {
            Format::Json => b"json",
            Format::Yaml => b"yaml",
        };
        Digest::of_parts([format, document.bytes])
    }

    /// The kept facts of documents whose bytes are not read again, for their first caller only; `None` where those of a
    /// single one are not at hand.
    pub(super) fn recall(&self, keys: impl Iterator<Item = Digest>) -> Option<Vec<Found>> {
        let kept = keys.map(|key| {
            let document = serde_json::from_slice::<DecodedDocument>(self.known.get(&key)?).ok()?;
            Some(Found { key, document: Arc::new(document), fresh: None, panic: None })
        });
        let kept: Vec<Found> = kept.collect::<Option<_>>()?;
        Some(kept.into_iter().filter(|found| self.is_first(found.key)).collect())
    }

    fn is_first(&self, key: Digest) -> bool {
        let shard = usize::from(key.as_bytes().first().copied().unwrap_or(0)) % SHARDS;
        let claimed = self.claimed.get(shard);
        claimed.is_some_and(|claimed| claimed.lock().unwrap_or_else(PoisonError::into_inner).insert(key))
    }

    /// The facts of a document, for the first caller only; later ones find them under the key.
    pub(super) fn claim(&self, key: Digest, document: &Document<'_>) -> Option<Found> {
        if !self.is_first(key) {
            return None;
        }
        let kept = self.known.get(&key).and_then(|bytes| serde_json::from_slice::<DecodedDocument>(bytes).ok());
        if let Some(kept) = kept {
            return Some(Found { key, document: Arc::new(kept), fresh: None, panic: None });
        }
        let decode = || catalog::document(document.bytes, document.format, self.limits);
        match guarded("a document", Subject::default(), decode) {
            Ok(decoded) => {
                let fresh = serde_json::to_vec(&decoded).ok();
                Some(Found { key, document: Arc::new(decoded), fresh, panic: None })
            }
            Err(finding) => {
                let outcome = Outcome::Fault { line: 1, reason: "skipstone failed on this document".to_owned() };
                let document = DecodedDocument { outcome, notes: Vec::new() };
                Some(Found { key, document: Arc::new(document), fresh: None, panic: Some(*finding) })
            }
        }
    }

    /// Keeps what this run decoded, beside what earlier ones did.
    pub(super) fn keep(&self, fresh: &HashMap<Digest, Vec<u8>>, used: impl Fn(&Digest) -> bool) {
        if fresh.is_empty() {
            return;
        }
        let before: usize = self.known.iter().map(|(_, bytes)| bytes.len()).sum();
        let roomy = before < KEPT_BYTES;
        let mut entries: Vec<(Digest, &[u8])> = self.known.iter().filter(|(key, _)| roomy || used(key)).collect();
        #[expect(clippy::iter_over_hash_type, reason = "the pack is sorted by key when it is written")]
        for (key, bytes) in fresh {
            entries.push((*key, bytes));
        }
        self.cache.store_pack(FACTS, entries);
    }
}
