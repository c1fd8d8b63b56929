//! What `opm validate` refuses in an assembled catalog, and what it does not look at although an upgrade depends on it.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg_to_model.go` and `alpha/model/model.go`, at a state with all rules up to
//! v1.73; opm stops at the first fault of its conversion, here every fault is named. Rules beyond opm have their reason in
//! the registry of codes. Cost: linear in entries and bundles, times the entries of a channel for skipRanges.

mod bundles;
mod channels;
mod dependencies;
mod deprecations;
mod packages;

pub use dependencies::constraint_text;
pub(super) use deprecations::faults as deprecation_faults;

use super::model::Catalog;
use crate::finding::Finding;

/// Everything that the rules find in a catalog, in no particular order.
pub fn check(catalog: &Catalog) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in catalog.packages.values() {
        packages::check(&catalog.name, package, &mut findings);
        bundles::check(&catalog.name, package, &mut findings);
        for channel in &package.channels {
            channels::check(&catalog.name, package, channel, &mut findings);
        }
    }
    dependencies::check(catalog, &mut findings);
    findings
}
