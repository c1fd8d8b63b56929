//! The catalogs that two mirrors hold under the same name, compared by content.
//!
//! Rule: `mirror::difference`: a rebuilt catalog has another digest every time, so that only its content tells whether it
//! changed. Those of equal digests are not read. Cost: reading each catalog whose digest differs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::super::CommandError;
use super::super::super::settings::Settings;
use super::super::sources;
use crate::finding::{Finding, SourceRef, Subject, codes};
use crate::mirror::difference::{self, Change};
use crate::pipeline::{self, CatalogInput, MirrorRoot};
use crate::source::image::{ImageKind, Platform};
use crate::source::store::{Store, StoreError};

/// One of the two mirrors.
pub(super) struct Side {
    pub(super) place: PathBuf,
    pub(super) stores: Vec<Arc<dyn Store>>,
}

/// What came of comparing the catalogs.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) changes: Vec<Change>,
    pub(super) findings: Vec<Finding>,
    /// Whether a catalog could not be read.
    pub(super) is_incomplete: bool,
}

/// Repository and tag: what a catalog is known by in its mirror.
type Name = (Option<String>, Option<String>);

/// Compares the catalogs that both mirrors hold under the same name, and whose digests differ.
pub(super) fn compare(old: &Side, new: &Side, settings: &Settings) -> Result<Compared, CommandError> {
    let (older, newer) = (by_name(old)?, by_name(new)?);
    let pairs: Vec<(String, [&MirrorRoot; 2])> = older
        .iter()
        .filter_map(|(name, old)| Some((name, [old, newer.get(name)?])))
        .filter(|(_, [old, new])| differ(old, new))
        .map(|(name, roots)| (shown(name), roots))
        .collect();
    let mut compared = Compared::default();
    let mut inputs = Vec::new();
    for (name, roots) in pairs {
        let [before, after] = roots;
        let sides = [(old, before), (new, after)];
        let found = pipeline::on_threads(&settings.context, || {
            sides.map(|(side, root)| catalog(&name, side, root, &settings.platform))
        })?;
        match found {
            [Ok(Some(before)), Ok(Some(after))] => inputs.extend([before, after]),
            [before, after] => {
                // One side that is certainly no catalog ends the question.
                if matches!((&before, &after), (Ok(None), _) | (_, Ok(None))) {
                    continue;
                }
                let errors = [before, after].into_iter().filter_map(Result::err);
                errors.for_each(|error| compared.unreadable(&name, &error.what));
            }
        }
    }
    let read = sources::read_each(&inputs, settings)?;
    for (pair, names) in read.chunks(2).zip(inputs.chunks(2)) {
        let name = names.first().map(|input| input.name.to_string()).unwrap_or_default();
        if let [Ok(old), Ok(new)] = pair {
            compared.changes.extend(difference::catalogs(&old.catalog, &new.catalog));
            let unread = [old, new].into_iter().flat_map(|read| read.unread().cloned());
            compared.findings.extend(unread);
            compared.is_incomplete |= old.incomplete || new.incomplete || !compared.findings.is_empty();
            continue;
        }
        for error in pair.iter().filter_map(|read| read.as_ref().err()) {
            compared.unreadable(&name, &error.message);
        }
    }
    Ok(compared)
}

impl Compared {
    fn unreadable(&mut self, name: &str, reason: &str) {
        let finding = Finding::new(codes::INPUT_UNREADABLE, Subject::default()).at(&SourceRef::input(name));
        self.findings.push(finding.with("path", name).with("reason", reason));
        self.is_incomplete = true;
    }
}

/// The roots of a mirror by name, the first of each; what has no name at all is known by being the only such.
fn by_name(side: &Side) -> Result<BTreeMap<Name, MirrorRoot>, CommandError> {
    let place = side.place.display();
    let roots = pipeline::mirror_roots(&side.stores).map_err(|error| CommandError::new(format!("{place}: {error}")))?;
    let nameless = roots.iter().filter(|root| root.root.tag.is_none() && root.root.repository.is_none()).count();
    let mut named = BTreeMap::new();
    for root in roots {
        let name = (root.root.repository.clone(), root.root.tag.clone());
        let is_known = name.1.is_some() || (name.0.is_none() && nameless == 1);
        if is_known {
            named.entry(name).or_insert(root);
        }
    }
    Ok(named)
}

fn differ(old: &MirrorRoot, new: &MirrorRoot) -> bool {
    let (old, new) = (&old.root, &new.root);
    old.identity.is_none() || old.identity != new.identity || old.content != new.content
}

fn shown((repository, tag): &Name) -> String {
    let parts: Vec<&str> = [repository, tag].into_iter().flatten().map(String::as_str).collect();
    if parts.is_empty() { "catalog".to_owned() } else { parts.join(":") }
}

/// A root as a catalog; nothing where it is certainly none.
fn catalog(
    name: &str,
    side: &Side,
    root: &MirrorRoot,
    platform: &Platform,
) -> Result<Option<CatalogInput>, StoreError> {
    match root.kind(platform)? {
        ImageKind::Catalog { .. } | ImageKind::SqliteCatalog => Ok(root.catalog(name.into(), &side.place, platform)),
        _ => Ok(None),
    }
}
