//! Rules on one channel: its name, its entries, its head and chain, and edges that lead elsewhere than their author thinks.
//!
//! Rule: operator-registry `alpha/model/model.go` for what opm refuses; the rest follows from how the two engines read
//! edges. Cost: entries times entries, since each skipRange is held against every version of the channel.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::chain::{self, Chain};
use super::super::facts::Entry;
use super::super::model::{Channel, Package};
use crate::finding::{Code, Finding, Subject, codes, counted, first_names};
use crate::version::{BlangRange, Range as _, SemanticVersion};

/// Names that one sentence lists; a channel can have hundreds.
const SHOWN_NAMES: usize = 3;

pub(super) fn check(catalog: &Arc<str>, package: &Package, channel: &Channel, findings: &mut Vec<Finding>) {
    let subject = package.subject(catalog).in_channel(channel.name.clone());
    let mut checked = Checked { package, channel, subject, findings };
    if channel.name.is_empty() {
        checked.push(codes::EMPTY_CHANNEL_NAME, |finding| finding);
    }
    checked.entries();
    checked.heads();
    for entry in channel.entries() {
        checked.names(entry);
        checked.skip_range(entry);
    }
    checked.downgrades();
}

struct Checked<'c> {
    package: &'c Package,
    channel: &'c Channel,
    subject: Subject,
    findings: &'c mut Vec<Finding>,
}

impl<'c> Checked<'c> {
    fn push(&mut self, code: Code, fill: impl FnOnce(Finding) -> Finding) {
        self.findings.push(fill(Finding::new(code, self.subject.clone()).at(&self.channel.at)));
    }

    fn push_entry(&mut self, code: Code, name: &str, fill: impl FnOnce(Finding) -> Finding) {
        let subject = self.subject.clone().of_bundle(name);
        self.findings.push(fill(Finding::new(code, subject).at(&self.channel.at)));
    }

    fn entries(&mut self) {
        let entries = self.channel.entries();
        if entries.is_empty() {
            self.push(codes::EMPTY_CHANNEL, |finding| finding);
        }
        let mut seen = BTreeSet::new();
        for entry in entries {
            if !seen.insert(&entry.name) {
                self.push_entry(codes::DUPLICATE_ENTRY, &entry.name, |finding| finding);
            }
            if entry.skips.iter().any(String::is_empty) {
                self.push_entry(codes::EMPTY_SKIP, &entry.name, |finding| finding);
            }
        }
    }

    fn heads(&mut self) {
        let entries = self.channel.entries();
        match chain::heads(entries).as_slice() {
            [] if entries.is_empty() => {}
            [] => self.push(codes::NO_HEAD, |finding| finding),
            [head] => self.chain(head),
            heads => self.push(codes::MULTIPLE_HEADS, |finding| finding.with("heads", heads.join(", "))),
        }
    }

    fn chain(&mut self, head: &str) {
        match chain::follow(self.channel.entries(), head) {
            Chain::Cycle(names) => {
                self.push(codes::REPLACES_CYCLE, |finding| finding.with("cycle", names.join(" -> ")));
            }
            Chain::Whole { stranded } => {
                for name in stranded {
                    self.push_entry(codes::STRANDED_BUNDLE, name, |finding| finding.with("head", head));
                }
            }
        }
        if let Some(reason) = self.package.deprecations.bundles.get(head) {
            self.push_entry(codes::HEAD_DEPRECATED, head, |finding| finding.with("reason", reason));
        }
    }

    /// Names that stand in no channel of the package: on purpose, or by a typing error.
    fn names(&mut self, entry: &Entry) {
        let package = self.package;
        let known = |name: &str| package.channels.iter().any(|channel| channel.entry(name).is_some());
        if !entry.replaces.is_empty() && !known(&entry.replaces) {
            self.push_entry(codes::REPLACES_UNKNOWN, &entry.name, |finding| finding.with("name", &entry.replaces));
        }
        let unknown: Vec<&str> =
            entry.skips.iter().map(String::as_str).filter(|name| !name.is_empty() && !known(name)).collect();
        if !unknown.is_empty() {
            self.push_entry(codes::SKIPS_UNKNOWN, &entry.name, |finding| {
                finding.with("bundles", counted(unknown.len(), "bundle")).with("names", shown(&unknown))
            });
        }
    }

    fn skip_range(&mut self, entry: &Entry) {
        if entry.skip_range.is_empty() {
            return;
        }
        let text = &entry.skip_range;
        let range = match BlangRange::parse(text) {
            Ok(range) => range,
            Err(error) => {
                self.push_entry(codes::BAD_SKIP_RANGE, &entry.name, |finding| {
                    finding.with("range", format!("{text:?}")).with("reason", error)
                });
                return;
            }
        };
        if range.matches_nothing() {
            self.push_entry(codes::SKIP_RANGE_MATCHES_NOTHING, &entry.name, |finding| {
                finding.with("range", format!("{text:?}"))
            });
        }
        let Some(version) = self.version(&entry.name) else { return };
        if range.matches(version) {
            self.push_entry(codes::SKIP_RANGE_MATCHES_SELF, &entry.name, |finding| {
                finding.with("range", format!("{text:?}")).with("version", version)
            });
        }
        let newer: Vec<&str> = self
            .others(entry)
            .filter(|(_, other)| other.is_higher_than(version) && range.matches(other))
            .map(|(name, _)| name)
            .collect();
        if !newer.is_empty() {
            self.push_entry(codes::SKIP_RANGE_MATCHES_NEWER, &entry.name, |finding| {
                finding.with("range", format!("{text:?}")).with("names", shown(&newer))
            });
        }
    }

    /// Edges of any kind that lead from a newer version down to an entry.
    fn downgrades(&mut self) {
        for entry in self.channel.entries() {
            let Some(version) = self.version(&entry.name) else { continue };
            let range = BlangRange::parse(&entry.skip_range).ok();
            let skips: BTreeSet<&str> = entry.skips.iter().map(String::as_str).collect();
            let from: Vec<&str> = self
                .package
                .bundles
                .iter()
                .filter_map(|bundle| Some((&*bundle.name, bundle.version.as_ref()?)))
                .filter(|(name, other)| {
                    let named = || entry.replaces == *name || skips.contains(name);
                    let covered = || {
                        range.as_ref().is_some_and(|range| range.matches(other)) && self.channel.entry(name).is_some()
                    };
                    other.is_higher_than(version) && (named() || covered())
                })
                .map(|(name, _)| name)
                .collect();
            if !from.is_empty() {
                self.push_entry(codes::DOWNGRADE_EDGE, &entry.name, |finding| {
                    finding.with("version", version).with("names", shown(&from))
                });
            }
        }
    }

    fn version(&self, name: &str) -> Option<&'c SemanticVersion> {
        self.package.bundle(name)?.version.as_ref()
    }

    fn others(&self, entry: &'c Entry) -> impl Iterator<Item = (&'c str, &'c SemanticVersion)> {
        let package = self.package;
        self.channel
            .entries()
            .iter()
            .filter(|other| other.name != entry.name)
            .filter_map(|other| Some((other.name.as_str(), package.bundle(&other.name)?.version.as_ref()?)))
    }
}

fn shown(names: &[&str]) -> String {
    first_names(names, SHOWN_NAMES)
}
