//! Repositories, tags and images before and after.
//!
//! Rule and cost: those of [`super`].

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, ChangeSubject, Codes, compare, sort};
use crate::finding::{Code, ContentDigest, codes, counted};
use crate::mirror::inventory::{Repository, StoreFacts, repositories};

/// What changed between two mirrors, each of one or several stores.
pub fn images(old: &[StoreFacts], new: &[StoreFacts]) -> Vec<Change> {
    let (old, new) = (repositories(old), repositories(new));
    let (old, new) = (Held::by_name(&old), Held::by_name(&new));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let mut changes: Vec<Change> =
        names.into_iter().flat_map(|name| repository(name, old.get(name), new.get(name))).collect();
    sort(&mut changes);
    changes
}

/// What all stores of a mirror hold of one repository.
#[derive(Default)]
struct Held<'r> {
    tags: BTreeMap<&'r str, Option<&'r ContentDigest>>,
    images: BTreeSet<&'r ContentDigest>,
}

impl<'r> Held<'r> {
    fn by_name(repositories: &'r [Repository<'_>]) -> BTreeMap<&'r str, Self> {
        let mut by_name: BTreeMap<&str, Self> = BTreeMap::new();
        for repository in repositories {
            let held = by_name.entry(repository.name.unwrap_or_default()).or_default();
            held.tags.extend(repository.tags.iter().map(|(tag, digest)| (*tag, *digest)));
            held.images.extend(repository.images.iter().filter_map(|image| image.root.identity.as_ref()));
        }
        by_name
    }

    fn size(&self) -> String {
        counted(self.images.len(), "image")
    }
}

fn repository(name: &str, old: Option<&Held<'_>>, new: Option<&Held<'_>>) -> Vec<Change> {
    let subject = || ChangeSubject { repository: Some(name.to_owned()), ..ChangeSubject::default() };
    let whole = |code: Code, old, new| vec![Change { code, subject: subject(), old, new }];
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) => return whole(codes::mirror::REPOSITORY_ADDED, None, Some(new.size())),
        (Some(old), None) => return whole(codes::mirror::REPOSITORY_REMOVED, Some(old.size()), None),
        (None, None) => return Vec::new(),
    };
    let tags: BTreeSet<&str> = old.tags.keys().chain(new.tags.keys()).copied().collect();
    let tags = tags.into_iter().filter_map(|tag| {
        let subject = ChangeSubject { tag: Some(tag.to_owned()), ..subject() };
        compare(TAGS, subject, meaning(old, tag), meaning(new, tag))
    });
    let images = old.images.symmetric_difference(&new.images).filter_map(|digest| {
        let there = |held: &Held<'_>| held.images.contains(digest).then(|| digest.to_string());
        compare(IMAGES, subject(), there(old), there(new))
    });
    tags.chain(images).collect()
}

const TAGS: Codes = Codes {
    added: codes::mirror::TAG_ADDED,
    removed: codes::mirror::TAG_REMOVED,
    changed: Some(codes::mirror::TAG_MOVED),
};

const IMAGES: Codes = Codes { added: codes::mirror::IMAGE_ADDED, removed: codes::mirror::IMAGE_REMOVED, changed: None };

/// What a tag means. One that only repeats its digest tells nothing that the image does not tell, and counts as absent.
fn meaning(held: &Held<'_>, tag: &str) -> Option<String> {
    let Some(digest) = held.tags.get(tag)? else { return Some("an image that cannot be proven".to_owned()) };
    let repeats = tag == format!("{}-{}", digest.algorithm(), digest.hex());
    (!repeats).then(|| digest.to_string())
}
