//! Which releases of a mirror are signed, by the keys that a user trusts.
//!
//! Rule: `source::signature`, after library-go `pkg/verify`: a file that lies where signatures lie proves nothing by itself,
//! and one good signature among several is enough. A signature is held against the release whose digest its name promises;
//! one whose name promises none is held against every release, and counts only where it holds. Cost: one verification for
//! each signature and key; for a signature without a name one for each release.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::inventory::{Content, RootFacts, StoreFacts};
use crate::finding::{ContentDigest, Finding, Severity, SourceRef, Subject, codes};
use crate::source::signature::{KeyRing, SignatureVerdict, verify_release_signature};

/// A signature that lies somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSignature {
    /// Its file, and behind `#` its name inside where the file is a ConfigMap.
    pub file: String,
    /// The digest that its name promises.
    pub digest: Option<ContentDigest>,
    /// The message, not checked.
    pub message: Vec<u8>,
}

/// A signature that was held against a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedSignature {
    /// Its file.
    pub file: String,
    /// What it proves.
    pub verdict: SignatureVerdict,
}

/// The signatures of all releases of some mirrors.
#[derive(Debug, Default)]
pub struct ReleaseSignatures {
    /// Whether there were keys to check them by.
    pub has_keys: bool,
    /// By release; the name is that of its label, or its digest.
    releases: BTreeMap<ContentDigest, (String, Vec<CheckedSignature>)>,
    /// Files that belong to no release here, and promised none.
    strangers: Vec<String>,
}

impl ReleaseSignatures {
    /// Checks signatures against the releases of some mirrors, at an instant.
    pub fn check(stores: &[StoreFacts], found: &[FoundSignature], keys: &KeyRing, now: jiff::Timestamp) -> Self {
        let mut releases: BTreeMap<ContentDigest, (String, Vec<CheckedSignature>)> = BTreeMap::new();
        for (digest, name) in releases_of(stores, found) {
            releases.entry(digest).or_insert((name, Vec::new()));
        }
        let mut strangers = Vec::new();
        for signature in found {
            let checked = |digest: &ContentDigest| CheckedSignature {
                file: signature.file.clone(),
                verdict: verify_release_signature(&signature.message, digest, keys, now),
            };
            if let Some(digest) = &signature.digest {
                if let Some((_, all)) = releases.get_mut(digest) {
                    all.push(checked(digest));
                }
                continue;
            }
            let holds = releases.iter_mut().find_map(|(digest, (_, all))| {
                let checked = checked(digest);
                matches!(checked.verdict, SignatureVerdict::Verified { .. }).then_some((all, checked))
            });
            match holds {
                Some((all, checked)) => all.push(checked),
                None => strangers.push(signature.file.clone()),
            }
        }
        Self { has_keys: !keys.is_empty(), releases, strangers }
    }

    /// Whether this is the digest of a release.
    pub fn is_release(&self, digest: &ContentDigest) -> bool {
        self.releases.contains_key(digest)
    }

    /// The signature of a release that says most: a good one, else a bad one, else one that proves nothing.
    pub fn of(&self, digest: &ContentDigest) -> Option<&CheckedSignature> {
        let (_, all) = self.releases.get(digest)?;
        all.iter().min_by_key(|checked| match checked.verdict {
            SignatureVerdict::Verified { .. } => 0,
            SignatureVerdict::Bad { .. } => 1,
            SignatureVerdict::NotVerified { .. } => 2,
        })
    }

    /// What is wrong with the signatures.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (digest, (name, all)) in &self.releases {
            let finding = |code| {
                let subject = Finding::new(code, Subject::default());
                subject.with("digest", digest).with("release", name)
            };
            if all.is_empty() {
                let severity = if self.has_keys { Severity::Warning } else { Severity::Info };
                findings.push(finding(codes::mirror::SIGNATURE_ABSENT).weighing(severity));
            }
            let is_good = |checked: &CheckedSignature| matches!(checked.verdict, SignatureVerdict::Verified { .. });
            let is_vouched_for = all.iter().any(is_good);
            for checked in all {
                let (code, reason) = match &checked.verdict {
                    SignatureVerdict::Bad { reason } => (codes::mirror::BAD_SIGNATURE, reason),
                    SignatureVerdict::NotVerified { reason } if self.has_keys && !is_vouched_for => {
                        (codes::mirror::SIGNATURE_UNPROVEN, reason)
                    }
                    SignatureVerdict::NotVerified { .. } | SignatureVerdict::Verified { .. } => continue,
                };
                let at = SourceRef::input(checked.file.as_str());
                findings.push(finding(code).at(&at).with("file", &checked.file).with("reason", reason));
            }
        }
        findings.extend(self.strangers.iter().map(|file| {
            let reason = "it names no release and, with the given keys, is a signature of none that lies here";
            let finding = Finding::new(codes::INPUT_SKIPPED, Subject::default()).at(&SourceRef::input(file.as_str()));
            finding.with("path", file).with("reason", reason)
        }));
        findings
    }
}

/// The releases of mirrors by digest, with their names. What could not be looked into, but is promised a signature, is one.
fn releases_of(stores: &[StoreFacts], found: &[FoundSignature]) -> Vec<(ContentDigest, String)> {
    let promised: BTreeSet<&ContentDigest> = found.iter().filter_map(|signature| signature.digest.as_ref()).collect();
    let roots = stores.iter().flat_map(|store| &store.roots);
    let releases = roots.filter_map(|root| {
        let digest = root.identity.as_ref()?;
        let is_one = is_release(root) || promised.contains(digest);
        is_one.then(|| (digest.clone(), name(root, digest)))
    });
    releases.collect()
}

/// Whether a root is a release, by its label or its content.
pub fn is_release(root: &RootFacts) -> bool {
    match &root.content {
        Content::Image(facts) => facts.kind == "release",
        Content::PayloadDirectory(_) => true,
        Content::CatalogDirectory(_) => false,
    }
}

fn name(root: &RootFacts, digest: &ContentDigest) -> String {
    let label = match &root.content {
        Content::Image(facts) => facts.labels.get("release").cloned(),
        Content::PayloadDirectory(_) | Content::CatalogDirectory(_) => None,
    };
    label.or_else(|| root.tag.clone()).unwrap_or_else(|| digest.to_string())
}
