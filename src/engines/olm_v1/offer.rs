//! A bundle as one catalog offers it to OLM v1.
//!
//! Rule: operator-controller `internal/operator-controller/resolve/catalog.go` (order, requirements that are refused) and
//! `catalogmetadata/filter/successors.go` (edges). Cost: linear in the entries.

use std::cmp::Ordering;
use std::sync::Arc;

use super::super::edge::ParsedEntry;
use super::super::{Installed, Via};
use super::Source;
use crate::catalog::Package;

/// A bundle of one catalog, with its entries in the considered channels.
pub(super) struct Offer<'c> {
    pub(super) catalog: Arc<str>,
    pub(super) priority: i32,
    pub(super) bundle: Installed,
    /// Whether the request's channels list it, or the request names none.
    pub(super) considered: bool,
    pub(super) deprecated: bool,
    /// The first property that OLM v1 refuses.
    pub(super) requires: Option<&'static str>,
    entries: Vec<(Arc<str>, ParsedEntry<'c>)>,
}

impl<'c> Offer<'c> {
    /// Everything that a catalog offers of the package.
    pub(super) fn all(source: &Source<'c>, channels: &[String]) -> Vec<Self> {
        let package = source.package;
        let mut offers: Vec<Self> = package
            .bundles
            .iter()
            .map(|bundle| Self {
                catalog: source.catalog.clone(),
                priority: source.priority,
                bundle: Installed::bundle(bundle),
                considered: channels.is_empty(),
                deprecated: package.deprecations.bundles.contains_key(&*bundle.name),
                requires: ["olm.package.required", "olm.gvk.required", "olm.constraint"]
                    .into_iter()
                    .find(|kind| bundle.has_property(kind)),
                entries: Vec::new(),
            })
            .collect();
        add_entries(&mut offers, package, channels);
        offers
    }

    /// The kinds of edge from what is installed, over all considered channels, and the first channel that has one.
    pub(super) fn covers(&self, installed: &Installed) -> (Via, Option<Arc<str>>) {
        let mut all = Via::default();
        let mut first = None;
        for (channel, entry) in &self.entries {
            let via = entry.covers(installed);
            if !via.is_none() && first.is_none() {
                first = Some(channel.clone());
            }
            all = all.or(via);
        }
        (all, first)
    }

    /// The first considered channel that lists it.
    pub(super) fn first_channel(&self) -> Option<Arc<str>> {
        self.entries.first().map(|(channel, _)| channel.clone())
    }

    /// Whether any considered entry has a range.
    pub(super) fn has_range(&self) -> bool {
        self.entries.iter().any(|(_, entry)| entry.has_range())
    }

    /// Whether this is the version and release that is installed; names do not matter here.
    pub(super) fn is_version_of(&self, installed: &Installed) -> bool {
        match (&self.bundle.version_and_release, &installed.version_and_release) {
            (Some(offered), Some(current)) => offered.order(current) == Ordering::Equal,
            _ => self.bundle.name == installed.name,
        }
    }

    /// The order within one catalog: deprecated last, then version and release descending; what has no version comes last.
    /// Equal ones are ordered by catalog and name, so that the answer never depends on the order of files.
    pub(super) fn preference(&self, other: &Self) -> Ordering {
        let by_version = match (&self.bundle.version_and_release, &other.bundle.version_and_release) {
            (Some(one), Some(other)) => other.order(one),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        (self.deprecated.cmp(&other.deprecated))
            .then(by_version)
            .then_with(|| other.priority.cmp(&self.priority))
            .then_with(|| self.catalog.cmp(&other.catalog))
            .then_with(|| self.bundle.name.cmp(&other.bundle.name))
    }
}

fn add_entries<'c>(offers: &mut [Offer<'c>], package: &'c Package, channels: &[String]) {
    let considered = package
        .channels
        .iter()
        .filter(|channel| channels.is_empty() || channels.iter().any(|name| **name == *channel.name));
    for channel in considered {
        for entry in channel.entries() {
            if let Ok(index) = package.bundles.binary_search_by(|bundle| (*bundle.name).cmp(&entry.name))
                && let Some(offer) = offers.get_mut(index)
            {
                offer.considered = true;
                offer.entries.push((channel.name.clone(), ParsedEntry::new(entry)));
            }
        }
    }
}
