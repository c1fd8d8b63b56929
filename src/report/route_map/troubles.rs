//! What OLM v0 makes of a lane: the bundles where it gets into trouble, and the steps that it may take.
//!
//! Rule: the walks of the view, as the engine gives them. A step that is no candidate of the bundle that it leaves is one
//! that OLM v0 never takes, mostly because another entry skips the target (operator-lifecycle-manager,
//! pkg/controller/registry/resolver). Where the engine does nothing in a channel at all, nothing is said of its bundles.
//! Cost: linear in the walks; for a step in the candidates of the bundle that it leaves.

use std::collections::BTreeSet;

use crate::report::schema::{PackageView, WalksView};
use crate::report::walk;

/// A trouble of OLM v0 with an installed bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trouble {
    /// It stays, although the channel has newer bundles.
    DeadEnd,
    /// It comes back to the bundle, without end.
    Loop,
    /// It goes on to a lower version.
    Down,
}

impl Trouble {
    /// All troubles, in the order of their marks.
    pub(super) const ALL: [Self; 3] = [Self::DeadEnd, Self::Loop, Self::Down];

    /// The class of its mark.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::DeadEnd => "rm-dead-end",
            Self::Loop => "rm-circle",
            Self::Down => "rm-descent",
        }
    }

    /// What it is, in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::DeadEnd => "dead end for OLM v0",
            Self::Loop => "OLM v0 moves in a loop here",
            Self::Down => "OLM v0 goes on to a lower version",
        }
    }

    /// Its mark around a point: a buffer stop, a circling arrow, an arrow down.
    pub(super) fn outline(self, (x, y): (i32, i32)) -> String {
        match self {
            Self::DeadEnd => format!("M{} {y}h8M{} {}v10", x - 5, x + 4, y - 5),
            Self::Loop => format!("M{} {}a5 5 0 1 0 1 4M{} {}v4h-4", x + 3, y - 3, x + 4, y - 7),
            Self::Down => format!("M{x} {}v10m-4 -4l4 4l4 -4", y - 5),
        }
    }
}

/// What OLM v0 makes of one channel.
#[derive(Debug)]
pub(super) struct Troubles<'view> {
    walks: Option<&'view WalksView>,
    dead_ends: BTreeSet<usize>,
    loops: BTreeSet<usize>,
    downward: BTreeSet<usize>,
}

impl<'view> Troubles<'view> {
    /// The troubles of a channel of the view.
    pub(super) fn of(view: &'view PackageView, channel: &str) -> Self {
        let walks = view.engines.olm_v0.get(channel).filter(|walks| walks.error.is_none());
        let holding = |is_met: &dyn Fn(&str) -> bool| {
            let found = view.names.iter().enumerate().filter(|(_, name)| is_met(name));
            found.map(|(position, _)| position).collect()
        };
        let is_dead_end =
            |name: &str| walks.and_then(|walks| walks.from.get(name)).is_some_and(|walk| walk.status == "dead-end");
        Self {
            walks,
            dead_ends: holding(&is_dead_end),
            loops: holding(&|name| walks.is_some_and(|walks| comes_back(name, walks, &view.names))),
            downward: walks
                .map(|walks| walk::downward(walks, &view.names).into_iter().map(|(from, _)| from).collect())
                .unwrap_or_default(),
        }
    }

    /// Whether any bundle has one.
    pub(super) fn are_there(&self) -> bool {
        [&self.dead_ends, &self.loops, &self.downward].into_iter().any(|troubled| !troubled.is_empty())
    }

    /// How many of these bundles have a trouble.
    pub(super) fn count<'names>(&self, trouble: Trouble, names: impl Iterator<Item = &'names usize>) -> usize {
        let troubled = match trouble {
            Trouble::DeadEnd => &self.dead_ends,
            Trouble::Loop => &self.loops,
            Trouble::Down => &self.downward,
        };
        names.filter(|name| troubled.contains(name)).count()
    }

    /// Whether OLM v0 may take a step, as far as is known.
    pub(super) fn may_take(&self, from: &str, to: &str) -> bool {
        let allows = |walks: &WalksView| {
            walks.from.get(from).is_some_and(|walk| walk.candidates.iter().any(|candidate| candidate == to))
        };
        self.walks.is_none_or(allows)
    }
}

/// Whether the walk from a bundle leads back to that bundle itself.
fn comes_back(name: &str, walks: &WalksView, names: &[String]) -> bool {
    let Some(walk) = walks.from.get(name).filter(|walk| walk.status == "loop") else { return false };
    let last = walk.path.last().map_or(Some(name), |last| names.get(*last as usize).map(String::as_str));
    last.and_then(|last| walks.from.get(last)?.next.as_deref()) == Some(name)
}
