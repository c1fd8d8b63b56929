//! OLM v1: the next bundle of one ClusterExtension.
//!
//! Rule: operator-controller `internal/operator-controller/resolve/catalog.go` and `catalogmetadata/filter/successors.go`. No
//! chain, no head: every entry of the considered channels that covers the installed bundle is a candidate, non-deprecated
//! first, then the highest version and release; staying is a candidate while the installed version is offered. Among
//! catalogs a bundle that is not deprecated comes first, then the priority. The winner is validated after it is chosen, and
//! there is no second choice. Cost: linear in the entries of the considered channels of all catalogs.

mod offer;
mod why;

use std::sync::Arc;

use super::reason::{self, Reason};
use super::{Decision, Engine, Installed, Step, Via};
use crate::catalog::Package;
use crate::version::{MastermindsRange, Range as _};
use offer::Offer;
use why::chosen_catalog;

/// `spec.source.catalog.upgradeConstraintPolicy`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Policy {
    /// Only what the catalog's edges allow.
    #[default]
    CatalogProvided,
    /// Any bundle, downgrades as well.
    SelfCertified,
}

/// What a ClusterExtension asks for beside the package.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `spec.source.catalog.channels`; empty means all.
    pub channels: Vec<String>,
    /// `spec.source.catalog.version`, where it is set.
    pub range: Option<MastermindsRange>,
    /// The upgrade constraint policy.
    pub policy: Policy,
}

impl Request {
    /// Whether a bundle stands in the considered channels and its version in the range: the strict one, without the release.
    fn admits(&self, offer: &Offer<'_>) -> bool {
        let in_range = |range: &MastermindsRange| {
            offer.bundle.version_and_release.as_ref().is_some_and(|stated| range.matches(&stated.version))
        };
        offer.considered && self.range.as_ref().is_none_or(in_range)
    }
}

/// The package as one ClusterCatalog offers it.
#[derive(Debug, Clone)]
pub struct Source<'c> {
    /// The catalog's name.
    pub catalog: Arc<str>,
    /// `spec.priority` of the ClusterCatalog.
    pub priority: i32,
    /// The package there.
    pub package: &'c Package,
}

/// OLM v1 for one package and one request.
pub struct OlmV1<'c> {
    request: Request,
    offers: Vec<Offer<'c>>,
    /// Positions of the admitted offers in the order in which bundles are sorted.
    preferred: Vec<usize>,
    several_catalogs: bool,
}

/// An offer that the request admits, with how it follows what is installed.
struct Eligible<'e, 'c> {
    offer: &'e Offer<'c>,
    via: Via,
    channel: Option<Arc<str>>,
    is_installed: bool,
}

impl<'c> OlmV1<'c> {
    /// The engine for a request over these catalogs.
    pub fn new(sources: &[Source<'c>], request: Request) -> Self {
        let offers: Vec<Offer<'c>> = sources.iter().flat_map(|source| Offer::all(source, &request.channels)).collect();
        let admitted = offers.iter().enumerate().filter(|(_, offer)| request.admits(offer));
        let mut preferred: Vec<(usize, &Offer<'c>)> = admitted.collect();
        preferred.sort_by(|(_, one), (_, other)| one.preference(other));
        let preferred = preferred.into_iter().map(|(position, _)| position).collect();
        Self { request, offers, preferred, several_catalogs: sources.len() > 1 }
    }

    /// Offers in the considered channels whose version the request admits.
    fn admitted(&self) -> impl Iterator<Item = &Offer<'c>> {
        self.offers.iter().filter(|offer| self.request.admits(offer))
    }

    /// Everything that could be chosen, in the order in which one catalog's bundles are sorted.
    fn eligible(&self, installed: Option<&Installed>) -> Vec<Eligible<'_, 'c>> {
        let mut eligible: Vec<Eligible<'_, 'c>> = Vec::new();
        for offer in self.preferred.iter().filter_map(|position| self.offers.get(*position)) {
            let is_installed = installed.is_some_and(|installed| offer.is_version_of(installed));
            let (via, channel) = installed.map_or((Via::default(), None), |installed| offer.covers(installed));
            let free = installed.is_none() || self.request.policy == Policy::SelfCertified;
            if free || is_installed || !via.is_none() {
                let channel = channel.or_else(|| offer.first_channel());
                eligible.push(Eligible { offer, via, channel, is_installed });
            }
        }
        eligible
    }

    /// The one bundle that all catalogs together come to.
    fn winner<'w, 'e>(&self, eligible: &'w [Eligible<'e, 'c>]) -> Result<&'w Eligible<'e, 'c>, Reason> {
        let mut bests: Vec<&Eligible<'e, 'c>> = Vec::new();
        for candidate in eligible {
            if !bests.iter().any(|best| best.offer.catalog == candidate.offer.catalog) {
                bests.push(candidate);
            }
        }
        if bests.iter().any(|best| !best.offer.deprecated) {
            bests.retain(|best| !best.offer.deprecated);
        }
        let Some(highest) = bests.iter().map(|best| best.offer.priority).max() else {
            return Err(Reason::new(reason::NO_BUNDLES, "no catalog offers a bundle"));
        };
        bests.retain(|best| best.offer.priority == highest);
        match bests.as_slice() {
            [best] => Ok(best),
            several => {
                let mut names: Vec<&str> = several.iter().map(|best| &*best.offer.catalog).collect();
                names.sort_unstable();
                let message = format!("the catalogs {} have the same priority {highest}", names.join(", "));
                Err(Reason::new(reason::SAME_PRIORITY, message))
            }
        }
    }

    /// The winner and the move to it, or the decision not to move.
    fn judge<'w, 'e>(
        &self,
        eligible: &'w [Eligible<'e, 'c>],
        installed: Option<&Installed>,
    ) -> Result<(&'w Eligible<'e, 'c>, Step), Decision> {
        if eligible.is_empty() {
            return Err(Decision::Fails(vec![self.nothing_left(installed)]));
        }
        let winner = self.winner(eligible).map_err(|reason| Decision::Fails(vec![reason]))?;
        if let Some(kind) = winner.offer.requires {
            let message =
                format!("{} is chosen, but it has {kind}, which OLM v1 does not support", winner.offer.bundle.name);
            return Err(Decision::Fails(vec![Reason::new(reason::DEPENDENCY_REFUSED, message)]));
        }
        if winner.is_installed {
            return Err(self.stays(winner, eligible, installed));
        }
        let mut step = self.step(winner, installed);
        step.notes.extend(chosen_catalog(winner, eligible));
        Ok((winner, step))
    }

    fn step(&self, candidate: &Eligible<'_, 'c>, installed: Option<&Installed>) -> Step {
        Step {
            to: candidate.offer.bundle.clone(),
            channel: candidate.channel.clone(),
            catalog: self.several_catalogs.then(|| candidate.offer.catalog.clone()),
            via: candidate.via,
            notes: self.notes(candidate, installed),
        }
    }
}

impl Engine for OlmV1<'_> {
    fn decide(&self, installed: Option<&Installed>) -> Decision {
        let eligible = self.eligible(installed);
        let (winner, step) = match self.judge(&eligible, installed) {
            Ok(move_to) => move_to,
            Err(decision) => return decision,
        };
        let mut steps = vec![step];
        let preferred = self.preferred_to_staying(&eligible, installed);
        steps.extend(
            preferred
                .filter(|candidate| candidate.offer.bundle.name != winner.offer.bundle.name)
                .map(|candidate| self.step(candidate, installed)),
        );
        Decision::Moves(steps)
    }

    fn choose(&self, installed: Option<&Installed>) -> Decision {
        match self.judge(&self.eligible(installed), installed) {
            Ok((_, step)) => Decision::Moves(vec![step]),
            Err(decision) => decision,
        }
    }

    /// A version pin can choose any bundle that covers what is installed; one with a requirement is refused all the same.
    fn legal(&self, installed: Option<&Installed>) -> Vec<Step> {
        let eligible = self.eligible(installed);
        let free = eligible.iter().filter(|candidate| !candidate.is_installed && candidate.offer.requires.is_none());
        free.map(|candidate| self.step(candidate, installed)).collect()
    }

    fn targets(&self) -> Vec<Installed> {
        let mut targets: Vec<Installed> = self.admitted().map(|offer| offer.bundle.clone()).collect();
        targets.sort_by(|one, other| one.name.cmp(&other.name));
        targets.dedup_by(|one, other| one.name == other.name);
        targets
    }
}

impl<'c> OlmV1<'c> {
    /// Candidates that sort before staying, and behind them the deprecated ones that are newer all the same.
    fn preferred_to_staying<'w, 'e>(
        &self,
        eligible: &'w [Eligible<'e, 'c>],
        installed: Option<&'w Installed>,
    ) -> impl Iterator<Item = &'w Eligible<'e, 'c>> {
        let stay = eligible.iter().position(|candidate| candidate.is_installed).unwrap_or(eligible.len());
        eligible.iter().enumerate().filter_map(move |(index, candidate)| {
            let newer = || installed.is_some_and(|installed| candidate.offer.bundle.is_higher_than(installed));
            (!candidate.is_installed && (index < stay || newer())).then_some(candidate)
        })
    }
}
