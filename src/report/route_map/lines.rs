//! The edges of one lane as lines: which edges share a line, and on which level a line runs.
//!
//! Rule: edges into the same target share a line, except that each `replaces` edge has its own, for the chain that OLM v0
//! walks is made of those. Short lines run low. Where more than [`ABOVE`] lines would lie over one another (or [`BELOW`]
//! under the lane), only tracks and lines into heads stay, as far as they fit; the others become one band.
//! Cost: linear in the edges, and for each line the columns that it spans.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::Axis;
use super::lanes::Stop;
use super::troubles::Troubles;
use crate::report::schema::EdgeView;

/// How many lines may lie over one another above a lane.
const ABOVE: usize = 5;
/// How many lines may lie over one another below a lane.
const BELOW: usize = 3;

/// One end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) name: usize,
    pub(super) column: usize,
}

/// An edge of the view, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: End,
    pub(super) to: End,
    replaces: bool,
    skips: bool,
    skip_range: bool,
    /// Whether OLM v0 may take it.
    open: bool,
}

impl Edge {
    /// The edge by position, null where the view does not list one of its names.
    pub(super) fn of(
        edge: &EdgeView,
        find: impl Fn(&str) -> Option<usize>,
        axis: &Axis,
        troubles: &Troubles<'_>,
    ) -> Option<Self> {
        let end = |text: &str| -> Option<End> {
            let name = find(text)?;
            Some(End { name, column: axis.column_of(name)? })
        };
        let by = |kind: &str| edge.via.iter().any(|via| via == kind);
        Some(Self {
            from: end(&edge.from)?,
            to: end(&edge.to)?,
            replaces: by("replaces"),
            skips: by("skips"),
            skip_range: by("skipRange"),
            open: !by("replaces") || troubles.may_take(&edge.from, &edge.to),
        })
    }
}

/// Edges that are drawn as one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Columns that it starts from.
    pub(super) sources: BTreeSet<usize>,
    /// Columns that it leads to; several only in a band.
    pub(super) targets: BTreeSet<usize>,
    /// Names that it starts from.
    pub(super) from: BTreeSet<usize>,
    /// Names that it leads to.
    pub(super) to: BTreeSet<usize>,
    /// Number of its edges.
    pub(super) count: usize,
    /// Number of those by `replaces`.
    pub(super) replaces: usize,
    /// Number of those by `skips`.
    pub(super) skips: usize,
    /// Number of those by `skipRange`.
    pub(super) skip_range: usize,
    /// Number of those that OLM v0 may take, as far as is known.
    pub(super) open: usize,
    /// Whether it is made of `replaces` edges, and leads to a newer bundle.
    pub(super) is_track: bool,
    /// How far from the lane it runs, from 0.
    pub(super) level: usize,
}

impl Line {
    fn add(&mut self, edge: &Edge) {
        self.sources.insert(edge.from.column);
        self.targets.insert(edge.to.column);
        self.from.insert(edge.from.name);
        self.to.insert(edge.to.name);
        self.count += 1;
        self.replaces += usize::from(edge.replaces);
        self.skips += usize::from(edge.skips);
        self.skip_range += usize::from(edge.skip_range);
        self.open += usize::from(edge.open);
    }

    fn absorb(&mut self, other: Self) {
        self.sources.extend(other.sources);
        self.targets.extend(other.targets);
        self.from.extend(other.from);
        self.to.extend(other.to);
        self.count += other.count;
        self.replaces += other.replaces;
        self.skips += other.skips;
        self.skip_range += other.skip_range;
        self.open += other.open;
    }

    /// The first and the last column that it touches.
    pub(super) fn span(&self) -> (usize, usize) {
        let ends = [self.sources.first(), self.targets.first(), self.sources.last(), self.targets.last()];
        let first = ends.iter().flatten().min().map_or(0, |column| **column);
        let last = ends.iter().flatten().max().map_or(0, |column| **column);
        (first, last)
    }

    /// Whether it is a track that OLM v0 never takes.
    pub(super) fn is_closed(&self) -> bool {
        self.is_track && self.open == 0
    }

    fn length(&self) -> usize {
        let (first, last) = self.span();
        last - first
    }
}

/// All lines of one lane.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// Straight tracks between neighbours.
    pub(super) tracks: Vec<Line>,
    /// Tracks over other stations, and express lines.
    pub(super) above: Vec<Line>,
    /// Lines to older bundles.
    pub(super) below: Vec<Line>,
    /// What found no room above.
    pub(super) band_above: Option<Line>,
    /// What found no room below.
    pub(super) band_below: Option<Line>,
}

impl Lines {
    /// The lines for the edges of a lane with these stops.
    pub(super) fn of(edges: &[Edge], stops: &[Stop]) -> Self {
        let mut tracks: BTreeMap<(usize, usize), Line> = BTreeMap::new();
        let mut express: BTreeMap<usize, Line> = BTreeMap::new();
        let mut down: BTreeMap<usize, Line> = BTreeMap::new();
        for edge in edges {
            let (from, to) = (edge.from.column, edge.to.column);
            if to < from {
                down.entry(to).or_default().add(edge);
            } else if from < to && edge.replaces {
                tracks.entry((from, to)).or_default().add(edge);
            } else if from < to {
                express.entry(to).or_default().add(edge);
            }
        }
        let neighbours: BTreeSet<(usize, usize)> =
            stops.iter().zip(stops.iter().skip(1)).map(|(left, right)| (left.column, right.column)).collect();
        let (straight, bypasses): (BTreeMap<_, _>, BTreeMap<_, _>) =
            tracks.into_iter().partition(|(ends, _)| neighbours.contains(ends));
        let as_track = |line: Line| Line { is_track: true, ..line };

        let heads: BTreeSet<usize> =
            stops.iter().filter(|stop| !stop.heads.is_empty()).map(|stop| stop.column).collect();
        let (above, band_above) =
            arrange(bypasses.into_values().map(as_track).chain(express.into_values()).collect(), &heads, ABOVE);
        let (below, band_below) = arrange(down.into_values().collect(), &heads, BELOW);
        Self { tracks: straight.into_values().map(as_track).collect(), above, below, band_above, band_below }
    }

    /// Number of levels that lines take above the lane; a band takes one more.
    pub(super) fn levels_above(&self) -> usize {
        levels(&self.above, self.band_above.as_ref())
    }

    /// Number of levels that lines take below the lane; a band takes one more.
    pub(super) fn levels_below(&self) -> usize {
        levels(&self.below, self.band_below.as_ref())
    }
}

fn levels(lines: &[Line], band: Option<&Line>) -> usize {
    lines.iter().map(|line| line.level + 1).max().unwrap_or(0) + usize::from(band.is_some())
}

/// Gives each line a level where at most `depth` lie over one another, and puts the others into a band.
fn arrange(lines: Vec<Line>, heads: &BTreeSet<usize>, depth: usize) -> (Vec<Line>, Option<Line>) {
    let (mut chosen, band) = choose(lines, heads, depth);
    chosen.sort_by_key(|line| (line.length(), line.span()));
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    for line in &mut chosen {
        let (first, last) = line.span();
        let is_free = |spans: &Vec<(usize, usize)>| spans.iter().all(|(left, right)| last <= *left || *right <= first);
        line.level = taken.iter().position(is_free).unwrap_or(taken.len());
        match taken.get_mut(line.level) {
            Some(spans) => spans.push((first, last)),
            None => taken.push(vec![(first, last)]),
        }
    }
    chosen.sort_by_key(|line| (line.level, line.span()));
    (chosen, band)
}

/// All lines where they fit; else the tracks and the lines into heads, as far as they fit, and a band of the others.
fn choose(mut lines: Vec<Line>, heads: &BTreeSet<usize>, depth: usize) -> (Vec<Line>, Option<Line>) {
    let columns = lines.iter().map(|line| line.span().1).max().unwrap_or(0);
    let mut gaps = Gaps::new(columns);
    if lines.iter().all(|line| gaps.take(line, depth)) {
        return (lines, None);
    }
    let leads_to_head = |line: &Line| line.targets.iter().any(|target| heads.contains(target));
    lines.sort_by_key(|line| (!line.is_track, line.length(), line.span()));
    let mut gaps = Gaps::new(columns);
    let mut chosen = Vec::new();
    let mut band = Line::default();
    for line in lines {
        if (line.is_track || leads_to_head(&line)) && gaps.take(&line, depth) {
            chosen.push(line);
        } else {
            band.absorb(line);
        }
    }
    (chosen, Some(band))
}

/// How many lines lie over each gap between neighbouring columns.
struct Gaps {
    lines: Vec<usize>,
}

impl Gaps {
    fn new(columns: usize) -> Self {
        Self { lines: vec![0; columns] }
    }

    /// Takes room for a line where fewer than `depth` others lie; tells whether it did.
    fn take(&mut self, line: &Line, depth: usize) -> bool {
        let (first, last) = line.span();
        let spanned = self.lines.get_mut(first..last).unwrap_or_default();
        let has_room = spanned.iter().all(|lines| *lines < depth);
        if has_room {
            spanned.iter_mut().for_each(|lines| *lines += 1);
        }
        has_room
    }
}
