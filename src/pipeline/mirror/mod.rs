//! Reads mirrors: what lies in them, and what catalogs and payloads lack there.
//!
//! Stores are read here and judged in `mirror`. Images go over the threads; what comes of them is put in order before anybody
//! sees it. Cost: one manifest for each instance of an image, one look at each blob; every byte where that is asked for.

mod answers;
mod inspect;
mod rules;
mod signatures;
mod stock;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::guard::guarded;
use super::work::Observer;
use crate::finding::{ContentDigest, Subject};
use crate::mirror::facts::{Condition, ImageFacts};
use crate::mirror::inventory::{Content, RootFacts, StoreFacts};
use crate::mirror::judge::{Question, Stock, judge};
use crate::mirror::missing::{Answer, Group};
use crate::mirror::rules::MirrorRules;
use crate::source::image::Platform;
use crate::source::store::{Root, RootContent, Store, StoreError};
use crate::source::{FileFault, FileFaultKind};

pub use answers::{
    InventoryAnswer, MissingAnswer, MissingQuestion, OpenedMirrors, inventory_answer, missing_answer, release_groups,
};
pub use inspect::Closeness;
pub use rules::{ReadRules, read_rules};
pub use signatures::{SignatureFile, signature_files};

use inspect::Inspector;
use stock::StoreStock;

/// An image of a store: repository and digest.
type ImageKey = (Option<String>, ContentDigest);

/// Reads what lies in stores, each in the given order; must run on the threads of a context. Where not even the list of a
/// store can be had, that is a fault of it.
pub fn read_stores(stores: &[Arc<dyn Store>], closeness: Closeness, observer: &dyn Observer) -> Vec<StoreFacts> {
    stores.iter().map(|store| read_store(&**store, closeness, observer)).collect()
}

fn read_store(store: &dyn Store, closeness: Closeness, observer: &dyn Observer) -> StoreFacts {
    let listed = store.roots();
    // A registry finds its faults while it is listed.
    let mut faults = store.faults().to_vec();
    let roots = listed.unwrap_or_else(|error| {
        faults.push(list_fault(&error));
        Vec::new()
    });
    let mut wanted: BTreeMap<ImageKey, Option<&str>> = BTreeMap::new();
    for root in &roots {
        if let Some(key) = key(root) {
            let tag = wanted.entry(key).or_default();
            *tag = tag.or(root.tag.as_deref());
        }
    }
    observer.begin("looking at images", u64::try_from(wanted.len()).unwrap_or(u64::MAX));
    let inspector = Inspector::new(store, closeness);
    let images: BTreeMap<ImageKey, Arc<ImageFacts>> = wanted
        .into_par_iter()
        .map(|(key, tag)| {
            let facts = inspected(&inspector, key.0.as_deref(), tag, &key.1);
            observer.advance(1);
            (key, facts)
        })
        .collect();
    let roots = roots.into_iter().filter_map(|root| root_facts(root, &images)).collect();
    StoreFacts {
        shape: store.shape().name(),
        place: shown(&store.place()),
        is_provable: store.is_provable(),
        roots,
        faults,
    }
}

fn key(root: &Root) -> Option<ImageKey> {
    match &root.content {
        RootContent::Image(digest) => Some((root.repository.clone(), digest.clone())),
        RootContent::CatalogDirectory(_) | RootContent::PayloadDirectory(_) => None,
    }
}

fn root_facts(root: Root, images: &BTreeMap<ImageKey, Arc<ImageFacts>>) -> Option<RootFacts> {
    let content = match key(&root) {
        Some(key) => Content::Image(images.get(&key)?.clone()),
        None => match &root.content {
            RootContent::PayloadDirectory(path) => Content::PayloadDirectory(path.clone()),
            RootContent::CatalogDirectory(path) => Content::CatalogDirectory(path.clone()),
            RootContent::Image(_) => return None,
        },
    };
    let Root { repository, tag, identity, notes, .. } = root;
    Some(RootFacts { repository, tag, identity, content, notes })
}

/// Looks at an image; a fault of this program there is a part that could not be read.
fn inspected(
    inspector: &Inspector<'_>,
    repository: Option<&str>,
    tag: Option<&str>,
    digest: &ContentDigest,
) -> Arc<ImageFacts> {
    let look = || inspector.image(repository, tag, digest);
    let facts = guarded(&format!("the image {digest}"), Subject::default(), look)
        .unwrap_or_else(|panic| ImageFacts::bare(digest.clone(), None, Condition::Unreadable(panic.message())));
    Arc::new(facts)
}

fn list_fault(error: &StoreError) -> FileFault {
    FileFault { path: String::new(), kind: FileFaultKind::Unreadable, reason: error.what.clone() }
}

/// Where a store lies, without the directories above it: reports leave the site, and the way to its disks should not.
fn shown(place: &str) -> String {
    if place.starts_with("registry:") {
        return place.to_owned();
    }
    let mut parts = place.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    parts.next_back().unwrap_or(place).to_owned()
}

/// What a search for missing images asks.
pub struct MissingRequest<'r> {
    /// Bundles and payloads with the images that they need.
    pub groups: Vec<Group>,
    /// The mirrors.
    pub stores: &'r [Arc<dyn Store>],
    /// Where the cluster looks; `None` where no rules are known.
    pub rules: Option<&'r MirrorRules>,
    /// The machines that want the images.
    pub wanted: &'r [Platform],
    /// Whether every blob is read.
    pub verifies: bool,
}

/// Says of every image that something needs whether the mirrors have it, with what is wrong with the mirrors themselves; must
/// run on the threads of a context.
pub fn missing(request: MissingRequest<'_>, observer: &dyn Observer) -> (Answer, Vec<FileFault>) {
    let closeness = Closeness { verifies: request.verifies, reads_labels: false };
    let mut faults = Vec::new();
    let mut opened = Vec::new();
    for store in request.stores {
        match StoreStock::new(&**store, closeness) {
            Ok(stock) => opened.push(stock),
            Err(error) => faults.push(list_fault(&error)),
        }
        faults.extend(store.faults().iter().cloned());
    }
    let stocks: Vec<&dyn Stock> = opened.iter().map(|stock| stock as &dyn Stock).collect();
    let question = Question { rules: request.rules, stocks: &stocks, wanted: request.wanted };
    let references = Answer::references(&request.groups);
    observer.begin("looking for images", u64::try_from(references.len()).unwrap_or(u64::MAX));
    let judgements = references
        .into_par_iter()
        .map(|reference| {
            let judgement = judge(&reference, &question);
            observer.advance(1);
            (reference, judgement)
        })
        .collect();
    faults.extend(opened.into_iter().flat_map(StoreStock::faults));
    (Answer { groups: request.groups, judgements }, faults)
}

#[cfg(test)]
mod tests;
