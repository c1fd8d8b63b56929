//! The answer to "how does this bundle get to that one", for any engine.
//!
//! Without a target it is the engine's own walk. With one: the walk, where the target lies on it; else the shortest path
//! over legal edges, and it is said that the engine by itself would go another way. Cost: a walk, and at most one decision
//! for each bundle of the package.

use super::reason::{self, Reason};
use super::{Engine, Hop, Installed, Step, Survey, WalkEnd, walk};

/// What an answer says in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStatus {
    /// The engine moves, or the target can be reached.
    Reachable,
    /// Nothing to do.
    UpToDate,
    /// The engine stays although newer bundles are there.
    DeadEnd,
    /// The walk comes back.
    Loop,
    /// The target cannot be reached.
    Unreachable,
    /// The engine itself fails.
    Error,
}

impl PathStatus {
    /// The status as the published JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reachable => "reachable",
            Self::UpToDate => "up-to-date",
            Self::DeadEnd => "dead-end",
            Self::Loop => "loop",
            Self::Unreachable => "unreachable",
            Self::Error => "error",
        }
    }

    /// Whether the answer is a yes.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Reachable | Self::UpToDate)
    }
}

/// A path, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathAnswer {
    /// What it says in one word.
    pub status: PathStatus,
    /// What the engine itself would prefer to staying, its choice first.
    pub candidates: Vec<Step>,
    /// The hops, to the target or to where the engine stays.
    pub hops: Vec<Hop>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// Answers for what is installed (`None`: a first install) and a target (`None`: wherever the engine goes).
pub fn answer(engine: &dyn Engine, from: Option<&Installed>, to: Option<&str>) -> PathAnswer {
    let candidates = match engine.decide(from) {
        super::Decision::Moves(steps) => steps,
        _ => Vec::new(),
    };
    let walked = walk(engine, from);
    let Some(to) = to else {
        let status = match walked.end {
            WalkEnd::Loop => PathStatus::Loop,
            _ if !walked.hops.is_empty() => PathStatus::Reachable,
            WalkEnd::UpToDate => PathStatus::UpToDate,
            WalkEnd::DeadEnd => PathStatus::DeadEnd,
            WalkEnd::Fails => PathStatus::Error,
        };
        return PathAnswer { status, candidates, hops: walked.hops, reasons: walked.reasons };
    };
    if from.is_some_and(|installed| &*installed.name == to) {
        let reasons = vec![Reason::new(reason::AT_HIGHEST, format!("{to} is installed already"))];
        return PathAnswer { status: PathStatus::UpToDate, candidates, hops: Vec::new(), reasons };
    }
    let mut hops = walked.hops;
    if let Some(last) = hops.iter().position(|hop| &*hop.step.to.name == to) {
        hops.truncate(last + 1);
        let reasons = hops.iter().flat_map(|hop| hop.step.notes.clone()).collect();
        return PathAnswer { status: PathStatus::Reachable, candidates, hops, reasons };
    }
    match off_the_walk(engine, from, to) {
        Some(hops) => {
            let mut reasons = vec![match from {
                Some(_) => Reason::new(
                    reason::OFF_THE_WALK,
                    format!(
                        "the engine by itself does not stop at {to}; these hops are legal, but need a choice at each"
                    ),
                ),
                None => Reason::new(
                    reason::STARTING_VERSION,
                    format!("the engine by itself does not start with {to}; startingCSV or a version pin must name it"),
                ),
            }];
            reasons.extend(hops.iter().flat_map(|hop| hop.step.notes.clone()));
            PathAnswer { status: PathStatus::Reachable, candidates, hops, reasons }
        }
        None => unreachable(candidates, to, from, hops.is_empty() && walked.end == WalkEnd::Fails, walked.reasons),
    }
}

fn unreachable(
    candidates: Vec<Step>,
    to: &str,
    from: Option<&Installed>,
    fails: bool,
    because: Vec<Reason>,
) -> PathAnswer {
    let status = if fails { PathStatus::Error } else { PathStatus::Unreachable };
    let from = from.map_or("nothing", |installed| &*installed.name);
    let message = format!("no sequence of legal edges leads from {from} to {to}");
    let reasons = vec![Reason::new(reason::NOT_REACHABLE, message).because(because)];
    PathAnswer { status, candidates, hops: Vec::new(), reasons }
}

fn off_the_walk(engine: &dyn Engine, from: Option<&Installed>, to: &str) -> Option<Vec<Hop>> {
    let Some(from) = from else {
        let step = engine.legal(None).into_iter().find(|step| &*step.to.name == to)?;
        return Some(vec![Hop { from: None, step }]);
    };
    let mut nodes = vec![from.clone()];
    nodes.extend(engine.targets().into_iter().filter(|target| target.name != from.name));
    Survey::new(engine, nodes).shortest_path(&from.name, to)
}
