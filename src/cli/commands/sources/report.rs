//! Catalogs of a report: asked without the catalog itself.
//!
//! Rule: a report is input like any other. Its list of documents leads to everything, each file is held against its digest
//! before it is decoded, and a document that is about something else than the list says is refused. Cost: `path` reads three
//! documents, `check` one for each package, one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::super::super::CommandError;
use super::super::super::settings::Settings;
use super::super::super::suggest::did_you_mean;
use super::NamedSource;
use crate::catalog::Package;
use crate::emit;
use crate::report::place;
use crate::report::schema::{ApiIndex, CatalogView, CheckView, FindingView, FindingsView, PackageView, SCHEMA_VERSION};
use crate::report::view;
use crate::source::{ReportFiles, SourceLimits};

/// A catalog that a report tells about.
pub(in super::super) struct ReportedCatalog {
    /// The typed name, or the one that the report gives it.
    pub(super) name: Arc<str>,
    pub(super) view: CatalogView,
    report: Report,
}

/// Opens the catalog of a report that is meant.
pub(super) fn open(source: &NamedSource, settings: &Settings) -> Result<ReportedCatalog, CommandError> {
    let report = Report::open(source, &settings.context.source_limits)?;
    let wanted = report.wanted(source)?;
    let about = |view: &CatalogView| view.name == wanted;
    let view = report.document("catalog", Some(&wanted), None, about)?;
    let name = source.typed_name.clone().unwrap_or_else(|| wanted.into());
    Ok(ReportedCatalog { name, view, report })
}

impl ReportedCatalog {
    pub(super) fn package(&self, name: &str) -> Result<Option<Package>, CommandError> {
        if self.view.packages.iter().all(|row| row.package != name) {
            return Ok(None);
        }
        Ok(Some(view::restored_package(&self.package_view(name)?)))
    }

    pub(super) fn check(&self) -> Result<CheckView, CommandError> {
        if *self.name != *self.view.name {
            let message = format!("the report names the catalog {} in its findings, not {}", self.view.name, self.name);
            return Err(CommandError::new(message).hint(format!("leave {}= away", self.name)));
        }
        let mut packages = BTreeMap::new();
        for row in &self.view.packages {
            let checked = view::restored_checked_package(&self.package_view(&row.package)?);
            packages.extend(checked.map(|checked| (row.package.clone(), checked)));
        }
        Ok(view::restored_check(&self.view, packages, self.findings()?))
    }

    /// The findings of the report that are not about another catalog.
    pub(super) fn findings(&self) -> Result<Vec<FindingView>, CommandError> {
        let found: FindingsView = self.report.document("findings", None, None, |_| true)?;
        Ok(found.findings.into_iter().filter(|finding| self.is_own(finding)).collect())
    }

    fn is_own(&self, finding: &FindingView) -> bool {
        finding.subject.catalog.as_ref().is_none_or(|name| *name == self.view.name)
    }

    fn package_view(&self, name: &str) -> Result<PackageView, CommandError> {
        let about = |view: &PackageView| view.package == name && view.catalog == self.view.name;
        self.report.document("package", Some(&self.view.name), Some(name), about)
    }
}

/// What a document is about: kind, catalog, package.
type About = (String, Option<String>, Option<String>);

/// A report directory with its list of documents.
struct Report {
    files: ReportFiles,
    paths: BTreeMap<About, String>,
}

impl Report {
    fn open(source: &NamedSource, limits: &SourceLimits) -> Result<Self, CommandError> {
        let files = ReportFiles::open(&source.place, emit::read_sums(&source.place)?, limits)?;
        let index: ApiIndex = decoded(&files, place::API_INDEX)?;
        if index.schema_version != SCHEMA_VERSION {
            let message = format!(
                "{}: the report has the schema version {}, and this version reads {SCHEMA_VERSION}",
                files.place_of(place::API_INDEX).display(),
                index.schema_version
            );
            return Err(CommandError::new(message));
        }
        let documents = index.documents.into_iter();
        let paths = documents.map(|document| ((document.kind, document.catalog, document.package), document.path));
        Ok(Self { files, paths: paths.collect() })
    }

    /// The catalog that is named, or the only one.
    fn wanted(&self, source: &NamedSource) -> Result<String, CommandError> {
        let names: Vec<&str> = self
            .paths
            .keys()
            .filter_map(|(kind, catalog, _)| catalog.as_deref().filter(|_| kind == "catalog"))
            .collect();
        let place = source.place.display();
        let list = names.join(", ");
        match (&source.part, names.as_slice()) {
            (Some(wanted), names) if names.contains(&wanted.as_str()) => Ok(wanted.clone()),
            (Some(wanted), _) => {
                let mut error = CommandError::new(format!("the report {place} has no catalog {wanted}, but {list}"));
                error.hint = did_you_mean(wanted, names.iter().copied());
                Err(error)
            }
            (None, [only]) => Ok((*only).to_owned()),
            (None, []) => Err(CommandError::new(format!("the report {place} has no catalog"))),
            (None, [first, ..]) => Err(CommandError::new(format!("the report {place} has several catalogs: {list}"))
                .hint(format!("name the one that is meant, as {place}#{first}"))),
        }
    }

    /// A document that the list has, if it is about what the list says.
    fn document<T: DeserializeOwned>(
        &self,
        kind: &str,
        catalog: Option<&str>,
        package: Option<&str>,
        is_about: impl Fn(&T) -> bool,
    ) -> Result<T, CommandError> {
        let about = (kind.to_owned(), catalog.map(str::to_owned), package.map(str::to_owned));
        let Some(path) = self.paths.get(&about) else {
            let words: Vec<&str> = [Some(kind), catalog, package].into_iter().flatten().collect();
            let index = self.files.place_of(place::API_INDEX);
            return Err(CommandError::new(format!("{}: it does not list {}", index.display(), words.join(" "))));
        };
        let document: T = decoded(&self.files, path)?;
        if is_about(&document) {
            return Ok(document);
        }
        let file = self.files.place_of(path);
        Err(CommandError::new(format!("{}: it is about something else than the report says", file.display())))
    }
}

fn decoded<T: DeserializeOwned>(files: &ReportFiles, path: &str) -> Result<T, CommandError> {
    let bytes = files.read(path)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        CommandError::new(format!("{}: it does not parse: {error}", files.place_of(path).display()))
            .hint("scan again: another version of skipstone may have written the report")
    })
}
