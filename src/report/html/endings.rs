//! How a walk ends, in a reader's words, and which of its hops lead down.
//!
//! Rule: a word of an end speaks of the last stop, never of what is installed, which may be far behind it.
//! Cost: linear in the hops.

use std::collections::BTreeSet;

use super::names::Names;
use super::words::{self, Badge};
use crate::report::walk::Hop;

/// How many hops down are named.
const NAMED_HOPS: usize = 2;

/// How a walk with this status at its end ends at its last stop, which is null where the engine stays at once.
pub(super) fn ending(status: &str, last: Option<usize>, heads: &BTreeSet<usize>, names: &Names<'_>) -> Badge {
    let badge = words::status(status);
    let text = match (status, last) {
        ("up-to-date", None) => "stays: nothing newer".to_owned(),
        ("up-to-date", Some(last)) if heads.contains(&last) => format!("ends at the head {}", names.label(last)),
        ("up-to-date", Some(last)) => format!("ends at {}: nothing newer", names.label(last)),
        ("dead-end" | "error", Some(last)) => format!("{} at {}", badge.text, names.label(last)),
        _ => badge.text.clone(),
    };
    Badge { text, ..badge }
}

/// The hops of a walk that lead to a lower version, named as far as there are few; null where there is none.
pub(super) fn descent(hops: impl Iterator<Item = Hop>, down: &BTreeSet<Hop>, names: &Names<'_>) -> Option<Badge> {
    let found: Vec<Hop> = hops.filter(|hop| down.contains(hop)).collect();
    let named =
        found.iter().take(NAMED_HOPS).map(|(from, to)| format!("{} → {}", names.label(*from), names.label(*to)));
    let mut text = named.collect::<Vec<_>>().join(", ");
    if found.len() > NAMED_HOPS {
        text += &format!(" and {} more", found.len() - NAMED_HOPS);
    }
    (!found.is_empty()).then(|| words::moves_down(Some(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn an_end_names_the_last_stop_and_says_whether_it_is_the_head() {
        let view = sample::package(4);
        let names = Names::of(&view);
        let heads = BTreeSet::from([3]);
        let text = |status, last| ending(status, last, &heads, &names).text;
        assert_eq!(text("up-to-date", None), "stays: nothing newer");
        assert_eq!(text("up-to-date", Some(3)), "ends at the head 1.0.3");
        assert_eq!(text("up-to-date", Some(2)), "ends at 1.0.2: nothing newer");
        assert_eq!(
            (text("dead-end", None), text("dead-end", Some(1))),
            ("dead end".into(), "dead end at 1.0.1".into())
        );
        assert_eq!((text("error", Some(1)), text("loop", Some(1))), ("fails at 1.0.1".into(), "loop".into()));
    }

    #[test]
    fn hops_down_are_named_and_many_are_counted() {
        let view = sample::package(6);
        let names = Names::of(&view);
        let down = BTreeSet::from([(2, 1), (3, 1), (4, 1), (5, 1)]);
        let text = |hops: &[Hop]| descent(hops.iter().copied(), &down, &names).map(|badge| badge.text);
        assert_eq!(text(&[(0, 2), (2, 1)]).as_deref(), Some("moves down: 1.0.2 → 1.0.1"));
        assert_eq!(
            text(&[(2, 1), (3, 1), (4, 1), (5, 1)]).as_deref(),
            Some("moves down: 1.0.2 → 1.0.1, 1.0.3 → 1.0.1 and 2 more")
        );
        assert_eq!(text(&[(0, 2), (1, 2)]), None);
    }
}
