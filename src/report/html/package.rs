//! The page of a package.
//!
//! Cost: that of the map, the walks and the chooser, which say their own.

use std::collections::BTreeSet;

use serde::Serialize;

use super::budget::Budget;
use super::chooser;
use super::entries::{self, EntryTable};
use super::findings::{self, FindingTable};
use super::frame::Frame;
use super::names::{self, Names};
use super::walks::{self, WalkTable};
use super::words::{self, Badge};
use super::{Page, Stamp};
use crate::finding::counted;
use crate::report::schema::{BundleView, ChannelView, ContentsView, LifecycleView, PackageView};
use crate::report::{phrase, place, prose, route_map};

/// What the package template prints.
#[derive(Debug, Serialize)]
pub(super) struct PackagePage {
    frame: Frame,
    package: String,
    heading: String,
    provider: Option<String>,
    validity: Badge,
    badges: Vec<Badge>,
    deprecated: Option<String>,
    default_channel: Option<String>,
    /// The heads of the default channel.
    heads: Vec<String>,
    bundle_count: usize,
    map: Map,
    /// The chooser's data as JSON, escaped; null where it would be too large.
    chooser: Option<String>,
    findings: FindingTable,
    channel_count: usize,
    channels: Vec<ChannelRow>,
    channels_left_out: usize,
    any_deprecated: bool,
    walks: Vec<WalkTable>,
    entries: Vec<EntryTable>,
    bundles: Vec<BundleRow>,
    bundles_left_out: usize,
    outside: Option<Outside>,
    /// HTML, made by [`prose`].
    description: Option<String>,
}

/// The route map: markup of [`route_map`].
#[derive(Debug, Serialize)]
struct Map {
    svg: String,
    labels: String,
    legend: String,
    /// How much wider than a printed sheet the map is, from 1 (it fits) to 5; the print style sheet makes it smaller.
    width: u8,
}

/// A channel in the list.
#[derive(Debug, Serialize)]
struct ChannelRow {
    name: String,
    default: bool,
    heads: Vec<String>,
    entries: usize,
    deprecated: Option<String>,
}

/// Names that entries use and the catalog does not hold.
#[derive(Debug, Serialize)]
struct Outside {
    count: usize,
    names: String,
}

/// A bundle in the list.
#[derive(Debug, Serialize)]
struct BundleRow {
    name: String,
    version: Option<String>,
    image: Option<String>,
    channels: String,
    notes: Vec<String>,
    lifecycle: Option<String>,
    requires: Vec<String>,
}

impl Page for PackagePage {
    fn title(&self) -> &str {
        &self.frame.title
    }
}

/// The page of a package.
///
/// # Errors
/// Where the chooser's data cannot be written.
pub(super) fn page(view: &PackageView, stamp: Option<&Stamp>) -> Result<PackagePage, serde_json::Error> {
    let names = Names::of(view);
    let mut channels: Vec<&ChannelView> = view.channels.iter().collect();
    channels.sort_by_key(|channel| (!channel.default, route_map::natural_order(&channel.name)));
    let shown = channels.get(..Budget::CHANNELS).unwrap_or(&channels);
    let (bundles, bundles_left_out) = bundles(view);
    Ok(PackagePage {
        frame: frame(view, stamp),
        package: view.package.clone(),
        heading: view.display_name.clone().unwrap_or_else(|| view.package.clone()),
        provider: view.provider.clone(),
        validity: words::validity(view.valid),
        badges: words::severities(phrase::count(&view.findings)),
        deprecated: view.deprecated.as_deref().map(message),
        default_channel: view.default_channel.clone(),
        heads: channels.iter().filter(|channel| channel.default).flat_map(|channel| heads(channel)).collect(),
        bundle_count: view.bundles.iter().filter(|bundle| bundle.in_catalog).count(),
        map: map(view, shown),
        chooser: chooser::data(view, &names)?,
        findings: findings::table(&view.findings),
        channel_count: channels.len(),
        channels: shown.iter().map(|channel| channel_row(channel)).collect(),
        channels_left_out: channels.len() - shown.len(),
        any_deprecated: channels.iter().any(|channel| channel.deprecated.is_some()),
        walks: walks::tables(view, &names),
        entries: entries::tables(shown, &names),
        bundles,
        bundles_left_out,
        outside: outside(view),
        description: view.description.as_deref().map(|text| prose::to_html(text, 2)),
    })
}

fn frame(view: &PackageView, stamp: Option<&Stamp>) -> Frame {
    Frame::new(
        &view.package,
        &place::package_page(&view.catalog, &view.package),
        place::package_api(&view.catalog, &view.package),
        &[("Overview", place::OVERVIEW_PAGE.to_owned()), (&view.catalog, place::catalog_page(&view.catalog))],
        stamp,
        Some(&view.catalog),
    )
}

/// The map of the channels that have room on the page.
fn map(view: &PackageView, shown: &[&ChannelView]) -> Map {
    let map = if shown.len() < view.channels.len() {
        let names: BTreeSet<&str> = shown.iter().map(|channel| channel.name.as_str()).collect();
        let mut part = view.clone();
        part.channels.retain(|channel| names.contains(channel.name.as_str()));
        part.edges.retain(|edge| names.contains(edge.channel.as_str()));
        route_map::draw(&part)
    } else {
        route_map::draw(view)
    };
    let width = width_class(map.width);
    Map { svg: map.svg, labels: map.labels, legend: map.legend, width }
}

/// The class of a map of so many CSS pixels, with its labels on A4: the style sheet has a factor for each.
fn width_class(width: i32) -> u8 {
    match width {
        ..=520 => 1,
        521..=820 => 2,
        821..=1220 => 3,
        1221..=1950 => 4,
        _ => 5,
    }
}

fn channel_row(channel: &ChannelView) -> ChannelRow {
    ChannelRow {
        name: channel.name.clone(),
        default: channel.default,
        heads: heads(channel),
        entries: channel.entries.len(),
        deprecated: channel.deprecated.as_deref().map(message),
    }
}

/// The first heads, and how many more there are.
fn heads(channel: &ChannelView) -> Vec<String> {
    let more = channel.heads.len().saturating_sub(Budget::HEADS);
    let first = channel.heads.iter().take(Budget::HEADS).cloned();
    first.chain((more > 0).then(|| format!("{more} more"))).collect()
}

/// A message of a deprecation, cut where it is longer than a page has room for.
fn message(text: &str) -> String {
    let with_room = |(at, character): &(usize, char)| at + character.len_utf8() <= Budget::MESSAGE;
    let start: String = text.char_indices().take_while(with_room).map(|(_, character)| character).collect();
    if start.len() == text.len() { start } else { start + " …" }
}

/// The names that entries use and the catalog does not hold, in their order.
fn outside(view: &PackageView) -> Option<Outside> {
    let names: Vec<&str> =
        view.bundles.iter().filter(|bundle| !bundle.in_catalog).map(|bundle| bundle.name.as_str()).collect();
    let mut budget = Budget::of(Budget::BUNDLES / 2);
    let shown: Vec<&str> = names.iter().copied().filter(|name| budget.take(name.len())).collect();
    let more = match budget.left_out() {
        0 => String::new(),
        left_out => format!(", … {left_out} more"),
    };
    (!names.is_empty()).then(|| Outside { count: names.len(), names: shown.join(", ") + &more })
}

/// The bundles of the catalog, newest first, and how many found no room.
fn bundles(view: &PackageView) -> (Vec<BundleRow>, usize) {
    let mut budget = Budget::of(Budget::BUNDLES);
    let rows = view
        .bundles
        .iter()
        .rev()
        .filter(|bundle| bundle.in_catalog)
        .map(bundle_row)
        .filter(|row| budget.take(row.length()))
        .collect();
    (rows, budget.left_out())
}

fn bundle_row(bundle: &BundleView) -> BundleRow {
    let mut notes = Vec::new();
    notes.extend(bundle.deprecated.as_ref().map(|text| format!("Deprecated: {}", message(text))));
    if bundle.forbidden {
        notes.push("OLM v0 does not install it (olm.deprecated)".to_owned());
    }
    notes.extend(bundle.max_openshift_version.as_ref().map(|version| format!("Up to OpenShift {version}")));
    notes.extend(bundle.contents.as_ref().map(contents));
    notes.extend(bundle.min_kube_version.as_ref().map(|version| format!("From Kubernetes {version}")));
    BundleRow {
        name: bundle.name.clone(),
        version: names::version(bundle),
        image: bundle.image.clone(),
        channels: bundle.channels.join(", "),
        notes,
        lifecycle: lifecycle(&bundle.lifecycle),
        requires: bundle.requires.iter().map(|required| format!("{}: {}", required.kind, required.text)).collect(),
    }
}

/// What is known of the contents of a bundle.
fn contents(view: &ContentsView) -> String {
    match (view.objects, &view.reason) {
        (Some(objects), _) => format!("Contents: {}", counted(objects, "object")),
        (None, Some(reason)) => format!("Contents not known: {}", message(reason)),
        (None, None) => "Contents not known".to_owned(),
    }
}

impl BundleRow {
    fn length(&self) -> usize {
        let optional = [&self.version, &self.image, &self.lifecycle].into_iter().flatten().map(String::len);
        let lists = self.notes.iter().chain(&self.requires).map(|text| text.len() + 9);
        self.name.len() + self.channels.len() + optional.chain(lists).sum::<usize>()
    }
}

/// The phase and its last day, or nothing where the catalog states none.
fn lifecycle(lifecycle: &LifecycleView) -> Option<String> {
    let phase = lifecycle.phase.as_ref().filter(|_| lifecycle.known)?;
    Some(match (&lifecycle.ends, lifecycle.days_left) {
        (Some(ends), Some(days)) if days >= 0 => {
            let left = counted(usize::try_from(days).unwrap_or(usize::MAX), "day");
            format!("{phase} until {ends} ({left} left)")
        }
        (Some(ends), _) => format!("{phase} until {ends}"),
        (None, _) => phase.clone(),
    })
}
