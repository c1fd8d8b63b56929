//! Whether the report that stands at the target is the one that a run would write.
//!
//! What a report holds is a function of inputs, program and instant; so a run whose key equals that of an earlier one
//! writes the same bytes. The cache remembers for a key the digest of the report's list of digests, and the report is held
//! against that list file by file before it is believed. Without a cache nothing is believed. Cost: one digest of every
//! file of the report, over the threads.

use rayon::prelude::*;

use super::scan::{ScanOutcome, ScanRequest};
use crate::cache::{Cache, Stage};
use crate::emit::{StandingReport, Written};
use crate::finding::Digest;
use crate::report::place;
use crate::report::schema::{FindingsView, Overview};
use crate::report::view::OverviewFacts;

/// Digests of reports by what they were made from.
pub const REPORTS: Stage = Stage { name: "reports", version: 1 };

/// The key of a run: everything that the bytes of its report depend on. `beside` is a digest over what was noticed of the
/// inputs beside their contents: images that hold a catalog, findings about images, bundles, payloads and mirrors. `None` where the program does not know itself.
pub(super) fn key(request: &ScanRequest<'_>, facts: &OverviewFacts, beside: &Digest) -> Option<Digest> {
    let inputs = serde_json::to_vec(&facts.inputs).ok()?;
    let coverage = serde_json::to_vec(&facts.coverage).ok()?;
    let program = request.program?;
    let instant = facts.generated_at.as_bytes();
    let parts: [&[u8]; 6] =
        [program.as_bytes(), facts.version.as_bytes(), instant, &inputs, &coverage, beside.as_bytes()];
    Some(Digest::of_parts(parts))
}

/// The outcome of an earlier run with the same key, where its report stands whole.
pub(super) fn standing(request: &ScanRequest<'_>, cache: &Cache, key: Option<Digest>) -> Option<ScanOutcome> {
    let remembered = cache.get_object(REPORTS, &key?)?;
    let report = StandingReport::open(request.output)?;
    if remembered != report.list().as_bytes() || !report.files().into_par_iter().all(|path| report.holds(path)) {
        return None;
    }
    let overview: Overview = serde_json::from_slice(&report.read(place::OVERVIEW_API)?).ok()?;
    let found: FindingsView = serde_json::from_slice(&report.read(place::FINDINGS_API)?).ok()?;
    let (files, bytes) = report.size();
    let written = Written { files, bytes, list: report.list() };
    Some(ScanOutcome { overview, findings: found.findings, written, decoded: 0, decompressed: 0, unchanged: true })
}

/// Remembers a written report. One in which this program failed on a unit is not remembered: the next run tries again.
pub(super) fn remember(cache: &Cache, key: Option<Digest>, outcome: &ScanOutcome) {
    if let Some(key) = key
        && !outcome.has_panic()
    {
        cache.put_object(REPORTS, &key, outcome.written.list.as_bytes());
    }
}
