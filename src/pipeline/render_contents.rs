//! Writes what was read beside catalogs: documents of bundles and of release payloads.
//!
//! Rule: a document of a bundle is the same whatever store its contents came from, and so is that of a release; only the
//! list of releases tells digests. Cost: that of each renderer; one write for each file.

use std::collections::BTreeMap;

use super::contents::stated_bundle;
use super::render::{RenderError, Renderer, markdown_path};
use crate::payload;
use crate::report::schema::{ApiDocument, PackageView};
use crate::report::view::{self, PackageFacts};
use crate::report::{json, markdown, place};

/// Why the digest of a payload is not known.
const UNPROVEN: &str = "the payload does not come from a place that keeps its digest";

impl Renderer<'_> {
    /// Writes the documents of a package's bundles, and puts beside each bundle of its view what is known.
    pub(super) fn write_bundles(
        &self,
        facts: PackageFacts<'_>,
        view: &mut PackageView,
    ) -> Result<Vec<ApiDocument>, RenderError> {
        let mut entries = Vec::new();
        let mut views = BTreeMap::new();
        for bundle in &facts.package.bundles {
            let Some(contents) = self.contents.bundle(bundle) else { continue };
            let stated = stated_bundle(facts.catalog, &facts.package.name, bundle);
            let contents = contents.as_deref().map_err(String::as_str);
            let findings = self.contents.bundle_findings(facts.catalog, &facts.package.name, bundle);
            let document = view::bundle_document(&stated, contents, &findings);
            self.write(&document.contents.api, &json::document(&document)?)?;
            entries.push(view::bundle_entry(&document));
            views.insert(bundle.name.to_string(), document.contents);
        }
        view::add_contents(view, views);
        Ok(entries)
    }

    /// Writes the documents of release payloads.
    pub(super) fn write_releases(&self) -> Result<Vec<ApiDocument>, RenderError> {
        let Some(read) = &self.contents.releases else { return Ok(Vec::new()) };
        let mut rows = Vec::new();
        let mut written = std::collections::BTreeSet::new();
        for release in &read.releases {
            let findings = payload::findings(&release.facts, &release.stated);
            let digest = release.digest.as_ref().ok_or(UNPROVEN);
            let row = view::release_row(&release.facts, &release.stated, digest, &findings);
            if written.insert(row.api.clone()) {
                let document = view::release_document(&release.facts, &release.stated, &findings);
                self.write(&row.api, &json::document(&document)?)?;
            }
            rows.push(row);
        }
        let index = view::releases_index(rows);
        self.write(place::RELEASES_API, &json::document(&index)?)?;
        self.write(place::RELEASES_PAGE, &self.pages.render_releases(&index)?)?;
        self.write(&markdown_path(place::RELEASES_PAGE), &markdown::releases(&index, markdown::TICKET_BYTES))?;
        Ok(view::release_entries(&index))
    }
}
