//! Takes the facts out of the documents of a dump, one document after the other, in any order.
//!
//! Rule: `oc get` prints a `List` of anything; must-gather and the API itself print lists of one kind (`SubscriptionList`),
//! whose items need not say what they are (apimachinery, pkg/apis/meta/v1: TypeMeta of list items). An object that comes
//! several times counts in its latest state: that of the highest `metadata.resourceVersion`, which is a number
//! (apimachinery, pkg/util/resourceversion), and where there is none, that of the first place by name. Cost: linear in the
//! documents; objects of other kinds are not looked into.

use std::collections::btree_map::Entry;

use jiff::Timestamp;
use serde_json::Value as Json;

use super::facts::{ClusterFacts, ClusterObject, ObjectKey};
use super::keep::keep;
use super::kind::ObjectKind;
use super::observed::{Observed, ObservedBasis, of_conditions, of_timestamp_file};
use super::path::text_at;
use super::readiness::Readiness;
use super::refusal::{Refusal, refusals};
use super::states::States;
use crate::codec::Value;
use crate::finding::{Finding, SourceRef, Subject, codes};

/// Bounds on what is kept of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactLimits {
    /// Objects.
    pub objects: usize,
    /// Bytes of their names and texts together.
    pub bytes: usize,
}

impl Default for FactLimits {
    /// A million objects and 1 GiB: ten times what large clusters have of the kept kinds.
    fn default() -> Self {
        Self { objects: 1_000_000, bytes: 1 << 30 }
    }
}

/// Facts in the making.
#[derive(Debug, Default)]
pub struct Gathering {
    limits: FactLimits,
    facts: ClusterFacts,
    findings: Vec<Finding>,
    bytes: usize,
    is_full: bool,
    states: States,
    readiness_at: Option<SourceRef>,
    written: Option<Timestamp>,
    in_conditions: Option<Timestamp>,
}

/// What the items of a list are, where they do not say so themselves.
#[derive(Clone, Copy, Default)]
struct Inherited<'s> {
    api_version: &'s str,
    kind: &'s str,
}

impl Gathering {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(limits: FactLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes what one document tells.
    pub fn document(&mut self, value: &Value<'_>, at: &SourceRef) {
        self.value(value, at, Inherited::default());
    }

    /// Takes a file in which a collector wrote when it ran.
    pub fn timestamp_file(&mut self, text: &str) {
        self.written = self.written.max(of_timestamp_file(text));
    }

    /// Takes what a client printed where the API server did not answer with objects. Any other text tells nothing.
    pub fn messages(&mut self, text: &str, at: &SourceRef) {
        for refusal in refusals(text) {
            match refusal {
                Refusal::Absent(resource) => {
                    self.facts.absent.insert(resource);
                }
                Refusal::Refused(reason) => {
                    let finding = Finding::new(codes::CLUSTER_REFUSED, Subject::default()).at(at);
                    self.findings.push(finding.with("reason", reason));
                }
            }
        }
    }

    /// What is known now, and what was noticed on the way.
    #[must_use]
    pub fn finish(mut self) -> (ClusterFacts, Vec<Finding>) {
        let written = self.written.map(|at| Observed { at, basis: ObservedBasis::TimestampFile });
        let inferred = self.in_conditions.map(|at| Observed { at, basis: ObservedBasis::Conditions });
        self.facts.observed = written.or(inferred);
        self.findings.extend(self.states.findings());
        (self.facts, self.findings)
    }

    fn value(&mut self, value: &Value<'_>, at: &SourceRef, inherited: Inherited<'_>) {
        if let Some(items) = value.list() {
            for item in items.iter() {
                self.value(item, at, inherited);
            }
            return;
        }
        let Some(entries) = value.object() else { return };
        let field = |name: &str| entries.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let text = |name: &str| field(name).and_then(Value::text).filter(|text| !text.is_empty());
        let (own_version, own_kind) = (text("apiVersion"), text("kind"));
        let api_version = own_version.as_deref().unwrap_or(inherited.api_version);
        let kind = own_kind.as_deref().unwrap_or(inherited.kind);
        if kind.is_empty() {
            self.readiness(value, at, field("checks").is_some());
            return;
        }
        let Some(of_items) = kind.strip_suffix("List").filter(|_| field("items").is_some()) else {
            if let Some(kind) = ObjectKind::find(group(api_version), kind) {
                self.object(kind, value, at);
            }
            return;
        };
        let below = if of_items.is_empty() { Inherited::default() } else { Inherited { api_version, kind: of_items } };
        let items = field("items").and_then(Value::list).unwrap_or_default();
        let of_kind = ObjectKind::find(group(api_version), of_items);
        let named = || if of_items.is_empty() && items.is_empty() { named_kind(at) } else { None };
        self.facts.collected.extend(of_kind.or_else(named));
        for item in items.iter() {
            self.value(item, at, below);
        }
    }

    fn object(&mut self, kind: ObjectKind, value: &Value<'_>, at: &SourceRef) {
        let Some(object) = keep(kind, value.to_json()) else { return };
        let text = |field: &str| text_at(&object, &["metadata", field]).unwrap_or_default().to_owned();
        let (namespace, name) = (text("namespace"), text("name"));
        if name.is_empty() || namespace.is_empty() == kind.is_namespaced() {
            let reason = if name.is_empty() { "it has no name" } else { "its namespace does not fit its kind" };
            let finding = Finding::new(codes::CLUSTER_OBJECT_UNUSABLE, Subject::default()).at(at);
            self.findings.push(finding.with("kind", kind.name()).with("reason", reason));
            return;
        }
        self.facts.collected.insert(kind);
        self.in_conditions = self.in_conditions.max(of_conditions(&object));
        self.insert(ObjectKey { kind, namespace, name }, ClusterObject { at: at.clone(), value: object });
    }

    fn insert(&mut self, key: ObjectKey, object: ClusterObject) {
        let bytes = size(&object.value);
        let has_room =
            self.facts.objects.len() < self.limits.objects && self.bytes.saturating_add(bytes) <= self.limits.bytes;
        match self.facts.objects.entry(key) {
            Entry::Occupied(mut standing) => {
                let key = standing.key().clone();
                if self.states.replaces(&key, standing.get(), &object) {
                    self.bytes = self.bytes.saturating_sub(size(&standing.get().value)).saturating_add(bytes);
                    standing.insert(object);
                }
            }
            Entry::Vacant(free) if has_room => {
                self.bytes += bytes;
                free.insert(object);
            }
            Entry::Vacant(_) => self.refuse_more(&object.at),
        }
    }

    /// Says once that there is more than is kept.
    fn refuse_more(&mut self, at: &SourceRef) {
        if std::mem::replace(&mut self.is_full, true) {
            return;
        }
        let reason = format!("more than {} objects or {} bytes of them", self.limits.objects, self.limits.bytes);
        let path = at.path.as_deref().unwrap_or(&at.source);
        let finding = Finding::new(codes::INPUT_LIMIT, Subject::default()).at(at).with("path", path);
        self.findings.push(finding.with("reason", reason));
    }

    fn readiness(&mut self, value: &Value<'_>, at: &SourceRef, may_be: bool) {
        let Some(readiness) = may_be.then(|| Readiness::of(&value.to_json())).flatten() else { return };
        let Some(standing) = &self.readiness_at else {
            self.facts.readiness = Some(readiness);
            self.readiness_at = Some(at.clone());
            return;
        };
        if self.facts.readiness.as_ref() != Some(&readiness) {
            let kept = standing.min(at).clone();
            let finding = Finding::new(codes::CLUSTER_SEVERAL_READINESS, Subject::default());
            let file = kept.path.as_deref().unwrap_or(&kept.source).to_owned();
            self.findings.push(finding.at(standing.max(at)).with("kept", file));
            if kept == *at {
                self.facts.readiness = Some(readiness);
            }
            self.readiness_at = Some(kept);
        }
    }
}

/// The kind that a file is named for: `subscriptions.operators.coreos.com.yaml` holds a list of Subscriptions, even an
/// empty one that does not say so.
fn named_kind(at: &SourceRef) -> Option<ObjectKind> {
    let path = at.path.as_deref()?;
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    let (stem, _) = file.rsplit_once('.')?;
    ObjectKind::of_resource(stem)
}

/// The group of an API version; that of the core is empty.
fn group(api_version: &str) -> &str {
    api_version.rsplit_once('/').map_or("", |(group, _)| group)
}

/// Bytes of the names and texts in a value, and a word for everything else.
fn size(value: &Json) -> usize {
    const WORD: usize = 8;
    match value {
        Json::String(text) => WORD + text.len(),
        Json::Array(items) => items.iter().map(size).fold(WORD, usize::saturating_add),
        Json::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() + size(value)).fold(WORD, usize::saturating_add)
        }
        _ => WORD,
    }
}
