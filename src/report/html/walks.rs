//! What each engine does with each installed bundle, as tables: one a channel, one over all channels.
//!
//! A row is a route: a reader finds the installed bundle in it and reads on to the right, to where the engine stays. Names
//! that the channel knows nothing of follow below.
//! Cost: linear in the stops of all walks, times the logarithm of the number of bundles.

use std::collections::BTreeSet;

use serde::Serialize;

use super::agreement::EngineWalks;
use super::budget::Budget;
use super::names::Names;
use super::others::{self, OthersRow};
use super::rows::{self, RouteRow};
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
            let heads = heads(view, channel, names);
            table(Some(channel), is_default(channel), &[("OLM v0", v0), ("OLM v1", v1)], &heads, names, &mut budget)
        })
        .collect();
    tables.push(table(None, false, &[("OLM v1", &engines.olm_v1_all_channels)], &BTreeSet::new(), names, &mut budget));
    tables
}

fn heads(view: &PackageView, channel: &str, names: &Names<'_>) -> BTreeSet<usize> {
    let named = view.channels.iter().filter(|known| known.name == channel).flat_map(|known| &known.heads);
    named.filter_map(|head| names.position(head)).collect()
}

fn table(
    channel: Option<&str>,
    default: bool,
    engines: &[EngineWalks<'_>],
    heads: &BTreeSet<usize>,
    names: &Names<'_>,
    budget: &mut Budget,
) -> WalkTable {
    let before = budget.left_out();
    let rows = rows::rows(engines, heads, names);
    let troubles = rows::troubles(&rows);
    let rows = rows.into_iter().filter(|row| budget.take(row.length())).collect();
    let others =
        others::rows(engines, channel.is_some(), names).into_iter().filter(|row| budget.take(row.length())).collect();
    let errors =
        engines.iter().filter_map(|(engine, walks)| Some((*engine, words::sentence(walks.error.as_ref()?)))).collect();
    let left_out = budget.left_out() - before;
    WalkTable { channel: channel.map(str::to_owned), default, errors, troubles, rows, others, left_out }
}
