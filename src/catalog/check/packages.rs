//! Rules on a package and on how its parts fit together.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg_to_model.go` (names, unknown packages, bundles without channel, entries
//! without bundle) and `alpha/model/model.go` (default channel, equal versions). opm looks for missing bundles in one
//! channel of a package only; here the union of all channels counts.
//! Cost: n log n in entries and bundles.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::model::{Bundle, Package};
use crate::finding::{Finding, Subject, codes};
use crate::version::BundleVersion;

pub(super) fn check(catalog: &Arc<str>, package: &Package, findings: &mut Vec<Finding>) {
    let subject = package.subject(catalog);
    if package.defined.is_some() {
        name(package, &subject, findings);
        default_channel(package, &subject, findings);
        deprecated(package, &subject, findings);
    } else {
        undefined(package, &subject, findings);
    }
    entries_and_bundles(package, &subject, findings);
    equal_versions(package, &subject, findings);
}

fn name(package: &Package, subject: &Subject, findings: &mut Vec<Finding>) {
    if !is_dns_label(&package.name) {
        let finding = Finding::new(codes::BAD_PACKAGE_NAME, subject.clone());
        findings.push(finding.at(&package.at).with("name", format!("{:?}", package.name)));
    }
}

/// A DNS-1123 label: lower-case letters, digits and dashes, at most 63, a letter or digit at both ends.
fn is_dns_label(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.len() <= 63 && name.bytes().all(inner) && !name.starts_with('-') && !name.ends_with('-') && !name.is_empty()
}

fn default_channel(package: &Package, subject: &Subject, findings: &mut Vec<Finding>) {
    if package.channels.is_empty() {
        findings.push(Finding::new(codes::NO_CHANNELS, subject.clone()).at(&package.at));
    }
    match package.default_channel() {
        None => findings.push(Finding::new(codes::NO_DEFAULT_CHANNEL, subject.clone()).at(&package.at)),
        Some(name) if package.channel(name).is_none() => {
            let subject = subject.clone().in_channel(name);
            findings.push(Finding::new(codes::DEFAULT_CHANNEL_MISSING, subject).at(&package.at));
        }
        Some(name) => {
            if let Some(reason) = package.deprecations.channels.get(name) {
                let finding = Finding::new(codes::DEFAULT_CHANNEL_DEPRECATED, subject.clone().in_channel(name));
                findings.push(finding.at(&package.at).with("reason", reason));
            }
        }
    }
}

fn deprecated(package: &Package, subject: &Subject, findings: &mut Vec<Finding>) {
    if let Some(reason) = package.deprecations.package.as_ref().filter(|reason| !reason.is_empty()) {
        let finding = Finding::new(codes::PACKAGE_DEPRECATED, subject.clone()).at(&package.at);
        findings.push(finding.with("reason", reason));
    }
}

fn undefined(package: &Package, subject: &Subject, findings: &mut Vec<Finding>) {
    let finding = |what: &str, name: &Arc<str>, at| {
        Finding::new(codes::UNKNOWN_PACKAGE, subject.clone()).at(at).with("what", what).with("name", name)
    };
    findings.extend(package.channels.iter().map(|channel| finding("channel", &channel.name, &channel.at)));
    findings.extend(package.bundles.iter().map(|bundle| finding("bundle", &bundle.name, &bundle.at)));
}

fn entries_and_bundles(package: &Package, subject: &Subject, findings: &mut Vec<Finding>) {
    let mut listed: BTreeSet<&str> = BTreeSet::new();
    for channel in &package.channels {
        for entry in channel.entries() {
            if listed.insert(&entry.name) && package.bundle(&entry.name).is_none() {
                let subject = subject.clone().in_channel(channel.name.clone()).of_bundle(&*entry.name);
                findings.push(Finding::new(codes::MISSING_BUNDLE, subject).at(&channel.at));
            }
        }
    }
    for bundle in package.bundles.iter().filter(|bundle| !listed.contains(&*bundle.name)) {
        let subject = subject.clone().of_bundle(bundle.name.clone());
        findings.push(Finding::new(codes::BUNDLE_IN_NO_CHANNEL, subject).at(&bundle.at));
    }
}

fn equal_versions(package: &Package, subject: &Subject, findings: &mut Vec<Finding>) {
    let mut by_version: BTreeMap<String, Vec<&Bundle>> = BTreeMap::new();
    for bundle in &package.bundles {
        if let Some(version) = opm_version(bundle) {
            by_version.entry(version.uniqueness_key()).or_default().push(bundle);
        }
    }
    for (version, bundles) in by_version {
        if let [first, _, ..] = bundles.as_slice() {
            let names: Vec<&str> = bundles.iter().map(|bundle| &*bundle.name).collect();
            let finding = Finding::new(codes::DUPLICATE_VERSION, subject.clone()).at(&first.at);
            findings.push(finding.with("bundles", names.join(", ")).with("version", version));
        }
    }
}

/// Version and release as opm's validation has them: the fields as stated.
pub(super) fn opm_version(bundle: &Bundle) -> Option<BundleVersion> {
    let (_, version, release) = bundle.stated()?;
    BundleVersion::from_fields(version, release).ok()
}

#[cfg(test)]
mod tests {
    use super::is_dns_label;

    #[test]
    fn labels() {
        for name in ["a", "a-b", "3scale", &"a".repeat(63)] {
            assert!(is_dns_label(name), "{name}");
        }
        for name in ["", "-a", "a-", "A", "a.b", "a_b", &"a".repeat(64)] {
            assert!(!is_dns_label(name), "{name}");
        }
    }
}
