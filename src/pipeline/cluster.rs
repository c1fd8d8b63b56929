//! Reads dumps of one cluster: walks them, decodes each document, and keeps the facts.
//!
//! A document is decoded, looked through and dropped before the next one is read, on one thread: what is kept is a small
//! part of it. A document that does not decode is a finding, and the others go on. Cost: one read, one digest and one decode
//! of every document.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::guard::guarded;
use super::work::RunContext;
use crate::cluster::{ClusterFacts, FactLimits, Gathering, is_refusal};
use crate::codec::{self, Document, Limits};
use crate::finding::{self, Digest, Finding, SourceRef, Subject, codes};
use crate::source::dump::{DumpContent, DumpLimits, DumpPiece, read_dump};
use crate::source::{FileFault, FileFaultKind, SourceError};

/// A place that holds a dump, or a part of one.
#[derive(Debug, Clone)]
pub struct DumpInput {
    /// What findings call it.
    pub name: Arc<str>,
    /// Where it lies.
    pub place: PathBuf,
}

/// How completely dumps were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DumpCoverage {
    /// Files that were read to their end.
    pub read: usize,
    /// Files that tell nothing of the wanted.
    pub passed_over: usize,
    /// Files of which a part could not be read.
    pub failed: usize,
    /// Bytes that were read.
    pub bytes: u64,
}

/// A cluster as its dumps show it.
pub struct ClusterDump {
    /// What they tell.
    pub facts: ClusterFacts,
    /// What is wrong with them, worst first.
    pub findings: Vec<Finding>,
    /// How completely they were read.
    pub coverage: DumpCoverage,
    /// Digest over paths and contents of everything that was read.
    pub digest: Digest,
}

impl ClusterDump {
    /// Reads the dumps of one cluster. Several places together make one picture of it: where they differ, the latest state
    /// of an object counts.
    ///
    /// # Errors
    /// [`SourceError`] where one of the places cannot be looked at, or is neither a directory nor a file.
    pub fn read(inputs: &[DumpInput], context: &RunContext) -> Result<Self, SourceError> {
        Self::read_within(inputs, &DumpLimits::default(), &context.limits)
    }

    fn read_within(inputs: &[DumpInput], limits: &DumpLimits, documents: &Limits) -> Result<Self, SourceError> {
        let file_bytes = usize::try_from(limits.file_bytes).unwrap_or(usize::MAX);
        let documents = Limits { bytes_per_document: file_bytes, ..documents.clone() };
        let mut reading = DumpsReading::new(&documents);
        for (index, input) in inputs.iter().enumerate() {
            reading.input = (index, input.name.clone());
            let read = read_dump(&input.place, limits, &documents, &mut |piece| reading.piece(&piece))?;
            reading.coverage.read += read.files;
            reading.coverage.passed_over += read.passed_over;
            reading.coverage.bytes += read.bytes;
            for fault in &read.faults {
                reading.fault(fault);
            }
        }
        Ok(reading.finish())
    }

    /// Whether a part of the dumps could not be read, so that the answer is not the whole truth.
    pub fn is_incomplete(&self) -> bool {
        let limit = codes::INPUT_LIMIT;
        self.coverage.failed > 0 || self.findings.iter().any(|finding| finding.code == limit)
    }

    /// Whether the dumps tell nothing of a cluster.
    pub fn is_blank(&self) -> bool {
        self.facts.is_empty()
    }
}

/// A file by the position of its input and its path.
type InputFile = (usize, String);

/// Dumps while they are read.
struct DumpsReading<'l> {
    limits: &'l Limits,
    gathering: Gathering,
    findings: Vec<Finding>,
    coverage: DumpCoverage,
    /// The input that is read: its position and its name.
    input: (usize, Arc<str>),
    /// Digests of what was read, by file and number of the document.
    digests: BTreeMap<(InputFile, u32), Digest>,
    /// Files with undecodable parts, which were read nevertheless.
    undecoded: BTreeSet<InputFile>,
    unread: BTreeSet<InputFile>,
}

impl<'l> DumpsReading<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            gathering: Gathering::new(FactLimits::default()),
            findings: Vec::new(),
            coverage: DumpCoverage::default(),
            input: (0, Arc::from("")),
            digests: BTreeMap::new(),
            undecoded: BTreeSet::new(),
            unread: BTreeSet::new(),
        }
    }

    fn piece(&mut self, piece: &DumpPiece<'_>) {
        let file = SourceRef::file(self.input.1.clone(), piece.path);
        match &piece.content {
            DumpContent::Document { number, document } => {
                self.remember(piece.path, *number, document.bytes);
                self.document(&file.document(*number, document.line), document);
            }
            DumpContent::Rest { number, fault } => {
                self.remember(piece.path, *number, fault.message.as_bytes());
                self.undecodable(&file.document(*number, fault.line), &fault.message);
            }
            DumpContent::Timestamp(text) => {
                self.remember(piece.path, 1, text.as_bytes());
                self.gathering.timestamp_file(text);
            }
            DumpContent::Text(text) if is_refusal(text) => {
                self.remember(piece.path, 1, text.as_bytes());
                self.gathering.messages(text, &file);
            }
            DumpContent::Text(_) => {}
        }
    }

    fn document(&mut self, at: &SourceRef, document: &Document<'_>) {
        if let Ok(text) = std::str::from_utf8(document.bytes)
            && is_refusal(text)
        {
            self.gathering.messages(text, at);
            return;
        }
        match codec::decode(document.bytes, document.format, self.limits) {
            Ok(decoded) => {
                let unit = at.path.as_deref().unwrap_or_default().to_owned();
                let gathering = &mut self.gathering;
                let taken = guarded(&unit, Subject::default(), || gathering.document(&decoded.value, at));
                self.findings.extend(taken.err().map(|finding| *finding));
            }
            Err(fault) => self.undecodable(&at.clone().line_in_document(fault.line), &fault.message),
        }
    }

    fn undecodable(&mut self, at: &SourceRef, reason: &str) {
        let finding = Finding::new(codes::CLUSTER_DECODE_ERROR, Subject::default());
        self.findings.push(finding.at(at).with("reason", reason));
        let path = at.path.as_deref().unwrap_or_default().to_owned();
        self.undecoded.insert((self.input.0, path));
    }

    fn fault(&mut self, fault: &FileFault) {
        let code = match fault.kind {
            FileFaultKind::Limit => codes::INPUT_LIMIT,
            FileFaultKind::Catalog | FileFaultKind::Unreadable => codes::INPUT_UNREADABLE,
        };
        let at = SourceRef::file(self.input.1.clone(), &*fault.path);
        let finding = Finding::new(code, Subject::default()).at(&at);
        self.findings.push(finding.with("path", &fault.path).with("reason", &fault.reason));
        self.remember(&fault.path, u32::MAX, fault.reason.as_bytes());
        self.unread.insert((self.input.0, fault.path.clone()));
    }

    fn remember(&mut self, path: &str, number: u32, bytes: &[u8]) {
        let file = (self.input.0, path.to_owned());
        self.digests.insert((file, number), Digest::of(bytes));
    }

    fn finish(mut self) -> ClusterDump {
        let (facts, noticed) = self.gathering.finish();
        self.findings.extend(noticed);
        finding::sort(&mut self.findings);
        let mut parts: Vec<Vec<u8>> = Vec::new();
        for (((input, path), number), digest) in &self.digests {
            let place = format!("{input}\0{path}\0{number}").into_bytes();
            parts.extend([place, digest.as_bytes().to_vec()]);
        }
        let digest = Digest::of_parts(parts.iter().map(Vec::as_slice));
        let mut coverage = self.coverage;
        coverage.read = coverage.read.saturating_sub(self.undecoded.len());
        coverage.failed = self.undecoded.union(&self.unread).count();
        ClusterDump { facts, findings: self.findings, coverage, digest }
    }
}

#[cfg(test)]
mod tests;
