//! What one engine does with every bundle of a package.
//!
//! Decisions are made once for each name and walks follow them, so that the whole costs one decision for each name and
//! one closure over the legal edges.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::path::reason_view;
use crate::engines::{Decision, Engine, Installed, PathStatus, Reason, Survey, reason};
use crate::report::schema::{OthersView, ReasonView, WalkView, WalksView};

/// The walks of an engine from each of these bundles, whose order gives the positions; also the number of ordered pairs
/// that legal edges connect. A bundle that the engine neither moves nor finds among `listed` shares its answer with others.
pub(super) fn walks_view(
    engine: &dyn Engine,
    fault: Option<&Reason>,
    names: &[Installed],
    listed: impl Fn(&str) -> bool,
) -> (WalksView, usize) {
    if let Some(fault) = fault {
        return (WalksView { error: Some(reason_view(fault)), ..WalksView::default() }, 0);
    }
    let table = Table {
        rows: names.iter().map(|installed| Row::new(engine.decide(Some(installed)))).collect(),
        positions: names.iter().enumerate().map(|(index, node)| (node.name.clone(), index)).collect(),
    };
    let reachability = Survey::new(engine, names.to_vec()).reachability();
    let mut from = BTreeMap::new();
    let mut others: BTreeMap<&'static str, Vec<u32>> = BTreeMap::new();
    for (index, installed) in names.iter().enumerate() {
        if table.next(index).is_none() && !listed(&installed.name) {
            others.entry(table.end(index).0.name()).or_default().push(position(index));
            continue;
        }
        let mut walk = table.walk(index);
        walk.reaches = reachability.from(index).filter(|target| *target != index).map(position).collect();
        from.insert(installed.name.to_string(), walk);
    }
    let others = others.into_iter().map(|(status, names)| {
        let reason = reason_view(&Reason::new(reason::NO_EDGE, why_nowhere(status)));
        OthersView { status: status.to_owned(), names, reason }
    });
    (WalksView { error: None, from, others: others.collect() }, reachability.pairs())
}

/// Why a channel that knows nothing of an installed bundle leads nowhere. That the engine fails on it alone is no fault of
/// anybody: another channel may offer the bundle.
fn why_nowhere(status: &str) -> String {
    let why = "no entry here replaces, skips or covers the installed bundle";
    if status == PathStatus::Error.name() {
        format!("not installable through this channel alone: {why}")
    } else {
        why.to_owned()
    }
}

/// A decision whose moves are cut down to the chosen one, and the names of all of them.
struct Row {
    decision: Decision,
    candidates: Vec<String>,
}

impl Row {
    fn new(mut decision: Decision) -> Self {
        let mut candidates = Vec::new();
        if let Decision::Moves(steps) = &mut decision {
            candidates = steps.iter().map(|step| step.to.name.to_string()).collect();
            steps.truncate(1);
        }
        Self { decision, candidates }
    }
}

struct Table {
    rows: Vec<Row>,
    positions: BTreeMap<Arc<str>, usize>,
}

impl Table {
    fn decision(&self, index: usize) -> Option<&Decision> {
        self.rows.get(index).map(|row| &row.decision)
    }

    fn next(&self, index: usize) -> Option<usize> {
        let step = self.decision(index)?.next()?;
        self.positions.get(&step.to.name).copied()
    }

    fn walk(&self, start: usize) -> WalkView {
        let mut passed = vec![start];
        let mut seen = BTreeSet::from([start]);
        let mut reasons = Vec::new();
        let mut comes_back = false;
        let mut current = start;
        while let Some(next) = self.next(current) {
            if !seen.insert(next) {
                comes_back = true;
                break;
            }
            reasons.extend(self.notes(current));
            passed.push(next);
            current = next;
        }
        let status = if comes_back {
            reasons.push(comes_back_reason(&passed, self));
            PathStatus::Loop
        } else {
            let (end, why) = self.end(current);
            reasons.extend(why);
            if passed.len() > 1 { PathStatus::Reachable } else { end }
        };
        let candidates = self.rows.get(start).map(|row| row.candidates.clone()).unwrap_or_default();
        WalkView {
            status: status.name().to_owned(),
            next: candidates.first().cloned(),
            candidates,
            path: passed.iter().skip(1).copied().map(position).collect(),
            reaches: Vec::new(),
            reasons,
        }
    }

    fn notes(&self, index: usize) -> Vec<ReasonView> {
        let step = self.decision(index).and_then(Decision::next);
        step.into_iter().flat_map(|step| &step.notes).map(reason_view).collect()
    }

    fn end(&self, index: usize) -> (PathStatus, Vec<ReasonView>) {
        let views = |reasons: &[Reason]| reasons.iter().map(reason_view).collect();
        match self.decision(index) {
            Some(Decision::Stays { newer_exist: true, reasons }) => (PathStatus::DeadEnd, views(reasons)),
            Some(Decision::Stays { newer_exist: false, reasons }) => (PathStatus::UpToDate, views(reasons)),
            Some(Decision::Fails(reasons)) => (PathStatus::Error, views(reasons)),
            Some(Decision::Moves(_)) | None => (PathStatus::DeadEnd, Vec::new()),
        }
    }
}

fn comes_back_reason(passed: &[usize], table: &Table) -> ReasonView {
    let last = passed.last().and_then(|index| table.decision(*index)).and_then(Decision::next);
    let back = last.map_or("", |step| &*step.to.name);
    reason_view(&Reason::new(reason::LOOP, format!("the engine would go back to {back}")))
}

fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
