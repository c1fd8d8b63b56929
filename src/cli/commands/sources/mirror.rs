//! Catalogs of mirrors: which image of a store is meant, and which of all are catalogs.
//!
//! Rule: where one catalog is wanted and the store holds several images, they are listed and nothing is guessed. Cost: one
//! manifest and one configuration for each image that is listed.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;

use super::super::super::CommandError;
use super::super::super::settings::Settings;
use super::NamedSource;
use crate::finding::ContentDigest;
use crate::pipeline::mirror::SignatureFile;
use crate::pipeline::{self, CatalogInput, MirrorRoot};
use crate::source::image::ImageKind;
use crate::source::store::registry::{RegistryReference, RegistryStore};
use crate::source::store::{Root, SelectedStore, Store, StoreErrorKind, open_mirror, select};
use crate::source::{FileFault, FileFaultKind, Shape, SkippedFile, detect};

/// Images that a message lists at most.
const LISTED: usize = 40;

/// The one catalog that is meant.
pub(super) fn one_catalog(source: &NamedSource, settings: &Settings) -> Result<CatalogInput, CommandError> {
    let Some(held) = held(source, settings)? else { return directory(source) };
    let place = source.place.display();
    let meant = meant(source, &held.roots)?;
    let meant = once_each(meant);
    let [root] = meant.as_slice() else {
        let several = format!("{place} holds {} images, and one is wanted", meant.len());
        let hint = format!("name one of them as {place}#REF:\n{}{}", list(&meant, settings)?, rest_of(&source.place));
        return Err(CommandError::new(several).hint(hint));
    };
    let inputs = pipeline::catalog_inputs(&[root], source.typed_name.as_deref(), &source.place, &settings.platform);
    let not_one = || CommandError::new(format!("{place}#{}: it is no catalog", root.name()));
    let input = inputs.into_iter().next().ok_or_else(not_one)?;
    Ok(CatalogInput { faults: held.faults, ..input })
}

/// Every catalog of a source.
pub(super) fn every_catalog(source: &NamedSource, settings: &Settings) -> Result<Vec<CatalogInput>, CommandError> {
    let Some(held) = held(source, settings)? else { return Ok(vec![directory(source)?]) };
    let Held { roots, mut faults } = held;
    let meant = meant(source, &roots)?;
    let given = source.typed_name.as_deref();
    if meant.len() == 1 {
        let inputs = pipeline::catalog_inputs(&meant, given, &source.place, &settings.platform);
        return Ok(with_notes(inputs, faults, Vec::new()));
    }
    let owned: Vec<MirrorRoot> = meant.iter().map(|root| (*root).clone()).collect();
    let kinds = pipeline::on_threads(&settings.context, || pipeline::kinds(&owned, &settings.platform))?;
    let mut catalogs: Vec<&MirrorRoot> = Vec::new();
    let mut skipped = Vec::new();
    for (root, kind) in meant.iter().zip(kinds) {
        match kind {
            Ok(ImageKind::Catalog { .. } | ImageKind::SqliteCatalog) => catalogs.push(*root),
            Ok(_) => {}
            Err(error) if error.kind == StoreErrorKind::ExpectedAtTarget => {
                skipped.push(SkippedFile { path: root.name(), reason: error.what });
            }
            // What it is cannot be told: it may be a catalog, and so a part of the source is not known.
            Err(error) => {
                faults.push(FileFault { path: root.name(), kind: FileFaultKind::Unreadable, reason: error.what });
            }
        }
    }
    if catalogs.is_empty() {
        let none = format!("{} holds {} images, and none is a catalog", source.place.display(), meant.len());
        let first = faults.first().map(|fault| format!("; {}: {}", fault.path, fault.reason)).unwrap_or_default();
        return Err(CommandError::new(format!("{none}{first}")).hint("skipstone mirror inventory shows what it holds"));
    }
    let catalogs = once_each(catalogs);
    let inputs = pipeline::catalog_inputs(&catalogs, given, &source.place, &settings.platform);
    Ok(with_notes(inputs, faults, skipped))
}

/// Of several roots that are the same image, the first that has a tag: a mirror tool keeps copies of a catalog, and a tag
/// is what people call it by.
fn once_each(roots: Vec<&MirrorRoot>) -> Vec<&MirrorRoot> {
    let mut best: BTreeMap<&ContentDigest, &MirrorRoot> = BTreeMap::new();
    for root in &roots {
        let Some(identity) = &root.root.identity else { continue };
        let known = best.entry(identity).or_insert(root);
        if known.root.tag.is_none() && root.root.tag.is_some() {
            *known = root;
        }
    }
    let is_best = |root: &&MirrorRoot| {
        let known = root.root.identity.as_ref().and_then(|identity| best.get(identity));
        known.is_none_or(|known| known.position == root.position)
    };
    roots.iter().copied().filter(is_best).collect()
}

/// What concerns a place as a whole is told once, with the first of its catalogs.
fn with_notes(mut inputs: Vec<CatalogInput>, faults: Vec<FileFault>, skipped: Vec<SkippedFile>) -> Vec<CatalogInput> {
    if let Some(first) = inputs.first_mut() {
        first.faults = faults;
        first.skipped = skipped;
    }
    inputs
}

/// What a source of images holds.
pub(super) struct Held {
    pub(super) roots: Vec<MirrorRoot>,
    /// What was wrong with the place. Where one image is named, what is wrong beside it in its store does not count.
    pub(super) faults: Vec<FileFault>,
}

/// The roots of a source that holds images; `None` for a directory or file of documents.
pub(super) fn held(source: &NamedSource, settings: &Settings) -> Result<Option<Held>, CommandError> {
    let Some(OpenedStores { stores, mut faults, .. }) = stores(source, settings)? else { return Ok(None) };
    let roots = pipeline::mirror_roots(&stores)
        .map_err(|error| CommandError::new(format!("{}: {error}", source.place.display())))?;
    if source.part.is_none() {
        faults.extend(stores.iter().flat_map(|store| store.faults().iter().cloned()));
    }
    Ok(Some(Held { roots, faults }))
}

/// The stores that lie at a place.
pub(in super::super::super) struct OpenedStores {
    pub(in super::super::super) stores: Vec<Arc<dyn Store>>,
    /// What was wrong with the place as a whole.
    pub(in super::super::super) faults: Vec<FileFault>,
    /// What lies there and holds no images.
    pub(in super::super::super) skipped: Vec<SkippedFile>,
    /// Signatures of releases that lie beside the images.
    pub(in super::super::super) signatures: Vec<SignatureFile>,
}

/// The stores that lie at a source; `None` for a directory or file of documents.
pub(in super::super::super) fn stores(
    source: &NamedSource,
    settings: &Settings,
) -> Result<Option<OpenedStores>, CommandError> {
    if source.is_registry {
        let reference = RegistryReference::from_str(&source.place.to_string_lossy())
            .map_err(|error| CommandError::new(format!("{}: {error}", source.place.display())))?;
        let store = RegistryStore::open(reference, settings.registries.clone())
            .map_err(|error| CommandError::new(error.to_string()))?;
        return Ok(Some(OpenedStores {
            stores: vec![Arc::new(store)],
            faults: Vec::new(),
            skipped: Vec::new(),
            signatures: Vec::new(),
        }));
    }
    if detect(&source.place) != Shape::Mirror {
        return Ok(None);
    }
    let mirror = open_mirror(&source.place, &settings.context.source_limits)?;
    // A report must not tell how the machine that made it is laid out.
    let above = source.place.parent().map(|above| above.join("").display().to_string()).unwrap_or_default();
    let shortened = |path: &str| path.strip_prefix(&above).unwrap_or(path).to_owned();
    let signatures = mirror.release_signatures().into_iter().map(|(tree, path)| SignatureFile { tree, path }).collect();
    let faults = mirror.faults.into_iter().map(|fault| FileFault { path: shortened(&fault.path), ..fault });
    let skipped = mirror.skipped.into_iter().map(|file| SkippedFile { path: shortened(&file.path), ..file });
    let (faults, skipped) = (faults.collect(), skipped.collect());
    Ok(Some(OpenedStores { stores: mirror.stores, faults, skipped, signatures }))
}

fn directory(source: &NamedSource) -> Result<CatalogInput, CommandError> {
    if let Some(part) = &source.part {
        let message = format!("{} is one catalog, so that #{part} names nothing there", source.place.display());
        return Err(CommandError::new(message));
    }
    let text = source.place.to_string_lossy();
    if !source.place.exists()
        && let Some((before, tag)) = text.rsplit_once(':')
        && std::path::Path::new(before).exists()
    {
        return Err(CommandError::new(format!("{text}: no such file or directory"))
            .hint(format!("did you mean {before}#{tag}?")));
    }
    Ok(CatalogInput::directory(source.name(), &source.place))
}

/// The roots that `#REF` means: all without one.
pub(super) fn meant<'r>(source: &NamedSource, roots: &'r [MirrorRoot]) -> Result<Vec<&'r MirrorRoot>, CommandError> {
    let place = source.place.display();
    let Some(part) = &source.part else {
        return match roots {
            [] => Err(CommandError::new(format!("{place} holds no image"))),
            roots => Ok(roots.iter().collect()),
        };
    };
    let named: Vec<_> = roots.iter().map(|root| (0, root.position, root.root.clone())).collect();
    let positions = select(&named, part);
    let meant: Vec<&MirrorRoot> = positions.into_iter().filter_map(|position| roots.get(position)).collect();
    if meant.is_empty() {
        let names: Vec<String> = roots.iter().take(LISTED).map(|root| format!("  {}", root.name())).collect();
        let hint = format!("it holds\n{}", names.join("\n"));
        return Err(CommandError::new(format!("{place} holds nothing that {part} names")).hint(hint));
    }
    Ok(meant)
}

/// What is to be known of one archive of oc-mirror, of which the others hold the rest.
fn rest_of(place: &Path) -> &'static str {
    let is_one = place.is_file()
        && place.file_name().is_some_and(|name| name.to_string_lossy().starts_with("mirror_"))
        && place.extension().is_some_and(|extension| extension == "tar");
    if is_one {
        "\nor name the directory that holds every archive of the run: what cannot be read may lie in another one"
    } else {
        ""
    }
}

/// The stores with nothing but what `#REF` means.
pub(in super::super::super) fn narrowed(
    source: &NamedSource,
    stores: &[Arc<dyn Store>],
) -> Result<Vec<Arc<dyn Store>>, CommandError> {
    let roots = pipeline::mirror_roots(stores)
        .map_err(|error| CommandError::new(format!("{}: {error}", source.place.display())))?;
    let meant = meant(source, &roots)?;
    let narrowed = stores.iter().filter_map(|store| {
        let own = meant.iter().filter(|root| Arc::ptr_eq(&root.store, store));
        let roots: Vec<Root> = own.map(|root| root.root.clone()).collect();
        (!roots.is_empty()).then(|| Arc::new(SelectedStore::new(Arc::clone(store), roots)) as Arc<dyn Store>)
    });
    Ok(narrowed.collect())
}

/// Names and kinds of some images, one a line.
fn list(roots: &[&MirrorRoot], settings: &Settings) -> Result<String, CommandError> {
    let owned: Vec<MirrorRoot> = roots.iter().take(LISTED).map(|root| (*root).clone()).collect();
    let kinds = pipeline::on_threads(&settings.context, || pipeline::kinds(&owned, &settings.platform))?;
    let lines = owned.iter().zip(&kinds).map(|(root, kind)| {
        let kind = match kind {
            Ok(kind) => kind.name(),
            Err(error) if error.kind == StoreErrorKind::ExpectedAtTarget => "in the target registry, not here",
            Err(_) => "cannot be read",
        };
        format!("  {}  ({kind})", root.name())
    });
    let mut lines: Vec<String> = lines.collect();
    if let Some(more) = roots.len().checked_sub(LISTED).filter(|more| *more > 0) {
        lines.push(format!("  and {more} more; skipstone mirror inventory shows them all"));
    }
    Ok(lines.join("\n"))
}
