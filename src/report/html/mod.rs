//! The pages of a report: HTML that works from `file://`, without a network and without script.
//!
//! Every page is a pure function of one view model and of the report's [`Stamp`]. This module turns view models into what
//! the templates print; the templates (Tera 2, `templates/html`) hold all markup, and escape every foreign text. Markup that
//! they print as it is comes from three places only: [`super::prose`], [`super::route_map`] and the data block of the chooser.
//! The pages name a Content-Security-Policy that loads nothing but the report's own style sheet and script, so neither
//! templates nor script may use `style` attributes or event handler attributes.
//! Accessibility follows WCAG 2.2 AA.
//!
//! Cost: linear in the view; what could grow without bound (walks, entries, findings) has a budget in bytes, and the page
//! says how many rows it left out and which document holds them all.

use serde::Serialize;
use tera::{Context, Tera};

use super::prose::{escape, is_plain};
use super::schema::{CatalogView, Input, Overview, PackageView, ReleasesIndex, Tool};

mod agreement;
mod budget;
mod catalog;
mod chooser;
mod clusters;
mod endings;
mod entries;
mod findings;
mod frame;
mod names;
mod others;
mod overview;
mod package;
mod releases;
mod routes;
mod rows;
mod walks;
mod words;

/// Templates by name. All are loaded at the start, so that a faulty one fails before any work.
const TEMPLATES: [(&str, &str); 8] = [
    ("base.html", include_str!("../../../templates/html/base.html")),
    ("components.html", include_str!("../../../templates/html/components.html")),
    ("overview.html", include_str!("../../../templates/html/overview.html")),
    ("catalog.html", include_str!("../../../templates/html/catalog.html")),
    ("package.html", include_str!("../../../templates/html/package.html")),
    ("package_map.html", include_str!("../../../templates/html/package_map.html")),
    ("package_tables.html", include_str!("../../../templates/html/package_tables.html")),
    ("releases.html", include_str!("../../../templates/html/releases.html")),
];

/// The style sheet of all pages.
const STYLE: &str = concat!(
    include_str!("../../../templates/assets/base.css"),
    include_str!("../../../templates/assets/tables.css"),
    include_str!("../../../templates/assets/map.css"),
    include_str!("../../../templates/assets/print.css"),
);

/// The script of all pages.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("../../../templates/assets/filter.js"),
    include_str!("../../../templates/assets/path.js"),
    include_str!("../../../templates/assets/overlay.js"),
    include_str!("../../../templates/assets/chooser.js"),
);

/// See [`assets`].
const ASSETS: &[(&str, &[u8])] =
    &[("assets/skipstone.css", STYLE.as_bytes()), ("assets/skipstone.js", SCRIPT.as_bytes())];

/// A page that could not be made: a fault of a template, not of an input.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The templates could not be loaded.
    #[error("the page templates cannot be loaded: {0}")]
    Load(#[source] tera::Error),
    /// A template asked for what its page does not have, or the like.
    #[error("the page {page} cannot be rendered: {source}")]
    Render {
        /// The page's title.
        page: String,
        /// What the template engine says.
        source: tera::Error,
    },
    /// The data for the script could not be written as JSON.
    #[error("the data of the page {page} cannot be written: {source}")]
    Data {
        /// The page's title.
        page: String,
        /// What the serializer says.
        source: serde_json::Error,
    },
}

/// What stands on every page of one report: which tool, which instant, which inputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stamp {
    /// The program that wrote the report.
    pub tool: Tool,
    /// The instant that the report is judged at, RFC 3339 in UTC.
    pub generated_at: String,
    /// What was read.
    pub inputs: Vec<Input>,
}

/// Renders pages; one instance serves all threads.
#[derive(Clone)]
pub struct Pages {
    templates: Tera,
    stamp: Option<Stamp>,
}

impl Pages {
    /// Loads the templates.
    ///
    /// # Errors
    /// [`PageError::Load`] where a template is faulty.
    pub fn new() -> Result<Self, PageError> {
        let mut templates = Tera::new();
        templates.set_escape_fn(|text, buffer| match is_plain(text) {
            true => buffer.write_all(text.as_bytes()),
            false => buffer.write_all(escape(text).as_bytes()),
        });
        templates.add_raw_templates(TEMPLATES).map_err(PageError::Load)?;
        Ok(Self { templates, stamp: None })
    }

    /// The same, with a report's stamp on every page.
    #[must_use]
    pub fn stamped(self, stamp: Stamp) -> Self {
        Self { stamp: Some(stamp), ..self }
    }

    /// The page that a reader opens first: verdict, what needs attention, inputs, coverage.
    ///
    /// # Errors
    /// [`PageError::Render`] where the template is faulty.
    pub fn render_overview(&self, overview: &Overview) -> Result<String, PageError> {
        self.render("overview.html", &overview::page(overview))
    }

    /// The page of a catalog: its packages and the findings that belong to none of them.
    ///
    /// # Errors
    /// [`PageError::Render`] where the template is faulty.
    pub fn render_catalog(&self, view: &CatalogView) -> Result<String, PageError> {
        self.render("catalog.html", &catalog::page(view, self.stamp.as_ref()))
    }

    /// The page of a package: route map, chooser, and all facts as tables.
    ///
    /// # Errors
    /// [`PageError::Render`] where the template is faulty, [`PageError::Data`] where the script's data cannot be written.
    pub fn render_package(&self, view: &PackageView) -> Result<String, PageError> {
        let page = package::page(view, self.stamp.as_ref())
            .map_err(|source| PageError::Data { page: format!("{}/{}", view.catalog, view.package), source })?;
        self.render("package.html", &page)
    }

    /// The page of the release payloads.
    ///
    /// # Errors
    /// [`PageError::Render`] where the template is faulty.
    pub fn render_releases(&self, view: &ReleasesIndex) -> Result<String, PageError> {
        self.render("releases.html", &releases::page(view, self.stamp.as_ref()))
    }

    fn render(&self, template: &str, page: &impl Page) -> Result<String, PageError> {
        let failed = |source| PageError::Render { page: page.title().to_owned(), source };
        let context = Context::from_serialize(page).map_err(failed)?;
        self.templates.render(template, &context).map_err(failed)
    }
}

/// Everything that a template prints.
trait Page: Serialize {
    /// The title of the document.
    fn title(&self) -> &str;
}

/// Files that all pages share: path relative to the report, and content.
pub fn assets() -> &'static [(&'static str, &'static [u8])] {
    ASSETS
}

#[cfg(test)]
mod tests;
