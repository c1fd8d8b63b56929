//! When an entry of a channel may follow an installed bundle.
//!
//! Rule: operator-lifecycle-manager `pkg/controller/registry/resolver/cache/predicates.go` (replaces, skips, skipRange) and
//! operator-controller `internal/operator-controller/catalogmetadata/filter/successors.go`, which read an entry the same way:
//! names as plain texts, the range in the blang dialect over the installed version, a range that does not parse ignored. Cost: a range is
//! parsed once for each entry and held against each installed version.

use super::Installed;
use super::reason::{self, Reason};
use crate::catalog::Channel;
use crate::catalog::facts::Entry;
use crate::version::{BlangRange, Range as _};

/// The kinds of edge that allow a hop; none for a first install or under SelfCertified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Via {
    /// The entry replaces the installed name.
    pub replaces: bool,
    /// The entry skips the installed name.
    pub skips: bool,
    /// The entry's range holds the installed version.
    pub skip_range: bool,
}

impl Via {
    /// Whether no kind of edge allows the hop.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Every kind that this or the other has.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            replaces: self.replaces || other.replaces,
            skips: self.skips || other.skips,
            skip_range: self.skip_range || other.skip_range,
        }
    }

    /// The kinds by the names that a channel entry gives them.
    pub fn names(self) -> Vec<&'static str> {
        [(self.replaces, "replaces"), (self.skips, "skips"), (self.skip_range, "skipRange")]
            .into_iter()
            .filter_map(|(there, name)| there.then_some(name))
            .collect()
    }
}

/// An entry with its range parsed and its skips sorted once.
#[derive(Debug, Clone)]
pub(super) struct ParsedEntry<'c> {
    pub(super) entry: &'c Entry,
    skips: Vec<&'c str>,
    range: Option<BlangRange>,
}

impl<'c> ParsedEntry<'c> {
    pub(super) fn new(entry: &'c Entry) -> Self {
        let range = if entry.skip_range.is_empty() { None } else { BlangRange::parse(&entry.skip_range).ok() };
        let mut skips: Vec<&str> = entry.skips.iter().map(String::as_str).collect();
        skips.sort_unstable();
        Self { entry, skips, range }
    }

    /// Whether the entry has a range that can be judged.
    pub(super) fn has_range(&self) -> bool {
        self.range.is_some()
    }

    /// The kinds of edge from the installed bundle to this entry.
    pub(super) fn covers(&self, installed: &Installed) -> Via {
        let name = &*installed.name;
        let in_range = |range: &BlangRange| installed.version.as_ref().is_some_and(|version| range.matches(version));
        Via {
            replaces: self.entry.replaces == name && !name.is_empty(),
            skips: self.skips.binary_search(&name).is_ok(),
            skip_range: self.range.as_ref().is_some_and(in_range),
        }
    }
}

/// That ranges were there and could not be judged.
pub(super) fn version_unknown(installed: &Installed) -> Reason {
    let message = format!("the version of {} is not known, so no skipRange was judged", installed.name);
    Reason::new(reason::VERSION_UNKNOWN, message)
}

/// Every edge of a channel from one of these bundles: from, to, and the kinds that allow it; an entry that covers itself
/// is among them.
pub fn covers<'c>(channel: &'c Channel, from: &'c [Installed]) -> impl Iterator<Item = (&'c str, &'c str, Via)> {
    let entries = channel.entries().iter().map(ParsedEntry::new);
    entries.flat_map(move |parsed| {
        from.iter().filter_map(move |installed| {
            let via = parsed.covers(installed);
            (!via.is_none()).then_some((&*installed.name, parsed.entry.name.as_str(), via))
        })
    })
}
