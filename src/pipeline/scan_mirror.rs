//! What a scan says of mirrors: what lies in them, and what they lack of what its catalogs and payloads need.
//!
//! Rule: the two documents are those of `skipstone mirror inventory` and `skipstone mirror missing` for the same inputs, byte
//! for byte, so they are indented as answers are. The row of the input has the digest of both: it covers what was looked at,
//! the rules and the keys. Cost: that of the two answers.

use super::analyse::AnalysedCatalog;
use super::contents::{ContentRequest, ReadContents};
use super::mirror::{MissingQuestion, OpenedMirrors, ReadRules, inventory_answer, missing_answer, release_groups};
use super::render::{RenderError, Renderer};
use super::work::{Observer, RunContext};
use crate::finding::{self, Digest, Finding, SourceRef, Subject, codes, counted};
use crate::mirror::missing::bundles;
use crate::report::schema::{ApiDocument, CoverageNote, Input, MirrorSummary};
use crate::report::view::{OverviewFacts, fault_findings};
use crate::report::{json, place};
use crate::source::image::Platform;
use crate::source::signature::KeyRing;

/// What the mirrors are called among the inputs.
const INPUT: &str = "mirror";

/// What a scan asks of mirrors.
pub struct MirrorRequest {
    /// The mirrors.
    pub mirrors: OpenedMirrors,
    /// The keys that releases must be signed by.
    pub keys: KeyRing,
    /// Where the cluster looks for images; `None` where no rules were given.
    pub rules: Option<ReadRules>,
    /// The places for the report, without any directory above them.
    pub shown: Vec<String>,
}

/// What came of looking into mirrors.
pub(super) struct ReadMirror {
    inventory: String,
    missing: String,
    summary: MirrorSummary,
    input: Input,
    failed: Vec<CoverageNote>,
    /// Everything that was noticed about the mirrors.
    pub(super) findings: Vec<Finding>,
}

impl ReadMirror {
    /// Looks for what catalogs and payloads need.
    pub(super) fn read(
        request: &MirrorRequest,
        catalogs: &[AnalysedCatalog],
        contents: &ReadContents,
        asked: &ContentRequest,
        context: &RunContext,
        observer: &dyn Observer,
    ) -> Result<Self, RenderError> {
        let inventory = inventory_answer(&request.mirrors, &request.keys, false, context.now, observer);
        let mut groups: Vec<_> = catalogs.iter().flat_map(|catalog| bundles(&catalog.catalog, &[])).collect();
        let mut unread = Vec::new();
        if let Some(releases) = &contents.releases {
            groups.extend(release_groups(&releases.releases));
            unread.extend(releases.findings.iter().cloned());
            unread.extend(fault_findings("releases", &asked.release_faults));
        }
        let question = MissingQuestion {
            groups,
            mirrors: &request.mirrors,
            rules: request.rules.as_ref(),
            wanted: &[Platform::default()],
            verifies: false,
        };
        let missing = missing_answer(question, unread.clone(), observer);
        // What is wrong with the payloads themselves is told where they are read.
        let own = missing.findings.into_iter().filter(|finding| !unread.contains(finding));
        let mut findings: Vec<Finding> = inventory.findings.into_iter().chain(own).collect();
        let totals = &missing.view.totals;
        if totals.absent + totals.bad > 0 {
            let finding = Finding::new(codes::mirror::IMAGES_ABSENT, Subject::default());
            let finding = finding.at(&SourceRef::input(request.shown.join(", "))).with("absent", totals.absent);
            findings.push(finding.with("images", counted(totals.images, "image")).with("bad", totals.bad));
        }
        finding::sort(&mut findings);
        let mut failed = notes(&findings);
        if failed.is_empty() && (inventory.is_incomplete || missing.is_incomplete && unread.is_empty()) {
            let reason = "a part of an image could not be read; the inventory tells which".to_owned();
            failed.push(CoverageNote { input: INPUT.to_owned(), path: None, reason });
        }
        let images = inventory.view.repositories.iter().map(|repository| repository.images.len()).sum();
        let summary = MirrorSummary {
            inventory: place::MIRROR_INVENTORY_API.to_owned(),
            missing: place::MIRROR_MISSING_API.to_owned(),
            images,
            bytes: inventory.view.unique_bytes,
            needed: missing.view.totals,
        };
        let (inventory, missing) = (json::answer(&inventory.view)?, json::answer(&missing.view)?);
        let input = Input {
            name: INPUT.to_owned(),
            kind: INPUT.to_owned(),
            source: request.shown.join(", "),
            digest: Digest::of_parts([inventory.as_bytes(), missing.as_bytes()]).to_string(),
            bytes: summary.bytes,
            files: images,
            documents: 0,
            distinct_documents: 0,
        };
        Ok(Self { inventory, missing, summary, input, failed, findings })
    }

    /// Adds the mirrors to what the overview tells.
    pub(super) fn add_to(&self, facts: &mut OverviewFacts) {
        facts.inputs.push(self.input.clone());
        facts.coverage.failed.extend(self.failed.iter().cloned());
        facts.mirror = Some(self.summary.clone());
    }

    /// Writes both documents, and tells how the list of documents names them.
    pub(super) fn write(&self, renderer: &Renderer<'_>) -> Result<[ApiDocument; 2], RenderError> {
        renderer.write(place::MIRROR_INVENTORY_API, &self.inventory)?;
        renderer.write(place::MIRROR_MISSING_API, &self.missing)?;
        let entry = |kind: &str, path: &str| ApiDocument {
            kind: kind.to_owned(),
            path: path.to_owned(),
            schema: kind.to_owned(),
            catalog: None,
            package: None,
        };
        Ok([entry("mirror-inventory", place::MIRROR_INVENTORY_API), entry("mirror-missing", place::MIRROR_MISSING_API)])
    }
}

/// What could not be read, for the coverage.
fn notes(findings: &[Finding]) -> Vec<CoverageNote> {
    let unread =
        findings.iter().filter(|finding| [codes::INPUT_UNREADABLE, codes::INPUT_LIMIT].contains(&finding.code));
    let note = |finding: &Finding| CoverageNote {
        input: INPUT.to_owned(),
        path: finding.evidence.get("path").cloned(),
        reason: finding.evidence.get("reason").cloned().unwrap_or_default(),
    };
    unread.map(note).collect()
}
