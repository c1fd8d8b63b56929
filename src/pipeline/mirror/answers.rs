//! The answers about mirrors, made in one place: a command and a report give the same bytes for the same question.
//!
//! Cost: that of reading the mirrors, and one verification for each signature of a release and key.

use std::sync::Arc;

use super::signatures::{SignatureFile, read_signatures};
use super::{Closeness, MissingRequest, ReadRules, missing, read_stores, shown};
use crate::finding::{self, Finding};
use crate::mirror::inventory::StoreFacts;
use crate::mirror::missing::{Answer, Group};
use crate::mirror::release_signature::ReleaseSignatures;
use crate::mirror::repair::repairs;
use crate::pipeline::{Observer, ReadRelease};
use crate::report::schema::{InventoryView, MissingView, StoreView};
use crate::report::view;
use crate::source::image::Platform;
use crate::source::signature::KeyRing;
use crate::source::store::{Store, StoreShape};

/// Mirrors that were opened, in the given order, with what was noticed meanwhile.
#[derive(Clone, Default)]
pub struct OpenedMirrors {
    /// Their stores.
    pub stores: Vec<Arc<dyn Store>>,
    /// Files with signatures of releases: those beside the images, and those that were given.
    pub signatures: Vec<SignatureFile>,
    /// What was noticed while they were opened.
    pub findings: Vec<Finding>,
    /// Whether a part could not be opened.
    pub is_incomplete: bool,
}

/// What lies in mirrors.
pub struct InventoryAnswer {
    /// The answer.
    pub view: InventoryView,
    /// Everything that was noticed, as the answer has it.
    pub findings: Vec<Finding>,
    /// What was read.
    pub stores: Vec<StoreFacts>,
    /// Whether a part could not be read.
    pub is_incomplete: bool,
}

/// Tells what lies in mirrors and which of their releases are signed by these keys at an instant; must run on the threads of a
/// context.
pub fn inventory_answer(
    mirrors: &OpenedMirrors,
    keys: &KeyRing,
    verifies: bool,
    now: jiff::Timestamp,
    observer: &dyn Observer,
) -> InventoryAnswer {
    let closeness = Closeness { verifies, reads_labels: true };
    let stores = read_stores(&mirrors.stores, closeness, observer);
    let (found, unread) = read_signatures(&mirrors.signatures);
    let is_incomplete = mirrors.is_incomplete || !unread.is_empty() || stores.iter().any(view::is_incomplete);
    let signatures = ReleaseSignatures::check(&stores, &found, keys, now);
    let faults = stores.iter().flat_map(|store| view::fault_findings(&store.place, &store.faults));
    let mut findings: Vec<Finding> = mirrors.findings.iter().cloned().chain(faults).chain(unread).collect();
    findings.extend(view::part_findings(&stores));
    findings.extend(signatures.findings());
    finding::sort(&mut findings);
    InventoryAnswer { view: view::inventory_view(&stores, &signatures, &findings), findings, stores, is_incomplete }
}

/// What is asked of mirrors that may lack something.
pub struct MissingQuestion<'q> {
    /// Bundles and payloads with the images that they need.
    pub groups: Vec<Group>,
    /// The mirrors.
    pub mirrors: &'q OpenedMirrors,
    /// Where the cluster looks; `None` where no rules were given.
    pub rules: Option<&'q ReadRules>,
    /// The machines that want the images.
    pub wanted: &'q [Platform],
    /// Whether every blob is read.
    pub verifies: bool,
}

/// Payloads with the images that they need: their components, and the payload itself by its digest, where that is known.
pub fn release_groups(releases: &[ReadRelease]) -> Vec<Group> {
    let group = |release: &ReadRelease| {
        let own = release.digest.iter().map(|digest| ("payload".to_owned(), digest.to_string()));
        let components = release.facts.images.iter().map(|image| (image.name.clone(), image.reference.clone()));
        Group::payload(&release.facts.name(&release.stated), own.chain(components))
    };
    releases.iter().map(group).collect()
}

/// What mirrors lack.
pub struct MissingAnswer {
    /// The answer.
    pub view: MissingView,
    /// Everything that was noticed, as the answer has it.
    pub findings: Vec<Finding>,
    /// What was judged.
    pub answer: Answer,
    /// Whether a part could not be read.
    pub is_incomplete: bool,
}

/// Tells what mirrors lack of what is needed; findings are those of reading what needs it. Must run on the threads of a
/// context.
pub fn missing_answer(
    question: MissingQuestion<'_>,
    mut findings: Vec<Finding>,
    observer: &dyn Observer,
) -> MissingAnswer {
    let MissingQuestion { groups, mirrors, rules, wanted, verifies } = question;
    let stores = &mirrors.stores;
    let mirror_rules = rules.map(|read| &read.rules);
    let (answer, faults) = missing(MissingRequest { groups, stores, rules: mirror_rules, wanted, verifies }, observer);
    let unread = findings.iter().any(view::is_unread);
    findings.extend(mirrors.findings.iter().cloned());
    findings.extend(rules.into_iter().flat_map(|read| read.findings.iter().cloned()));
    findings.extend(view::fault_findings("mirror", &faults));
    finding::sort(&mut findings);
    let is_incomplete = unread
        || mirrors.is_incomplete
        || rules.is_some_and(|read| read.is_incomplete)
        || view::has_unread(&faults)
        || answer.is_incomplete();
    let repair = repairs(&answer, mirror_rules, host(stores).as_deref());
    let places = stores.iter().map(|store| store_view(&**store)).collect();
    let view = view::missing_view(&answer, places, mirror_rules.map(|rules| rules.len()), &repair, &findings);
    MissingAnswer { view, findings, answer, is_incomplete }
}

/// The host of the one mirror, where it is a live registry.
fn host(stores: &[Arc<dyn Store>]) -> Option<String> {
    let [store] = stores else { return None };
    let place = store.place();
    let reference = place.strip_prefix("registry:").filter(|_| store.shape() == StoreShape::Registry)?;
    Some(reference.split('/').next().unwrap_or(reference).to_owned())
}

fn store_view(store: &dyn Store) -> StoreView {
    StoreView {
        shape: store.shape().name().to_owned(),
        place: shown(&store.place()),
        provable: store.is_provable(),
        complete: !view::has_unread(store.faults()),
    }
}
