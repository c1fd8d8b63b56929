//! Second versions of both resolvers over random packages, written line by line after upstream's text, with numbers for
//! versions and no thought of speed.

use std::collections::{BTreeMap, BTreeSet};

use super::random::{RandomEntry, RandomPackage, RandomRange};

fn wants(entry: &RandomEntry, installed: u8) -> bool {
    let in_range = match entry.range {
        Some(RandomRange::Between(from, to)) => from <= installed && installed < to,
        Some(RandomRange::Broken) | None => false,
    };
    entry.replaces == Some(installed) || entry.skips.contains(&installed) || in_range
}

/// `sortChannel` of OLM v0's resolver.
pub(super) fn sort_channel(entries: &[RandomEntry]) -> Result<Vec<RandomEntry>, &'static str> {
    let by_name: BTreeMap<u8, &RandomEntry> = entries.iter().map(|entry| (entry.bundle, entry)).collect();
    if by_name.is_empty() {
        return Err("path/empty-channel");
    }
    let mut replaced = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    let mut next = BTreeMap::new();
    for (name, entry) in &by_name {
        if let Some(replaces) = entry.replaces.filter(|replaces| by_name.contains_key(replaces)) {
            replaced.insert(replaces);
            next.insert(*name, replaces);
        }
        for skip in entry.skips.iter().filter(|skip| by_name.contains_key(skip)) {
            replaced.insert(*skip);
            skipped.insert(*skip);
        }
    }
    let heads: Vec<u8> = by_name.keys().copied().filter(|name| !replaced.contains(name)).collect();
    if heads.is_empty() {
        return Err("path/no-head");
    }
    let mut chain = Vec::new();
    for head in &heads {
        let mut visited = BTreeSet::new();
        let mut current = Some(*head);
        while let Some(name) = current {
            if !visited.insert(name) {
                return Err("path/cycle");
            }
            if !skipped.contains(&name) {
                chain.push(by_name[&name].clone());
            }
            current = next.get(&name).copied();
        }
    }
    if heads.len() > 1 { Err("path/multiple-heads") } else { Ok(chain) }
}

/// What OLM v0 would take rather than what is installed, in its order.
pub(super) fn olm_v0(package: &RandomPackage, channel: usize, installed: u8) -> Result<Vec<u8>, &'static str> {
    let chain = sort_channel(&package.channels[channel])?;
    let mut options = Vec::new();
    for entry in chain {
        if wants(&entry, installed) && !package.forbidden.contains(&entry.bundle) {
            options.push(entry.bundle);
        }
    }
    options.push(installed);
    let stay = options.iter().position(|option| *option == installed).unwrap();
    options.truncate(stay);
    Ok(options)
}

/// What OLM v1 is asked.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// Channels by number; none means all.
    pub(super) channels: Vec<usize>,
    /// The versions that the range admits, from the first to before the second.
    pub(super) range: Option<(u8, u8)>,
    pub(super) self_certified: bool,
}

/// What OLM v1 comes to: the number of the catalog and the bundle, which may be the installed one.
pub(super) fn olm_v1(
    catalogs: &[(i32, &RandomPackage)],
    asked: &Asked,
    installed: u8,
) -> Result<(usize, u8), &'static str> {
    let mut candidates = Vec::new();
    for (number, (priority, package)) in catalogs.iter().enumerate() {
        let mut kept = kept(package, asked, installed);
        kept.sort_by_key(|bundle| (package.deprecated.contains(bundle), std::cmp::Reverse(*bundle)));
        if let Some(first) = kept.first() {
            candidates.push((number, *priority, *package, *first));
        }
    }
    if candidates.is_empty() {
        return Err("path/no-bundles");
    }
    if candidates.iter().any(|(_, _, package, bundle)| !package.deprecated.contains(bundle)) {
        candidates.retain(|(_, _, package, bundle)| !package.deprecated.contains(bundle));
    }
    let highest = candidates.iter().map(|(_, priority, _, _)| *priority).max().unwrap();
    candidates.retain(|(_, priority, _, _)| *priority == highest);
    let [(number, _, package, bundle)] = candidates[..] else { return Err("path/same-priority") };
    if package.requiring.contains(&bundle) { Err("path/dependency-refused") } else { Ok((number, bundle)) }
}

fn kept(package: &RandomPackage, asked: &Asked, installed: u8) -> Vec<u8> {
    let listed = |channel: &usize| asked.channels.is_empty() || asked.channels.contains(channel);
    let entries: Vec<&RandomEntry> =
        (0..package.channels.len()).filter(listed).flat_map(|channel| &package.channels[channel]).collect();
    let mut kept = Vec::new();
    for bundle in package.bundles() {
        let in_channels = asked.channels.is_empty() || entries.iter().any(|entry| entry.bundle == bundle);
        let in_range = asked.range.is_none_or(|(from, to)| from <= bundle && bundle < to);
        let follows = asked.self_certified
            || bundle == installed
            || entries.iter().any(|entry| entry.bundle == bundle && wants(entry, installed));
        if in_channels && in_range && follows {
            kept.push(bundle);
        }
    }
    kept
}
