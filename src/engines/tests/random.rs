//! Random small packages, broken ones among them: several heads, rings, entries that name themselves, entries twice.
//!
//! Bundles are numbers: the package holds 1 to 5, an installed one may be 0 to 6. Number `n` has the version `1.n.0`, so
//! that ranges and order can be judged without reading a version.

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use std::collections::BTreeSet;

use super::super::Installed;
use super::sketch::{Sketch, installed};
use crate::catalog::Package;

/// Everything that may be installed.
pub(super) const INSTALLED: std::ops::RangeInclusive<u8> = 0..=6;

#[derive(Debug, Clone)]
pub(super) struct RandomEntry {
    pub(super) bundle: u8,
    pub(super) replaces: Option<u8>,
    pub(super) skips: Vec<u8>,
    pub(super) range: Option<RandomRange>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum RandomRange {
    /// From the first, which is inside, to the second, which is not.
    Between(u8, u8),
    /// One that does not parse.
    Broken,
}

#[derive(Debug, Clone)]
pub(super) struct RandomPackage {
    /// The entries of the channels `s` and `t`.
    pub(super) channels: [Vec<RandomEntry>; 2],
    /// Bundles with a deprecation.
    pub(super) deprecated: BTreeSet<u8>,
    /// Bundles with the property `olm.deprecated`.
    pub(super) forbidden: BTreeSet<u8>,
    /// Bundles that require something.
    pub(super) requiring: BTreeSet<u8>,
}

pub(super) fn version(number: u8) -> String {
    format!("1.{number}.0")
}

impl RandomEntry {
    fn text(&self) -> String {
        let mut text = version(self.bundle);
        if let Some(replaces) = self.replaces {
            text += &format!(" < {}", version(replaces));
        }
        if !self.skips.is_empty() {
            let skips: Vec<String> = self.skips.iter().map(|skip| version(*skip)).collect();
            text += &format!(" [{}]", skips.join(", "));
        }
        match self.range {
            None => text,
            Some(RandomRange::Between(from, to)) => text + &format!(" (>={} <{})", version(from), version(to)),
            Some(RandomRange::Broken) => text + " (>=1.0, <2.0)",
        }
    }
}

impl RandomPackage {
    pub(super) fn package(&self) -> Package {
        let mut sketch = Sketch::default();
        for (name, entries) in ["s", "t"].into_iter().zip(&self.channels) {
            let texts: Vec<String> = entries.iter().map(RandomEntry::text).collect();
            sketch = sketch.channel(name, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        }
        for bundle in &self.deprecated {
            sketch = sketch.deprecated(&version(*bundle));
        }
        for bundle in &self.forbidden {
            sketch = sketch.property(&version(*bundle), "olm.deprecated", "{}");
        }
        for bundle in &self.requiring {
            sketch = sketch.property(&version(*bundle), "olm.constraint", "{}");
        }
        sketch.package()
    }

    /// Bundles that the package holds.
    pub(super) fn bundles(&self) -> BTreeSet<u8> {
        let listed = self.channels.iter().flatten().map(|entry| entry.bundle);
        listed.chain(self.forbidden.iter().copied()).chain(self.requiring.iter().copied()).collect()
    }
}

pub(super) fn from(package: &Package, number: u8) -> Installed {
    installed(package, &version(number))
}

fn range() -> impl Strategy<Value = RandomRange> {
    prop_oneof![
        8 => (0_u8..7, 0_u8..8).prop_map(|(from, to)| RandomRange::Between(from, to)),
        1 => Just(RandomRange::Broken),
    ]
}

fn entry() -> impl Strategy<Value = RandomEntry> {
    (1_u8..6, option::of(0_u8..7), vec(0_u8..7, 0..3), option::weighted(0.4, range()))
        .prop_map(|(bundle, replaces, skips, range)| RandomEntry { bundle, replaces, skips, range })
}

/// Entries of any shape.
fn wild() -> impl Strategy<Value = Vec<RandomEntry>> {
    vec(entry(), 0..6)
}

/// A line in which each entry replaces the one before it, with more skips and ranges.
fn line() -> impl Strategy<Value = Vec<RandomEntry>> {
    (vec(entry(), 2..6)).prop_map(|entries| {
        let numbered = (1..).zip(entries);
        numbered.map(|(bundle, entry)| RandomEntry { bundle, replaces: Some(bundle - 1), ..entry }).collect()
    })
}

fn channel() -> impl Strategy<Value = Vec<RandomEntry>> {
    prop_oneof![wild(), line()]
}

fn few() -> impl Strategy<Value = BTreeSet<u8>> {
    btree_set(1_u8..6, 0..2)
}

pub(super) fn package() -> impl Strategy<Value = RandomPackage> {
    (channel(), channel(), few(), few(), few()).prop_map(|(s, t, deprecated, forbidden, requiring)| RandomPackage {
        channels: [s, t],
        deprecated,
        forbidden,
        requiring,
    })
}
