//! What would the real component do? Each engine owns its rules and cites them; they share only how an entry covers an
//! installed bundle, and the walk that repeats an engine's own choice.
//!
//! Cost: one decision looks at every entry of the considered channels; all pairs of a channel are entries × entries.

pub mod advice;
mod edge;
mod installed;
pub mod olm_v0;
pub mod olm_v1;
mod path;
pub mod reason;
mod survey;
mod walk;

pub use edge::{Via, covers};
pub use installed::Installed;
pub use path::{PathAnswer, PathStatus, answer};
pub use reason::Reason;
pub use survey::Survey;
pub use walk::{Hop, Walk, WalkEnd, walk};

use std::sync::Arc;

/// A bundle that an engine may move to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The bundle after the hop.
    pub to: Installed,
    /// The channel whose entry allows it; `None` where no channel lists the bundle.
    pub channel: Option<Arc<str>>,
    /// The catalog, where several compete.
    pub catalog: Option<Arc<str>>,
    /// Every kind of edge that allows it.
    pub via: Via,
    /// What to know before taking it.
    pub notes: Vec<Reason>,
}

/// What an engine does with an installed bundle, or for a first install.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It moves to the first of these; the others are what it would take instead of staying.
    Moves(Vec<Step>),
    /// It stays.
    Stays {
        /// Whether newer bundles are there all the same.
        newer_exist: bool,
        /// Why it stays.
        reasons: Vec<Reason>,
    },
    /// It fails, and everything stays as it is.
    Fails(Vec<Reason>),
}

impl Decision {
    /// The engine's own choice.
    pub fn next(&self) -> Option<&Step> {
        match self {
            Self::Moves(steps) => steps.first(),
            Self::Stays { .. } | Self::Fails(_) => None,
        }
    }
}

/// A component that decides about upgrades.
pub trait Engine {
    /// What it does with what is installed; `None` asks for a first install.
    fn decide(&self, installed: Option<&Installed>) -> Decision;

    /// The same, but of the moves only the chosen one: what a walk needs, without the cost of all that it passes over.
    fn choose(&self, installed: Option<&Installed>) -> Decision;

    /// Every bundle that some user's choice of approval, channel entry or version pin could reach by one hop, in the
    /// engine's order; for a first install every bundle that it could start with.
    fn legal(&self, installed: Option<&Installed>) -> Vec<Step>;

    /// Every bundle that a hop can lead to.
    fn targets(&self) -> Vec<Installed>;
}

#[cfg(test)]
pub(crate) mod tests;
