//! The lanes: which stops a channel has, and which bundles each stop stands for.
//!
//! Rule: a channel's entries are its stops. A name that only starts an edge of the channel is a stop too, a visitor:
//! OLM knows it as an installed bundle, not as something to install from here.
//! Cost: linear in entries and edges, times the logarithm of the names.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{Axis, axis};
use super::lines::{Edge, Lines};
use super::troubles::Troubles;
use crate::report::schema::{ChannelView, EdgeView, PackageView};

/// Number of line colours.
const COLOURS: usize = 12;

/// A whole map before it is drawn.
#[derive(Debug)]
pub(super) struct Layout<'view> {
    pub(super) view: &'view PackageView,
    pub(super) axis: Axis,
    pub(super) lanes: Vec<Lane<'view>>,
}

/// One channel.
#[derive(Debug)]
pub(super) struct Lane<'view> {
    pub(super) channel: &'view ChannelView,
    /// Number of its colour, from 0.
    pub(super) colour: usize,
    /// How many lanes before it have the same colour.
    pub(super) repeat: usize,
    /// Its stops from left to right, at most one in a column.
    pub(super) stops: Vec<Stop>,
    pub(super) lines: Lines,
    pub(super) troubles: Troubles<'view>,
}

/// One or more bundles of one lane in one column.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) column: usize,
    /// The entries among them.
    pub(super) entries: BTreeSet<usize>,
    /// Names that only start an edge.
    pub(super) visitors: BTreeSet<usize>,
    /// The heads of the channel among the entries.
    pub(super) heads: BTreeSet<usize>,
    /// Number of edges between two of its bundles, or from one to itself.
    pub(super) inside: usize,
}

/// Lays out a view.
pub(super) fn layout(view: &PackageView) -> Layout<'_> {
    let position = positions_by_name(view);
    let find = |name: &str| position.get(name).copied();
    let mut channels: Vec<&ChannelView> = view.channels.iter().collect();
    channels.sort_by_cached_key(|channel| (!channel.default, natural_order(&channel.name), &channel.name));

    let heads_of =
        |channel: &ChannelView| -> Vec<usize> { channel.heads.iter().filter_map(|name| find(name)).collect() };
    let heads = channels.iter().flat_map(|channel| heads_of(channel)).collect();
    let main_heads = channels.iter().filter(|channel| channel.default).flat_map(|channel| heads_of(channel)).collect();
    let axis = axis(view, &heads, &main_heads);

    let mut edges = edges_by_channel(view);
    let lanes = channels
        .into_iter()
        .enumerate()
        .map(|(number, channel)| {
            let edges = edges.remove(channel.name.as_str()).unwrap_or_default();
            let troubles = Troubles::of(view, &channel.name);
            let edges: Vec<Edge> =
                edges.into_iter().filter_map(|edge| Edge::of(edge, find, &axis, &troubles)).collect();
            let stops = stops(channel, &edges, find, &axis);
            let lines = Lines::of(&edges, &stops);
            Lane { channel, colour: number % COLOURS, repeat: number / COLOURS, stops, lines, troubles }
        })
        .collect();
    Layout { view, axis, lanes }
}

fn positions_by_name(view: &PackageView) -> BTreeMap<&str, usize> {
    view.bundles.iter().enumerate().map(|(position, bundle)| (bundle.name.as_str(), position)).collect()
}

fn edges_by_channel(view: &PackageView) -> BTreeMap<&str, Vec<&EdgeView>> {
    let mut by_channel: BTreeMap<&str, Vec<&EdgeView>> = BTreeMap::new();
    for edge in &view.edges {
        by_channel.entry(&edge.channel).or_default().push(edge);
    }
    by_channel
}

fn stops(channel: &ChannelView, edges: &[Edge], find: impl Fn(&str) -> Option<usize>, axis: &Axis) -> Vec<Stop> {
    let mut stops: BTreeMap<usize, Stop> = BTreeMap::new();
    let mut entries = BTreeSet::new();
    for name in channel.entries.iter().filter_map(|entry| find(&entry.name)) {
        let Some(column) = axis.column_of(name) else { continue };
        stops.entry(column).or_default().entries.insert(name);
        entries.insert(name);
    }
    for edge in edges {
        for end in [edge.from, edge.to] {
            if !entries.contains(&end.name) {
                stops.entry(end.column).or_default().visitors.insert(end.name);
            }
        }
        if edge.from.column == edge.to.column {
            stops.entry(edge.to.column).or_default().inside += 1;
        }
    }
    for head in channel.heads.iter().filter_map(|name| find(name)).filter(|name| entries.contains(name)) {
        let Some(column) = axis.column_of(head) else { continue };
        stops.entry(column).or_default().heads.insert(head);
    }
    stops.into_iter().map(|(column, stop)| Stop { column, ..stop }).collect()
}

/// One part of a name: digits count as a number, longer ones as the greater.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::report) enum NamePart<'name> {
    Number(usize, &'name str),
    Text(&'name str),
}

/// A key by which `stable-4.9` comes before `stable-4.10`.
pub(in crate::report) fn natural_order(name: &str) -> Vec<NamePart<'_>> {
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let end = rest.find(|character: char| character.is_ascii_digit() != is_number).unwrap_or(rest.len());
        let Some((part, after)) = rest.split_at_checked(end) else { break };
        let digits = part.trim_start_matches('0');
        parts.push(if is_number { NamePart::Number(digits.len(), digits) } else { NamePart::Text(part) });
        rest = after;
    }
    parts
}
