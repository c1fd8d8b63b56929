//! What a bundle holds, in a form that can be kept by the digest of its image: no catalog, no store, no place stands in it.
//!
//! Rule: that of [`super`]. Cost: a few hundred bytes for each object; the values of objects stand apart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CsvFacts;
use crate::codec::{ManifestFault, ObjectFacts};

/// The contents of one bundle: its facts, and its objects in full.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BundleContents {
    /// The facts.
    pub facts: BundleFacts,
    /// The object of each of `facts.objects`, in the same order. Of a Secret only its identity and type are kept,
    /// of a ClusterServiceVersion all but its examples of objects.
    pub values: Vec<Value>,
}

impl BundleContents {
    /// Each object with what it is and where it stands.
    pub fn objects(&self) -> impl Iterator<Item = (&ObjectFacts, &Value)> {
        self.facts.objects.iter().zip(&self.values)
    }
}

/// The facts of one bundle.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BundleFacts {
    /// The format, such as `registry+v1`; empty where neither label nor annotation states it.
    pub media_type: String,
    /// The directory of the manifests, without a closing `/`.
    pub manifests: String,
    /// The directory of the metadata, without a closing `/`.
    pub metadata: String,
    /// Everything below `annotations` of the annotations file, or the labels of the image that begin like those where there
    /// is no such file.
    pub annotations: BTreeMap<String, String>,
    /// The package that the annotations name, empty where they name none.
    pub package: String,
    /// The channels that the annotations name, in their order.
    pub channels: Vec<String>,
    /// The default channel that the annotations name, empty where they name none.
    pub default_channel: String,
    /// The ClusterServiceVersion: the first one, as opm takes it.
    pub csv: Option<CsvFacts>,
    /// Every object of the manifests, by file and document.
    pub objects: Vec<ObjectFacts>,
    /// The dependencies that the metadata state.
    pub dependencies: Vec<TypedValue>,
    /// The properties that the metadata state.
    pub properties: Vec<TypedValue>,
    /// Every file that is neither a manifest nor one of the known files of metadata.
    pub other_files: Vec<FileFacts>,
    /// What is wrong with the contents themselves.
    pub faults: Vec<BundleFault>,
}

/// A dependency or property: a type, and a value of its shape.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TypedValue {
    /// The type, such as `olm.gvk`.
    pub kind: String,
    /// The value.
    pub value: Value,
}

/// A file that is not looked into.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Its path.
    pub path: String,
    /// Its length.
    pub bytes: u64,
}

/// What is wrong with the contents of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BundleFault {
    /// A file, or a document of it, does not decode.
    Undecodable(ManifestFault),
    /// No ClusterServiceVersion in the directory of the manifests.
    NoCsv,
    /// Several ClusterServiceVersions, by name.
    SeveralCsvs(Vec<String>),
    /// No `annotations.yaml` in the directory of the metadata.
    MissingAnnotations,
    /// A label and an annotation of the same key differ.
    AnnotationMismatch {
        /// The key.
        key: String,
        /// The label.
        label: String,
        /// The annotation.
        annotation: String,
    },
    /// A label or annotation names what cannot be a directory of the image.
    BadDirectory {
        /// The key.
        key: String,
        /// What it names.
        value: String,
        /// The directory that is taken instead.
        directory: String,
    },
    /// The format is none that is read here.
    UnknownMediaType(String),
    /// A file lies in a directory below that of the manifests.
    NestedManifest(String),
    /// A file holds several documents.
    SeveralDocuments {
        /// The file.
        path: String,
        /// How many.
        number: usize,
    },
}
