//! Heads and chains against a second version that follows opm's text line by line.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::super::chain::{Chain, follow, heads};
use super::super::facts::Entry;

/// `Channel.Head`.
fn slow_heads(entries: &[Entry]) -> Vec<String> {
    let mut incoming: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries {
        if !entry.replaces.is_empty() {
            *incoming.entry(entry.replaces.clone()).or_default() += 1;
        }
        for skip in &entry.skips {
            *incoming.entry(skip.clone()).or_default() += 1;
        }
    }
    let mut heads: Vec<String> =
        entries.iter().map(|entry| entry.name.clone()).filter(|name| !incoming.contains_key(name)).collect();
    heads.sort();
    heads
}

/// `Channel.validateReplacesChain`: the stranded ones, or the circle.
fn slow_chain(entries: &[Entry], head: &str) -> Result<Vec<String>, Vec<String>> {
    let all: BTreeSet<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    let skipped: BTreeSet<String> = entries.iter().flat_map(|entry| entry.skips.clone()).collect();
    let mut order = vec![head.to_owned()];
    let mut current = entries.iter().find(|entry| entry.name == head);
    while let Some(entry) = current {
        let next = entry.replaces.clone();
        if skipped.contains(&next) || next.is_empty() {
            break;
        }
        let comes_back = order.contains(&next);
        order.push(next.clone());
        if comes_back {
            return Err(order);
        }
        current = entries.iter().find(|entry| entry.name == next);
    }
    Ok(all.into_iter().filter(|name| !order.contains(name) && !skipped.contains(name)).collect())
}

fn channel() -> impl Strategy<Value = Vec<Entry>> {
    let entry = (option::of(0_u8..8), vec(0_u8..8, 0..3));
    vec(entry, 0..7).prop_map(|entries| {
        let numbered = (1..).zip(entries);
        numbered
            .map(|(name, (replaces, skips))| Entry {
                name: name.to_string(),
                replaces: replaces.map_or_else(String::new, |name| name.to_string()),
                skips: skips.iter().map(ToString::to_string).collect(),
                skip_range: String::new(),
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn heads_and_chains_are_those_of_the_second_version(entries in channel()) {
        let heads = heads(&entries);
        prop_assert_eq!(&heads, &slow_heads(&entries));
        for head in heads {
            let followed = match follow(&entries, head) {
                Chain::Whole { stranded } => Ok(stranded.into_iter().map(str::to_owned).collect()),
                Chain::Cycle(names) => Err(names.into_iter().map(str::to_owned).collect()),
            };
            prop_assert_eq!(followed, slow_chain(&entries, head));
        }
    }
}
