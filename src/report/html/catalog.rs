//! The page of a catalog.
//!
//! Cost: linear in packages and findings.

use serde::Serialize;

use super::budget::Budget;
use super::findings::{self, FindingTable};
use super::frame::Frame;
use super::overview::{in_short, text_length};
use super::words::{self, Badge};
use super::{Page, Stamp};
use crate::report::place;
use crate::report::schema::{CatalogView, Counts, PackageRow};

/// What the catalog template prints.
#[derive(Debug, Serialize)]
pub(super) struct CatalogPage {
    frame: Frame,
    name: String,
    validity: Badge,
    counts: Counts,
    packages: Vec<PackageLine>,
    packages_left_out: usize,
    findings: FindingTable,
}

/// A package in the list.
#[derive(Debug, Serialize)]
struct PackageLine {
    row: PackageRow,
    badges: Vec<Badge>,
    /// Whether the filter for what needs attention keeps it.
    attention: bool,
}

impl Page for CatalogPage {
    fn title(&self) -> &str {
        &self.frame.title
    }
}

/// The page of a catalog.
pub(super) fn page(view: &CatalogView, stamp: Option<&Stamp>) -> CatalogPage {
    let mut budget = Budget::of(Budget::PACKAGES);
    let packages = view.packages.iter().filter(|row| budget.take(text_length(row))).map(line).collect();
    CatalogPage {
        frame: Frame::new(
            &view.name,
            &place::catalog_page(&view.name),
            place::catalog_api(&view.name),
            &[("Overview", place::OVERVIEW_PAGE.to_owned())],
            stamp,
            Some(&view.name),
        ),
        name: view.name.clone(),
        validity: words::validity(view.valid),
        counts: view.counts.clone(),
        packages,
        packages_left_out: budget.left_out(),
        findings: findings::table(&view.findings),
    }
}

fn line(row: &PackageRow) -> PackageLine {
    let attention = !row.valid || row.findings.error + row.findings.warning > 0 || row.deprecated.is_some();
    PackageLine { badges: words::severities(row.findings), attention, row: in_short(row) }
}
