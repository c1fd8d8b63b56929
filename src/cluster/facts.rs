//! What a dump tells of a cluster.
//!
//! Cost: a look-up is one step into a sorted map.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::kind::ObjectKind;
use super::observed::Observed;
use super::path;
use super::readiness::Readiness;
use crate::finding::SourceRef;

/// The name of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// Its kind.
    pub kind: ObjectKind,
    /// Its namespace, empty where it lies in none.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// An object as far as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterObject {
    /// Where it stands in the dump.
    pub at: SourceRef,
    /// `apiVersion`, `kind`, `metadata` without managed fields, `spec` and `status`, of some kinds only a part, and of
    /// ConfigMaps `data` and `binaryData`.
    pub value: Json,
}

impl ClusterObject {
    /// What lies below these names, one inside the other.
    #[must_use]
    pub fn at(&self, names: &[&str]) -> Option<&Json> {
        path::at(&self.value, names)
    }

    /// The text that lies below these names.
    #[must_use]
    pub fn text(&self, names: &[&str]) -> Option<&str> {
        path::text_at(&self.value, names)
    }
}

/// What a dump tells of a cluster. What it does not tell is not known: [`ClusterFacts::lacking`] names it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClusterFacts {
    pub(super) objects: BTreeMap<ObjectKey, ClusterObject>,
    pub(super) collected: BTreeSet<ObjectKind>,
    /// Resources, or `resource/name`, of which the API server said that there are none.
    pub(super) absent: BTreeSet<String>,
    /// When the dump was taken, where that can be told.
    pub observed: Option<Observed>,
    /// The readiness report of the cluster-version-operator.
    pub readiness: Option<Readiness>,
}

impl ClusterFacts {
    /// The objects of a kind, by namespace and name.
    pub fn of_kind(&self, kind: ObjectKind) -> impl Iterator<Item = (&ObjectKey, &ClusterObject)> {
        let first = ObjectKey { kind, namespace: String::new(), name: String::new() };
        self.objects.range(first..).take_while(move |(key, _)| key.kind == kind)
    }

    /// The object of this name; the namespace is empty where the kind has none.
    #[must_use]
    pub fn object(&self, kind: ObjectKind, namespace: &str, name: &str) -> Option<&ClusterObject> {
        self.objects.get(&ObjectKey { kind, namespace: namespace.to_owned(), name: name.to_owned() })
    }

    /// Whether the dump tells of this kind, even if only that there is nothing of it.
    #[must_use]
    pub fn is_collected(&self, kind: ObjectKind) -> bool {
        self.collected.contains(&kind)
    }

    /// The number of objects of each kind that was collected.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.collected.iter().map(|kind| (kind.name(), self.of_kind(*kind).count())).collect()
    }

    /// Whether nothing at all is told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.collected.is_empty() && self.readiness.is_none()
    }
}
