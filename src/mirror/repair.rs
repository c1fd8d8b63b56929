//! What to copy where, so that a mirror has what it lacks.
//!
//! Rule: the destination is where the mirror rules lead first, or, where no rules are known, where oc-mirror v2 puts what it
//! mirrors (`internal/pkg/operator/common.go`): the path without the registry's host, below the prefix that the images of the
//! answer share which are there; a digest gets the tag `sha256-<hex>`, for nothing can be pushed by digest alone. The lines are
//! those of `mapping.txt`, `source=destination`. Components of payloads get tags that only the tool knows, so that they have a
//! destination by rules alone. Cost: one look-up for each broken image.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::judge::Judgement;
use super::missing::Answer;
use super::rules::MirrorRules;
use super::verdict::{State, Verdict};
use crate::reference::ImageReference;

/// One line of a mapping.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Repair {
    /// The reference as it is written.
    pub source: String,
    /// Where it belongs; without a host where that of the mirror is not known.
    pub destination: String,
}

/// What to copy, by source. `host` is that of the mirror, where there is one mirror and it is a live registry.
pub fn repairs(answer: &Answer, rules: Option<&MirrorRules>, host: Option<&str>) -> Vec<Repair> {
    let prefix = if rules.is_some() { None } else { prefix(answer) };
    let of_bundles: BTreeSet<&str> = answer
        .groups
        .iter()
        .filter(|group| group.catalog.is_some())
        .flat_map(|group| group.images.iter().map(|need| need.reference.as_str()))
        .collect();
    let broken = answer.judgements.iter().filter(|(_, judgement)| is_copied(judgement));
    broken
        .filter_map(|(source, _)| {
            let reference: ImageReference = source.parse().ok()?;
            let repository = match (rules, &prefix) {
                (Some(rules), _) => first_mirror(rules, &reference)?,
                (None, Some(prefix)) if of_bundles.contains(source.as_str()) => {
                    let host = host.map_or_else(String::new, |host| format!("{host}/"));
                    format!("{host}{prefix}{}", reference.path)
                }
                (None, _) => return None,
            };
            Some(Repair { source: source.clone(), destination: format!("{repository}:{}", tag(&reference)) })
        })
        .collect()
}

/// Whether copying an image mends what is wrong with it. Where no rule leads to it a rule is missing and no copy.
fn is_copied(judgement: &Judgement) -> bool {
    let is_lacking = matches!(judgement.verdict.state(), State::Absent | State::Bad);
    is_lacking && !matches!(judgement.verdict, Verdict::NoRule | Verdict::Unmirrorable)
}

fn first_mirror(rules: &MirrorRules, reference: &ImageReference) -> Option<String> {
    let candidates = rules.resolve(reference).candidates;
    candidates.into_iter().find(|candidate| !candidate.is_source).map(|candidate| candidate.reference.name())
}

/// What stands before the paths of the images that are there; `None` where they do not agree.
fn prefix(answer: &Answer) -> Option<String> {
    let mut prefixes = BTreeSet::new();
    for group in answer.groups.iter().filter(|group| group.catalog.is_some()) {
        for need in &group.images {
            let Some(judgement) = answer.judgements.get(&need.reference) else { continue };
            if !matches!(judgement.verdict.state(), State::Present | State::Sparse) {
                continue;
            }
            let repository = judgement.found.as_ref().and_then(|found| found.repository.as_deref());
            let (Some(repository), Ok(reference)) = (repository, need.reference.parse::<ImageReference>()) else {
                continue;
            };
            prefixes.insert(repository.strip_suffix(reference.path.as_str()).map(str::to_owned));
        }
    }
    let mut prefixes = prefixes.into_iter();
    match (prefixes.next(), prefixes.next()) {
        (None, _) => Some(String::new()),
        (Some(only), None) => only,
        (Some(_), Some(_)) => None,
    }
}

/// The tag of the copy.
fn tag(reference: &ImageReference) -> String {
    match (&reference.tag, &reference.digest) {
        (Some(tag), _) => tag.clone(),
        (None, Some(digest)) => format!("{}-{}", digest.algorithm(), digest.hex()),
        (None, None) => "latest".to_owned(),
    }
}
