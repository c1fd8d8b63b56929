//! Whether an image of a mirror can be pulled, and why not.
//!
//! Rule: a registry serves an image where it has the manifest, and a node pulls it where the instance for its machine has
//! its manifest, configuration and layers (distribution, "Pulling an Image"). Attestations are no instances
//! (docs.docker.com, "Image attestation storage"). Cost: one look at each part.

use super::facts::{Condition, ImageFacts, Instance, Part};
use crate::finding::{Code, codes};
use crate::source::image::Platform;

/// What holds of an image in a mirror; the worse comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is there, with everything that is wanted of it.
    Present,
    /// It is there; instances for other machines are not.
    Sparse,
    /// It is not here, and a record says that the target registry has it.
    ExpectedAtTarget,
    /// Whether it is there cannot be told.
    Unprovable,
    /// Its configuration or a layer is missing.
    BlobAbsent,
    /// The instance for a wanted machine is missing.
    InstanceAbsent,
    /// A part ends early.
    Truncated,
    /// A part is longer than stated.
    BadSize,
    /// A part has other bytes.
    BadDigest,
    /// It is there, but no rule leads to it.
    NoRule,
    /// It is there, but not where the rules lead.
    WrongRepository,
    /// Its tag means another image.
    TagMoved,
    /// It is not there.
    ManifestAbsent,
    /// Its reference is none.
    Unmirrorable,
}

/// What a pipeline should make of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be pulled.
    Present,
    /// It can be pulled where the record is right.
    ExpectedAtTarget,
    /// It cannot be pulled.
    Absent,
    /// It can be pulled by the wanted machines.
    Sparse,
    /// It is damaged.
    Bad,
    /// Nobody can tell.
    Unprovable,
}

impl State {
    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::ExpectedAtTarget => "expected-at-target",
            Self::Absent => "absent",
            Self::Sparse => "sparse",
            Self::Bad => "bad",
            Self::Unprovable => "unprovable",
        }
    }

    /// Whether an upgrade that needs the image fails.
    pub fn is_broken(self) -> bool {
        matches!(self, Self::Absent | Self::Bad)
    }
}

impl Verdict {
    /// What a pipeline should make of it.
    pub fn state(self) -> State {
        match self {
            Self::Present => State::Present,
            Self::Sparse => State::Sparse,
            Self::ExpectedAtTarget => State::ExpectedAtTarget,
            Self::Truncated | Self::BadSize | Self::BadDigest => State::Bad,
            Self::Unprovable => State::Unprovable,
            Self::BlobAbsent
            | Self::InstanceAbsent
            | Self::NoRule
            | Self::WrongRepository
            | Self::TagMoved
            | Self::ManifestAbsent
            | Self::Unmirrorable => State::Absent,
        }
    }

    /// The code that explains it; none where the image is there.
    pub fn code(self) -> Option<Code> {
        Some(match self {
            Self::Present => return None,
            Self::Sparse => codes::mirror::SPARSE,
            Self::ExpectedAtTarget => codes::mirror::EXPECTED_AT_TARGET,
            Self::BlobAbsent => codes::mirror::BLOB_ABSENT,
            Self::InstanceAbsent => codes::mirror::INSTANCE_ABSENT,
            Self::Truncated => codes::mirror::TRUNCATED,
            Self::BadSize => codes::mirror::BAD_SIZE,
            Self::BadDigest => codes::mirror::BAD_DIGEST,
            Self::Unprovable => codes::mirror::UNPROVABLE,
            Self::NoRule => codes::mirror::NO_RULE,
            Self::WrongRepository => codes::mirror::WRONG_REPOSITORY,
            Self::TagMoved => codes::mirror::TAG_MOVED,
            Self::ManifestAbsent => codes::mirror::MANIFEST_ABSENT,
            Self::Unmirrorable => codes::mirror::UNMIRRORABLE,
        })
    }

    /// The name that reports use: that of its code without the prefix; none where the image is there.
    pub fn name(self) -> Option<&'static str> {
        let name = self.code()?.name();
        Some(name.strip_prefix("mirror/").unwrap_or(name))
    }
}

/// A verdict and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdicted {
    /// The verdict.
    pub verdict: Verdict,
    /// What is missing or wrong, as a sentence.
    pub reason: Option<String>,
}

impl Verdicted {
    const PRESENT: Self = Self { verdict: Verdict::Present, reason: None };

    /// The first of the two where they are equally bad.
    fn worse(self, other: Self) -> Self {
        if other.verdict > self.verdict { other } else { self }
    }
}

/// What holds of an image where one looked for it, when nodes of these platforms want it.
pub fn verdict(facts: &ImageFacts, wanted: &[Platform]) -> Verdicted {
    let manifests = facts.manifests.iter().filter_map(|part| part_verdict(part, Verdict::ManifestAbsent));
    let runnable = facts.instances.iter().filter(|instance| !instance.is_attestation);
    let (asked, others): (Vec<&Instance>, Vec<&Instance>) =
        runnable.partition(|instance| instance.manifest.digest == facts.digest || serves(instance, wanted));
    let others: Vec<Verdicted> = others.into_iter().map(instance_verdict).collect();
    // An index without any instance that was asked for serves nobody once all its others are gone as well.
    let spared = !asked.is_empty() || others.iter().any(|other| other.verdict.state() != State::Absent);
    let others = others.into_iter().map(|other| match other.verdict.state() {
        State::Absent if spared => Verdicted { verdict: Verdict::Sparse, ..other },
        _ => other,
    });
    let all = manifests.chain(asked.into_iter().map(instance_verdict)).chain(others);
    all.fold(Verdicted::PRESENT, Verdicted::worse)
}

/// Whether an instance runs on one of these platforms; where it does not say, it may.
fn serves(instance: &Instance, wanted: &[Platform]) -> bool {
    instance.platform.as_ref().is_none_or(|offered| wanted.iter().any(|wanted| wanted.accepts(offered)))
}

fn instance_verdict(instance: &Instance) -> Verdicted {
    let content = instance.content.iter().filter_map(|part| part_verdict(part, Verdict::BlobAbsent));
    let manifest = part_verdict(&instance.manifest, Verdict::InstanceAbsent);
    let worst = manifest.into_iter().chain(content).fold(Verdicted::PRESENT, Verdicted::worse);
    let platform = instance.platform.as_ref().map_or_else(String::new, |platform| format!(" ({platform})"));
    Verdicted { reason: worst.reason.map(|reason| format!("{reason}{platform}")), ..worst }
}

fn part_verdict(part: &Part, absent: Verdict) -> Option<Verdicted> {
    let (verdict, reason) = match &part.condition {
        Condition::Present => return None,
        Condition::Absent => (absent, format!("{} is not there", part.digest)),
        Condition::ExpectedAtTarget(record) => {
            (Verdict::ExpectedAtTarget, format!("{} is recorded in {record}", part.digest))
        }
        Condition::BadDigest(reason) => (Verdict::BadDigest, reason.clone()),
        Condition::BadSize(reason) => (Verdict::BadSize, reason.clone()),
        Condition::Truncated(reason) => (Verdict::Truncated, reason.clone()),
        Condition::Unreadable(reason) => (Verdict::Unprovable, reason.clone()),
    };
    Some(Verdicted { verdict, reason: Some(reason) })
}

#[cfg(test)]
mod tests;
