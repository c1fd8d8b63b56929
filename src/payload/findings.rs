//! What is wrong with a payload, as findings.
//!
//! Rule: that of [`super`]. No place in a store is told: the place of a finding names the release, so that equal payloads give
//! equal findings wherever they came from. Cost: linear in the faults.

use std::sync::Arc;

use super::facts::{AdminGates, PayloadFacts, PayloadFault};
use super::{ReleaseArchitecture, StatedArchitecture};
use crate::codec::ManifestFault;
use crate::finding::{Code, Finding, SourceRef, Subject, codes};

/// What the image of a payload states beside its files.
#[derive(Debug, Clone, Default)]
pub struct StatedPayload {
    /// The label `io.openshift.release` of its configuration.
    pub version_label: Option<String>,
    /// What the store says of its architecture.
    pub architecture: StatedArchitecture,
}

impl PayloadFacts {
    /// The name of the release: `<version>-<architecture>`, each `unknown` where it is not known.
    #[must_use]
    pub fn name(&self, stated: &StatedPayload) -> String {
        let version = if self.version.is_empty() { "unknown" } else { &self.version };
        match self.architecture(&stated.architecture) {
            ReleaseArchitecture::Known(architecture) | ReleaseArchitecture::Part(architecture) => {
                format!("{version}-{architecture}")
            }
            ReleaseArchitecture::Unknown(_) => format!("{version}-unknown"),
        }
    }
}

/// Everything that is wrong with a payload, sorted.
#[must_use]
pub fn findings(facts: &PayloadFacts, stated: &StatedPayload) -> Vec<Finding> {
    let release: Arc<str> = facts.name(stated).into();
    let whole = |code: Code| Finding::new(code, Subject::default()).at(&SourceRef::input(release.clone()));
    let mut findings: Vec<Finding> = facts.faults.iter().map(|fault| of_fault(fault, facts, &release)).collect();
    if let Some(label) = stated.version_label.as_ref().filter(|label| **label != facts.version)
        && !facts.version.is_empty()
    {
        let finding = whole(codes::PAYLOAD_VERSION_MISMATCH).with("what", "the label io.openshift.release");
        findings.push(finding.with("stated", format!("{label:?}")).with("version", &facts.version));
    }
    if let AdminGates::Unknown(reason) = &facts.admin_gates {
        findings.push(whole(codes::PAYLOAD_GATES_UNKNOWN).with("version", &release).with("reason", reason));
    }
    crate::finding::sort(&mut findings);
    findings
}

fn of_fault(fault: &PayloadFault, facts: &PayloadFacts, release: &Arc<str>) -> Finding {
    let whole = |code: Code| Finding::new(code, Subject::default()).at(&SourceRef::input(release.clone()));
    match fault {
        PayloadFault::Undecodable(ManifestFault { path, document, line, reason }) => {
            let place = SourceRef::file(release.clone(), path.as_str()).document(*document, *line);
            Finding::new(codes::PAYLOAD_DECODE_ERROR, Subject::default()).at(&place).with("reason", reason)
        }
        PayloadFault::Missing(path) => whole(codes::PAYLOAD_MISSING_METADATA).with("path", path),
        PayloadFault::BadMetadata { path, reason } => {
            let place = SourceRef::file(release.clone(), path.as_str());
            let finding = Finding::new(codes::PAYLOAD_BAD_METADATA, Subject::default()).at(&place);
            finding.with("path", path).with("reason", reason)
        }
        PayloadFault::VersionMismatch => {
            let finding = whole(codes::PAYLOAD_VERSION_MISMATCH).with("what", "image-references");
            finding.with("stated", format!("{:?}", facts.image_references_name)).with("version", &facts.version)
        }
        PayloadFault::NotByDigest { name, reference } => {
            whole(codes::PAYLOAD_IMAGE_NOT_BY_DIGEST).with("name", name).with("reference", format!("{reference:?}"))
        }
        PayloadFault::BadComponent { name, reason } => {
            whole(codes::PAYLOAD_BAD_COMPONENT).with("name", name).with("reason", reason)
        }
        PayloadFault::ConflictingComponent(component) => {
            let versions = facts.components.get(component).map(|found| found.versions.join(", ")).unwrap_or_default();
            whole(codes::PAYLOAD_CONFLICTING_COMPONENT).with("component", component).with("versions", versions)
        }
    }
}
