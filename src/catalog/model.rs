//! A catalog as a whole: packages with their channels, bundles, deprecations and lifecycles.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg.go` and `alpha/model/model.go`. Facts are shared with every other catalog
//! that holds the same document. Cost: one node for each channel and bundle.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::facts::{BundleFacts, ChannelFacts, Entry, LifecycleVersion, PackageFacts, PropertyValue};
use crate::finding::{SourceRef, Subject};
use crate::version::{BundleVersion, SemanticVersion};

/// One catalog.
#[derive(Debug, Clone)]
pub struct Catalog {
    /// The name it was given.
    pub name: Arc<str>,
    /// Its packages by name; one that is only mentioned by channels or bundles is there too, with `defined` unset.
    pub packages: BTreeMap<Arc<str>, Package>,
    /// How many documents of each kind were read.
    pub counts: Counts,
}

/// How many documents of each kind a catalog has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// `olm.package` documents.
    pub packages: usize,
    /// `olm.channel` documents.
    pub channels: usize,
    /// Entries over all channels.
    pub entries: usize,
    /// `olm.bundle` documents.
    pub bundles: usize,
    /// `olm.deprecations` documents.
    pub deprecations: usize,
    /// Documents of every other schema.
    pub other: usize,
}

/// One package.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its name.
    pub name: Arc<str>,
    /// The `olm.package` document; `None` where only other documents mention the package.
    pub defined: Option<Arc<PackageFacts>>,
    /// Where the package, or the first document that mentions it, stands.
    pub at: SourceRef,
    /// Its channels, by name.
    pub channels: Vec<Channel>,
    /// Its bundles, by name.
    pub bundles: Vec<Bundle>,
    /// What its author says against using it, or parts of it.
    pub deprecations: Deprecations,
    /// Lifecycle by minor, or why there is none.
    pub lifecycle: Lifecycle,
}

/// One channel.
#[derive(Debug, Clone)]
pub struct Channel {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: SourceRef,
    /// What it states.
    pub facts: Arc<ChannelFacts>,
    /// Positions of the entries, sorted by their names; equal names keep the order of the document.
    by_name: Arc<[usize]>,
}

/// One bundle.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: SourceRef,
    /// What it states.
    pub facts: Arc<BundleFacts>,
    /// Its version by the strict grammar; `None` where none is stated or it does not parse.
    pub version: Option<SemanticVersion>,
}

/// Deprecation messages of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deprecations {
    /// Whether the catalog has a deprecations document for the package.
    pub stated: bool,
    /// The package as a whole.
    pub package: Option<String>,
    /// Channels by name.
    pub channels: BTreeMap<String, String>,
    /// Bundles by name.
    pub bundles: BTreeMap<String, String>,
}

/// The lifecycle of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Lifecycle {
    /// The catalog has no lifecycle document for the package.
    #[default]
    NotStated,
    /// It has one that cannot be used.
    Unusable(String),
    /// The versions that it states.
    Stated(Vec<LifecycleVersion>),
}

impl Package {
    /// The default channel, `None` where none is stated.
    pub fn default_channel(&self) -> Option<&str> {
        self.defined.as_ref().map(|facts| facts.default_channel.as_str()).filter(|name| !name.is_empty())
    }

    /// The channel of this name.
    pub fn channel(&self, name: &str) -> Option<&Channel> {
        self.channels.iter().find(|channel| *channel.name == *name)
    }

    /// The bundle of this name.
    pub fn bundle(&self, name: &str) -> Option<&Bundle> {
        let index = self.bundles.binary_search_by(|bundle| (*bundle.name).cmp(name)).ok()?;
        self.bundles.get(index)
    }

    /// The package as what a finding is about.
    pub fn subject(&self, catalog: &Arc<str>) -> Subject {
        Subject::package(catalog.clone(), self.name.clone())
    }
}

impl Channel {
    /// A channel that states these facts in this place.
    pub fn new(at: SourceRef, facts: Arc<ChannelFacts>) -> Self {
        let mut named: Vec<(&str, usize)> =
            facts.entries.iter().enumerate().map(|(position, entry)| (entry.name.as_str(), position)).collect();
        named.sort_unstable();
        let by_name = named.into_iter().map(|(_, position)| position).collect();
        Self { name: (*facts.name).into(), at, facts, by_name }
    }

    /// The entries in the order of the document.
    pub fn entries(&self) -> &[Entry] {
        &self.facts.entries
    }

    /// The first entry of this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        let named = |position: usize| self.entries().get(position);
        let lower = |position: &usize| named(*position).is_some_and(|entry| *entry.name < *name);
        let first = self.by_name.get(self.by_name.partition_point(lower))?;
        named(*first).filter(|entry| entry.name == name)
    }
}

impl Bundle {
    /// The first `olm.package` property: package, version and release as stated.
    pub fn stated(&self) -> Option<(&str, &str, &str)> {
        self.facts.properties.iter().find_map(|property| match &property.value {
            PropertyValue::Package { package, version, release } => Some((&**package, &**version, &**release)),
            _ => None,
        })
    }

    /// Version and release as OLM v1 orders them: build metadata that reads as a release is the release
    /// (operator-controller `bundleutil/bundle.go`, with the gate BundleReleaseSupport off, its default).
    pub fn version_and_release(&self) -> Option<BundleVersion> {
        BundleVersion::from_legacy_version(self.stated()?.1).ok()
    }

    /// Whether the bundle has a property of this type.
    pub fn has_property(&self, kind: &str) -> bool {
        self.facts.properties.iter().any(|property| property.kind == kind)
    }
}
