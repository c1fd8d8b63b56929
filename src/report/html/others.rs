//! Names that a channel knows nothing of: no entry of it leads on from them, so it says nothing of them, good or bad.
//!
//! Rule: the status that an engine has for them there tells of the channel, not of the bundle, which its own channel covers;
//! it stands in the report's data, and here they share one line.
//! Cost: linear in the names, times the logarithm of their number.

use std::collections::BTreeSet;

use serde::Serialize;

use super::agreement::EngineWalks;
use super::names::{self, Names};
use super::words::{self, Badge};
use crate::report::schema::{OthersView, WalksView};

/// Names that one engine or both know nothing of.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct OthersRow {
    engines: &'static str,
    count: usize,
    status: Badge,
    names: String,
}

/// One row for each engine, or one for both where they know nothing of the same names.
pub(super) fn rows(engines: &[EngineWalks<'_>], in_one_channel: bool, names: &Names<'_>) -> Vec<OthersRow> {
    let mut rows: Vec<OthersRow> = Vec::new();
    for row in engines.iter().filter_map(|(engine, walks)| row(engine, walks, in_one_channel, names)) {
        match rows.iter_mut().find(|known| (known.count, &known.names) == (row.count, &row.names)) {
            Some(known) => known.engines = "both",
            None => rows.push(row),
        }
    }
    rows
}

fn row(engines: &'static str, walks: &WalksView, in_one_channel: bool, names: &Names<'_>) -> Option<OthersRow> {
    let found: BTreeSet<usize> = walks.others.iter().flat_map(positions).collect();
    let found: Vec<usize> = found.into_iter().collect();
    (!found.is_empty()).then(|| OthersRow {
        engines,
        count: found.len(),
        status: words::elsewhere(in_one_channel),
        names: names::listed(&found, names),
    })
}

/// The positions of the names, ascending.
pub(super) fn positions(others: &OthersView) -> Vec<usize> {
    names::ascending(others.names.iter().map(|name| *name as usize))
}

impl OthersRow {
    /// Bytes of its texts.
    pub(super) fn length(&self) -> usize {
        self.names.len() + 120
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;
    use crate::report::schema::ReasonView;

    fn walks(groups: &[(&str, &[u32])]) -> WalksView {
        let reason = ReasonView { code: "path/no-edge".into(), message: "no entry covers it".into(), because: vec![] };
        let others = |(status, names): &(&str, &[u32])| OthersView {
            status: (*status).into(),
            names: names.to_vec(),
            reason: reason.clone(),
        };
        WalksView { others: groups.iter().map(others).collect(), ..WalksView::default() }
    }

    #[test]
    fn engines_share_a_row_where_they_know_nothing_of_the_same_names_whatever_they_answer() {
        let view = sample::package(6);
        let names = Names::of(&view);
        let engines = |v0: &WalksView, v1: &WalksView| -> Vec<(&str, usize)> {
            rows(&[("OLM v0", v0), ("OLM v1", v1)], true, &names).iter().map(|row| (row.engines, row.count)).collect()
        };
        let v0 = walks(&[("dead-end", &[0, 1]), ("up-to-date", &[3])]);
        assert_eq!(engines(&v0, &walks(&[("error", &[3, 1, 0])])), [("both", 3)]);
        assert_eq!(engines(&v0, &walks(&[("error", &[0])])), [("OLM v0", 3), ("OLM v1", 1)]);
        assert_eq!(engines(&walks(&[]), &walks(&[])), []);
    }

    #[test]
    fn a_bundle_elsewhere_is_no_trouble() {
        let view = sample::package(6);
        let names = Names::of(&view);
        let error = walks(&[("error", &[0])]);
        let status = |in_one_channel| rows(&[("OLM v1", &error)], in_one_channel, &names)[0].status.clone();
        assert_eq!((status(true).class, status(true).text.as_str()), ("unknown", "not in this channel"));
        assert_eq!(status(false).text, "in no channel");
    }

    #[test]
    fn neighbours_are_written_by_their_ends() {
        let view = sample::package(6);
        let names = Names::of(&view);
        let rows = rows(&[("OLM v0", &walks(&[("dead-end", &[0, 1, 2, 4])]))], true, &names);
        let expected = format!("{} to {}, {}", names.label(0), names.label(2), names.label(4));
        assert_eq!(rows[0].names, expected);
    }
}
