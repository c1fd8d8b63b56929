//! Opens what is named as SOURCE.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::CommandError;
use super::super::settings::Settings;
use crate::catalog::Catalog;
use crate::finding::Finding;
use crate::pipeline::{self, AnalysedCatalog, CatalogInput, NoObserver};
use crate::source::{Shape, SourceError, detect};

/// A place, with the name that it was given.
pub(super) struct NamedSource {
    pub(super) name: Arc<str>,
    pub(super) place: PathBuf,
}

/// A catalog that was opened.
pub(super) struct OpenedCatalog {
    pub(super) catalog: Catalog,
    pub(super) findings: Vec<Finding>,
    /// Whether a part of it could not be read.
    pub(super) incomplete: bool,
}

/// Takes `NAME=SOURCE` apart; without a name the last part of the place is the name.
pub(super) fn named(text: &str) -> Result<NamedSource, CommandError> {
    if let Some(scheme) = ["registry:", "docker://"].into_iter().find(|scheme| text.starts_with(scheme)) {
        return Err(CommandError::new(format!("{text}: this version reads directories and files, not {scheme}")));
    }
    let whole = Path::new(text);
    let (name, place) = match text.split_once('=') {
        Some((name, place)) if !whole.exists() && !name.is_empty() && !name.contains('/') => {
            (Some(name), PathBuf::from(place))
        }
        _ => (None, whole.to_owned()),
    };
    let name = name.map_or_else(|| pipeline::name_of(&place), str::to_owned);
    Ok(NamedSource { name: name.into(), place })
}

/// Opens catalogs for a question; any that cannot be read at all is an error.
pub(super) fn open(sources: &[NamedSource], settings: &Settings) -> Result<Vec<OpenedCatalog>, CommandError> {
    let inputs: Vec<CatalogInput> = sources
        .iter()
        .map(|source| {
            refuse_foreign(&source.place)?;
            Ok(CatalogInput { name: source.name.clone(), place: source.place.clone() })
        })
        .collect::<Result<_, CommandError>>()?;
    let cache = settings.cache();
    let context = &settings.context;
    pipeline::on_threads(context, || {
        let reading = pipeline::read_catalogs(&inputs, &cache, context, &NoObserver);
        reading
            .catalogs
            .iter()
            .map(|read| match read {
                Err(error @ SourceError::Unsuitable { .. }) => Err(CommandError::new(error.to_string())
                    .hint("name the directory that holds the packages, usually configs/ of a catalog image")),
                Err(error) => Err(CommandError::new(error.to_string())),
                Ok(read) => {
                    if let Some(reasons) = read.blank() {
                        let place = read.input.place.display();
                        return Err(CommandError::new(format!("{place}: nothing could be read: {reasons}")));
                    }
                    let AnalysedCatalog { catalog, mut findings } = pipeline::analyse(read, &reading);
                    findings.extend(reading.panics.iter().cloned());
                    Ok(OpenedCatalog { catalog, findings, incomplete: read.is_incomplete() })
                }
            })
            .collect()
    })?
}

/// Says what a place holds where this version cannot open it.
pub(super) fn refuse_foreign(place: &Path) -> Result<(), CommandError> {
    match detect(place) {
        Shape::Foreign(what) => Err(CommandError::new(format!("{} is {what}", place.display())).hint(
            "this version reads directories and files of file-based catalogs; extract configs/ of the image first",
        )),
        Shape::Catalog | Shape::Report => Ok(()),
    }
}
