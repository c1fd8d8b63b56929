//! The data that lets the script answer "how does this bundle get to that one" without asking anyone.
//!
//! Names are positions in version order. Sets of names are flat lists of runs (first, length, first, length, …): what one
//! entry can be reached from, and what one bundle can reach, are mostly neighbours. A walk is stored as its first step,
//! because it goes on as the walk from there does; only walks of which that is not true are stored in full.
//! The JSON stands in a data block: `<` and the line separators U+2028 and U+2029 are escaped, so no text in it can end the
//! element (Lighthouse, report-generator.js, `sanitizeJson`).
//!
//! Cost: linear in the edges, walks and reachable sets of the view.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::budget::Budget;
use super::names::{self, Names};
use super::others;
use super::words::{self, Badge};
use crate::report::route_map::natural_order;
use crate::report::schema::{BundleView, EdgeView, PackageView, WalkView, WalksView};
use crate::report::walk::{self, Hop};

/// Everything that the script knows.
#[derive(Debug, Serialize)]
struct Data<'view> {
    names: &'view [String],
    labels: &'view [String],
    deprecated: Vec<usize>,
    outside: Vec<usize>,
    channels: Vec<Channel<'view>>,
    engines: Vec<Engine<'view>>,
    statuses: Vec<Badge>,
    reasons: Vec<String>,
    reaches: Vec<Vec<usize>>,
}

/// A channel and its edges: target, kinds, runs of sources.
#[derive(Debug, Serialize)]
struct Channel<'view> {
    name: &'view str,
    default: bool,
    edges: Vec<(usize, u8, Vec<usize>)>,
}

/// An engine and what it does in each scope.
#[derive(Debug, Serialize)]
struct Engine<'view> {
    label: &'static str,
    scopes: Vec<Scope<'view>>,
}

/// The walks in one channel, or over all.
#[derive(Debug, Serialize)]
struct Scope<'view> {
    channel: Option<&'view str>,
    error: Option<String>,
    /// Installed, next or null, and positions in `statuses`, `reasons` and `reaches`.
    walks: Vec<(usize, Option<usize>, usize, usize, usize)>,
    /// Names that the channel knows nothing of: positions in `statuses` and `reasons`, runs of names.
    others: Vec<(usize, usize, Vec<usize>)>,
    /// The walks that are not the first step followed by the walk from there.
    paths: BTreeMap<usize, Vec<usize>>,
    /// The engine's steps to a lower version: from and to.
    down: BTreeSet<Hop>,
}

/// Values that are stored once and named by their position.
#[derive(Debug)]
struct Table<T> {
    values: Vec<T>,
    positions: BTreeMap<T, usize>,
}

impl<T: Ord + Clone> Table<T> {
    fn new() -> Self {
        Self { values: Vec::new(), positions: BTreeMap::new() }
    }

    fn position(&mut self, value: T) -> usize {
        let Self { values, positions } = self;
        *positions.entry(value).or_insert_with_key(|value| {
            values.push(value.clone());
            values.len() - 1
        })
    }
}

/// The tables that all scopes share.
struct Tables {
    statuses: Table<Badge>,
    reasons: Table<String>,
    reaches: Table<Vec<usize>>,
}

/// The data block's content, or nothing where it would make the page too large.
///
/// # Errors
/// Where serde cannot write it, which no view brings about.
pub(super) fn data(view: &PackageView, names: &Names<'_>) -> Result<Option<String>, serde_json::Error> {
    let mut tables = Tables { statuses: Table::new(), reasons: Table::new(), reaches: Table::new() };
    let engines = engines(view, names, &mut tables);
    let holding = |keep: fn(&BundleView) -> bool| {
        view.bundles.iter().enumerate().filter(|(_, bundle)| keep(bundle)).map(|(position, _)| position).collect()
    };
    let data = Data {
        names: &view.names,
        labels: names.labels(),
        deprecated: holding(|bundle| bundle.deprecated.is_some()),
        outside: holding(|bundle| !bundle.in_catalog),
        channels: channels(view, names),
        engines,
        statuses: tables.statuses.values,
        reasons: tables.reasons.values,
        reaches: tables.reaches.values,
    };
    let json = escape(&serde_json::to_string(&data)?);
    Ok((json.len() <= Budget::CHOOSER).then_some(json))
}

/// Escapes JSON for a data block; the escapes are those of JSON strings, where alone these characters can stand.
fn escape(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn channels<'view>(view: &'view PackageView, names: &Names<'_>) -> Vec<Channel<'view>> {
    let mut edges: BTreeMap<&str, BTreeMap<(usize, u8), Vec<usize>>> = BTreeMap::new();
    for edge in &view.edges {
        let (Some(from), Some(to)) = (names.position(&edge.from), names.position(&edge.to)) else { continue };
        edges.entry(&edge.channel).or_default().entry((to, kinds(edge))).or_default().push(from);
    }
    let mut channels: Vec<Channel<'view>> = view
        .channels
        .iter()
        .map(|channel| {
            let edges = edges.remove(channel.name.as_str()).unwrap_or_default();
            let edges =
                edges.into_iter().map(|((to, kinds), sources)| (to, kinds, flat_runs(&names::ascending(sources))));
            Channel { name: &channel.name, default: channel.default, edges: edges.collect() }
        })
        .collect();
    channels.sort_by_key(|channel| (!channel.default, natural_order(channel.name)));
    channels
}

/// The kinds of an edge: 1 for `replaces`, 2 for `skips`, 4 for `skipRange`, added up.
fn kinds(edge: &EdgeView) -> u8 {
    let bit = |kind: &str, bit| if edge.via.iter().any(|via| via == kind) { bit } else { 0 };
    bit("replaces", 1) + bit("skips", 2) + bit("skipRange", 4)
}

fn flat_runs(positions: &[usize]) -> Vec<usize> {
    names::runs(positions).into_iter().flat_map(|(first, length)| [first, length]).collect()
}

fn engines<'view>(view: &'view PackageView, names: &Names<'_>, tables: &mut Tables) -> Vec<Engine<'view>> {
    let mut engine = |label, by_channel: &'view BTreeMap<String, WalksView>| {
        let mut scopes: Vec<Scope<'view>> =
            by_channel.iter().map(|(channel, walks)| scope(Some(channel), walks, names, tables)).collect();
        scopes.sort_by_key(|scope| {
            (scope.channel != view.default_channel.as_deref(), natural_order(scope.channel.unwrap_or_default()))
        });
        Engine { label, scopes }
    };
    let v0 = engine("OLM v0", &view.engines.olm_v0);
    let v1 = engine("OLM v1, one channel", &view.engines.olm_v1);
    let all = scope(None, &view.engines.olm_v1_all_channels, names, tables);
    vec![v0, v1, Engine { label: "OLM v1, all channels", scopes: vec![all] }]
}

fn scope<'view>(channel: Option<&'view str>, view: &WalksView, names: &Names<'_>, tables: &mut Tables) -> Scope<'view> {
    let next_of: BTreeMap<usize, usize> = view
        .from
        .iter()
        .filter_map(|(name, walk)| Some((names.position(name)?, names.position(walk.next.as_deref()?)?)))
        .collect();
    let mut walks = Vec::with_capacity(view.from.len());
    let mut paths = BTreeMap::new();
    for (name, walk) in &view.from {
        let Some(from) = names.position(name) else { continue };
        walks.push((
            from,
            next_of.get(&from).copied(),
            tables.statuses.position(words::status(&walk.status)),
            tables.reasons.position(words::reasons(&walk.reasons, name)),
            tables.reaches.position(reached(walk)),
        ));
        let path: Vec<usize> = walk.path.iter().map(|stop| *stop as usize).collect();
        if !goes_by_steps(from, &path, &next_of) {
            paths.insert(from, path);
        }
    }
    walks.sort_unstable();
    let answers = view.others.iter().map(|others| {
        let why = words::reasons(std::slice::from_ref(&others.reason), "");
        let runs = flat_runs(&others::positions(others));
        (tables.statuses.position(words::elsewhere(channel.is_some())), tables.reasons.position(why), runs)
    });
    let others = answers.collect();
    let error = view.error.as_ref().map(words::sentence);
    Scope { channel, error, walks, others, paths, down: walk::downward(view, names.all()) }
}

fn reached(walk: &WalkView) -> Vec<usize> {
    flat_runs(&names::ascending(walk.reaches.iter().map(|position| *position as usize)))
}

/// Whether a walk is each bundle's next step until one stays or the walk comes back, as the script takes it to be.
fn goes_by_steps(from: usize, path: &[usize], next_of: &BTreeMap<usize, usize>) -> bool {
    let mut here = from;
    for stop in path {
        if next_of.get(&here) != Some(stop) {
            return false;
        }
        here = *stop;
    }
    next_of.get(&here).is_none_or(|next| *next == from || path.contains(next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn a_walk_goes_by_steps_until_it_stays_or_comes_back() {
        let next_of = BTreeMap::from([(0, 1), (1, 2), (3, 4), (4, 3)]);
        assert!(goes_by_steps(0, &[1, 2], &next_of));
        assert!(goes_by_steps(2, &[], &next_of));
        assert!(goes_by_steps(3, &[4], &next_of));
        assert!(!goes_by_steps(0, &[1], &next_of), "it would go on to 2");
        assert!(!goes_by_steps(0, &[2], &next_of), "it would go to 1 first");
        assert!(!goes_by_steps(2, &[3], &next_of), "it would stay");
    }

    #[test]
    fn no_text_can_end_the_data_block() {
        let mut view = sample::package(3);
        view.names[0] = "</script><script>\u{2028}".into();
        let names = Names::of(&view);
        let json = data(&view, &names).unwrap().unwrap();
        assert!(!json.contains('<') && !json.contains('\u{2028}'));
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read["names"][0], "</script><script>\u{2028}");
    }

    #[test]
    fn sources_of_one_target_become_runs() {
        let mut view = sample::package(6);
        let edge = |from: usize, kind: &str| EdgeView {
            channel: "stable".into(),
            from: view.names[from].clone(),
            to: view.names[5].clone(),
            via: vec![kind.into()],
        };
        let edges = vec![edge(4, "replaces"), edge(2, "skipRange"), edge(0, "skipRange"), edge(1, "skipRange")];
        view.edges = edges;
        let names = Names::of(&view);
        assert_eq!(channels(&view, &names)[0].edges, [(5, 1, vec![4, 1]), (5, 4, vec![0, 3])]);
    }
}
