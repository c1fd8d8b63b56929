//! The entries of the channels, as the catalog states them.
//!
//! Some catalogs skip hundreds of names in every entry; a long list is told by its runs in version order.
//! Cost: linear in the entries and their skips.

use serde::Serialize;

use super::budget::Budget;
use super::names::{self, Names};
use crate::report::schema::{ChannelView, EntryView};

/// The entries of one channel.
#[derive(Debug, Serialize)]
pub(super) struct EntryTable {
    channel: String,
    default: bool,
    count: usize,
    rows: Vec<EntryRow>,
    left_out: usize,
}

/// One entry.
#[derive(Debug, Serialize)]
struct EntryRow {
    name: String,
    replaces: Option<String>,
    skips: String,
    skip_range: Option<String>,
}

/// The tables of the channels, in their order.
pub(super) fn tables(channels: &[&ChannelView], names: &Names<'_>) -> Vec<EntryTable> {
    let mut budget = Budget::of(Budget::ENTRIES);
    let mut table = |channel: &ChannelView| {
        let before = budget.left_out();
        let rows = channel.entries.iter().map(|entry| row(entry, names)).filter(|row| budget.take(row.length()));
        EntryTable {
            channel: channel.name.clone(),
            default: channel.default,
            count: channel.entries.len(),
            rows: rows.collect(),
            left_out: budget.left_out() - before,
        }
    };
    channels.iter().map(|channel| table(channel)).collect()
}

fn row(entry: &EntryView, names: &Names<'_>) -> EntryRow {
    EntryRow {
        name: entry.name.clone(),
        replaces: entry.replaces.clone(),
        skips: skips(&entry.skips, names),
        skip_range: entry.skip_range.clone(),
    }
}

/// The skipped names one by one; many of them by their number and the ends of their runs.
fn skips(skips: &[String], names: &Names<'_>) -> String {
    const FEW: usize = 8;
    if skips.len() <= FEW {
        return skips.join(", ");
    }
    let positions = names::ascending(skips.iter().filter_map(|name| names.position(name)));
    format!("{} names: {}", positions.len(), names::listed(&positions, names))
}

impl EntryRow {
    fn length(&self) -> usize {
        let optional = [&self.replaces, &self.skip_range].into_iter().flatten().map(String::len);
        self.name.len() + self.skips.len() + optional.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn few_skips_are_stated_and_many_are_told_by_their_runs() {
        let view = sample::package(20);
        let names = Names::of(&view);
        assert_eq!(skips(&view.names[2..4], &names), format!("{}, {}", view.names[2], view.names[3]));
        let label = |position| names.label(position);
        let many: Vec<String> = view.names[1..9].iter().chain(&view.names[12..13]).cloned().collect();
        assert_eq!(skips(&many, &names), format!("9 names: {} to {}, {}", label(1), label(8), label(12)));
    }
}
