//! The walk that an engine takes by itself, hop after hop, until it stays, fails or comes back.
//!
//! Rule: both generations plan one hop at a time and decide anew after each; so the walk from a bundle is unique. A valid
//! catalog can still send OLM v0 in a circle, so a name that comes back ends the walk. Cost: one decision for each hop.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::reason::{self, Reason};
use super::{Decision, Engine, Installed, Step};

/// One hop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// The bundle before; `None` for a first install.
    pub from: Option<Arc<str>>,
    /// What was taken.
    pub step: Step,
}

/// How a walk ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkEnd {
    /// The engine stays and nothing newer is there.
    UpToDate,
    /// The engine stays although newer bundles are there.
    DeadEnd,
    /// The engine would go back to a bundle of the walk; the hop back is not part of it.
    Loop,
    /// The engine fails.
    Fails,
}

/// The whole walk from an installed bundle, or from nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The hops in order.
    pub hops: Vec<Hop>,
    /// How it ends.
    pub end: WalkEnd,
    /// Why it ends there, and what to know of its hops.
    pub reasons: Vec<Reason>,
}

/// Walks with an engine until it ends.
pub fn walk(engine: &dyn Engine, from: Option<&Installed>) -> Walk {
    let mut hops: Vec<Hop> = Vec::new();
    let mut reasons = Vec::new();
    let mut visited: BTreeSet<Arc<str>> = from.iter().map(|installed| installed.name.clone()).collect();
    let mut current = from.cloned();
    loop {
        let step = match engine.choose(current.as_ref()) {
            Decision::Moves(steps) => steps.into_iter().next(),
            Decision::Stays { newer_exist, reasons: why } => {
                reasons.extend(why);
                let end = if newer_exist { WalkEnd::DeadEnd } else { WalkEnd::UpToDate };
                return Walk { hops, end, reasons };
            }
            Decision::Fails(why) => {
                reasons.extend(why);
                return Walk { hops, end: WalkEnd::Fails, reasons };
            }
        };
        let Some(step) = step else { return Walk { hops, end: WalkEnd::DeadEnd, reasons } };
        if !visited.insert(step.to.name.clone()) {
            let at = current.as_ref().map_or("", |installed| &*installed.name);
            let message = format!("from {at} the engine would go back to {}", step.to.name);
            reasons.push(Reason::new(reason::LOOP, message));
            return Walk { hops, end: WalkEnd::Loop, reasons };
        }
        reasons.extend(step.notes.iter().cloned());
        let before = current.replace(step.to.clone());
        hops.push(Hop { from: before.map(|installed| installed.name), step });
    }
}
