//! What each engine does with each installed bundle, as tables: one a channel, one over all channels.
//!
//! A row is a route: a reader finds the installed bundle in it and reads on to the right, to where the engine stays. Both
//! engines share a row where they take the same walk to the same end, with the reasons of each where those differ; bundles
//! that join the same walk share one too. Names that the channel knows nothing of follow below, one line for each answer.
//! Cost: linear in the stops of all walks, times the logarithm of the number of bundles.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::agreement::{self, EngineWalks};
use super::budget::Budget;
use super::names::{self, Names};
use super::others::{self, OthersRow};
use super::routes::{self, Forest};
use super::words::{self, Badge};
use crate::report::route_map::natural_order;
use crate::report::schema::{PackageView, WalksView};

/// The walks of one channel, or over all.
#[derive(Debug, Serialize)]
pub(super) struct WalkTable {
    /// The channel, or null where it is about all of them.
    channel: Option<String>,
    default: bool,
    /// Why an engine can do nothing here: engine and reason.
    errors: Vec<(&'static str, String)>,
    /// How many bundles of the channel do not get to where they should.
    troubles: Vec<Badge>,
    rows: Vec<RouteRow>,
    others: Vec<OthersRow>,
    left_out: usize,
}

/// A route and how it ends.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct RouteRow {
    engines: &'static str,
    /// The bundles that it starts from.
    installed: String,
    /// How many bundles that are.
    count: usize,
    /// The stops between the start and the last one, null where there are none.
    walk: Option<String>,
    /// The last stop, null where the engine stays at once.
    last: Option<String>,
    /// How many bundles no other row has.
    own: usize,
    status: Badge,
    why: String,
}

/// What routes are joined by: the engines, the stops after the start, the status at the end, the reasons.
type Shape<'view> = (&'static str, &'view [u32], &'view str, String);

/// The tables of a package: the default channel first, then the others by name, then all channels together.
pub(super) fn tables(view: &PackageView, names: &Names<'_>) -> Vec<WalkTable> {
    let mut budget = Budget::of(Budget::WALKS);
    let nothing = WalksView::default();
    let engines = &view.engines;
    let is_default = |channel: &str| view.default_channel.as_deref() == Some(channel);
    let mut channels: Vec<&str> = engines.olm_v0.keys().chain(engines.olm_v1.keys()).map(String::as_str).collect();
    channels.sort_by_key(|channel| (!is_default(channel), natural_order(channel)));
    channels.dedup();
    channels.truncate(Budget::CHANNELS);
    let mut tables: Vec<WalkTable> = channels
        .into_iter()
        .map(|channel| {
            let v0 = engines.olm_v0.get(channel).unwrap_or(&nothing);
            let v1 = engines.olm_v1.get(channel).unwrap_or(&nothing);
            table(Some(channel), is_default(channel), &[("OLM v0", v0), ("OLM v1", v1)], names, &mut budget)
        })
        .collect();
    tables.push(table(None, false, &[("OLM v1", &engines.olm_v1_all_channels)], names, &mut budget));
    tables
}

fn table(
    channel: Option<&str>,
    default: bool,
    engines: &[EngineWalks<'_>],
    names: &Names<'_>,
    budget: &mut Budget,
) -> WalkTable {
    let before = budget.left_out();
    let rows = rows(engines, names);
    let troubles = troubles(&rows);
    let rows = rows.into_iter().filter(|row| budget.take(row.length())).collect();
    let others = others::rows(engines, names).into_iter().filter(|row| budget.take(row.length())).collect();
    let errors = engines
        .iter()
        .filter_map(|(engine, walks)| Some((*engine, words::reasons(std::slice::from_ref(walks.error.as_ref()?), ""))))
        .collect();
    let left_out = budget.left_out() - before;
    WalkTable { channel: channel.map(str::to_owned), default, errors, troubles, rows, others, left_out }
}

/// The rows of a table, those that ask for attention first.
fn rows(engines: &[EngineWalks<'_>], names: &Names<'_>) -> Vec<RouteRow> {
    let mut joined: BTreeMap<Shape<'_>, (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (label, walks) in &agreement::walks(engines, names) {
        let forest: Forest<'_> = walks.iter().filter_map(|(from, same)| Some((*from, same.first()?.path))).collect();
        for route in routes::routes(&forest) {
            let Some((start, passed)) = route.split_first() else { continue };
            let Some((same, walk)) = walks.get(start).and_then(|same| Some((same, same.first()?))) else { continue };
            let shape = (*label, walk.path, walk.end, agreement::why(same, names.full(*start)));
            let (starts, own) = joined.entry(shape).or_default();
            starts.insert(*start);
            *own = passed.len().max(*own);
        }
    }
    let mut ordered: Vec<_> =
        joined.into_iter().map(|(shape, (starts, own))| (urgency(shape.2), starts, shape, own)).collect();
    ordered.sort();
    ordered.into_iter().map(|(_, starts, shape, own)| row(starts, shape, own, names)).collect()
}

/// What asks for attention comes first.
fn urgency(status: &str) -> u8 {
    match status {
        "error" => 0,
        "loop" => 1,
        "up-to-date" => 3,
        _ => 2,
    }
}

/// How many bundles do not end up to date, by status and engine.
fn troubles(rows: &[RouteRow]) -> Vec<Badge> {
    let mut troubles: Vec<(&Badge, &str, usize)> = Vec::new();
    for row in rows.iter().filter(|row| row.status.class != "ok") {
        let same =
            |(status, engines, _): &&mut (&Badge, &str, usize)| (*status, *engines) == (&row.status, row.engines);
        match troubles.iter_mut().find(same) {
            Some((.., bundles)) => *bundles += row.own,
            None => troubles.push((&row.status, row.engines, row.own)),
        }
    }
    let text = |status: &Badge, engines: &str, bundles: usize| match engines {
        "both" => format!("{} × {}", bundles, status.text),
        engine => format!("{} × {} ({engine})", bundles, status.text),
    };
    let badge = |(status, engines, bundles): (&Badge, &str, usize)| Badge {
        text: text(status, engines, bundles),
        ..status.clone()
    };
    troubles.into_iter().map(badge).collect()
}

/// A row whose first `own` stops are no other row's.
fn row(starts: BTreeSet<usize>, (engines, path, end, why): Shape<'_>, own: usize, names: &Names<'_>) -> RouteRow {
    let starts: Vec<usize> = starts.into_iter().collect();
    let stops: Vec<usize> = path.iter().map(|stop| *stop as usize).collect();
    let (last, walk) = in_short(&stops, own, names)
        .split_last()
        .map_or((None, None), |(last, before)| (Some(last.clone()), (!before.is_empty()).then(|| before.join(" → "))));
    RouteRow {
        engines,
        installed: names::listed(&starts, names),
        count: starts.len(),
        walk,
        last,
        own: starts.len() + own,
        status: words::status(end),
        why,
    }
}

impl RouteRow {
    fn length(&self) -> usize {
        let stops: usize = [&self.walk, &self.last].into_iter().flatten().map(String::len).sum();
        self.installed.len() + stops + self.why.len() + 80
    }
}

/// The stops of a walk; of those that another row lists and that are more than four, the first and the last.
fn in_short(stops: &[usize], own: usize, names: &Names<'_>) -> Vec<String> {
    let label = |stop: &usize| names.label(*stop).to_owned();
    let (own, shared) = stops.split_at_checked(own).unwrap_or((stops, &[]));
    let shared: Vec<String> = match shared {
        [first, between @ .., last] if shared.len() > 4 => {
            vec![label(first), format!("… {} more …", between.len()), label(last)]
        }
        few => few.iter().map(label).collect(),
    };
    own.iter().map(label).chain(shared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;
    use crate::report::schema::WalkView;

    /// Walks with these paths, each of which ends up to date; the bundles of a chain have the walks that follow.
    fn walks(view: &PackageView, paths: &[&[u32]]) -> WalksView {
        let walk = |path: &&[u32]| WalkView {
            status: if path.is_empty() { "up-to-date" } else { "reachable" }.into(),
            next: path.first().map(|next| view.names[*next as usize].clone()),
            candidates: vec![],
            path: path.to_vec(),
            reaches: vec![],
            reasons: vec![],
        };
        let from = view.names.iter().cloned().zip(paths.iter().map(walk)).collect();
        WalksView { error: None, others: vec![], from }
    }

    #[test]
    fn engines_that_agree_share_a_row_and_those_that_do_not_have_their_own() {
        let view = sample::package(5);
        let names = Names::of(&view);
        let v0 = walks(&view, &[&[4], &[4], &[4], &[4], &[]]);
        let v1 = walks(&view, &[&[4], &[4], &[4], &[2, 4], &[]]);
        let found: Vec<(&str, usize, Option<String>)> = rows(&[("OLM v0", &v0), ("OLM v1", &v1)], &names)
            .into_iter()
            .map(|row| (row.engines, row.count, row.walk))
            .collect();
        let detour = names.label(2).to_owned();
        assert_eq!(found, [("both", 3, None), ("OLM v0", 1, None), ("OLM v1", 1, Some(detour))]);
    }

    #[test]
    fn a_chain_is_one_row_and_a_dead_end_comes_before_it() {
        let view = sample::package(4);
        let names = Names::of(&view);
        let mut v0 = walks(&view, &[&[1, 2], &[2], &[], &[]]);
        v0.from.get_mut(&view.names[3]).unwrap().status = "dead-end".into();
        let found: Vec<(String, Option<String>, String)> = rows(&[("OLM v0", &v0)], &names)
            .into_iter()
            .map(|row| (row.installed, row.last, row.status.text))
            .collect();
        let label = |position| names.label(position).to_owned();
        assert_eq!(
            found,
            [(label(3), None, "dead end".to_owned()), (label(0), Some(label(2)), "up to date".to_owned())]
        );
    }

    #[test]
    fn the_same_walk_for_different_reasons_is_one_row() {
        let view = sample::package(3);
        let names = Names::of(&view);
        let because = |message: &str| {
            let mut walks = view.engines.olm_v0["stable"].clone();
            walks.from.retain(|name, _| *name == view.names[0]);
            walks.from.values_mut().for_each(|walk| walk.reasons[0].message = message.to_owned());
            walks
        };
        let rows = rows(&[("OLM v0", &because("head")), ("OLM v1", &because("highest"))], &names);
        assert_eq!(
            rows.iter().map(|row| (row.engines, row.why.as_str())).collect::<Vec<_>>(),
            [("both", "OLM v0: head. OLM v1: highest.")]
        );
    }

    #[test]
    fn only_stops_of_other_rows_are_counted() {
        let view = sample::package(20);
        let names = Names::of(&view);
        let stops: Vec<usize> = (0..9).collect();
        assert_eq!(in_short(&stops, 9, &names).len(), 9);
        let [first, second] = [2, 8].map(|stop| names.label(stop).to_owned());
        assert_eq!(in_short(&stops, 2, &names)[2..], [first, "… 5 more …".to_owned(), second]);
        assert_eq!(in_short(&stops, 5, &names).len(), 9);
    }

    #[test]
    fn troubles_count_bundles_and_name_the_engine_where_one_alone_is_in_trouble() {
        let view = sample::package(4);
        let names = Names::of(&view);
        let mut v0 = walks(&view, &[&[1, 2], &[2], &[], &[]]);
        let v1 = v0.clone();
        v0.from.get_mut(&view.names[2]).unwrap().status = "dead-end".into();
        let texts = |engines: &[EngineWalks<'_>]| -> Vec<String> {
            troubles(&rows(engines, &names)).into_iter().map(|trouble| trouble.text).collect()
        };
        assert_eq!(texts(&[("OLM v0", &v0), ("OLM v1", &v1)]), ["3 × dead end (OLM v0)"]);
        assert_eq!(texts(&[("OLM v0", &v0), ("OLM v1", &v0)]), ["3 × dead end"]);
        assert_eq!(texts(&[("OLM v0", &v1), ("OLM v1", &v1)]), Vec::<String>::new());
    }
}
