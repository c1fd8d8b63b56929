//! What dumps of clusters add to a scan: an input, its coverage and findings, a row and a document for each cluster.
//!
//! Rule: the document is the answer of `cluster contents` about the same place. A dump that cannot be read, or that tells of
//! no cluster, is a finding and stands under coverage; the others are read. Cost: that of [`ClusterDump::read`] for each
//! dump, over the threads.

use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use super::cluster::{ClusterDump, DumpInput};
use super::render::{RenderError, Renderer};
use super::scan::{cause, name_of};
use super::work::{Observer, RunContext};
use crate::finding::{Finding, SourceRef, Subject, codes, counted};
use crate::report::schema::{ApiDocument, ClusterContentsView, CoverageNote, Input};
use crate::report::view::{self, DumpFiles, OverviewFacts};
use crate::report::{json, place};

/// Parts of one dump that are told one by one as not read.
const TOLD_FAULTS: usize = 100;
/// Why a dump that was read tells nothing.
const BLANK: &str = "there is no object of a cluster that an upgrade depends on";

/// A cluster to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterInput {
    /// Its name.
    pub name: Arc<str>,
    /// Where its dump lies.
    pub place: PathBuf,
}

/// The clusters of a scan, by name.
#[derive(Default)]
pub(super) struct ReadClusters {
    clusters: Vec<ReadCluster>,
}

/// One cluster, and what came of its dump.
struct ReadCluster {
    name: Arc<str>,
    /// The last part of the place: a report must not tell how the machine that made it is laid out.
    shown: String,
    dump: Result<ReadDump, String>,
}

/// A dump that was read.
struct ReadDump {
    dump: ClusterDump,
    view: ClusterContentsView,
}

/// The answer of `cluster contents`.
pub fn contents_view(dump: &ClusterDump) -> ClusterContentsView {
    let coverage = dump.coverage;
    let files = DumpFiles { read: coverage.read, passed_over: coverage.passed_over, failed: coverage.failed };
    view::cluster_contents_view(&dump.facts, &dump.findings, files)
}

/// The first name that two clusters have.
pub(super) fn same_name(clusters: &[ClusterInput]) -> Option<&str> {
    let mut names: Vec<&str> = clusters.iter().map(|cluster| &*cluster.name).collect();
    names.sort_unstable();
    names.windows(2).find_map(|pair| matches!(pair, [one, other] if one == other).then(|| pair.first().copied())?)
}

impl ReadClusters {
    /// Reads every dump.
    pub(super) fn read(inputs: &[ClusterInput], context: &RunContext, observer: &dyn Observer) -> Self {
        if inputs.is_empty() {
            return Self::default();
        }
        let mut inputs: Vec<&ClusterInput> = inputs.iter().collect();
        inputs.sort_by(|one, other| one.name.cmp(&other.name));
        observer.begin("reading clusters", u64::try_from(inputs.len()).unwrap_or(u64::MAX));
        let read = inputs.par_iter().with_max_len(1).map(|input| {
            let cluster = ReadCluster::read(input, context);
            observer.advance(1);
            cluster
        });
        Self { clusters: read.collect() }
    }

    /// Adds inputs, coverage and rows.
    pub(super) fn add_to(&self, overview: &mut OverviewFacts) {
        for cluster in &self.clusters {
            overview.coverage.failed.extend(cluster.failed());
            let Ok(read) = &cluster.dump else { continue };
            let coverage = read.dump.coverage;
            overview.coverage.read += coverage.read;
            overview.coverage.skipped.extend(cluster.passed_over(coverage.passed_over));
            overview.inputs.push(cluster.input(read));
            overview.clusters.push(view::cluster_row(&cluster.name, &read.view));
        }
    }

    /// Everything that was noticed; each place is told by the cluster's name.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> + '_ {
        self.clusters.iter().flat_map(ReadCluster::findings)
    }

    /// Writes a document for each cluster.
    pub(super) fn write(&self, renderer: &Renderer<'_>) -> Result<Vec<ApiDocument>, RenderError> {
        let mut entries = Vec::new();
        for cluster in &self.clusters {
            let Ok(read) = &cluster.dump else { continue };
            let path = place::cluster_contents_api(&cluster.name);
            renderer.write(&path, &json::document(&read.view)?)?;
            entries.push(view::cluster_entry(path));
        }
        Ok(entries)
    }
}

impl ReadCluster {
    fn read(input: &ClusterInput, context: &RunContext) -> Self {
        let shown = name_of(&input.place);
        let asked = DumpInput { name: shown.as_str().into(), place: input.place.clone() };
        let dump = ClusterDump::read(&[asked], context).map_err(|error| cause(&error, &shown));
        let dump = dump.map(|dump| ReadDump { view: contents_view(&dump), dump });
        Self { name: input.name.clone(), shown, dump }
    }

    fn input(&self, read: &ReadDump) -> Input {
        let objects = read.view.objects.values().sum();
        Input {
            name: self.name.to_string(),
            kind: "cluster".to_owned(),
            source: self.shown.clone(),
            digest: read.dump.digest.to_string(),
            bytes: read.dump.coverage.bytes,
            files: read.dump.coverage.read,
            documents: objects,
            distinct_documents: objects,
        }
    }

    /// What could not be read.
    fn failed(&self) -> Vec<CoverageNote> {
        let note = |path: Option<String>, reason: String| CoverageNote { input: self.name.to_string(), path, reason };
        let read = match &self.dump {
            Ok(read) => read,
            Err(reason) => return vec![note(None, reason.clone())],
        };
        let unread = [codes::INPUT_UNREADABLE, codes::INPUT_LIMIT, codes::CLUSTER_DECODE_ERROR];
        let mut notes: Vec<CoverageNote> = read
            .dump
            .findings
            .iter()
            .filter(|finding| unread.contains(&finding.code))
            .map(|finding| {
                let path = finding.at.as_ref().and_then(|at| at.path.as_ref()).map(ToString::to_string);
                let reason = finding.evidence.get("reason").cloned();
                note(path, reason.unwrap_or_else(|| finding.message()))
            })
            .collect();
        if let Some(untold) = notes.len().checked_sub(TOLD_FAULTS).filter(|untold| *untold > 0) {
            notes.truncate(TOLD_FAULTS);
            notes.push(note(None, format!("{} more could not be read", counted(untold, "part"))));
        }
        if read.dump.is_blank() {
            notes.push(note(None, BLANK.to_owned()));
        }
        notes
    }

    fn passed_over(&self, files: usize) -> Option<CoverageNote> {
        let reason = format!("{files} of its files passed over: nothing of a cluster's state, such as logs");
        (files > 0).then(|| CoverageNote { input: self.name.to_string(), path: None, reason })
    }

    fn findings(&self) -> Vec<Finding> {
        let whole = |reason: &str| {
            let finding = Finding::new(codes::INPUT_UNREADABLE, Subject::default());
            let at = SourceRef::input(self.name.clone());
            finding.at(&at).with("path", &self.name).with("reason", reason)
        };
        match &self.dump {
            Err(reason) => vec![whole(reason)],
            Ok(read) => {
                let blank = read.dump.is_blank().then(|| whole(BLANK));
                read.dump.findings.iter().map(|finding| self.renamed(finding)).chain(blank).collect()
            }
        }
    }

    /// A finding in the dump as one among those of other inputs: its place begins with the cluster's name.
    fn renamed(&self, finding: &Finding) -> Finding {
        let mut finding = finding.clone();
        if let Some(at) = &mut finding.at {
            at.source = self.name.clone();
        }
        finding
    }
}
