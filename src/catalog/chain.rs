//! Heads and the replaces chain of a channel, as opm's validation sees them.
//!
//! Rule: operator-registry `alpha/model/model.go`, `Channel.Head` and `Channel.validateReplacesChain` (the chain ends at a
//! skipped name since v1.58). Only names count: skipRange makes no chain, a name outside the channel can be skipped, and an
//! entry that names itself is no head. Cost: n log n in the entries.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Entry;

/// Entries that no entry replaces or skips, by name; exactly one in a valid channel.
pub fn heads(entries: &[Entry]) -> Vec<&str> {
    let incoming: BTreeSet<&str> = entries
        .iter()
        .flat_map(|entry| entry.skips.iter().map(String::as_str).chain([entry.replaces.as_str()]))
        .filter(|name| !name.is_empty())
        .collect();
    let heads: BTreeSet<&str> =
        entries.iter().map(|entry| entry.name.as_str()).filter(|name| !incoming.contains(name)).collect();
    heads.into_iter().collect()
}

/// What opm finds when it follows `replaces` from the head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chain<'c> {
    /// The names that the chain passes, head first; the last may be outside the channel.
    Whole {
        /// Entries that the chain does not pass and nothing skips, by name.
        stranded: Vec<&'c str>,
    },
    /// The names from the head to the first one that comes back, that one at the end again.
    Cycle(Vec<&'c str>),
}

/// Follows the chain from this head.
pub fn follow<'c>(entries: &'c [Entry], head: &'c str) -> Chain<'c> {
    let skipped: BTreeSet<&str> = entries.iter().flat_map(|entry| entry.skips.iter().map(String::as_str)).collect();
    let mut by_name = BTreeMap::new();
    for entry in entries {
        by_name.entry(entry.name.as_str()).or_insert(entry);
    }
    let mut passed = vec![head];
    let mut seen = BTreeSet::from([head]);
    let mut current = by_name.get(head).copied();
    while let Some(entry) = current.filter(|entry| !entry.replaces.is_empty()) {
        let next = entry.replaces.as_str();
        if skipped.contains(next) {
            break;
        }
        passed.push(next);
        if !seen.insert(next) {
            return Chain::Cycle(passed);
        }
        current = by_name.get(next).copied();
    }
    let stranded: BTreeSet<&str> = entries
        .iter()
        .map(|entry| entry.name.as_str())
        .filter(|name| !seen.contains(name) && !skipped.contains(name))
        .collect();
    Chain::Whole { stranded: stranded.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, replaces: &str, skips: &[&str]) -> Entry {
        let skips = skips.iter().map(|skip| (*skip).to_owned()).collect();
        Entry { name: name.into(), replaces: replaces.into(), skips, skip_range: String::new() }
    }

    #[test]
    fn a_line_has_one_head_and_strands_nobody() {
        let entries = [entry("1", "", &[]), entry("2", "1", &[]), entry("3", "2", &[])];
        assert_eq!(heads(&entries), ["3"]);
        assert_eq!(follow(&entries, "3"), Chain::Whole { stranded: vec![] });
    }

    #[test]
    fn a_name_both_replaced_and_skipped_ends_the_chain() {
        let entries = [entry("1", "", &[]), entry("2", "1", &[]), entry("3", "2", &["2"])];
        assert_eq!(follow(&entries, "3"), Chain::Whole { stranded: vec!["1"] });
    }

    #[test]
    fn the_tail_may_replace_what_is_not_there() {
        let entries = [entry("2", "1", &[]), entry("3", "2", &[])];
        assert_eq!(follow(&entries, "3"), Chain::Whole { stranded: vec![] });
    }

    #[test]
    fn a_ring_has_no_head_and_a_ring_below_a_head_is_a_cycle() {
        assert!(heads(&[entry("1", "2", &[]), entry("2", "1", &[])]).is_empty());
        let entries = [entry("1", "2", &[]), entry("2", "1", &[]), entry("3", "2", &[])];
        assert_eq!(follow(&entries, "3"), Chain::Cycle(vec!["3", "2", "1", "2"]));
    }

    #[test]
    fn an_entry_that_names_itself_is_no_head() {
        assert!(heads(&[entry("1", "1", &[])]).is_empty());
        assert!(heads(&[entry("1", "", &["1"])]).is_empty());
    }
}
