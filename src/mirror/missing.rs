//! Which images catalogs and payloads need, and what of them a mirror lacks.
//!
//! Rule: a bundle needs its own image and its `relatedImages` (operator-registry `alpha/declcfg/declcfg.go`), a payload what its
//! `image-references` name. Bytes are those of distinct blobs, as a registry stores and a medium carries them; what cannot be
//! known is counted and not guessed. Cost: linear in the parts of the images.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::facts::{Condition, Part, Weight};
use super::judge::Judgement;
use super::verdict::{State, Verdict};
use crate::catalog::{Bundle, Catalog};
use crate::finding::ContentDigest;

/// An image that something needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The reference as it is written.
    pub reference: String,
    /// What it is there: `bundle`, or the names that its author gives it.
    pub roles: Vec<String>,
}

/// A bundle or a payload, with the images that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The catalog; `None` for a payload.
    pub catalog: Option<Arc<str>>,
    /// The package; `None` for a payload.
    pub package: Option<Arc<str>>,
    /// The bundle's name, or the payload's.
    pub name: Arc<str>,
    /// Its images, each reference once, in the order of the document.
    pub images: Vec<Need>,
}

impl Group {
    /// A payload with its components: pairs of name and reference.
    pub fn payload(name: &str, components: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { catalog: None, package: None, name: name.into(), images: once_each(components) }
    }

    fn bundle(catalog: &Catalog, package: &Arc<str>, bundle: &Bundle) -> Self {
        let facts = &bundle.facts;
        let own = Some(("bundle".to_owned(), facts.image.clone())).filter(|(_, image)| !image.is_empty());
        let related = facts.related_images.iter().map(|related| (related.name.clone(), related.image.clone()));
        Self {
            catalog: Some(catalog.name.clone()),
            package: Some(package.clone()),
            name: bundle.name.clone(),
            images: once_each(own.into_iter().chain(related)),
        }
    }
}

/// The bundles of a catalog, by package and name; of these packages only, where any are named.
pub fn bundles(catalog: &Catalog, packages: &[String]) -> Vec<Group> {
    let wanted = |name: &str| packages.is_empty() || packages.iter().any(|wanted| wanted == name);
    let chosen = catalog.packages.iter().filter(|(name, _)| wanted(name));
    chosen
        .flat_map(|(name, package)| package.bundles.iter().map(move |bundle| Group::bundle(catalog, name, bundle)))
        .collect()
}

fn once_each(images: impl IntoIterator<Item = (String, String)>) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    for (role, reference) in images {
        let known = positions.get(&reference).and_then(|position| needs.get_mut(*position));
        match known {
            Some(need) => {
                if !role.is_empty() && !need.roles.contains(&role) {
                    need.roles.push(role);
                }
            }
            None => {
                positions.insert(reference.clone(), needs.len());
                let roles = Some(role).filter(|role| !role.is_empty()).into_iter().collect();
                needs.push(Need { reference, roles });
            }
        }
    }
    needs
}

/// What everything needs, and what was judged of each reference.
#[derive(Debug, Default)]
pub struct Answer {
    /// Bundles and payloads.
    pub groups: Vec<Group>,
    /// By reference.
    pub judgements: BTreeMap<String, Judgement>,
}

/// Sums over distinct references and blobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Distinct references.
    pub images: usize,
    /// Of these, in the state present.
    pub present: usize,
    /// Of these, in the state sparse.
    pub sparse: usize,
    /// Of these, in the state expected-at-target.
    pub expected_at_target: usize,
    /// Of these, in the state absent.
    pub absent: usize,
    /// Of these, in the state bad.
    pub bad: usize,
    /// Of these, in the state unprovable.
    pub unprovable: usize,
    /// Of these, those whose size nobody knows here.
    pub unknown_size: usize,
    /// Bytes of all blobs whose size is known.
    pub needed_bytes: u64,
    /// Of these, bytes that are here.
    pub present_bytes: u64,
    /// Of these, bytes that must be brought.
    pub carry_bytes: u64,
}

/// What one package needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The catalog.
    pub catalog: Arc<str>,
    /// The package.
    pub package: Arc<str>,
    /// Distinct references.
    pub images: usize,
    /// Of these, absent or bad ones.
    pub broken: usize,
    /// Of these, those whose size nobody knows here.
    pub unknown_size: usize,
    /// Bytes of all blobs whose size is known.
    pub bytes: u64,
    /// Of these, bytes that no other package and no payload needs.
    pub unique_bytes: u64,
}

/// A catalog and a package.
type PackageKey<'a> = (&'a Arc<str>, &'a Arc<str>);

impl Answer {
    /// Each distinct reference that the groups name, sorted.
    pub fn references(groups: &[Group]) -> Vec<String> {
        let mut references: Vec<String> =
            groups.iter().flat_map(|group| &group.images).map(|need| need.reference.clone()).collect();
        references.sort_unstable();
        references.dedup();
        references
    }

    /// Whether an image is absent or bad.
    pub fn is_broken(&self) -> bool {
        self.judgements.values().any(|judgement| judgement.verdict.state().is_broken())
    }

    /// Whether a part of an image could not be read, so that nothing is known of it.
    pub fn is_incomplete(&self) -> bool {
        let mut parts = self.judgements.values().flat_map(parts);
        parts.any(|part| matches!(part.condition, Condition::Unreadable(_)))
    }

    /// Sums over everything.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals { images: self.judgements.len(), ..Totals::default() };
        let (mut needed, mut present, mut carried) = (Weight::default(), Weight::default(), Weight::default());
        for judgement in self.judgements.values() {
            let count = match judgement.verdict.state() {
                State::Present => &mut totals.present,
                State::Sparse => &mut totals.sparse,
                State::ExpectedAtTarget => &mut totals.expected_at_target,
                State::Absent => &mut totals.absent,
                State::Bad => &mut totals.bad,
                State::Unprovable => &mut totals.unprovable,
            };
            *count += 1;
            totals.unknown_size += usize::from(!is_size_known(judgement));
            needed.add(parts(judgement));
            present.add(parts(judgement).filter(|part| part.condition == Condition::Present));
            if judgement.verdict.state().is_broken() {
                carried.add(parts(judgement).filter(|part| is_to_carry(part)));
            }
        }
        totals.needed_bytes = needed.bytes();
        totals.present_bytes = present.bytes();
        totals.carry_bytes = carried.bytes();
        totals
    }

    /// What each package needs, by catalog and package.
    pub fn shares(&self) -> Vec<Share> {
        let mut owned: BTreeMap<Option<PackageKey<'_>>, Vec<&str>> = BTreeMap::new();
        for group in &self.groups {
            let owner = group.catalog.as_ref().zip(group.package.as_ref());
            owned.entry(owner).or_default().extend(group.images.iter().map(|need| need.reference.as_str()));
        }
        let mut owners: BTreeMap<&ContentDigest, usize> = BTreeMap::new();
        let mut packages = Vec::new();
        for (owner, mut references) in owned {
            references.sort_unstable();
            references.dedup();
            let judged: Vec<&Judgement> =
                references.iter().filter_map(|reference| self.judgements.get(*reference)).collect();
            let mut weight: BTreeMap<&ContentDigest, u64> = BTreeMap::new();
            let all = judged.iter().flat_map(|judgement| parts(judgement));
            weight.extend(all.map(|part| (&part.digest, part.bytes.unwrap_or(0))));
            for digest in weight.keys() {
                *owners.entry(digest).or_default() += 1;
            }
            packages.push((owner, judged, weight));
        }
        let sum = |lengths: &mut dyn Iterator<Item = u64>| lengths.fold(0_u64, u64::saturating_add);
        packages
            .into_iter()
            .filter_map(|(owner, judged, weight)| {
                let (catalog, package) = owner?;
                let alone = |digest: &ContentDigest| owners.get(digest).is_some_and(|owners| *owners == 1);
                let unique = weight.iter().filter(|(digest, _)| alone(digest));
                Some(Share {
                    catalog: catalog.clone(),
                    package: package.clone(),
                    images: judged.len(),
                    broken: judged.iter().filter(|judgement| judgement.verdict.state().is_broken()).count(),
                    unknown_size: judged.iter().filter(|judgement| !is_size_known(judgement)).count(),
                    bytes: sum(&mut weight.values().copied()),
                    unique_bytes: sum(&mut unique.map(|(_, bytes)| *bytes)),
                })
            })
            .collect()
    }
}

/// Whether the image's blobs are known; a tag that moved tells of another image.
pub fn is_size_known(judgement: &Judgement) -> bool {
    let found = judgement.found.as_ref();
    judgement.verdict != Verdict::TagMoved && found.is_some_and(|found| !found.facts.instances.is_empty())
}

/// The parts of the image as far as they are known.
pub fn parts(judgement: &Judgement) -> impl Iterator<Item = &Part> {
    let found = judgement.found.as_ref().filter(|_| judgement.verdict != Verdict::TagMoved);
    found.into_iter().flat_map(|found| found.facts.parts())
}

fn is_to_carry(part: &Part) -> bool {
    !matches!(part.condition, Condition::Present | Condition::ExpectedAtTarget(_) | Condition::Unreadable(_))
}
