//! Everything that is known of one package of one catalog.
//!
//! Rule: what an engine needs to answer again is all there, so that a report can be asked. Cost: one walk and one closure for
//! each channel and engine, and the edges of each channel: entries × names.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;

use super::check::is_valid;
use super::walks::walks_view;
use super::{findings_views, lifecycle_view, severity_counts};
use crate::catalog::facts::{CsvFacts, Entry, Property, PropertyValue};
use crate::catalog::{Bundle, Channel, Package, chain, constraint_text};
use crate::engines::olm_v0::OlmV0;
use crate::engines::olm_v1::{OlmV1, Request, Source};
use crate::engines::{Installed, covers};
use crate::finding::{Code, Finding, Severity};
use crate::report::place;
use crate::report::schema::{
    BundleView, ChannelView, EdgeView, EnginesView, EntryView, PackageRow, PackageView, PairCounts, RequirementView,
    SCHEMA_VERSION,
};

const SHOWN_REASONS: usize = 3;

/// A package and what was found about it.
#[derive(Clone, Copy)]
pub struct PackageFacts<'c> {
    /// Name of the catalog.
    pub catalog: &'c Arc<str>,
    /// The package.
    pub package: &'c Package,
    /// Its findings, sorted.
    pub findings: &'c [Finding],
}

/// The view of a package on a day, and how many pairs its engines connect.
pub fn package_view(facts: PackageFacts<'_>, day: Date) -> (PackageView, PairCounts) {
    let PackageFacts { catalog, package, findings } = facts;
    let names = names(package);
    let (engines, pairs) = engines_view(catalog, package, &names);
    let csv = newest_csv(package);
    let description = package.defined.as_ref().map(|defined| defined.description.clone());
    let view = PackageView {
        schema_version: SCHEMA_VERSION,
        catalog: catalog.to_string(),
        package: package.name.to_string(),
        display_name: stated(csv.map(|csv| csv.display_name.as_str())),
        description: description.filter(|text| !text.is_empty()),
        provider: stated(csv.map(|csv| csv.provider.as_str())),
        defined: package.defined.is_some(),
        valid: is_valid(findings) && package.defined.is_some(),
        default_channel: package.default_channel().map(str::to_owned),
        deprecated: package.deprecations.package.clone(),
        bundles: names.iter().map(|installed| bundle_view(package, installed, day)).collect(),
        channels: package.channels.iter().map(|channel| channel_view(package, channel)).collect(),
        edges: edges(package),
        names: names.iter().map(|installed| installed.name.to_string()).collect(),
        engines,
        findings: findings_views(findings),
    };
    (view, pairs)
}

/// The row of a package in a list.
pub fn package_row(facts: PackageFacts<'_>) -> PackageRow {
    let PackageFacts { catalog, package, findings } = facts;
    let default = package.default_channel().and_then(|name| package.channel(name));
    let heads = default.map(|channel| chain::heads(channel.entries())).unwrap_or_default();
    let head = if let [head] = heads.as_slice() { Some((*head).to_owned()) } else { None };
    let head_bundle = head.as_deref().and_then(|name| package.bundle(name));
    PackageRow {
        catalog: catalog.to_string(),
        package: package.name.to_string(),
        display_name: stated(newest_csv(package).map(|csv| csv.display_name.as_str())),
        valid: is_valid(findings) && package.defined.is_some(),
        default_channel: package.default_channel().map(str::to_owned),
        head_version: head_bundle.and_then(Bundle::stated).map(|(_, version, _)| version.to_owned()),
        head,
        channels: package.channels.len(),
        bundles: package.bundles.len(),
        deprecated: package.deprecations.package.clone(),
        findings: severity_counts(findings),
        reasons: reasons(findings),
        api: place::package_api(catalog, &package.name),
        page: place::package_page(catalog, &package.name),
    }
}

/// The worst findings in short: one of a kind in full, several by what they have in common.
fn reasons(findings: &[Finding]) -> Vec<String> {
    let mut kinds: Vec<(Code, Vec<&Finding>)> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.severity() > Severity::Info) {
        match kinds.iter_mut().find(|(code, _)| *code == finding.code) {
            Some((_, alike)) => alike.push(finding),
            None => kinds.push((finding.code, vec![finding])),
        }
    }
    let in_short = |(code, alike): &(Code, Vec<&Finding>)| match alike.as_slice() {
        [one] => one.message(),
        several => format!("{}: {} times", code.row().title, several.len()),
    };
    kinds.iter().take(SHOWN_REASONS).map(in_short).collect()
}

fn stated(text: Option<&str>) -> Option<String> {
    text.and_then(super::text::stated)
}

/// What the ClusterServiceVersion of the bundle of the highest version and release says.
fn newest_csv(package: &Package) -> Option<&CsvFacts> {
    let versioned = package.bundles.iter().filter_map(|bundle| Some((bundle, bundle.version_and_release()?)));
    let (newest, _) = versioned.max_by(|(_, one), (_, other)| one.order(other))?;
    newest.facts.csv.as_ref()
}

/// Every name that a bundle has or an edge uses: names of unknown version first, then by version and release, then by name.
fn names(package: &Package) -> Vec<Installed> {
    let mut known: BTreeMap<&str, Installed> =
        package.bundles.iter().map(|bundle| (&*bundle.name, Installed::bundle(bundle))).collect();
    let entries = package.channels.iter().flat_map(|channel| channel.entries());
    for entry in entries {
        let used = entry.skips.iter().map(String::as_str).chain([entry.name.as_str(), entry.replaces.as_str()]);
        for name in used.filter(|name| !name.is_empty()) {
            known.entry(name).or_insert_with(|| Installed::outside(name, None));
        }
    }
    let mut names: Vec<Installed> = known.into_values().collect();
    names.sort_by(|one, other| match (&one.version_and_release, &other.version_and_release) {
        (Some(one), Some(other)) => one.order(other),
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    names
}

fn engines_view(catalog: &Arc<str>, package: &Package, names: &[Installed]) -> (EnginesView, PairCounts) {
    let mut pairs = PairCounts::default();
    let source = || Source { catalog: catalog.clone(), priority: 0, package };
    let mut olm_v0 = BTreeMap::new();
    let mut olm_v1 = BTreeMap::new();
    for channel in &package.channels {
        let used = used_names(channel);
        let listed = |name: &str| used.contains(name);
        let engine = OlmV0::new(package, channel);
        let (walks, number) = walks_view(&engine, engine.fault(), names, listed);
        pairs.olm_v0 += number;
        olm_v0.insert(channel.name.to_string(), walks);
        let request = Request { channels: vec![channel.name.to_string()], ..Request::default() };
        let (walks, number) = walks_view(&OlmV1::new(&[source()], request), None, names, listed);
        pairs.olm_v1 += number;
        olm_v1.insert(channel.name.to_string(), walks);
    }
    let (olm_v1_all_channels, number) = walks_view(&OlmV1::new(&[source()], Request::default()), None, names, |_| true);
    pairs.olm_v1_all_channels += number;
    (EnginesView { olm_v0, olm_v1, olm_v1_all_channels }, pairs)
}

fn channel_view(package: &Package, channel: &Channel) -> ChannelView {
    let entry = |entry: &Entry| EntryView {
        name: entry.name.clone(),
        replaces: stated(Some(&entry.replaces)),
        skips: entry.skips.clone(),
        skip_range: stated(Some(&entry.skip_range)),
    };
    ChannelView {
        name: channel.name.to_string(),
        default: package.default_channel() == Some(&*channel.name),
        deprecated: package.deprecations.channels.get(&*channel.name).cloned(),
        heads: chain::heads(channel.entries()).into_iter().map(str::to_owned).collect(),
        entries: channel.entries().iter().map(entry).collect(),
    }
}

/// The edges of each channel between the names that the channel itself uses.
fn edges(package: &Package) -> Vec<EdgeView> {
    let mut edges = Vec::new();
    for channel in &package.channels {
        let installed =
            |name: &str| package.bundle(name).map_or_else(|| Installed::outside(name, None), Installed::bundle);
        let used: Vec<Installed> = used_names(channel).into_iter().map(installed).collect();
        edges.extend(covers(channel, &used).filter(|(from, to, _)| from != to).map(|(from, to, via)| EdgeView {
            channel: channel.name.to_string(),
            from: from.to_owned(),
            to: to.to_owned(),
            via: via.names().into_iter().map(str::to_owned).collect(),
        }));
    }
    edges.sort();
    edges
}

/// The names that a channel's entries have or use.
fn used_names(channel: &Channel) -> BTreeSet<&str> {
    let entries = channel.entries().iter();
    let used = entries.flat_map(|entry| entry.skips.iter().map(String::as_str).chain([&*entry.name, &*entry.replaces]));
    used.filter(|name| !name.is_empty()).collect()
}

fn bundle_view(package: &Package, installed: &Installed, day: Date) -> BundleView {
    let bundle = package.bundle(&installed.name);
    let (_, version, release) = bundle.and_then(Bundle::stated).unwrap_or_default();
    let listing = package.channels.iter().filter(|channel| channel.entry(&installed.name).is_some());
    let csv = bundle.and_then(|bundle| bundle.facts.csv.as_ref());
    let properties: &[Property] = bundle.map_or(&[], |bundle| &bundle.facts.properties);
    let maximum = properties.iter().find_map(|property| match &property.value {
        PropertyValue::MaxOpenShiftVersion { text, .. } => Some(text.clone()),
        _ => None,
    });
    BundleView {
        name: installed.name.to_string(),
        in_catalog: bundle.is_some(),
        version: stated(Some(version)),
        release: stated(Some(release)),
        image: stated(bundle.map(|bundle| bundle.facts.image.as_str())),
        channels: listing.map(|channel| channel.name.to_string()).collect(),
        deprecated: package.deprecations.bundles.get(&*installed.name).cloned(),
        min_kube_version: stated(csv.map(|csv| csv.min_kube_version.as_str())),
        max_openshift_version: maximum,
        requires: properties.iter().filter_map(requirement).collect(),
        forbidden: bundle.is_some_and(|bundle| bundle.has_property("olm.deprecated")),
        lifecycle: lifecycle_view(&package.lifecycle, bundle, day),
        contents: None,
    }
}

fn requirement(property: &Property) -> Option<RequirementView> {
    let text = match (property.kind.as_str(), &property.value) {
        ("olm.gvk.required", PropertyValue::Gvk(gvk)) => gvk.to_string(),
        ("olm.package.required", PropertyValue::PackageRequired(range)) => format!("{} {}", range.package, range.range),
        ("olm.constraint", PropertyValue::Constraint(constraint)) => constraint_text(constraint),
        ("olm.label.required", PropertyValue::Label(label)) => label.clone(),
        ("olm.gvk.required" | "olm.package.required" | "olm.constraint" | "olm.label.required", _) => {
            "not readable".to_owned()
        }
        _ => return None,
    };
    Some(RequirementView { kind: property.kind.clone(), text })
}
