//! What one document of a file-based catalog states, without its place: the same document in several catalogs is decoded
//! once and kept once.
//!
//! Rule: the four core schemas and their fields are those of operator-registry `alpha/declcfg/declcfg.go`; every other
//! schema is kept as opaque. Cost: a few hundred bytes for each document; manifests, icons and long texts are dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::codec::Note;

/// One document after decoding: its facts or its fault, and what a reader should know of its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecodedDocument {
    /// The facts, or why there are none.
    pub outcome: Outcome,
    /// Duplicate keys and scalars that YAML 1.1 reads otherwise; lines count from the document's first.
    pub notes: Vec<Note>,
}

/// The facts of a document, or why it has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// What it states.
    Facts(DocumentFacts),
    /// It has no schema, or an empty one.
    MissingSchema,
    /// It does not decode.
    Fault {
        /// Line of the fault, counted from the document's first.
        line: u32,
        /// What is wrong.
        reason: String,
    },
}

/// One document, by its schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DocumentFacts {
    /// `olm.package`.
    Package(Arc<PackageFacts>),
    /// `olm.channel`.
    Channel(Arc<ChannelFacts>),
    /// `olm.bundle`.
    Bundle(Arc<BundleFacts>),
    /// `olm.deprecations`.
    Deprecations(Arc<DeprecationsFacts>),
    /// `io.openshift.operators.lifecycles.v1alpha1`.
    Lifecycle(Arc<LifecycleFacts>),
    /// Any other schema: legal, and of no effect.
    Other(Arc<OtherFacts>),
}

/// `olm.package`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PackageFacts {
    /// The package's name.
    pub name: String,
    /// `defaultChannel`, empty where it is not stated.
    pub default_channel: String,
    /// Foreign Markdown.
    pub description: String,
    /// Properties that the package itself carries.
    pub properties: Vec<Property>,
}

/// `olm.channel`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChannelFacts {
    /// The package it belongs to.
    pub package: String,
    /// The channel's name.
    pub name: String,
    /// Its entries in the order of the document.
    pub entries: Vec<Entry>,
}

/// One entry of a channel: the only place that makes edges.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The bundle's name.
    pub name: String,
    /// The name it replaces, empty where it replaces none.
    pub replaces: String,
    /// The names it skips.
    pub skips: Vec<String>,
    /// A range in the blang dialect, empty where it has none.
    pub skip_range: String,
}

/// `olm.bundle`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BundleFacts {
    /// The package it belongs to.
    pub package: String,
    /// The bundle's name.
    pub name: String,
    /// The bundle image, empty where the manifests are inline only.
    pub image: String,
    /// Images that the bundle needs: name and reference.
    pub related_images: Vec<RelatedImage>,
    /// Its properties in the order of the document.
    pub properties: Vec<Property>,
    /// Number of `olm.bundle.object` properties.
    pub objects: u32,
    /// What its ClusterServiceVersion says, from `olm.csv.metadata` or from an inline object.
    pub csv: Option<CsvFacts>,
}

/// An image that a bundle needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedImage {
    /// The author's name for it.
    pub name: String,
    /// The reference.
    pub image: String,
}

/// A property: its type, and its value as far as anybody asks for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Property {
    /// The type, such as `olm.package`.
    pub kind: String,
    /// The value.
    pub value: PropertyValue,
}

/// The value of a property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PropertyValue {
    /// `olm.package`.
    Package {
        /// `packageName`.
        package: String,
        /// `version` as stated.
        version: String,
        /// `release` as stated, empty where there is none.
        release: String,
    },
    /// `olm.gvk` and `olm.gvk.required`.
    Gvk(Gvk),
    /// `olm.package.required`.
    PackageRequired(PackageRange),
    /// `olm.constraint`.
    Constraint(Constraint),
    /// `olm.maxOpenShiftVersion`: the text, and whether it stands as text rather than as a number.
    MaxOpenShiftVersion {
        /// The value's text.
        text: String,
        /// False where the document has a bare number.
        is_text: bool,
    },
    /// `olm.label` and `olm.label.required`.
    Label(String),
    /// A type whose content is kept elsewhere or not needed (`olm.bundle.object`, `olm.csv.metadata`).
    Elsewhere,
    /// Any other type: its value as JSON text.
    Other(String),
    /// A known type whose value has another shape; `fatal` where opm refuses it.
    Bad {
        /// What is wrong.
        reason: String,
        /// Whether opm parses this type and so refuses the catalog.
        fatal: bool,
    },
}

/// An API.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Gvk {
    /// API group.
    pub group: String,
    /// Version.
    pub version: String,
    /// Kind.
    pub kind: String,
}

impl std::fmt::Display for Gvk {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{} {}", self.group, self.version, self.kind)
    }
}

/// A package in a range of versions (blang dialect).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageRange {
    /// The package.
    pub package: String,
    /// The range.
    pub range: String,
}

/// `olm.constraint`, as operator-framework/api `pkg/constraints/constraint.go` has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Constraint {
    /// A rule in CEL over properties.
    Cel(String),
    /// A package in a range.
    Package(PackageRange),
    /// An API.
    Gvk(Gvk),
    /// All of these.
    All(Vec<Constraint>),
    /// At least one of these.
    Any(Vec<Constraint>),
    /// None of these.
    Not(Vec<Constraint>),
}

/// What the report needs of a ClusterServiceVersion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CsvFacts {
    /// `spec.displayName`.
    pub display_name: String,
    /// `spec.provider.name`.
    pub provider: String,
    /// `spec.minKubeVersion`.
    pub min_kube_version: String,
    /// `spec.maturity`.
    pub maturity: String,
    /// Annotations that upgrade tools read: those whose key begins with `olm.`, `operators.openshift.io/` or
    /// `operatorframework.io/`, values over 4 KiB left out.
    pub annotations: BTreeMap<String, String>,
    /// Install modes that are supported.
    pub install_modes: Vec<String>,
}

/// `olm.deprecations`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeprecationsFacts {
    /// The package it belongs to.
    pub package: String,
    /// Its entries in the order of the document.
    pub entries: Vec<DeprecationEntry>,
}

/// One deprecation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeprecationEntry {
    /// `reference.schema`.
    pub schema: String,
    /// `reference.name`, empty for the package.
    pub name: String,
    /// What the author says.
    pub message: String,
}

/// `io.openshift.operators.lifecycles.v1alpha1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LifecycleFacts {
    /// The package it belongs to, empty where the document stands alone.
    pub package: String,
    /// The versions, or what is wrong with the document.
    pub versions: Result<Vec<LifecycleVersion>, String>,
}

/// The lifecycle of one minor.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LifecycleVersion {
    /// `MAJOR.MINOR`.
    pub name: String,
    /// The phases as stated.
    pub phases: Vec<LifecyclePhase>,
    /// OpenShift minors that the author supports, where a list is stated.
    pub openshift: Option<Vec<String>>,
}

/// One phase; both days are inside it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LifecyclePhase {
    /// Its name.
    pub name: String,
    /// First day, `YYYY-MM-DD`.
    pub start: String,
    /// Last day, `YYYY-MM-DD`.
    pub end: String,
}

/// A document of a schema that makes no graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherFacts {
    /// The schema.
    pub schema: String,
    /// The package, where one is stated.
    pub package: String,
    /// The name, where one is stated.
    pub name: String,
}
