//! Where a cluster looks for an image: ImageDigestMirrorSet, ImageTagMirrorSet and ImageContentSourcePolicy.
//!
//! Rule: openshift/api `config/v1/types_image_digest_mirror_set.go`, `types_image_tag_mirror_set.go` and
//! `operator/v1alpha1/types_image_content_source_policy.go`, which the machine-config operator turns into `registries.conf`.
//! There (containers/image `pkg/sysregistriesv2`) the entry with the longest source that covers the repository counts alone,
//! whatever its kind; of its mirrors those for digests serve references with a digest, those for tags the others; the source
//! itself comes last, unless it must never be contacted. One departure: a source without a port covers no host with one, which
//! upstream allows by accident and warns of. Cost of a question: one look-up for each part of the name.

mod document;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::reference::ImageReference;

/// The rules of all documents together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MirrorRules {
    /// By source; one that begins with `*.` stands for every host below a domain.
    entries: BTreeMap<String, Entry>,
}

/// What is stated of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Entry {
    digest_mirrors: Vec<String>,
    tag_mirrors: Vec<String>,
    /// The policy that was stated first, and whether another document contradicts it.
    never_contact_source: Option<bool>,
}

/// Which references a mirror serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// Those with a digest.
    Digest,
    /// Those without.
    Tag,
}

/// A place where a cluster looks for an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The reference there.
    pub reference: ImageReference,
    /// Whether it is the reference itself, unchanged.
    pub is_source: bool,
}

/// Where a cluster looks for a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// The places, in the order in which they were stated, the source last; the order is a wish and no promise.
    pub candidates: Vec<Candidate>,
    /// Whether a rule with a mirror covers the reference.
    pub has_rule: bool,
}

impl MirrorRules {
    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of distinct sources.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where a cluster looks for a reference.
    ///
    /// ```
    /// use skipstone::codec::Limits;
    /// use skipstone::finding::SourceRef;
    /// use skipstone::mirror::rules::MirrorRules;
    ///
    /// let text = b"
    /// kind: ImageTagMirrorSet
    /// apiVersion: config.openshift.io/v1
    /// spec:
    ///   imageTagMirrors:
    ///   - {source: up.example/birds, mirrors: [mirror.example/birds], mirrorSourcePolicy: NeverContactSource}
    /// ";
    /// let mut rules = MirrorRules::default();
    /// assert!(rules.add(text, &SourceRef::file("rules", "itms.yaml"), &Limits::default()).is_empty());
    /// let resolution = rules.resolve(&"up.example/birds/gull:1.0".parse()?);
    /// let places: Vec<String> = resolution.candidates.iter().map(|place| place.reference.to_string()).collect();
    /// assert_eq!(places, ["mirror.example/birds/gull:1.0"]);
    /// # Ok::<(), skipstone::reference::ReferenceError>(())
    /// ```
    pub fn resolve(&self, reference: &ImageReference) -> Resolution {
        let source = Candidate { reference: reference.clone(), is_source: true };
        let name = reference.name();
        let Some((entry, rest)) = self.covering(&name) else {
            return Resolution { candidates: vec![source], has_rule: false };
        };
        let mirrors = if reference.digest.is_some() { &entry.digest_mirrors } else { &entry.tag_mirrors };
        let mut candidates: Vec<Candidate> = mirrors
            .iter()
            .filter_map(|mirror| relocated(reference, &format!("{mirror}{rest}")))
            .map(|reference| Candidate { reference, is_source: false })
            .collect();
        let has_rule = !candidates.is_empty();
        if entry.never_contact_source != Some(true) {
            candidates.push(source);
        }
        Resolution { candidates, has_rule }
    }

    /// The entry with the longest source that covers a repository, and what is left of the name behind that source.
    fn covering<'n>(&self, name: &'n str) -> Option<(&Entry, &'n str)> {
        let borders = name.match_indices('/').map(|(position, _)| position).chain([name.len()]);
        let plain = borders
            .filter_map(|border| name.split_at_checked(border))
            .filter_map(|(source, rest)| Some((source.len(), self.entries.get(source)?, rest)));
        let (host, path) = name.find('/').and_then(|border| name.split_at_checked(border)).unwrap_or((name, ""));
        let dots = host.match_indices('.').filter_map(|(position, _)| host.get(position..));
        let below = dots.filter_map(|domain| {
            let source = format!("*{domain}");
            Some((source.len(), self.entries.get(&source)?, path))
        });
        // The first of equally long ones, so that a plain source comes before a domain.
        let longest = plain.chain(below).reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        Some((longest.1, longest.2))
    }

    /// Takes one rule in; false where its policy contradicts the one that was stated for the same source before.
    fn insert(
        &mut self,
        kind: RuleKind,
        source: &str,
        mirrors: Vec<String>,
        never_contact_source: Option<bool>,
    ) -> bool {
        let entry = self.entries.entry(source.to_owned()).or_default();
        let known = match kind {
            RuleKind::Digest => &mut entry.digest_mirrors,
            RuleKind::Tag => &mut entry.tag_mirrors,
        };
        for mirror in mirrors {
            if !known.contains(&mirror) {
                known.push(mirror);
            }
        }
        match (entry.never_contact_source, never_contact_source) {
            (Some(before), Some(now)) => {
                entry.never_contact_source = Some(before || now);
                before == now
            }
            (before, now) => {
                entry.never_contact_source = before.or(now);
                true
            }
        }
    }
}

/// The same tag and digest in another repository; `None` where the location has no path.
fn relocated(reference: &ImageReference, location: &str) -> Option<ImageReference> {
    let (host, path) = location.split_once('/')?;
    let (host, path) = (host.to_owned(), path.to_owned());
    (!path.is_empty()).then(|| ImageReference { host, path, ..reference.clone() })
}
