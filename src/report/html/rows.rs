//! The rows of a table of walks.
//!
//! Rule: both engines share a row where they take the same walk to the same end, with the reasons of each where those
//! differ; bundles that join the same walk share one too. A circle is one row, of which every bundle of it is a start:
//! whichever of them is installed, the engine goes round.
//! Cost: linear in the stops of all walks, times the logarithm of the number of bundles.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::agreement::{self, EngineWalks};
use super::endings;
use super::names::{self, Names};
use super::routes::{self, Forest};
use super::words::{self, Badge};
use crate::report::phrase::capitalised;
use crate::report::walk::{self, Hop};

/// A route and how it ends.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct RouteRow {
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
    /// What becomes of the last stop, in as few words as a count of bundles takes.
    status: Badge,
    /// How it ends, in words.
    ends: Badge,
    /// The hops that lead to a lower version, null where there is none.
    down: Option<Badge>,
    why: String,
}

/// What routes are joined by: the engines, the stops after the start, the status at the end, the reasons.
type Shape<'view> = (&'static str, &'view [u32], &'view str, String);

/// What routes of one shape have together.
#[derive(Debug, Default)]
struct Joined {
    starts: BTreeSet<usize>,
    /// How many stops after the start no other row has.
    own: usize,
    /// Where the walk comes back to.
    back: Option<usize>,
    in_circle: bool,
}

/// What the rows of a table are told with.
struct Words<'table> {
    names: &'table Names<'table>,
    /// The heads of the channel.
    heads: &'table BTreeSet<usize>,
    /// The hops down by what the engines that take them are called together.
    down: BTreeMap<&'static str, BTreeSet<Hop>>,
}

/// The rows of a table, those that ask for attention first; `heads` are those of its channel.
pub(super) fn rows(engines: &[EngineWalks<'_>], heads: &BTreeSet<usize>, names: &Names<'_>) -> Vec<RouteRow> {
    let words = Words { names, heads, down: downward(engines, names) };
    let mut rows: Vec<(u8, BTreeSet<usize>, RouteRow)> = joined(engines, names)
        .into_iter()
        .map(|(shape, joined)| {
            let status = shape.2;
            let row = row(shape, &joined, &words);
            (urgency(status, row.down.is_some()), joined.starts, row)
        })
        .collect();
    rows.sort_by(|(urgency, starts, _), (other_urgency, other_starts, _)| {
        (urgency, starts).cmp(&(other_urgency, other_starts))
    });
    rows.into_iter().map(|(.., row)| row).collect()
}

fn downward(engines: &[EngineWalks<'_>], names: &Names<'_>) -> BTreeMap<&'static str, BTreeSet<Hop>> {
    let mut down: BTreeMap<&'static str, BTreeSet<Hop>> = BTreeMap::new();
    for (engine, walks) in engines {
        let hops = walk::downward(walks, names.all());
        down.entry("both").or_default().extend(&hops);
        down.insert(engine, hops);
    }
    down
}

fn joined<'view>(engines: &[EngineWalks<'view>], names: &Names<'_>) -> BTreeMap<Shape<'view>, Joined> {
    let mut rows: BTreeMap<Shape<'view>, Joined> = BTreeMap::new();
    for (label, walks) in &agreement::walks(engines, names) {
        let forest: Forest<'_> = walks.iter().filter_map(|(from, same)| Some((*from, same.first()?.path))).collect();
        for route in routes::routes(&forest) {
            let Some((start, passed)) = route.split_first() else { continue };
            let Some((same, walk)) = walks.get(start).and_then(|same| Some((same, same.first()?))) else { continue };
            let shape = (*label, walk.path, walk.end, agreement::why(same, names.full(*start)));
            let row = rows.entry(shape).or_default();
            row.back = walk.back;
            row.in_circle = routes::in_circle(*start, &forest);
            if row.in_circle {
                row.starts.extend(&route);
            } else {
                row.starts.insert(*start);
                row.own = passed.len().max(row.own);
            }
        }
    }
    rows
}

/// What asks for attention comes first.
fn urgency(status: &str, moves_down: bool) -> u8 {
    match status {
        "error" => 0,
        "loop" => 1,
        "up-to-date" if !moves_down => 3,
        _ => 2,
    }
}

/// How many bundles do not end up to date, by status and engine, and whose walks lead down.
pub(super) fn troubles(rows: &[RouteRow]) -> Vec<Badge> {
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
    let down = rows.iter().any(|row| row.down.is_some()).then(|| words::moves_down(None));
    troubles.into_iter().map(badge).chain(down).collect()
}

fn row((engines, path, end, why): Shape<'_>, joined: &Joined, words: &Words<'_>) -> RouteRow {
    let names = words.names;
    let starts: Vec<usize> = joined.starts.iter().copied().collect();
    let path: Vec<usize> = path.iter().map(|stop| *stop as usize).collect();
    // Of a circle everything is shown: the stops that are starts too stand in this row alone.
    let own = if joined.in_circle { path.len() } else { joined.own };
    let mut stops = in_short(&path, own, names);
    stops.extend(joined.back.map(|back| format!("back to {}", names.label(back))));
    let (last, walk) = stops
        .split_last()
        .map_or((None, None), |(last, before)| (Some(last.clone()), (!before.is_empty()).then(|| before.join(" → "))));
    let none = BTreeSet::new();
    let down = words.down.get(engines).unwrap_or(&none);
    RouteRow {
        engines,
        installed: names::listed(&starts, names),
        count: starts.len(),
        walk,
        last,
        own: starts.len() + joined.own,
        status: words::status(end),
        ends: endings::ending(end, path.last().copied(), words.heads, names),
        down: endings::descent(hops(&starts, &path, joined).into_iter(), down, names),
        why: capitalised(&why).into_owned(),
    }
}

/// The hops of a row, each once.
fn hops(starts: &[usize], path: &[usize], joined: &Joined) -> Vec<Hop> {
    let onward = path.iter().copied().chain(joined.back);
    let Some(first) = onward.clone().next() else { return vec![] };
    let into = starts.iter().take(if joined.in_circle { 1 } else { starts.len() }).map(|start| (*start, first));
    into.chain(onward.clone().zip(onward.skip(1))).collect()
}

impl RouteRow {
    /// Bytes of its texts.
    pub(super) fn length(&self) -> usize {
        let stops: usize = [&self.walk, &self.last].into_iter().flatten().map(String::len).sum();
        let badges = self.ends.text.len() + self.down.as_ref().map_or(0, |down| down.text.len() + 80);
        self.installed.len() + stops + badges + self.why.len() + 80
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
mod tests;
