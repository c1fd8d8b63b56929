//! Packages, channels, entries and bundles of one catalog before and after.
//!
//! Rule and cost: those of [`super`].

use std::collections::BTreeSet;

use super::{Change, ChangeSubject, Codes, compare, sort};
use crate::catalog::facts::Entry;
use crate::catalog::{Bundle, Catalog, Channel, Package};
use crate::finding::{Code, codes};
use crate::reference::ImageReference;

/// What changed between two states of a catalog, by content.
pub fn catalogs(old: &Catalog, new: &Catalog) -> Vec<Change> {
    let names: BTreeSet<_> = old.packages.keys().chain(new.packages.keys()).collect();
    let mut changes = Vec::new();
    for name in names {
        let subject = ChangeSubject {
            catalog: Some(new.name.to_string()),
            package: Some(name.to_string()),
            ..ChangeSubject::default()
        };
        match (old.packages.get(name), new.packages.get(name)) {
            (Some(old), Some(new)) => Compared { old, new, subject, changes: &mut changes }.package(),
            (old, new) => changes.extend(compare(PACKAGES, subject, old.map(size), new.map(size))),
        }
    }
    sort(&mut changes);
    changes
}

const PACKAGES: Codes = pair(codes::mirror::PACKAGE_ADDED, codes::mirror::PACKAGE_REMOVED, None);
const CHANNELS: Codes = pair(codes::mirror::CHANNEL_ADDED, codes::mirror::CHANNEL_REMOVED, None);
const ENTRIES: Codes =
    pair(codes::mirror::ENTRY_ADDED, codes::mirror::ENTRY_REMOVED, Some(codes::mirror::ENTRY_CHANGED));
const BUNDLES: Codes =
    pair(codes::mirror::BUNDLE_ADDED, codes::mirror::BUNDLE_REMOVED, Some(codes::mirror::BUNDLE_REPUBLISHED));
const DEFAULT_CHANNEL: Codes = always(codes::mirror::DEFAULT_CHANNEL_CHANGED);
const RELATED_IMAGES: Codes = always(codes::mirror::RELATED_IMAGES_CHANGED);
const DEPRECATION: Codes = always(codes::mirror::DEPRECATION_CHANGED);

const fn pair(added: Code, removed: Code, changed: Option<Code>) -> Codes {
    Codes { added, removed, changed }
}

const fn always(code: Code) -> Codes {
    Codes { added: code, removed: code, changed: Some(code) }
}

fn size(package: &Package) -> String {
    crate::finding::counted(package.bundles.len(), "bundle")
}

struct Compared<'c> {
    old: &'c Package,
    new: &'c Package,
    subject: ChangeSubject,
    changes: &'c mut Vec<Change>,
}

impl Compared<'_> {
    fn package(&mut self) {
        let (old, new) = (self.old, self.new);
        let default = |package: &Package| package.default_channel().map(str::to_owned);
        self.note(DEFAULT_CHANNEL, self.subject.clone(), default(old), default(new));
        let (before, after) = (&old.deprecations, &new.deprecations);
        self.note(DEPRECATION, self.subject.clone(), before.package.clone(), after.package.clone());
        for name in union(before.channels.keys(), after.channels.keys()) {
            let subject = self.channel_subject(name);
            self.note(DEPRECATION, subject, before.channels.get(name).cloned(), after.channels.get(name).cloned());
        }
        for name in union(before.bundles.keys(), after.bundles.keys()) {
            let subject = self.bundle_subject(name);
            self.note(DEPRECATION, subject, before.bundles.get(name).cloned(), after.bundles.get(name).cloned());
        }
        let channel_names =
            |package: &'_ Package| package.channels.iter().map(|channel| channel.name.clone()).collect();
        let (before, after): (BTreeSet<_>, BTreeSet<_>) = (channel_names(old), channel_names(new));
        for name in before.union(&after) {
            self.channel(name, old.channel(name), new.channel(name));
        }
        let bundle_names = |package: &'_ Package| package.bundles.iter().map(|bundle| bundle.name.clone()).collect();
        let (before, after): (BTreeSet<_>, BTreeSet<_>) = (bundle_names(old), bundle_names(new));
        for name in before.union(&after) {
            self.bundle(name, old.bundle(name), new.bundle(name));
        }
    }

    fn channel(&mut self, name: &str, old: Option<&Channel>, new: Option<&Channel>) {
        let subject = self.channel_subject(name);
        let (Some(old), Some(new)) = (old, new) else {
            let size = |channel: &Channel| crate::finding::counted_as(channel.entries().len(), "entry", "entries");
            self.note(CHANNELS, subject, old.map(size), new.map(size));
            return;
        };
        let names = |channel: &'_ Channel| channel.entries().iter().map(|entry| entry.name.clone()).collect();
        let (before, after): (BTreeSet<String>, BTreeSet<String>) = (names(old), names(new));
        for entry in before.union(&after) {
            let subject = ChangeSubject { bundle: Some(entry.clone()), ..subject.clone() };
            self.note(ENTRIES, subject, old.entry(entry).map(edges), new.entry(entry).map(edges));
        }
    }

    fn bundle(&mut self, name: &str, old: Option<&Bundle>, new: Option<&Bundle>) {
        let subject = self.bundle_subject(name);
        let image = |bundle: &Bundle| bundle.facts.image.clone();
        if !old.zip(new).is_some_and(|(old, new)| is_same_image(old, new)) {
            self.note(BUNDLES, subject.clone(), old.map(image), new.map(image));
        }
        if let (Some(old), Some(new)) = (old, new) {
            self.note(RELATED_IMAGES, subject, Some(related(old)), Some(related(new)));
        }
    }

    fn note(&mut self, codes: Codes, subject: ChangeSubject, old: Option<String>, new: Option<String>) {
        self.changes.extend(compare(codes, subject, old, new));
    }

    fn channel_subject(&self, name: &str) -> ChangeSubject {
        ChangeSubject { channel: Some(name.to_owned()), ..self.subject.clone() }
    }

    fn bundle_subject(&self, name: &str) -> ChangeSubject {
        ChangeSubject { bundle: Some(name.to_owned()), ..self.subject.clone() }
    }
}

/// Whether two bundles have images of the same digest, wherever they are said to lie.
fn is_same_image(old: &Bundle, new: &Bundle) -> bool {
    let digest = |bundle: &Bundle| bundle.facts.image.parse::<ImageReference>().ok()?.digest;
    digest(old).is_some_and(|old| digest(new) == Some(old))
}

fn union<'n>(old: impl Iterator<Item = &'n String>, new: impl Iterator<Item = &'n String>) -> BTreeSet<&'n String> {
    old.chain(new).collect()
}

/// The edges of an entry in words; the order of skips has no meaning.
fn edges(entry: &Entry) -> String {
    let skips: BTreeSet<&str> = entry.skips.iter().map(String::as_str).collect();
    let skips: Vec<&str> = skips.into_iter().collect();
    let stated =
        [("replaces", entry.replaces.clone()), ("skips", skips.join(", ")), ("skipRange", entry.skip_range.clone())];
    let stated: Vec<String> = stated
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(word, value)| format!("{word} {value}"))
        .collect();
    if stated.is_empty() { "no edges".to_owned() } else { stated.join("; ") }
}

/// The images that a bundle needs beside its own; their order and their names have no meaning.
fn related(bundle: &Bundle) -> String {
    let related = &bundle.facts.related_images;
    let images: BTreeSet<&str> =
        related.iter().map(|related| related.image.as_str()).filter(|image| *image != bundle.facts.image).collect();
    images.into_iter().collect::<Vec<_>>().join(", ")
}
