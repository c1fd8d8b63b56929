//! The answer of `skipstone catalog check`.
//!
//! Cost: linear in packages and findings.

use std::collections::BTreeMap;

use super::{by_package, findings_views};
use crate::catalog::{Catalog, Package, chain};
use crate::finding::{Finding, Severity};
use crate::report::schema::{CheckView, CheckedChannel, CheckedPackage, Counts};

/// The view of a checked catalog; findings are those of this catalog, sorted.
pub fn check_view(catalog: &Catalog, findings: &[Finding]) -> CheckView {
    let grouped = by_package(findings);
    let defined = catalog.packages.values().filter(|package| package.defined.is_some());
    let checked = |package: &Package| {
        let own = grouped.get(&Some(package.name.clone())).map_or(&[][..], Vec::as_slice);
        (package.name.to_string(), checked_package(package, is_valid(own.iter().copied())))
    };
    CheckView {
        valid: is_valid(findings),
        counts: counts(catalog),
        packages: defined.map(checked).collect(),
        findings: findings_views(findings),
    }
}

/// Whether opm would accept what these findings are about: no rule of severity error is broken. What could not be read is
/// no answer, and counts under coverage.
pub(super) fn is_valid<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> bool {
    !findings
        .into_iter()
        .any(|finding| finding.severity() == Severity::Error && finding.code.name().starts_with("catalog/"))
}

/// The counts of a catalog in the form of the published JSON.
pub(super) fn counts(catalog: &Catalog) -> Counts {
    let counts = catalog.counts;
    Counts {
        packages: counts.packages,
        channels: counts.channels,
        entries: counts.entries,
        bundles: counts.bundles,
        deprecations: counts.deprecations,
        other: counts.other,
    }
}

fn checked_package(package: &Package, valid: bool) -> CheckedPackage {
    let channel = |channel: &crate::catalog::Channel| {
        let heads = chain::heads(channel.entries()).into_iter().map(str::to_owned).collect();
        (channel.name.to_string(), CheckedChannel { heads, entries: channel.entries().len() })
    };
    let channels: BTreeMap<String, CheckedChannel> = package.channels.iter().map(channel).collect();
    let default_channel = package.default_channel().map(str::to_owned);
    CheckedPackage { valid, default_channel, channels }
}
