//! What each engine does with each installed bundle, as tables: one a channel, one over all channels.
//!
//! Both engines share a channel's table: a row holds for both where they take the same walk, with the reasons of each where
//! those differ. Installed bundles with the same walk and the same end share a row too; of a long walk the middle stops are
//! counted instead of listed.
//! Cost: linear in the stops of all walks, times the logarithm of the number of rows.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::budget::Budget;
use super::names::{self, Names};
use super::words::{self, Badge};
use crate::report::schema::{PackageView, WalkView, WalksView};

/// The walks of one channel, or over all.
#[derive(Debug, Serialize)]
pub(super) struct WalkTable {
    /// The channel, or null where it is about all of them.
    channel: Option<String>,
    default: bool,
    /// Why an engine can do nothing here: engine and reason.
    errors: Vec<(&'static str, String)>,
    rows: Vec<WalkRow>,
    left_out: usize,
}

/// Installed bundles that share a walk.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct WalkRow {
    engines: &'static str,
    installed: String,
    /// How many bundles that are.
    count: usize,
    next: Option<String>,
    walk: Option<String>,
    hops: usize,
    status: Badge,
    why: String,
}

/// What rows are grouped by: engines, next, status, walk, reasons.
type Shape<'view> = (&'static str, Option<&'view str>, &'view str, &'view [u32], String);

/// The tables of a package: the default channel first, then the others by name, then all channels together.
pub(super) fn tables(view: &PackageView, names: &Names<'_>) -> Vec<WalkTable> {
    let mut budget = Budget::of(Budget::WALKS);
    let nothing = WalksView::default();
    let engines = &view.engines;
    let mut channels: Vec<&str> = engines.olm_v0.keys().chain(engines.olm_v1.keys()).map(String::as_str).collect();
    channels.sort_unstable_by_key(|channel| (view.default_channel.as_deref() != Some(*channel), *channel));
    channels.dedup();
    let mut tables: Vec<WalkTable> = channels
        .into_iter()
        .map(|channel| {
            let v0 = engines.olm_v0.get(channel).unwrap_or(&nothing);
            let v1 = engines.olm_v1.get(channel).unwrap_or(&nothing);
            let default = view.default_channel.as_deref() == Some(channel);
            table(Some(channel), default, &[("OLM v0", v0), ("OLM v1", v1)], names, &mut budget)
        })
        .collect();
    tables.push(table(None, false, &[("OLM v1", &engines.olm_v1_all_channels)], names, &mut budget));
    tables
}

fn table(
    channel: Option<&str>,
    default: bool,
    engines: &[(&'static str, &WalksView)],
    names: &Names<'_>,
    budget: &mut Budget,
) -> WalkTable {
    let before = budget.left_out();
    let rows = rows(engines, names).into_iter().filter(|row| budget.take(row.length())).collect();
    let errors = engines
        .iter()
        .filter_map(|(engine, walks)| Some((*engine, words::reasons(std::slice::from_ref(walks.error.as_ref()?), ""))))
        .collect();
    WalkTable { channel: channel.map(str::to_owned), default, errors, rows, left_out: budget.left_out() - before }
}

fn rows(engines: &[(&'static str, &WalksView)], names: &Names<'_>) -> Vec<WalkRow> {
    let installed: BTreeSet<&str> =
        engines.iter().flat_map(|(_, walks)| walks.from.keys()).map(String::as_str).collect();
    let mut groups: BTreeMap<Shape<'_>, BTreeSet<usize>> = BTreeMap::new();
    for name in installed {
        let Some(position) = names.position(name) else { continue };
        let walks: Vec<(&'static str, &WalkView)> =
            engines.iter().filter_map(|(engine, walks)| Some((*engine, walks.from.get(name)?))).collect();
        match walks.as_slice() {
            [one, other] if (&one.1.status, &one.1.path) == (&other.1.status, &other.1.path) => {
                let why = why_of_both(one, other, name);
                groups.entry(shape("both", one.1, why)).or_default().insert(position);
            }
            walks => walks.iter().for_each(|(engine, walk)| {
                let why = words::reasons(&walk.reasons, name);
                groups.entry(shape(engine, walk, why)).or_default().insert(position);
            }),
        }
    }
    let mut ordered: Vec<(Vec<usize>, Shape<'_>)> =
        groups.into_iter().map(|(shape, positions)| (positions.into_iter().collect(), shape)).collect();
    ordered.sort();
    ordered.into_iter().map(|(positions, shape)| row(&positions, shape, names)).collect()
}

fn shape<'view>(engines: &'static str, walk: &'view WalkView, why: String) -> Shape<'view> {
    (engines, walk.next.as_deref(), &walk.status, &walk.path, why)
}

/// Why both engines end where they do: one text where they agree in it, else one for each.
fn why_of_both(one: &(&str, &WalkView), other: &(&str, &WalkView), installed: &str) -> String {
    let [(engine, why), (other_engine, other_why)] =
        [one, other].map(|(engine, walk)| (*engine, words::reasons(&walk.reasons, installed)));
    if why == other_why { why } else { format!("{engine}: {why}. {other_engine}: {other_why}.") }
}

fn row(positions: &[usize], (engines, next, status, path, why): Shape<'_>, names: &Names<'_>) -> WalkRow {
    let stops: Vec<usize> = path.iter().map(|stop| *stop as usize).collect();
    WalkRow {
        engines,
        installed: listed(positions, names),
        count: positions.len(),
        next: next.map(str::to_owned),
        walk: (!stops.is_empty()).then(|| in_short(&stops, names)),
        hops: stops.len(),
        status: words::status(status),
        why,
    }
}

impl WalkRow {
    fn length(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.installed.len() + optional(&self.next) + optional(&self.walk) + self.why.len() + 80
    }
}

/// Names, with runs of neighbours in version order written by their ends.
fn listed(positions: &[usize], names: &Names<'_>) -> String {
    let runs = names::runs(positions).into_iter().map(|(first, length)| match length {
        1 => names.full(first).to_owned(),
        2 => format!("{}, {}", names.full(first), names.full(first + 1)),
        _ => format!("{} to {}", names.full(first), names.full(first + length - 1)),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// The stops of a walk; of more than eight, the first four and the last three.
fn in_short(stops: &[usize], names: &Names<'_>) -> String {
    let labels: Vec<String> =
        match (stops.get(..4), stops.len().checked_sub(3).and_then(|rest| stops.split_at_checked(rest))) {
            (Some(first), Some((before, last))) if stops.len() > 8 => {
                let label = |stop: &usize| names.label(*stop).to_owned();
                let between = format!("… {} more …", before.len() - first.len());
                first.iter().map(label).chain([between]).chain(last.iter().map(label)).collect()
            }
            _ => stops.iter().map(|stop| names.label(*stop).to_owned()).collect(),
        };
    labels.join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn engines_that_agree_share_a_row_and_those_that_do_not_have_their_own() {
        let view = sample::package(5);
        let names = Names::of(&view);
        let walk = |next: usize, path: &[u32]| WalkView {
            status: "reachable".into(),
            next: Some(view.names[next].clone()),
            candidates: vec![],
            path: path.to_vec(),
            reaches: vec![],
            reasons: vec![],
        };
        let from = |walks: &[(usize, WalkView)]| WalksView {
            error: None,
            others: vec![],
            from: walks.iter().map(|(name, walk)| (view.names[*name].clone(), walk.clone())).collect(),
        };
        let v0 = from(&[(0, walk(4, &[4])), (1, walk(4, &[4])), (2, walk(4, &[4])), (3, walk(4, &[4]))]);
        let v1 = from(&[(0, walk(4, &[4])), (1, walk(4, &[4])), (2, walk(4, &[4])), (3, walk(2, &[2, 4]))]);
        let found: Vec<(&str, usize, Option<String>)> = rows(&[("OLM v0", &v0), ("OLM v1", &v1)], &names)
            .into_iter()
            .map(|row| (row.engines, row.count, row.walk))
            .collect();
        let last = names.label(4).to_owned();
        let detour = format!("{} → {last}", names.label(2));
        assert_eq!(found, [("both", 3, Some(last.clone())), ("OLM v0", 1, Some(last)), ("OLM v1", 1, Some(detour))]);
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
    fn long_walks_count_their_middle() {
        let view = sample::package(20);
        let names = Names::of(&view);
        let short = in_short(&(0..9).collect::<Vec<_>>(), &names);
        assert_eq!(short.matches(" → ").count(), 7);
        assert!(short.contains("… 2 more …"));
        assert_eq!(in_short(&(0..8).collect::<Vec<_>>(), &names).matches(" → ").count(), 7);
        assert!(!in_short(&(0..8).collect::<Vec<_>>(), &names).contains('…'));
    }
}
