//! The one chain of a channel that OLM v0 walks, or why it refuses the channel.
//!
//! Rule: operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `sortChannel`: only names that the channel
//! lists are replaced or skipped, there must be one head, and skipped entries are passed but not offered. Cost: n log n in the
//! entries.

use std::collections::{BTreeMap, BTreeSet};

use super::super::reason::{self, Reason};
use crate::catalog::Channel;
use crate::catalog::facts::Entry;

/// The chain, head first and without skipped entries, as `sortChannel` makes it.
pub(super) fn sort_channel(channel: &Channel) -> Result<Vec<&Entry>, Reason> {
    let by_name: BTreeMap<&str, &Entry> = channel.entries().iter().map(|entry| (entry.name.as_str(), entry)).collect();
    if by_name.is_empty() {
        let message = format!("the channel {} has no entries", channel.name);
        return Err(Reason::new(reason::EMPTY_CHANNEL, message));
    }
    let mut replaced = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    for entry in by_name.values() {
        replaced.extend(by_name.get_key_value(entry.replaces.as_str()).map(|(name, _)| *name));
        skipped
            .extend(entry.skips.iter().filter_map(|skip| by_name.get_key_value(skip.as_str())).map(|(name, _)| *name));
    }
    let is_head = |name: &&str| !replaced.contains(name) && !skipped.contains(name);
    let heads: Vec<&str> = by_name.keys().copied().filter(is_head).collect();
    if heads.is_empty() {
        let message = format!("the channel {} has no head: every entry is replaced or skipped", channel.name);
        return Err(Reason::new(reason::NO_HEAD, message));
    }
    let mut chains = Vec::new();
    for head in &heads {
        chains.push(follow_replaces(channel, &by_name, head, &skipped)?);
    }
    match chains.pop() {
        Some(chain) if chains.is_empty() => Ok(chain),
        _ => {
            let message = format!("the channel {} has several heads: {}", channel.name, heads.join(", "));
            Err(Reason::new(reason::MULTIPLE_HEADS, message))
        }
    }
}

fn follow_replaces<'c>(
    channel: &Channel,
    by_name: &BTreeMap<&str, &'c Entry>,
    head: &str,
    skipped: &BTreeSet<&str>,
) -> Result<Vec<&'c Entry>, Reason> {
    let mut visited = BTreeSet::new();
    let mut chain = Vec::new();
    let mut current = by_name.get(head).copied();
    while let Some(entry) = current {
        if !visited.insert(entry.name.as_str()) {
            let message = format!("the replaces chain of the channel {} comes back to {}", channel.name, entry.name);
            return Err(Reason::new(reason::CYCLE, message));
        }
        if !skipped.contains(entry.name.as_str()) {
            chain.push(entry);
        }
        current = by_name.get(entry.replaces.as_str()).copied();
    }
    Ok(chain)
}
