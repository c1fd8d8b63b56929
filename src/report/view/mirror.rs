//! The answers about mirrors.
//!
//! Cost: linear in images and parts.

use std::collections::BTreeMap;

use crate::finding::{self, Finding, SourceRef, Subject, codes};
use crate::mirror::difference::{Change, ChangeSubject};
use crate::mirror::facts::{Condition, ImageFacts, Instance, Part, weight};
use crate::mirror::inventory::{self, Content, Image, Repository, RootFacts, StoreFacts};
use crate::mirror::judge::Judgement;
use crate::mirror::missing::{self, Answer, Need};
use crate::mirror::release_signature::{CheckedSignature, ReleaseSignatures, is_release};
use crate::mirror::repair::Repair;
use crate::mirror::verdict::Verdict;
use crate::report::schema::{
    ChangeSubjectView, ChangeView, FoundView, ImageView, InstanceView, InventoryView, MirrorDiffView,
    MissingBundleView, MissingImageView, MissingReleaseView, MissingTotals, MissingView, ReleaseSignatureView,
    RepairView, RepositoryView, SCHEMA_VERSION, ShareView, SignatureView, StoreView,
};
use crate::source::signature::SignatureVerdict;
use crate::source::{FileFault, FileFaultKind};

use super::findings_views;

/// What lies in mirrors, with everything that was noticed, sorted.
pub fn inventory_view(stores: &[StoreFacts], signatures: &ReleaseSignatures, findings: &[Finding]) -> InventoryView {
    let repositories = inventory::repositories(stores);
    InventoryView {
        schema_version: SCHEMA_VERSION,
        stores: stores.iter().map(store_view).collect(),
        repositories: repositories.iter().map(|repository| repository_view(repository, stores, signatures)).collect(),
        unique_bytes: inventory::unique_bytes(stores),
        findings: findings_views(findings),
    }
}

/// Whether a part of a mirror could not be read, or is there and bad, so that what it holds is not known.
pub fn is_incomplete(store: &StoreFacts) -> bool {
    let images = store.roots.iter().filter_map(|root| match &root.content {
        Content::Image(facts) => Some(facts),
        Content::CatalogDirectory(_) | Content::PayloadDirectory(_) => None,
    });
    has_unread(&store.faults) || images.flat_map(|facts| facts.parts()).any(Part::is_faulty)
}

/// Whether a fault means that something was not read, rather than read and found wrong.
pub fn has_unread(faults: &[FileFault]) -> bool {
    faults.iter().any(|fault| fault.kind != FileFaultKind::Catalog)
}

/// Whether a finding says that a part of an input was not read: a document that does not decode is such a part.
pub fn is_unread(finding: &Finding) -> bool {
    let unread = [codes::DECODE_ERROR, codes::INPUT_UNREADABLE, codes::INPUT_LIMIT, codes::INTERNAL_PANIC];
    unread.contains(&finding.code)
}

/// What is wrong with a mirror as a whole, as findings.
pub fn fault_findings(place: &str, faults: &[FileFault]) -> Vec<Finding> {
    let finding = |fault: &FileFault| {
        let code = match fault.kind {
            FileFaultKind::Limit => codes::INPUT_LIMIT,
            FileFaultKind::Catalog | FileFaultKind::Unreadable => codes::INPUT_UNREADABLE,
        };
        let path = if fault.path.is_empty() { place } else { &fault.path };
        let at = SourceRef::file(place, path);
        Finding::new(code, Subject::default()).at(&at).with("path", path).with("reason", &fault.reason)
    };
    faults.iter().map(finding).collect()
}

/// What is wrong with the parts of the images of mirrors, as findings: each part of an image once. What is absent is none.
pub fn part_findings(stores: &[StoreFacts]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for repository in inventory::repositories(stores) {
        let place = stores.get(repository.store).map_or("", |store| &store.place);
        for image in &repository.images {
            let Some(facts) = image.facts() else { continue };
            let name = image_name(image, facts);
            let parts: BTreeMap<_, _> = facts.parts().map(|part| ((&part.digest, part.is_faulty()), part)).collect();
            findings.extend(parts.into_values().filter_map(|part| part_finding(place, &name, part)));
        }
    }
    findings
}

fn part_finding(place: &str, image: &str, part: &Part) -> Option<Finding> {
    let (code, reason) = match &part.condition {
        Condition::Present | Condition::ExpectedAtTarget(_) | Condition::Absent => return None,
        Condition::BadDigest(reason) => (codes::mirror::BAD_DIGEST, reason),
        Condition::BadSize(reason) => (codes::mirror::BAD_SIZE, reason),
        Condition::Truncated(reason) => (codes::mirror::TRUNCATED, reason),
        Condition::Unreadable(reason) => (codes::INPUT_UNREADABLE, reason),
    };
    let finding = Finding::new(code, Subject::default()).at(&SourceRef::file(place, image));
    let named = if code == codes::INPUT_UNREADABLE { "path" } else { "reference" };
    Some(finding.with(named, image).with("part", &part.digest).with("reason", reason))
}

/// The name of an image for people: repository with tag or digest, as far as the mirror has them.
fn image_name(image: &Image<'_>, facts: &ImageFacts) -> String {
    let root = image.root;
    let digest = root.identity.as_ref().unwrap_or(&facts.digest);
    match (&root.repository, &root.tag) {
        (Some(repository), Some(tag)) => format!("{repository}:{tag}"),
        (Some(repository), None) => format!("{repository}@{digest}"),
        (None, Some(tag)) => tag.clone(),
        (None, None) => digest.to_string(),
    }
}

fn store_view(store: &StoreFacts) -> StoreView {
    StoreView {
        shape: store.shape.to_owned(),
        place: store.place.clone(),
        provable: store.is_provable,
        complete: !is_incomplete(store),
    }
}

fn repository_view(
    repository: &Repository<'_>,
    stores: &[StoreFacts],
    signatures: &ReleaseSignatures,
) -> RepositoryView {
    let place = stores.get(repository.store).map(|store| store.place.as_str());
    RepositoryView {
        store: repository.store,
        name: repository.name.or(place).unwrap_or_default().to_owned(),
        tags: repository.tags.keys().map(|tag| (*tag).to_owned()).collect(),
        images: repository.images.iter().map(|image| image_view(image, signatures)).collect(),
        unique_bytes: repository.unique_bytes,
    }
}

fn image_view(image: &Image<'_>, signatures: &ReleaseSignatures) -> ImageView {
    let facts = image.facts();
    let (kind, path) = match &image.root.content {
        Content::Image(facts) => (facts.kind.as_str(), None),
        Content::CatalogDirectory(path) => ("catalog-directory", Some(path.clone())),
        Content::PayloadDirectory(path) => ("payload-directory", Some(path.clone())),
    };
    let faulty = |facts: &ImageFacts| facts.parts().filter(|part| part.condition != Condition::Present).count();
    let labels = facts.map(|facts| &facts.labels).into_iter().flatten();
    let signature = |(tag, kind): &(&str, &str)| SignatureView { kind: (*kind).to_owned(), tag: (*tag).to_owned() };
    let notes = image.root.notes.iter().chain(facts.into_iter().flat_map(|facts| &facts.faults));
    ImageView {
        digest: image.root.identity.as_ref().map(ToString::to_string),
        content_digest: facts.map(|facts| facts.digest.to_string()),
        kind: kind.to_owned(),
        media_type: facts.and_then(|facts| facts.media_type.clone()),
        bytes: facts.filter(|facts| !facts.instances.is_empty()).map(|facts| weight(facts.parts())),
        tags: image.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        faulty_parts: facts.map_or(0, faulty),
        instances: facts.into_iter().flat_map(|facts| &facts.instances).map(instance_view).collect(),
        labels: labels.map(|(word, value)| ((*word).to_owned(), value.clone())).collect(),
        signatures: image.signatures.iter().map(signature).collect(),
        release_signature: release_signature_view(image.root, signatures),
        path,
        notes: notes.cloned().collect(),
    }
}

fn release_signature_view(root: &RootFacts, signatures: &ReleaseSignatures) -> ReleaseSignatureView {
    let unknown = |reason: &str| ReleaseSignatureView { reason: Some(reason.to_owned()), ..Default::default() };
    let Some(digest) = root.identity.as_ref().filter(|digest| signatures.is_release(digest)) else {
        return match is_release(root) {
            true => unknown("its digest cannot be proven here"),
            false => unknown("it is no release"),
        };
    };
    let Some(CheckedSignature { file, verdict }) = signatures.of(digest) else {
        return unknown("no signature of it lies here");
    };
    let file = Some(file.clone());
    match verdict.clone() {
        SignatureVerdict::Verified { key, reference, .. } => ReleaseSignatureView {
            known: true,
            verified: Some(true),
            reason: None,
            key: Some(key),
            reference: Some(reference),
            file,
        },
        SignatureVerdict::Bad { reason } => {
            ReleaseSignatureView { known: true, verified: Some(false), file, ..unknown(&reason) }
        }
        SignatureVerdict::NotVerified { reason } => ReleaseSignatureView { file, ..unknown(&reason) },
    }
}

fn instance_view(instance: &Instance) -> InstanceView {
    let parts = || [&instance.manifest].into_iter().chain(&instance.content);
    InstanceView {
        digest: instance.manifest.digest.to_string(),
        platform: instance.platform.as_ref().map(ToString::to_string),
        attestation: instance.is_attestation,
        complete: parts().all(|part| part.condition == Condition::Present),
        bytes: (instance.manifest.condition == Condition::Present).then(|| weight(parts())),
    }
}

/// What catalogs and payloads need and what mirrors lack, with what would repair it and what was noticed, sorted.
pub fn missing_view(
    answer: &Answer,
    mirrors: Vec<StoreView>,
    rules: Option<usize>,
    repair: &[Repair],
    findings: &[Finding],
) -> MissingView {
    let repair_view =
        |repair: &Repair| RepairView { source: repair.source.clone(), destination: repair.destination.clone() };
    let images = |needs: &[Need]| needs.iter().filter_map(|need| missing_image(need, answer)).collect();
    let (mut bundles, mut releases) = (Vec::new(), Vec::new());
    for group in &answer.groups {
        let (name, images) = (group.name.to_string(), images(&group.images));
        match group.catalog.as_ref().zip(group.package.as_ref()) {
            Some((catalog, package)) => bundles.push(MissingBundleView {
                catalog: catalog.to_string(),
                package: package.to_string(),
                bundle: name,
                images,
            }),
            None => releases.push(MissingReleaseView { release: name, images }),
        }
    }
    MissingView {
        schema_version: SCHEMA_VERSION,
        mirrors,
        rules,
        bundles,
        releases,
        packages: answer.shares().iter().map(share_view).collect(),
        totals: totals_view(answer),
        repair: repair.iter().map(repair_view).collect(),
        findings: findings_views(findings),
    }
}

fn missing_image(need: &Need, answer: &Answer) -> Option<MissingImageView> {
    let judgement = answer.judgements.get(&need.reference)?;
    let Judgement { verdict, reason, found } = judgement;
    let found = found.as_ref().map(|found| FoundView {
        mirror: found.stock,
        repository: found.repository.clone(),
        tag: found.tag.clone(),
        digest: found.facts.digest.to_string(),
    });
    Some(MissingImageView {
        reference: need.reference.clone(),
        roles: need.roles.clone(),
        state: verdict.state().name().to_owned(),
        why: verdict.name().map(str::to_owned),
        reason: reason.clone().filter(|_| *verdict != Verdict::Present),
        found,
        bytes: missing::is_size_known(judgement).then(|| weight(missing::parts(judgement))),
    })
}

fn share_view(share: &missing::Share) -> ShareView {
    ShareView {
        catalog: share.catalog.to_string(),
        package: share.package.to_string(),
        images: share.images,
        broken: share.broken,
        unknown_size: share.unknown_size,
        bytes: share.bytes,
        unique_bytes: share.unique_bytes,
        shared_bytes: share.bytes.saturating_sub(share.unique_bytes),
    }
}

fn totals_view(answer: &Answer) -> MissingTotals {
    let totals = answer.totals();
    MissingTotals {
        images: totals.images,
        present: totals.present,
        sparse: totals.sparse,
        expected_at_target: totals.expected_at_target,
        absent: totals.absent,
        bad: totals.bad,
        unprovable: totals.unprovable,
        unknown_size: totals.unknown_size,
        needed_bytes: totals.needed_bytes,
        present_bytes: totals.present_bytes,
        carry_bytes: totals.carry_bytes,
    }
}

/// What changed between two mirrors; the findings are those of opening them.
pub fn mirror_diff_view(changes: &[Change], mut findings: Vec<Finding>) -> MirrorDiffView {
    finding::sort(&mut findings);
    let change = |change: &Change| ChangeView {
        code: change.code.name().to_owned(),
        // A tag that moved is a fault where a digest was wanted, and here no more than worth a look.
        severity: change.code.severity().min(finding::Severity::Warning).name().to_owned(),
        subject: subject_view(&change.subject),
        old: change.old.clone(),
        new: change.new.clone(),
    };
    MirrorDiffView {
        schema_version: SCHEMA_VERSION,
        changes: changes.iter().map(change).collect(),
        findings: findings_views(&findings),
    }
}

fn subject_view(subject: &ChangeSubject) -> ChangeSubjectView {
    let ChangeSubject { repository, tag, catalog, package, channel, bundle } = subject.clone();
    ChangeSubjectView { repository, tag, catalog, package, channel, bundle }
}
