//! Why OLM v1 stays, fails, or goes where it goes.
//!
//! Rule: the choices are those of operator-controller `internal/operator-controller/resolve/catalog.go`; the words are ours.
//! Cost: one look at each offer.

use std::collections::BTreeSet;

use super::super::edge::version_unknown;
use super::super::reason::{self, Reason};
use super::super::{Decision, Installed};
use super::offer::Offer;
use super::{Eligible, OlmV1, Policy};
use crate::finding::first_names;

const SHOWN_NAMES: usize = 5;

impl<'c> OlmV1<'c> {
    /// Nothing is eligible: resolution fails with "no bundles found".
    pub(super) fn nothing_left(&self, installed: Option<&Installed>) -> Reason {
        let place = match self.request.channels.as_slice() {
            [] => "any channel".to_owned(),
            channels => format!("the channels {}", channels.join(", ")),
        };
        let Some(installed) = installed else {
            return Reason::new(reason::NO_BUNDLES, format!("no bundle is offered in {place}"));
        };
        let mut because = Vec::new();
        because.extend(self.unjudged_ranges(installed));
        because.extend(self.outside_range(installed, true));
        let message =
            format!("{} is not offered in {place}, and no entry there replaces, skips or covers it", installed.name);
        let no_edge = Reason::new(reason::NO_EDGE, message);
        because.insert(0, no_edge);
        let message = format!("no bundle is left to choose from for {}", installed.name);
        Reason::new(reason::NO_BUNDLES, message).because(because)
    }

    /// The installed version wins: nothing moves.
    pub(super) fn stays(
        &self,
        winner: &Eligible<'_, 'c>,
        eligible: &[Eligible<'_, 'c>],
        installed: Option<&Installed>,
    ) -> Decision {
        let name = &winner.offer.bundle.name;
        let newer: Vec<&Offer<'c>> =
            self.admitted().filter(|offer| offer.bundle.is_higher_than(&winner.offer.bundle)).collect();
        let mut reasons = Vec::new();
        if newer.is_empty() {
            let message = format!("nothing that is offered is higher than {name}");
            reasons.push(Reason::new(reason::AT_HIGHEST, message));
        } else {
            reasons.push(self.why_not_newer(&newer, eligible, winner.offer));
        }
        let lower: Vec<&str> = eligible
            .iter()
            .filter(|candidate| !candidate.is_installed && winner.offer.bundle.is_higher_than(&candidate.offer.bundle))
            .map(|candidate| &*candidate.offer.bundle.name)
            .collect();
        if !lower.is_empty() {
            let message = format!("what would follow {name} is lower: {}", shown(&lower));
            reasons.push(Reason::new(reason::LOWER_ONLY, message));
        }
        reasons.extend(installed.and_then(|installed| self.outside_range(installed, false)));
        reasons.extend(chosen_catalog(winner, eligible));
        Decision::Stays { newer_exist: !newer.is_empty(), reasons }
    }

    fn why_not_newer(&self, newer: &[&Offer<'c>], eligible: &[Eligible<'_, 'c>], winner: &Offer<'c>) -> Reason {
        let name = &winner.bundle.name;
        let covered = |offer: &Offer<'c>| {
            eligible.iter().any(|candidate| std::ptr::eq(candidate.offer, offer) && !candidate.is_installed)
        };
        let names: Vec<&str> = newer.iter().map(|offer| &*offer.bundle.name).collect();
        let because = newer.iter().filter(|offer| offer.deprecated && covered(offer)).map(|offer| {
            let message =
                format!("{} follows {name}, but it is deprecated and so comes after staying", offer.bundle.name);
            Reason::new(reason::DEPRECATED_LAST, message)
        });
        let because: Vec<Reason> = because.collect();
        let message = format!("OLM v1 does not move {name} to what is newer: {}", shown(&names));
        Reason::new(reason::NO_EDGE, message).because(because)
    }

    /// Bundles that would follow, were it not for the version range.
    fn outside_range(&self, installed: &Installed, any: bool) -> Option<Reason> {
        self.request.range.as_ref()?;
        let admitted: Vec<*const Offer<'c>> = self.admitted().map(std::ptr::from_ref).collect();
        let free = self.request.policy == Policy::SelfCertified;
        let names: Vec<&str> = self
            .offers
            .iter()
            .filter(|offer| offer.considered && !admitted.contains(&std::ptr::from_ref(*offer)))
            .filter(|offer| free || !offer.covers(installed).0.is_none())
            .filter(|offer| any || offer.bundle.is_higher_than(installed))
            .map(|offer| &*offer.bundle.name)
            .collect();
        let message = || format!("outside the version range: {}", shown(&names));
        (!names.is_empty()).then(|| Reason::new(reason::OUTSIDE_RANGE, message()))
    }

    /// Without the installed version no range is judged, and a higher bundle may cover it.
    fn unjudged_ranges(&self, installed: &Installed) -> Option<Reason> {
        let unjudged = installed.version.is_none() && self.offers.iter().any(Offer::has_range);
        unjudged.then(|| version_unknown(installed))
    }

    /// What to know before a hop.
    pub(super) fn notes(&self, candidate: &Eligible<'_, 'c>, installed: Option<&Installed>) -> Vec<Reason> {
        let bundle = &candidate.offer.bundle;
        let mut notes = Vec::new();
        let Some(installed) = installed else { return notes };
        notes.extend(self.unjudged_ranges(installed));
        if candidate.via.is_none() {
            let message = format!("no edge of the catalog leads from {} to {}", installed.name, bundle.name);
            notes.push(Reason::new(reason::SELF_CERTIFIED, message));
        }
        if installed.is_higher_than(bundle) {
            let message = format!("{} is lower than {}", bundle.name, installed.name);
            notes.push(Reason::new(reason::MOVES_DOWN, message));
        }
        notes
    }
}

/// That other catalogs had a say, and which one got it.
pub(super) fn chosen_catalog(winner: &Eligible<'_, '_>, eligible: &[Eligible<'_, '_>]) -> Option<Reason> {
    let catalog = &winner.offer.catalog;
    let others: BTreeSet<&str> =
        eligible.iter().map(|candidate| &*candidate.offer.catalog).filter(|other| *other != &**catalog).collect();
    let others: Vec<&str> = others.into_iter().collect();
    let message = || {
        let name = &winner.offer.bundle.name;
        format!("{name} of the catalog {catalog} comes before what {} would give", shown(&others))
    };
    (!others.is_empty()).then(|| Reason::new(reason::CHOSEN_CATALOG, message()))
}

fn shown(names: &[&str]) -> String {
    first_names(names, SHOWN_NAMES)
}
