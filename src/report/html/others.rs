//! Names that a channel knows nothing of: each engine has one answer for many of them.
//!
//! Cost: linear in the names.

use serde::Serialize;

use super::agreement::EngineWalks;
use super::names::{self, Names};
use super::words::{self, Badge};
use crate::report::schema::OthersView;

/// Names that share one answer.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct OthersRow {
    engines: &'static str,
    count: usize,
    status: Badge,
    why: String,
    names: String,
}

/// One row for each answer; engines that give the same one to the same names share it.
pub(super) fn rows(engines: &[EngineWalks<'_>], names: &Names<'_>) -> Vec<OthersRow> {
    let mut rows: Vec<OthersRow> = Vec::new();
    for (engine, walks) in engines {
        for others in &walks.others {
            let row = row(engine, others, names);
            match rows.iter_mut().find(|known| known.says_the_same_as(&row)) {
                Some(known) => known.engines = "both",
                None => rows.push(row),
            }
        }
    }
    rows
}

fn row(engines: &'static str, others: &OthersView, names: &Names<'_>) -> OthersRow {
    OthersRow {
        engines,
        count: others.names.len(),
        status: words::status(&others.status),
        why: words::reasons(std::slice::from_ref(&others.reason), ""),
        names: names::listed(&positions(others), names),
    }
}

/// The positions of the names, ascending.
pub(super) fn positions(others: &OthersView) -> Vec<usize> {
    names::ascending(others.names.iter().map(|name| *name as usize))
}

impl OthersRow {
    fn says_the_same_as(&self, other: &Self) -> bool {
        (&self.status, &self.why, &self.names) == (&other.status, &other.why, &other.names)
    }

    pub(super) fn length(&self) -> usize {
        self.why.len() + self.names.len() + 120
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;
    use crate::report::schema::{ReasonView, WalksView};

    fn walks(status: &str, names: &[u32]) -> WalksView {
        let reason = ReasonView { code: "path/no-edge".into(), message: "no entry covers it".into(), because: vec![] };
        let others = OthersView { status: status.into(), names: names.to_vec(), reason };
        WalksView { others: vec![others], ..WalksView::default() }
    }

    #[test]
    fn engines_share_a_row_only_where_they_answer_alike() {
        let view = sample::package(6);
        let names = Names::of(&view);
        let engines = |v0: &WalksView, v1: &WalksView| -> Vec<(&str, usize)> {
            rows(&[("OLM v0", v0), ("OLM v1", v1)], &names).iter().map(|row| (row.engines, row.count)).collect()
        };
        let (ends, same) = (walks("dead-end", &[0, 1, 3]), walks("dead-end", &[3, 1, 0]));
        assert_eq!(engines(&ends, &same), [("both", 3)]);
        assert_eq!(engines(&ends, &walks("up-to-date", &[0, 1, 3])), [("OLM v0", 3), ("OLM v1", 3)]);
        assert_eq!(engines(&ends, &walks("dead-end", &[0])), [("OLM v0", 3), ("OLM v1", 1)]);
    }

    #[test]
    fn neighbours_are_written_by_their_ends() {
        let view = sample::package(6);
        let names = Names::of(&view);
        let rows = rows(&[("OLM v0", &walks("dead-end", &[0, 1, 2, 4]))], &names);
        let expected = format!("{} to {}, {}", names.label(0), names.label(2), names.label(4));
        assert_eq!(rows[0].names, expected);
    }
}
