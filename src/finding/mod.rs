//! What was noticed about an input: a code and its evidence, and how completely each input was read.
//!
//! A finding carries no text. Its code names a row of the registry ([`codes`]), and the row holds the sentence, the hint and
//! the reason that a renderer shows; so one fact reads the same in every format, and two runs can be compared by
//! [`Finding::fingerprint`]. Codes are public names: unique, never reused. Cost: a few words for each finding.

mod code;
pub mod codes;
mod content_digest;
mod digest;
mod place;
mod words;

pub use code::{Code, CodeRow, Severity};
pub use content_digest::{ContentDigest, ContentDigestError, ContentHasher};
pub use digest::{Digest, DigestError};
pub use place::{SourceRef, Subject};
pub(crate) use words::{counted, counted_as, first_names};

use std::collections::BTreeMap;

/// What a finding rests on: names and values by the words that the registry's sentence uses for them.
pub type Evidence = BTreeMap<&'static str, String>;

/// One fact about an input that somebody should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which fact it is.
    pub code: Code,
    /// What it is about.
    pub subject: Subject,
    /// Where it was seen; `None` where it follows from the whole input.
    pub at: Option<SourceRef>,
    /// What it rests on.
    pub evidence: Evidence,
    /// How bad it is, where what was asked says otherwise than the code.
    weight: Option<Severity>,
}

impl Finding {
    /// A finding without place or evidence.
    pub fn new(code: Code, subject: Subject) -> Self {
        Self { code, subject, at: None, evidence: Evidence::new(), weight: None }
    }

    /// The same finding with its place.
    #[must_use]
    pub fn at(mut self, place: &SourceRef) -> Self {
        self.at = Some(place.clone());
        self
    }

    /// The same finding with one more piece of evidence.
    #[must_use]
    pub fn with(mut self, word: &'static str, value: impl ToString) -> Self {
        self.evidence.insert(word, value.to_string());
        self
    }

    /// The same finding with another severity than its code has.
    #[must_use]
    pub fn weighing(mut self, severity: Severity) -> Self {
        self.weight = Some(severity);
        self
    }

    /// The severity that its code has, unless it was given another one.
    pub fn severity(&self) -> Severity {
        self.weight.unwrap_or_else(|| self.code.severity())
    }

    /// The sentence of its code with the evidence and the subject filled in.
    pub fn message(&self) -> String {
        code::fill(self.code.row().message, |word| self.word(word))
    }

    /// What to do about it, with the evidence and the subject filled in.
    pub fn hint(&self) -> String {
        code::fill(self.code.row().hint, |word| self.word(word))
    }

    /// Digest over code, subject and evidence, but not over the place: a moved line keeps its fingerprint.
    pub fn fingerprint(&self) -> Digest {
        let mut parts: Vec<&[u8]> = vec![self.code.name().as_bytes()];
        for level in self.subject.levels() {
            parts.push(level.unwrap_or("").as_bytes());
        }
        for (word, value) in &self.evidence {
            parts.extend([word.as_bytes(), value.as_bytes()]);
        }
        Digest::of_parts(parts)
    }

    fn word(&self, word: &str) -> Option<String> {
        self.evidence.get(word).cloned().or_else(|| self.subject.level(word).map(str::to_owned))
    }
}

/// Puts findings into the one order that every output uses: worst first, then by subject, code, place and evidence.
/// Equal findings are kept once. Cost: n log n.
pub fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|one, other| {
        (other.severity().cmp(&one.severity()))
            .then_with(|| one.subject.cmp(&other.subject))
            .then_with(|| one.code.name().cmp(other.code.name()))
            .then_with(|| one.at.cmp(&other.at))
            .then_with(|| one.evidence.cmp(&other.evidence))
    });
    findings.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads() -> Finding {
        Finding::new(codes::MULTIPLE_HEADS, Subject::channel("c", "p", "stable")).with("heads", "p.v1, p.v2")
    }

    #[test]
    fn the_sentence_is_filled_from_evidence_and_subject() {
        let text = heads().message();
        assert!(text.contains("stable") && text.contains("p.v1, p.v2"), "{text}");
        assert!(!text.contains('{'), "{text}");
    }

    #[test]
    fn the_place_is_no_part_of_the_fingerprint_and_the_evidence_is() {
        let place = SourceRef::file("c", "catalog.yaml").document(3, 41);
        assert_eq!(heads().at(&place).fingerprint(), heads().fingerprint());
        assert_ne!(heads().with("heads", "p.v1, p.v3").fingerprint(), heads().fingerprint());
    }

    #[test]
    fn a_severity_of_its_own_wins_over_that_of_the_code() {
        assert_eq!(heads().severity(), Severity::Error);
        assert_eq!(heads().weighing(Severity::Info).severity(), Severity::Info);
        assert_eq!(heads().weighing(Severity::Info).fingerprint(), heads().fingerprint());
    }

    #[test]
    fn worst_comes_first_and_equal_ones_once() {
        let warning = Finding::new(codes::DEAD_END, Subject::bundle("c", "a", "a.v1"));
        let mut findings = vec![warning.clone(), heads(), warning.clone()];
        sort(&mut findings);
        assert_eq!(findings, [heads(), warning]);
    }
}
