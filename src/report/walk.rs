//! What every form of a report tells of walks: how a walk ends, and which hops lead to a lower version.
//!
//! Rule: an engine decides anew after each hop, so a walk ends as the walk from its last stop does
//! (operator-lifecycle-manager, pkg/controller/registry/resolver; operator-controller, internal/operator-controller/resolve).
//! The walk from a bundle notes `path/moves-down` where one of its hops leads to a lower version; names stand in version
//! order, so the lower one of two stands first.
//! Cost: linear in the walks and their reasons.

use std::collections::BTreeSet;

use super::schema::{WalkView, WalksView};
use crate::engines::reason::MOVES_DOWN;

/// One step of a walk: the positions of the bundle that it leaves and of the one that it enters.
pub(super) type Hop = (usize, usize);

/// What becomes of the last stop of a walk; the walk itself where it stays at once, or has no end.
pub(super) fn end<'view>(walk: &'view WalkView, walks: &'view WalksView, names: &[String]) -> &'view WalkView {
    let last = walk.path.last().filter(|_| walk.status == "reachable");
    last.and_then(|last| walks.from.get(names.get(*last as usize)?)).unwrap_or(walk)
}

/// The hops of an engine that lead to a lower version.
pub(super) fn downward(walks: &WalksView, names: &[String]) -> BTreeSet<Hop> {
    let hop = |(from, name): (usize, &String)| {
        let walk = walks.from.get(name)?;
        let to = *walk.path.first()? as usize;
        (to < from && walk.reasons.iter().any(|reason| reason.code == MOVES_DOWN)).then_some((from, to))
    };
    names.iter().enumerate().filter_map(hop).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::schema::ReasonView;

    /// Walks between names that are called by their positions: status, stops, and whether a hop down is noted.
    fn walks(of: &[(&str, &[u32], bool)]) -> (WalksView, Vec<String>) {
        let names: Vec<String> = (0..of.len()).map(|position| position.to_string()).collect();
        let walk = |(status, path, down): &(&str, &[u32], bool)| WalkView {
            status: (*status).into(),
            next: path.first().map(u32::to_string),
            candidates: vec![],
            path: path.to_vec(),
            reaches: vec![],
            reasons: down
                .then(|| ReasonView { code: MOVES_DOWN.into(), message: "lower".into(), because: vec![] })
                .into_iter()
                .collect(),
        };
        let from = names.iter().cloned().zip(of.iter().map(walk)).collect();
        (WalksView { error: None, from, others: vec![] }, names)
    }

    #[test]
    fn a_walk_ends_as_its_last_stop_does_and_a_loop_as_itself() {
        let (walks, names) =
            walks(&[("reachable", &[1], false), ("dead-end", &[], false), ("loop", &[3], false), ("loop", &[2], true)]);
        let status = |name: &str| end(&walks.from[name], &walks, &names).status.as_str();
        assert_eq!(["0", "1", "2", "3"].map(status), ["dead-end", "dead-end", "loop", "loop"]);
    }

    #[test]
    fn only_a_noted_hop_to_a_lower_name_leads_down() {
        // 0 → 2 → 1: the walk from 0 notes the hop from 2, but its own first hop goes up.
        let (walks, names) =
            walks(&[("reachable", &[2, 1], true), ("up-to-date", &[], false), ("reachable", &[1], true)]);
        assert_eq!(downward(&walks, &names), BTreeSet::from([(2, 1)]));
    }

    #[test]
    fn a_hop_between_equal_versions_is_not_noted_and_leads_nowhere_down() {
        let (walks, names) = walks(&[("up-to-date", &[], false), ("reachable", &[0], false)]);
        assert_eq!(downward(&walks, &names), BTreeSet::new());
    }
}
