//! From the facts of all documents of a catalog to its model, with what the documents themselves break.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg_to_model.go`. Duplicates are errors and no document wins over another, so
//! the order of files changes nothing but which of two equals is named: the later one by path. Cost: linear, plus sorting.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::facts::{
    BundleFacts, ChannelFacts, DecodedDocument, DeprecationsFacts, DocumentFacts, LifecycleFacts, Outcome, PackageFacts,
};
use super::model::{Bundle, Catalog, Channel, Counts, Deprecations, Lifecycle, Package};
use crate::codec::{Note, NoteKind};
use crate::finding::{Finding, SourceRef, Subject, codes, counted};
use crate::version::SemanticVersion;

/// A decoded document and its place.
#[derive(Debug, Clone)]
pub struct Located<'d> {
    /// Where the document stands.
    pub at: SourceRef,
    /// What it says.
    pub document: &'d DecodedDocument,
}

/// The model of a catalog, and what is wrong with single documents or with how they fit together. Documents count in the
/// order of their places, in whatever order they come.
pub fn assemble(name: &Arc<str>, documents: &[Located<'_>]) -> (Catalog, Vec<Finding>) {
    let mut documents: Vec<&Located<'_>> = documents.iter().collect();
    documents.sort_by(|one, other| one.at.cmp(&other.at));
    let mut assembly = Assembly {
        catalog: Catalog { name: name.clone(), packages: BTreeMap::new(), counts: Counts::default() },
        findings: Vec::new(),
        faults: BTreeMap::new(),
    };
    for located in &documents {
        assembly.notes(&located.at, located.document);
        let subject = Subject::catalog(name.clone());
        match &located.document.outcome {
            Outcome::Facts(facts) => assembly.add(&located.at, facts),
            Outcome::MissingSchema => {
                assembly.find_fault(Finding::new(codes::MISSING_SCHEMA, subject).at(&located.at));
            }
            Outcome::Fault { line, reason } => {
                let at = located.at.clone().line_in_document(*line);
                assembly.find_fault(Finding::new(codes::DECODE_ERROR, subject).at(&at).with("reason", reason));
            }
        }
    }
    assembly.count_untold_faults();
    assembly.order_and_refuse_duplicates();
    assembly.attach(&documents);
    (assembly.catalog, assembly.findings)
}

/// Faulty documents of one file that are told one by one; a file of nothing else must not fill a report.
const TOLD_FAULTS: usize = 1_000;

struct Assembly {
    catalog: Catalog,
    findings: Vec<Finding>,
    /// Faulty documents by file.
    faults: BTreeMap<Option<Arc<str>>, usize>,
}

impl Assembly {
    fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn find_fault(&mut self, finding: Finding) {
        let path = finding.at.as_ref().and_then(|at| at.path.clone());
        let faults = self.faults.entry(path).or_default();
        *faults += 1;
        if *faults <= TOLD_FAULTS {
            self.findings.push(finding);
        }
    }

    fn count_untold_faults(&mut self) {
        for (path, faults) in std::mem::take(&mut self.faults) {
            let Some(untold) = faults.checked_sub(TOLD_FAULTS).filter(|untold| *untold > 0) else { continue };
            let name = self.catalog.name.clone();
            let at = SourceRef { path, ..SourceRef::input(name.clone()) };
            let finding = Finding::new(codes::MORE_FAULTS, Subject::catalog(name)).at(&at);
            self.find(finding.with("documents", counted(untold, "document")));
        }
    }

    fn subject(&self, package: &str) -> Subject {
        Subject::package(self.catalog.name.clone(), package)
    }

    fn package(&mut self, name: &str, at: &SourceRef) -> &mut Package {
        self.catalog.packages.entry(name.into()).or_insert_with_key(|name| Package {
            name: name.clone(),
            defined: None,
            at: at.clone(),
            channels: Vec::new(),
            bundles: Vec::new(),
            deprecations: Deprecations::default(),
            lifecycle: Lifecycle::default(),
        })
    }

    fn notes(&mut self, at: &SourceRef, document: &DecodedDocument) {
        for note in &document.notes {
            let subject = self.note_subject(document);
            self.find(note_finding(note, subject).at(&at.clone().line_in_document(note.line)));
        }
    }

    fn note_subject(&self, document: &DecodedDocument) -> Subject {
        let catalog = self.catalog.name.clone();
        let Outcome::Facts(facts) = &document.outcome else { return Subject::catalog(catalog) };
        match facts {
            DocumentFacts::Package(facts) => Subject::package(catalog, &*facts.name),
            DocumentFacts::Channel(facts) => Subject::channel(catalog, &*facts.package, &*facts.name),
            DocumentFacts::Bundle(facts) => Subject::bundle(catalog, &*facts.package, &*facts.name),
            DocumentFacts::Deprecations(facts) => Subject::package(catalog, &*facts.package),
            DocumentFacts::Lifecycle(facts) if !facts.package.is_empty() => Subject::package(catalog, &*facts.package),
            DocumentFacts::Lifecycle(_) | DocumentFacts::Other(_) => Subject::catalog(catalog),
        }
    }

    fn add(&mut self, at: &SourceRef, facts: &DocumentFacts) {
        let counts = &mut self.catalog.counts;
        match facts {
            DocumentFacts::Package(facts) => {
                counts.packages += 1;
                self.add_package(at, facts);
            }
            DocumentFacts::Channel(facts) => {
                counts.channels += 1;
                counts.entries += facts.entries.len();
                self.add_channel(at, facts);
            }
            DocumentFacts::Bundle(facts) => {
                counts.bundles += 1;
                self.add_bundle(at, facts);
            }
            DocumentFacts::Deprecations(_) => counts.deprecations += 1,
            DocumentFacts::Lifecycle(_) | DocumentFacts::Other(_) => counts.other += 1,
        }
    }

    fn add_package(&mut self, at: &SourceRef, facts: &Arc<PackageFacts>) {
        let package = self.package(&facts.name, at);
        if package.defined.is_some() {
            let subject = self.subject(&facts.name);
            self.find(Finding::new(codes::DUPLICATE_PACKAGE, subject).at(at));
        } else {
            package.defined = Some(facts.clone());
            package.at = at.clone();
        }
    }

    fn add_channel(&mut self, at: &SourceRef, facts: &Arc<ChannelFacts>) {
        let channel = Channel::new(at.clone(), facts.clone());
        self.package(&facts.package, at).channels.push(channel);
    }

    fn add_bundle(&mut self, at: &SourceRef, facts: &Arc<BundleFacts>) {
        let mut bundle = Bundle { name: (*facts.name).into(), at: at.clone(), facts: facts.clone(), version: None };
        bundle.version = bundle.stated().and_then(|(_, version, _)| SemanticVersion::parse_strict(version).ok());
        self.package(&facts.package, at).bundles.push(bundle);
    }

    fn order_and_refuse_duplicates(&mut self) {
        for package in self.catalog.packages.values_mut() {
            let subject = package.subject(&self.catalog.name);
            package.channels.sort_by(|one, other| one.name.cmp(&other.name).then_with(|| one.at.cmp(&other.at)));
            package.bundles.sort_by(|one, other| one.name.cmp(&other.name).then_with(|| one.at.cmp(&other.at)));
            package.channels.dedup_by(|later, first| {
                let same = later.name == first.name;
                if same {
                    let subject = subject.clone().in_channel(first.name.clone());
                    self.findings.push(Finding::new(codes::DUPLICATE_CHANNEL, subject).at(&later.at));
                }
                same
            });
            package.bundles.dedup_by(|later, first| {
                let same = later.name == first.name;
                if same {
                    let subject = subject.clone().of_bundle(first.name.clone());
                    self.findings.push(Finding::new(codes::DUPLICATE_BUNDLE, subject).at(&later.at));
                }
                same
            });
        }
    }

    /// Deprecations and lifecycles belong to packages that other documents bring in, whatever comes first.
    fn attach(&mut self, documents: &[&Located<'_>]) {
        for located in documents {
            match &located.document.outcome {
                Outcome::Facts(DocumentFacts::Deprecations(facts)) => self.add_deprecations(&located.at, facts),
                Outcome::Facts(DocumentFacts::Lifecycle(facts)) => self.add_lifecycle(&located.at, facts),
                _ => {}
            }
        }
    }

    fn add_deprecations(&mut self, at: &SourceRef, facts: &Arc<DeprecationsFacts>) {
        let mut faults = super::check::deprecation_faults(facts, self.catalog.packages.get(&*facts.package));
        if let Some(package) = self.catalog.packages.get_mut(&*facts.package) {
            let known = &mut package.deprecations;
            if known.stated {
                faults.push("the package has more than one olm.deprecations document".to_owned());
            }
            known.stated = true;
            for entry in &facts.entries {
                let message = entry.message.trim().to_owned();
                match entry.schema.as_str() {
                    "olm.package" if entry.name.is_empty() => known.package = known.package.take().or(Some(message)),
                    "olm.channel" => drop(known.channels.entry(entry.name.clone()).or_insert(message)),
                    "olm.bundle" => drop(known.bundles.entry(entry.name.clone()).or_insert(message)),
                    _ => {}
                }
            }
        }
        for reason in faults {
            let finding = Finding::new(codes::BAD_DEPRECATION, self.subject(&facts.package));
            self.find(finding.at(at).with("reason", reason));
        }
    }

    /// A lifecycle document without a package is legal, but nobody can tell whose it is: it is said, and not used.
    fn add_lifecycle(&mut self, at: &SourceRef, facts: &LifecycleFacts) {
        if facts.package.is_empty() {
            let path = at.path.as_deref().unwrap_or_default();
            let finding = Finding::new(codes::INPUT_SKIPPED, Subject::catalog(self.catalog.name.clone()));
            let reason = "a lifecycle document that names no package is not used";
            self.find(finding.at(at).with("path", path).with("reason", reason));
            return;
        }
        let reason = match self.catalog.packages.get_mut(&*facts.package) {
            None => Some(format!("the catalog has no package {:?}", facts.package)),
            Some(package) => {
                package.lifecycle = match (&package.lifecycle, &facts.versions) {
                    (Lifecycle::NotStated, Ok(versions)) => Lifecycle::Stated(versions.clone()),
                    (Lifecycle::NotStated, Err(reason)) => Lifecycle::Unusable(reason.clone()),
                    _ => Lifecycle::Unusable("the package has more than one lifecycle document".to_owned()),
                };
                match &package.lifecycle {
                    Lifecycle::Unusable(reason) => Some(reason.clone()),
                    _ => None,
                }
            }
        };
        if let Some(reason) = reason {
            let finding = Finding::new(codes::LIFECYCLE_INVALID, self.subject(&facts.package));
            self.find(finding.at(at).with("reason", reason));
        }
    }
}

fn note_finding(note: &Note, subject: Subject) -> Finding {
    match note.kind {
        NoteKind::DuplicateKey => Finding::new(codes::DUPLICATE_KEY, subject).with("key", &note.key_path),
        NoteKind::Yaml11Scalar => Finding::new(codes::YAML_1_1_SCALAR, subject)
            .with("key", &note.key_path)
            .with("text", &note.text)
            .with("reading", "YAML 1.1"),
    }
}
