//! Catalogs on disk: read, analysed, and asked.

use super::super::super::CommandError;
use super::super::super::settings::Settings;
use crate::catalog::Catalog;
use crate::finding::{self, Finding};
use crate::pipeline::{self, AnalysedCatalog, CatalogInput, NoObserver, Reading, RunContext};
use crate::report::schema::CheckView;
use crate::report::view;
use crate::source::SourceError;

/// A catalog that was read.
pub(in super::super) struct ReadCatalog {
    pub(in super::super) catalog: Catalog,
    pub(super) findings: Vec<Finding>,
    /// Whether a part of it could not be read.
    pub(in super::super) incomplete: bool,
}

impl ReadCatalog {
    /// What says that a part of it was not read.
    pub(in super::super) fn unread(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| view::is_unread(finding))
    }

    pub(super) fn check(&self) -> CheckView {
        view::check_view(&self.catalog, &self.findings)
    }
}

/// Reads catalogs together, so that what they share is decoded once; any that cannot be read at all is an error.
pub(super) fn open(inputs: &[CatalogInput], settings: &Settings) -> Result<Vec<ReadCatalog>, CommandError> {
    read_each(inputs, settings)?.into_iter().collect()
}

/// Reads catalogs together, and says of each whether it could be read.
pub(in super::super) fn read_each(
    inputs: &[CatalogInput],
    settings: &Settings,
) -> Result<Vec<Result<ReadCatalog, CommandError>>, CommandError> {
    if inputs.is_empty() {
        return Ok(Vec::new());
    }
    let cache = settings.cache();
    let context = &settings.context;
    let read = pipeline::on_threads(context, || {
        let reading = pipeline::read_catalogs(inputs, &cache, context, &NoObserver);
        reading
            .catalogs
            .iter()
            .map(|read| match read {
                Err(error @ SourceError::Unsuitable { .. }) => Err(CommandError::new(error.to_string()).hint(
                    "name a catalog image, or the directory that holds the packages, usually configs/ of an image",
                )),
                Err(error) => Err(CommandError::new(error.to_string())),
                Ok(read) => analysed(read, &reading, context),
            })
            .collect()
    })?;
    Ok(read)
}

fn analysed(
    read: &pipeline::ReadCatalog,
    reading: &Reading,
    context: &RunContext,
) -> Result<ReadCatalog, CommandError> {
    if let Some(reasons) = read.blank() {
        let place = read.input.whole_place();
        let place = place.display();
        return Err(CommandError::new(format!("{place}: nothing could be read: {reasons}")));
    }
    let AnalysedCatalog { catalog, mut findings } = pipeline::analyse(read, reading, context);
    findings.extend(reading.panics.iter().cloned());
    finding::sort(&mut findings);
    Ok(ReadCatalog { catalog, findings, incomplete: read.is_incomplete() })
}
