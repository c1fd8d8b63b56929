//! Opens what is named as SOURCE: a catalog, or a catalog of a report, which answers with the same bytes.

mod catalog;
mod name;
mod report;

use std::sync::Arc;

use super::super::CommandError;
use super::super::settings::Settings;
use crate::catalog::{Catalog, Package};
use crate::finding::{Severity, codes};
use crate::report::schema::CheckView;
use crate::source::{Shape, detect};

use catalog::ReadCatalog;
use report::ReportedCatalog;

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
    let shapes: Vec<Shape> = sources.iter().map(shape).collect::<Result<_, _>>()?;
    let of_shape = |wanted: Shape| {
        let both = sources.iter().zip(&shapes);
        both.filter(move |(_, shape)| **shape == wanted).map(|(source, _)| source)
    };
    let mut reported = Vec::new();
    for source in of_shape(Shape::Report) {
        reported.push(Opened::Report(Box::new(report::open(source, settings)?)));
    }
    let read = catalog::open(of_shape(Shape::Catalog), settings)?;
    let mut read = read.into_iter().map(|read| Opened::Catalog(Box::new(read)));
    let mut reported = reported.into_iter();
    let in_order = shapes.iter().filter_map(|shape| match shape {
        Shape::Report => reported.next(),
        _ => read.next(),
    });
    Ok(in_order.collect())
}

/// Refuses whatever is no catalog on disk, for commands that read catalogs alone.
pub(super) fn only_catalog(source: &NamedSource) -> Result<(), CommandError> {
    match shape(source)? {
        Shape::Report => Err(CommandError::new(format!("{} is a report", source.place.display()))
            .hint("name the catalog that the report was made from")),
        _ => Ok(()),
    }
}

/// What lies at a place, where this version can open it.
fn shape(source: &NamedSource) -> Result<Shape, CommandError> {
    match (detect(&source.place), &source.catalog) {
        (Shape::Foreign(foreign), _) => {
            let place = &source.place;
            Err(CommandError::new(format!("{} is {}", place.display(), foreign.what())).hint(foreign.remedy(place)))
        }
        (Shape::Mirror, _) => Err(CommandError::new(format!("{} holds images", source.place.display())).hint(
            "this version reads directories and files of file-based catalogs; extract configs/ of the image first",
        )),
        (Shape::Catalog, Some(catalog)) => {
            let message = format!("{} is one catalog, so that #{catalog} names nothing there", source.place.display());
            Err(CommandError::new(message))
        }
        (shape, _) => Ok(shape),
    }
}
