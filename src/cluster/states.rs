//! One object in several states: a dump takes a while, and several dumps may lie in one place.
//!
//! Rule: see [`super::gather`]. Cost: one comparison for each repeated object; what is told of it is one finding a kind.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::facts::{ClusterObject, ObjectKey};
use super::kind::ObjectKind;
use super::path::text_at;
use crate::finding::{Code, Finding, SourceRef, Subject, codes, first_names};

/// Names that a finding shows.
const SHOWN_NAMES: usize = 5;

/// Objects that came in several states.
#[derive(Debug, Default)]
pub(super) struct States {
    /// Those whose latest state is known.
    ordered: BTreeMap<ObjectKind, Several>,
    /// Those of which nothing tells the latest state.
    unordered: BTreeMap<ObjectKind, Several>,
}

#[derive(Debug)]
struct Several {
    names: BTreeSet<String>,
    at: SourceRef,
}

impl States {
    /// Whether a state takes the place of the one that stands; a difference is remembered.
    pub(super) fn replaces(&mut self, key: &ObjectKey, standing: &ClusterObject, other: &ClusterObject) -> bool {
        let is_earlier_place = other.at < standing.at;
        if standing.value == other.value {
            return is_earlier_place;
        }
        let (of_standing, of_other) = (resource_version(&standing.value), resource_version(&other.value));
        let is_ordered = of_standing.is_some() && of_other.is_some() && of_standing != of_other;
        let several = if is_ordered { &mut self.ordered } else { &mut self.unordered };
        let at = if is_earlier_place { &standing.at } else { &other.at };
        let several = several.entry(key.kind).or_insert_with(|| Several { names: BTreeSet::new(), at: at.clone() });
        if *at < several.at {
            several.at = at.clone();
        }
        let separator = if key.namespace.is_empty() { "" } else { "/" };
        several.names.insert(format!("{}{separator}{}", key.namespace, key.name));
        (Reverse(of_other), &other.at) < (Reverse(of_standing), &standing.at)
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let of = |code: Code, several: &BTreeMap<ObjectKind, Several>| -> Vec<Finding> {
            let finding = |(kind, several): (&ObjectKind, &Several)| {
                let names: Vec<&str> = several.names.iter().map(String::as_str).collect();
                let finding = Finding::new(code, Subject::default()).at(&several.at);
                finding.with("kind", kind.name()).with("names", first_names(&names, SHOWN_NAMES))
            };
            several.iter().map(finding).collect()
        };
        let ordered = of(codes::CLUSTER_SEVERAL_STATES, &self.ordered);
        ordered.into_iter().chain(of(codes::CLUSTER_CONFLICTING_STATES, &self.unordered)).collect()
    }
}

fn resource_version(object: &Json) -> Option<u128> {
    text_at(object, &["metadata", "resourceVersion"])?.parse().ok()
}
