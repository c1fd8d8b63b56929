//! Builds views from a few words.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::schema::{
    BundleView, ChannelView, EdgeView, EnginesView, EntryView, LifecycleView, PackageView, ReasonView, WalkView,
    WalksView,
};

/// A package in short: names stand in the order in which they are added.
#[derive(Debug, Clone, Default)]
pub(super) struct Sketch {
    names: Vec<(String, Option<String>)>,
    channels: BTreeMap<String, Vec<String>>,
    edges: BTreeMap<(String, String, String), Vec<String>>,
    heads: BTreeSet<(String, String)>,
    deprecated: BTreeSet<String>,
    walks: BTreeMap<String, BTreeMap<String, WalkView>>,
}

impl Sketch {
    /// Bundles that are called by their versions, oldest first.
    pub(super) fn of(versions: &[&str]) -> Self {
        let names = versions.iter().map(|version| ((*version).to_owned(), Some((*version).to_owned()))).collect();
        Self { names, ..Self::default() }
    }

    /// Names that the catalog does not hold, before all others.
    pub(super) fn outside(mut self, names: &[&str]) -> Self {
        self.names.splice(0..0, names.iter().map(|name| ((*name).to_owned(), None)));
        self
    }

    /// A channel; the one that is called `stable` is the default.
    pub(super) fn channel(mut self, name: &str, entries: &[&str]) -> Self {
        self.channels.insert(name.to_owned(), entries.iter().map(|entry| (*entry).to_owned()).collect());
        self
    }

    pub(super) fn edge(mut self, channel: &str, from: &str, to: &str, via: &str) -> Self {
        let key = (channel.to_owned(), from.to_owned(), to.to_owned());
        self.edges.entry(key).or_default().push(via.to_owned());
        self
    }

    /// `replaces` from each of the names to the next.
    pub(super) fn chain(self, channel: &str, names: &[&str]) -> Self {
        names.windows(2).fold(self, |sketch, pair| sketch.edge(channel, pair[0], pair[1], "replaces"))
    }

    pub(super) fn head(mut self, channel: &str, name: &str) -> Self {
        self.heads.insert((channel.to_owned(), name.to_owned()));
        self
    }

    pub(super) fn deprecate(mut self, name: &str) -> Self {
        self.deprecated.insert(name.to_owned());
        self
    }

    /// What OLM v0 does with a bundle that is installed: the status, the walk, and whether it is noted to lead down.
    pub(super) fn walk(mut self, channel: &str, from: &str, status: &str, stops: &[&str], notes_down: bool) -> Self {
        let position = |stop: &&str| self.names.iter().position(|(name, _)| name == stop).unwrap();
        let down = ReasonView { code: "path/moves-down".into(), message: "lower".into(), because: vec![] };
        let next = stops.first().map(|next| (*next).to_owned());
        let walk = WalkView {
            status: status.to_owned(),
            candidates: next.iter().cloned().collect(),
            next,
            path: stops.iter().map(|stop| u32::try_from(position(stop)).unwrap()).collect(),
            reaches: vec![],
            reasons: notes_down.then_some(down).into_iter().collect(),
        };
        self.walks.entry(channel.to_owned()).or_default().insert(from.to_owned(), walk);
        self
    }

    pub(super) fn view(&self) -> PackageView {
        PackageView {
            schema_version: 1,
            catalog: "catalog".to_owned(),
            package: "demo".to_owned(),
            display_name: None,
            description: None,
            provider: None,
            defined: true,
            valid: true,
            default_channel: Some("stable".to_owned()),
            deprecated: None,
            names: self.names.iter().map(|(name, _)| name.clone()).collect(),
            bundles: self.names.iter().map(|(name, version)| self.bundle(name, version.as_deref())).collect(),
            channels: self.channels.iter().map(|(name, entries)| self.channel_view(name, entries)).collect(),
            edges: self.edges.iter().map(edge_view).collect(),
            engines: EnginesView {
                olm_v0: self.walks.iter().map(|(channel, from)| (channel.clone(), walks_view(from))).collect(),
                olm_v1: BTreeMap::new(),
                olm_v1_all_channels: WalksView::default(),
            },
            findings: vec![],
        }
    }

    fn bundle(&self, name: &str, version: Option<&str>) -> BundleView {
        BundleView {
            name: name.to_owned(),
            in_catalog: version.is_some(),
            version: version.map(str::to_owned),
            release: None,
            image: None,
            channels: vec![],
            deprecated: self.deprecated.contains(name).then(|| "use another".to_owned()),
            min_kube_version: None,
            max_openshift_version: None,
            requires: vec![],
            forbidden: false,
            lifecycle: LifecycleView::default(),
            contents: None,
        }
    }

    fn channel_view(&self, name: &str, entries: &[String]) -> ChannelView {
        let entry = |name: &String| EntryView { name: name.clone(), replaces: None, skips: vec![], skip_range: None };
        ChannelView {
            name: name.to_owned(),
            default: name == "stable",
            deprecated: None,
            heads: self.heads.iter().filter(|(channel, _)| channel == name).map(|(_, head)| head.clone()).collect(),
            entries: entries.iter().map(entry).collect(),
        }
    }
}

fn walks_view(from: &BTreeMap<String, WalkView>) -> WalksView {
    WalksView { error: None, from: from.clone(), others: vec![] }
}

fn edge_view(((channel, from, to), via): (&(String, String, String), &Vec<String>)) -> EdgeView {
    EdgeView { channel: channel.clone(), from: from.clone(), to: to.clone(), via: via.clone() }
}
