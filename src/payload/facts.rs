//! What a payload holds, in a form that can be kept by the digest of its image: no store and no place stands in it.
//!
//! Rule: that of [`super`]. Cost: a few hundred bytes for each manifest.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::codec::{ManifestFault, ObjectFacts};

/// The facts of one release payload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayloadFacts {
    /// `version` of release-metadata, empty where it is not known.
    pub version: String,
    /// `previous` of release-metadata: versions that may move to this one, as stated.
    pub previous: Vec<String>,
    /// `next` of release-metadata, as stated.
    pub next: Vec<String>,
    /// `metadata` of release-metadata: `url`, `release.openshift.io/architecture`, keys for Cincinnati.
    pub metadata: BTreeMap<String, String>,
    /// `metadata.name` of image-references, empty where it is not known.
    pub image_references_name: String,
    /// The images, by name.
    pub images: Vec<PayloadImage>,
    /// The components whose versions the images state, by name.
    pub components: BTreeMap<String, Component>,
    /// Every manifest, by file and document.
    pub objects: Vec<PayloadObject>,
    /// The admin gates.
    pub admin_gates: AdminGates,
    /// What is wrong with the payload itself.
    pub faults: Vec<PayloadFault>,
}

/// An image of the payload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayloadImage {
    /// The name of its tag, such as `etcd`.
    pub name: String,
    /// The reference.
    pub reference: String,
    /// Annotations about its source and its versions: those whose key begins with `io.openshift.build.`.
    pub annotations: BTreeMap<String, String>,
}

/// A component whose version images state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// The version: of several the first in the order of texts, as oc takes it.
    pub version: String,
    /// The name for people, empty where none is stated.
    pub display_name: String,
    /// All versions that images state, in the order of texts.
    pub versions: Vec<String>,
}

/// A manifest of the payload, without its content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayloadObject {
    /// What it is, and where it stands.
    pub object: ObjectFacts,
    /// The annotations that decide whether and how it is applied: those with `release.openshift.io/` or
    /// `capability.openshift.io/` in their key.
    pub annotations: BTreeMap<String, String>,
}

/// What must be acknowledged before an update from this payload's minor to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdminGates {
    /// Key and description of each gate; none is a fact, too.
    Known(BTreeMap<String, String>),
    /// They are not known: why.
    Unknown(String),
}

impl Default for AdminGates {
    fn default() -> Self {
        Self::Unknown("the payload was not read".to_owned())
    }
}

/// What is wrong with a payload.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PayloadFault {
    /// A file, or a document of it, does not decode.
    Undecodable(ManifestFault),
    /// A file that every payload has is not there.
    Missing(String),
    /// A file of metadata breaks a rule.
    BadMetadata {
        /// The file.
        path: String,
        /// The rule.
        reason: String,
    },
    /// image-references has another version than release-metadata.
    VersionMismatch,
    /// An image is not referred to by digest.
    NotByDigest {
        /// Its name.
        name: String,
        /// The reference.
        reference: String,
    },
    /// The versions that an image states do not parse.
    BadComponent {
        /// The image's name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// Images state different versions of a component.
    ConflictingComponent(String),
}
