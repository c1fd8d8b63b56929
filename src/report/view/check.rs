//! The answer of `skipstone catalog check`.
//!
//! Cost: packages × findings.

use std::collections::BTreeMap;

use super::findings_views;
use crate::catalog::{Catalog, Package, chain};
use crate::finding::{Finding, Severity};
use crate::report::schema::{CheckView, CheckedChannel, CheckedPackage, Counts};

/// The view of a checked catalog; findings are those of this catalog, sorted.
pub fn check_view(catalog: &Catalog, findings: &[Finding]) -> CheckView {
    let defined = catalog.packages.values().filter(|package| package.defined.is_some());
    CheckView {
        valid: is_valid(findings),
        counts: counts(catalog),
        packages: defined.map(|package| (package.name.to_string(), checked_package(package, findings))).collect(),
        findings: findings_views(findings),
    }
}

/// Whether opm would accept what these findings are about: no rule of severity error is broken. What could not be read is
/// no answer, and counts under coverage.
pub(super) fn is_valid(findings: &[Finding]) -> bool {
    !findings.iter().any(|finding| finding.severity() == Severity::Error && finding.code.name().starts_with("catalog/"))
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

fn checked_package(package: &Package, findings: &[Finding]) -> CheckedPackage {
    let of_package = |finding: &Finding| finding.subject.package.as_deref() == Some(&*package.name);
    let own: Vec<Finding> = findings.iter().filter(|finding| of_package(finding)).cloned().collect();
    let channel = |channel: &crate::catalog::Channel| {
        let heads = chain::heads(channel.entries()).into_iter().map(str::to_owned).collect();
        (channel.name.to_string(), CheckedChannel { heads, entries: channel.entries().len() })
    };
    let channels: BTreeMap<String, CheckedChannel> = package.channels.iter().map(channel).collect();
    let default_channel = package.default_channel().map(str::to_owned);
    CheckedPackage { valid: is_valid(&own), default_channel, channels }
}
