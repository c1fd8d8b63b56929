//! The way back: from the documents of a report to what questions are answered from.
//!
//! Rule: a report that is asked gives the same bytes as the catalog that it was made from, so a view holds everything that
//! an engine looks at. What no engine looks at (places, descriptions, values of properties, lifecycles) stays away. Cost:
//! linear in the view.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::facts::{BundleFacts, ChannelFacts, Entry, PackageFacts, Property, PropertyValue};
use crate::catalog::{Bundle, Channel, Deprecations, Lifecycle, Package};
use crate::finding::SourceRef;
use crate::report::schema::{
    BundleView, CatalogView, ChannelView, CheckView, CheckedChannel, CheckedPackage, EntryView, FindingView,
    PackageView,
};
use crate::version::SemanticVersion;

/// The package that a view was made of, as far as engines look at it. A bundle that a view has twice is taken once.
pub fn restored_package(view: &PackageView) -> Package {
    let at = SourceRef::input(&*view.catalog);
    let facts = PackageFacts {
        name: view.package.clone(),
        default_channel: view.default_channel.clone().unwrap_or_default(),
        ..PackageFacts::default()
    };
    let in_catalog = view.bundles.iter().filter(|bundle| bundle.in_catalog);
    let mut bundles: Vec<Bundle> = in_catalog.map(|bundle| restored_bundle(&view.package, bundle, &at)).collect();
    bundles.sort_by(|one, other| one.name.cmp(&other.name));
    bundles.dedup_by(|later, first| later.name == first.name);
    Package {
        name: (*view.package).into(),
        defined: view.defined.then(|| Arc::new(facts)),
        channels: view.channels.iter().map(|channel| restored_channel(&view.package, channel, &at)).collect(),
        bundles,
        deprecations: restored_deprecations(view),
        lifecycle: Lifecycle::NotStated,
        at,
    }
}

fn restored_channel(package: &str, view: &ChannelView, at: &SourceRef) -> Channel {
    let entry = |entry: &EntryView| Entry {
        name: entry.name.clone(),
        replaces: entry.replaces.clone().unwrap_or_default(),
        skips: entry.skips.clone(),
        skip_range: entry.skip_range.clone().unwrap_or_default(),
    };
    let facts = ChannelFacts {
        package: package.to_owned(),
        name: view.name.clone(),
        entries: view.entries.iter().map(entry).collect(),
    };
    Channel::new(at.clone(), Arc::new(facts))
}

fn restored_bundle(package: &str, view: &BundleView, at: &SourceRef) -> Bundle {
    let facts = BundleFacts {
        package: package.to_owned(),
        name: view.name.clone(),
        image: view.image.clone().unwrap_or_default(),
        properties: restored_properties(package, view),
        ..BundleFacts::default()
    };
    let version = view.version.as_deref().and_then(|version| SemanticVersion::parse_strict(version).ok());
    Bundle { name: (*view.name).into(), at: at.clone(), facts: Arc::new(facts), version }
}

/// The properties that engines look at: the version, and of the others the type alone.
fn restored_properties(package: &str, view: &BundleView) -> Vec<Property> {
    let stated = view.version.as_ref().map(|version| PropertyValue::Package {
        package: package.to_owned(),
        version: version.clone(),
        release: view.release.clone().unwrap_or_default(),
    });
    let stated = stated.map(|value| Property { kind: "olm.package".to_owned(), value });
    let bare = |kind: &str| Property { kind: kind.to_owned(), value: PropertyValue::Elsewhere };
    let required = view.requires.iter().map(|requirement| bare(&requirement.kind));
    stated.into_iter().chain(required).chain(view.forbidden.then(|| bare("olm.deprecated"))).collect()
}

fn restored_deprecations(view: &PackageView) -> Deprecations {
    let by_name = |name: &String, message: &Option<String>| Some((name.clone(), message.clone()?));
    let channels: BTreeMap<String, String> =
        view.channels.iter().filter_map(|channel| by_name(&channel.name, &channel.deprecated)).collect();
    let bundles: BTreeMap<String, String> =
        view.bundles.iter().filter_map(|bundle| by_name(&bundle.name, &bundle.deprecated)).collect();
    let stated = view.deprecated.is_some() || !channels.is_empty() || !bundles.is_empty();
    Deprecations { stated, package: view.deprecated.clone(), channels, bundles }
}

/// A package as `skipstone catalog check` shows it; `None` where the catalog does not define it.
pub fn restored_checked_package(view: &PackageView) -> Option<CheckedPackage> {
    let channels = view.channels.iter().map(|channel| {
        (channel.name.clone(), CheckedChannel { heads: channel.heads.clone(), entries: channel.entries.len() })
    });
    view.defined.then(|| CheckedPackage {
        valid: view.valid,
        default_channel: view.default_channel.clone(),
        channels: channels.collect(),
    })
}

/// The answer of `skipstone catalog check`: from the document of the catalog, what its packages come to, and all findings of
/// the report, of which those of other catalogs are left out.
pub fn restored_check(
    catalog: &CatalogView,
    packages: BTreeMap<String, CheckedPackage>,
    findings: Vec<FindingView>,
) -> CheckView {
    let of_other = |finding: &FindingView| finding.subject.catalog.as_ref().is_some_and(|name| *name != catalog.name);
    let findings = findings.into_iter().filter(|finding| !of_other(finding)).collect();
    CheckView { valid: catalog.valid, counts: catalog.counts.clone(), packages, findings }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn names_versions_and_edges_come_back() {
        let package = restored_package(&sample::package(Vec::new()));
        let channel = package.channel("stable").unwrap();
        assert_eq!(channel.entry("p.v2").unwrap().replaces, "p.v1");
        assert_eq!(channel.entry("p.v1").unwrap(), &Entry { name: "p.v1".to_owned(), ..Entry::default() });
        let bundle = package.bundle("p.v2").unwrap();
        assert_eq!(bundle.stated(), Some(("p", "2.0.0", "")));
        assert_eq!(bundle.version, SemanticVersion::parse_strict("2.0.0").ok());
    }

    #[test]
    fn what_engines_ask_of_a_bundle_comes_back() {
        let mut view = sample::package(Vec::new());
        view.bundles.reverse();
        let first = view.bundles.first_mut().unwrap();
        first.forbidden = true;
        first.deprecated = Some(String::new());
        first.requires =
            vec![crate::report::schema::RequirementView { kind: "olm.gvk.required".to_owned(), text: "x".to_owned() }];
        let name = first.name.clone();
        view.bundles.push(BundleView { name: "gone".to_owned(), in_catalog: false, ..view.bundles[0].clone() });
        let package = restored_package(&view);
        let bundle = package.bundle(&name).unwrap();
        assert!(bundle.has_property("olm.deprecated") && bundle.has_property("olm.gvk.required"));
        assert_eq!(package.deprecations.bundles.get(&name), Some(&String::new()));
        assert!(package.bundle("gone").is_none());
    }

    #[test]
    fn a_package_that_is_only_mentioned_stays_undefined() {
        let mut view = sample::package(Vec::new());
        assert!(restored_package(&view).defined.is_some() && restored_checked_package(&view).is_some());
        view.defined = false;
        assert!(restored_package(&view).defined.is_none() && restored_checked_package(&view).is_none());
    }

    #[test]
    fn findings_of_other_catalogs_are_left_out() {
        let mut other = sample::finding("error", "a/b");
        other.subject.catalog = Some("d".to_owned());
        let mut nobodys = sample::finding("error", "a/c");
        nobodys.subject.catalog = None;
        let own = sample::finding("error", "a/d");
        let check = restored_check(
            &sample::catalog(&[], Vec::new()),
            BTreeMap::new(),
            vec![own.clone(), other, nobodys.clone()],
        );
        assert_eq!(check.findings, [own, nobodys]);
    }
}
