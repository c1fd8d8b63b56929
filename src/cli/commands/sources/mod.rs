//! Opens what is named as SOURCE: a catalog, wherever it lies, or a catalog of a report, which answers with the same bytes.

mod catalog;
mod contents;
mod mirror;
mod name;
mod report;

use std::sync::Arc;

use super::super::CommandError;
use super::super::settings::Settings;
use crate::catalog::{Catalog, Package};
use crate::finding::{Finding, Severity, codes};
use crate::pipeline::{self, CatalogInput};
use crate::report::schema::CheckView;
use crate::source::{Shape, detect};

use catalog::ReadCatalog;
use report::ReportedCatalog;

pub(super) use catalog::read_each;
pub(super) use contents::{cluster, contents, shown};
pub(super) use mirror::{narrowed, stores};
pub(super) use name::{NamedSource, named};

/// A catalog that can be asked.
pub(super) enum Opened {
    /// It was read and analysed.
    Catalog(Box<ReadCatalog>),
    /// A report tells about it.
    Report(Box<ReportedCatalog>),
}

impl Opened {
    /// The name that the catalog was given, or that the report gives it.
    pub(super) fn name(&self) -> &Arc<str> {
        match self {
            Self::Catalog(read) => &read.catalog.name,
            Self::Report(reported) => &reported.name,
        }
    }

    /// The whole catalog, where it was read and not only told of.
    pub(super) fn catalog(&self) -> Option<&Catalog> {
        match self {
            Self::Catalog(read) => Some(&read.catalog),
            Self::Report(_) => None,
        }
    }

    /// Whether a part of the catalog could not be read.
    pub(super) fn is_incomplete(&self) -> bool {
        match self {
            Self::Catalog(read) => read.incomplete,
            Self::Report(reported) => !reported.view.complete,
        }
    }

    /// What says that a part of the catalog was not read, where it was read here.
    pub(super) fn unread(&self) -> Vec<Finding> {
        match self {
            Self::Catalog(read) => read.unread().cloned().collect(),
            Self::Report(_) => Vec::new(),
        }
    }

    /// The names of its packages, sorted.
    pub(super) fn package_names(&self) -> Vec<&str> {
        match self {
            Self::Catalog(read) => read.catalog.packages.keys().map(|name| &**name).collect(),
            Self::Report(reported) => reported.view.packages.iter().map(|row| row.package.as_str()).collect(),
        }
    }

    /// The package of this name, as far as engines look at it.
    pub(super) fn package(&self, name: &str) -> Result<Option<Package>, CommandError> {
        match self {
            Self::Catalog(read) => Ok(read.catalog.packages.get(name).cloned()),
            Self::Report(reported) => reported.package(name),
        }
    }

    /// How many documents of the catalog do not decode, and how many errors there are about one of its packages.
    pub(super) fn faults(&self, package: &str) -> Result<(usize, usize), CommandError> {
        let (mut undecoded, mut errors) = (0, 0);
        let mut count = |code: &str, severity: &str, about: Option<&str>| {
            undecoded += usize::from(code == codes::DECODE_ERROR.name());
            errors += usize::from(severity == Severity::Error.name() && about == Some(package));
        };
        match self {
            Self::Catalog(read) => read.findings.iter().for_each(|finding| {
                count(finding.code.name(), finding.severity().name(), finding.subject.package.as_deref());
            }),
            Self::Report(reported) => reported.findings()?.iter().for_each(|finding| {
                count(&finding.code, &finding.severity, finding.subject.package.as_deref());
            }),
        }
        Ok((undecoded, errors))
    }

    /// The answer of `skipstone catalog check`.
    pub(super) fn check(&self) -> Result<CheckView, CommandError> {
        match self {
            Self::Catalog(read) => Ok(read.check()),
            Self::Report(reported) => reported.check(),
        }
    }
}

/// Opens catalogs for a question, in the given order; any that cannot be read at all is an error.
pub(super) fn open(sources: &[NamedSource], settings: &Settings) -> Result<Vec<Opened>, CommandError> {
    let mut inputs = Vec::new();
    let mut opened = Vec::new();
    for source in sources {
        if is_report(source)? {
            opened.push(Some(Opened::Report(Box::new(report::open(source, settings)?))));
        } else {
            opened.push(None);
            inputs.push(mirror::one_catalog(source, settings)?);
        }
    }
    let mut read = catalog::open(&inputs, settings)?.into_iter();
    let in_order = opened
        .into_iter()
        .filter_map(|report| report.or_else(|| read.next().map(|read| Opened::Catalog(Box::new(read)))));
    Ok(in_order.collect())
}

/// Every catalog of some sources, for commands that read catalogs alone.
pub(super) fn every_catalog(sources: &[NamedSource], settings: &Settings) -> Result<Vec<CatalogInput>, CommandError> {
    let mut inputs = Vec::new();
    for source in sources {
        if is_report(source)? {
            return Err(CommandError::new(format!("{} is a report", source.place.display()))
                .hint("name the catalog that the report was made from"));
        }
        match mirror::every_catalog(source, settings) {
            Ok(found) => inputs.extend(found),
            // One place that cannot be opened does not stop the others: the report says what is wrong with it, without
            // the directories above it.
            Err(error) if sources.len() > 1 => {
                let whole = source.place.display().to_string();
                let last = pipeline::name_of(&source.place);
                let reason = if source.is_registry { error.message } else { error.message.replace(&whole, &last) };
                inputs.push(CatalogInput::unreadable(source.name(), &source.place, reason));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(inputs)
}

/// Opens every catalog of some sources for a question; any that cannot be read at all is an error.
pub(super) fn open_every(sources: &[NamedSource], settings: &Settings) -> Result<Vec<Opened>, CommandError> {
    let inputs = every_catalog(sources, settings)?;
    let read = catalog::open(&inputs, settings)?;
    Ok(read.into_iter().map(|read| Opened::Catalog(Box::new(read))).collect())
}

/// Whether a source is meant as one catalog: a directory or file of documents, or one image of several.
pub(super) fn is_catalog(source: &NamedSource) -> Result<bool, CommandError> {
    let is_directory = !source.is_registry && source.place.exists() && detect(&source.place) == Shape::Catalog;
    Ok(!is_report(source)? && (is_directory || source.part.is_some()))
}

/// Whether a report lies at a place; refuses what no version opens.
fn is_report(source: &NamedSource) -> Result<bool, CommandError> {
    if source.is_registry {
        return Ok(false);
    }
    refuse_foreign(source)?;
    Ok(detect(&source.place) == Shape::Report)
}

/// Refuses what cannot be read as it lies, and says what to do about it.
pub(super) fn refuse_foreign(source: &NamedSource) -> Result<(), CommandError> {
    if !source.is_registry
        && let Shape::Foreign(foreign) = detect(&source.place)
    {
        let message = format!("{} is {}", source.place.display(), foreign.what());
        return Err(CommandError::new(message).hint(foreign.remedy(&source.place)));
    }
    Ok(())
}
