//! Makes the view models: from the catalog, the engines and the findings to the published JSON.
//!
//! One function makes the view of a thing, whether it is materialised in a report or asked for: the same bytes. Cost: one
//! walk and one closure for each channel and engine of a package.

mod bundle;
mod check;
mod cluster;
mod finding;
mod lifecycle;
mod mirror;
mod overview;
mod package;
mod path;
mod release;
mod restore;
mod text;
mod walks;

pub use bundle::{add_contents, bundle_document, bundle_entry, contents_view};
pub use check::check_view;
pub use cluster::{DumpFiles, cluster_contents_view, cluster_entry, cluster_row};
pub use finding::{finding_view, findings_views, rule_text, severity_counts};
pub use lifecycle::lifecycle_view;
pub use mirror::{
    fault_findings, has_unread, inventory_view, is_incomplete, is_unread, mirror_diff_view, missing_view, part_findings,
};
pub use overview::{CatalogFacts, OverviewFacts, by_package, catalog_view, overview, verdict};
pub use package::{PackageFacts, package_row, package_view};
pub use path::{PathQuestion, path_view};
pub use release::{release_document, release_entries, release_row, releases_index};
pub use restore::{restored_check, restored_checked_package, restored_package};

#[cfg(test)]
mod contents_tests;
#[cfg(test)]
mod tests;
