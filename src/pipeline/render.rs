//! Writes the documents of a report: for each package when it is ready, for the whole at the end.
//!
//! Cost: that of each renderer; one write for each file.

use std::sync::Arc;

use jiff::civil::Date;
use rayon::prelude::*;

use super::contents::ReadContents;
use super::guard::guarded;
use crate::catalog::{Lifecycle, Package};
use crate::emit::{EmitError, ReportDirectory};
use crate::finding::{self, Finding};
use crate::report::html::{PageError, Pages, Stamp, assets};
use crate::report::schema::{
    ApiDocument, ApiIndex, CatalogView, FindingView, FindingsView, LifecycleIndex, LifecycleRow, Overview, PackageRow,
    PackageView, PairCounts, SCHEMA_VERSION, Tool,
};
use crate::report::view::{self, CatalogFacts, OverviewFacts, PackageFacts};
use crate::report::{json, junit, markdown, openapi, place, sarif};

/// A document that could not be made or written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A page could not be made.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A document could not be turned into JSON.
    #[error("a document cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A file could not be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

/// Renders into one report directory; serves all threads.
pub(super) struct Renderer<'d> {
    directory: &'d ReportDirectory,
    pub(super) pages: Pages,
    day: Date,
    pub(super) contents: &'d ReadContents,
}

/// What stays of a package when its documents are written.
pub(super) struct RenderedPackage {
    pub(super) row: PackageRow,
    pub(super) pairs: PairCounts,
    pub(super) lifecycles: Vec<LifecycleRow>,
    /// Documents of its bundles.
    pub(super) entries: Vec<ApiDocument>,
}

impl<'d> Renderer<'d> {
    pub(super) fn new(
        directory: &'d ReportDirectory,
        day: Date,
        facts: &OverviewFacts,
        contents: &'d ReadContents,
    ) -> Result<Self, RenderError> {
        let stamp = Stamp {
            tool: Tool { name: "skipstone".to_owned(), version: facts.version.clone() },
            generated_at: facts.generated_at.clone(),
            inputs: facts.inputs.clone(),
        };
        Ok(Self { directory, pages: Pages::new()?.stamped(stamp), day, contents })
    }

    /// Writes the documents of one package; a fault of this program on it is a finding.
    pub(super) fn package(
        &self,
        catalog: &Arc<str>,
        package: &Package,
        findings: Vec<&Finding>,
    ) -> Result<Result<RenderedPackage, Box<Finding>>, RenderError> {
        let findings: Vec<Finding> = findings.into_iter().cloned().collect();
        let facts = PackageFacts { catalog, package, findings: &findings };
        let unit = format!("the package {}", package.name);
        match guarded(&unit, package.subject(catalog), || self.write_package(facts)) {
            Ok(rendered) => rendered.map(Ok),
            Err(panic) => Ok(Err(panic)),
        }
    }

    fn write_package(&self, facts: PackageFacts<'_>) -> Result<RenderedPackage, RenderError> {
        let (mut view, pairs) = view::package_view(facts, self.day);
        let entries = self.write_bundles(facts, &mut view)?;
        let row = view::package_row(facts);
        self.write(&row.api, &json::document(&view)?)?;
        self.write(&row.page, &self.pages.render_package(&view)?)?;
        self.write(&markdown_path(&row.page), &markdown::package(&view, markdown::TICKET_BYTES))?;
        let stated = facts.package.lifecycle != Lifecycle::NotStated;
        let lifecycles = if stated { lifecycle_rows(&view) } else { Vec::new() };
        Ok(RenderedPackage { row, pairs, lifecycles, entries })
    }

    /// Writes what is about more than one package.
    pub(super) fn whole(
        &self,
        overview: &Overview,
        catalogs: &[CatalogFacts<'_>],
        findings: &[FindingView],
        lifecycles: Vec<LifecycleRow>,
        mut entries: Vec<ApiDocument>,
    ) -> Result<(), RenderError> {
        let views: Vec<CatalogView> = catalogs.par_iter().map(|facts| view::catalog_view(*facts)).collect();
        views.par_iter().try_for_each(|view| self.write_catalog(view))?;
        self.write(place::OVERVIEW_API, &json::document(overview)?)?;
        self.write(place::OVERVIEW_PAGE, &self.pages.render_overview(overview)?)?;
        self.write("markdown/index.md", &markdown::overview(overview, markdown::TICKET_BYTES))?;
        let found = FindingsView { schema_version: SCHEMA_VERSION, findings: findings.to_vec() };
        self.write(place::FINDINGS_API, &json::document(&found)?)?;
        self.write(place::LIFECYCLE_API, &json::document(&lifecycle_index(lifecycles, &views))?)?;
        self.write("findings.sarif", &sarif::sarif(&overview.tool, &found.findings, &view::rule_text)?)?;
        // What was not looked for must not count as passed: of mirrors and clusters only what was found is told.
        let is_always_looked_for = |name: &&str| name.starts_with("catalog/") || name.starts_with("input/");
        let codes: Vec<&str> =
            finding::codes::ALL.iter().map(|code| code.name()).filter(is_always_looked_for).collect();
        self.write("junit.xml", &junit::junit(overview, &views, &found.findings, &codes))?;
        for (name, schema) in openapi::schemas() {
            self.write(&format!("schemas/{name}.json"), &schema)?;
        }
        self.write("openapi.json", &openapi::openapi())?;
        for (path, bytes) in assets() {
            self.directory.write(path, bytes)?;
        }
        entries.extend(self.write_releases()?);
        entries.extend(self.contents.clusters.write(self)?);
        self.write(place::API_INDEX, &json::document(&api_index(&views, entries))?)
    }

    fn write_catalog(&self, view: &CatalogView) -> Result<(), RenderError> {
        let page = place::catalog_page(&view.name);
        self.write(&place::catalog_api(&view.name), &json::document(view)?)?;
        self.write(&page, &self.pages.render_catalog(view)?)?;
        self.write(&markdown_path(&page), &markdown::catalog(view, markdown::TICKET_BYTES))
    }

    pub(super) fn write(&self, path: &str, text: &str) -> Result<(), RenderError> {
        Ok(self.directory.write(path, text.as_bytes())?)
    }
}

/// The Markdown document beside a page.
pub(super) fn markdown_path(page: &str) -> String {
    format!("markdown/{}.md", page.strip_suffix(".html").unwrap_or(page))
}

fn lifecycle_rows(view: &PackageView) -> Vec<LifecycleRow> {
    let bundles = view.bundles.iter().filter(|bundle| bundle.in_catalog);
    bundles
        .map(|bundle| LifecycleRow {
            catalog: view.catalog.clone(),
            package: view.package.clone(),
            bundle: bundle.name.clone(),
            lifecycle: bundle.lifecycle.clone(),
        })
        .collect()
}

fn lifecycle_index(bundles: Vec<LifecycleRow>, catalogs: &[CatalogView]) -> LifecycleIndex {
    let stated: std::collections::BTreeSet<(&str, &str)> =
        bundles.iter().map(|row| (row.catalog.as_str(), row.package.as_str())).collect();
    let packages = catalogs.iter().flat_map(|catalog| &catalog.packages);
    let not_stated = packages
        .filter(|row| !stated.contains(&(row.catalog.as_str(), row.package.as_str())))
        .map(|row| format!("{}/{}", row.catalog, row.package))
        .collect();
    LifecycleIndex { schema_version: SCHEMA_VERSION, not_stated, bundles }
}

fn api_index(catalogs: &[CatalogView], entries: Vec<ApiDocument>) -> ApiIndex {
    let whole = |kind: &str, path: &str, schema: &str| ApiDocument {
        kind: kind.to_owned(),
        path: path.to_owned(),
        schema: schema.to_owned(),
        catalog: None,
        package: None,
    };
    let mut documents = vec![
        whole("report", place::OVERVIEW_API, "report"),
        whole("findings", place::FINDINGS_API, "findings"),
        whole("lifecycle", place::LIFECYCLE_API, "lifecycle"),
    ];
    for catalog in catalogs {
        let path = place::catalog_api(&catalog.name);
        documents.push(ApiDocument { catalog: Some(catalog.name.clone()), ..whole("catalog", &path, "catalog") });
        documents.extend(catalog.packages.iter().map(|row| ApiDocument {
            catalog: Some(row.catalog.clone()),
            package: Some(row.package.clone()),
            ..whole("package", &row.api, "package")
        }));
    }
    documents.extend(entries);
    ApiIndex { schema_version: SCHEMA_VERSION, documents }
}
