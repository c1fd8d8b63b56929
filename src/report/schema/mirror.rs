//! The answers of `skipstone mirror inventory`, `mirror missing` and `mirror diff`.
//!
//! Rule and cost: those of [`super`].

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FindingView;

/// A place that holds images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoreView {
    /// Its shape, such as `oci-layout` or `registry-storage`.
    pub shape: String,
    /// Where it lies, without the directories above.
    pub place: String,
    /// Whether the digests that others know its images by can be checked there.
    pub provable: bool,
    /// False where a part of it could not be read.
    pub complete: bool,
}

/// `skipstone mirror inventory`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InventoryView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// What was looked into.
    pub stores: Vec<StoreView>,
    /// What lies there, by store and name.
    pub repositories: Vec<RepositoryView>,
    /// Bytes over all distinct blobs and manifests.
    pub unique_bytes: u64,
    /// What is wrong with the stores, worst first.
    pub findings: Vec<FindingView>,
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepositoryView {
    /// Position of its store in `stores`.
    pub store: usize,
    /// Its name; where the store keeps none, the name of the store.
    pub name: String,
    /// Its tags, sorted.
    pub tags: Vec<String>,
    /// Its images.
    pub images: Vec<ImageView>,
    /// Bytes over its distinct blobs and manifests.
    pub unique_bytes: u64,
}

/// An image, an index, or a directory of unpacked content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImageView {
    /// The digest that others know it by; null where it cannot be proven.
    pub digest: Option<String>,
    /// The digest of what lies here; it differs from `digest` where the store holds a converted copy, and is null for a
    /// directory.
    pub content_digest: Option<String>,
    /// What it is, such as `catalog`, `bundle`, `release`, `signature`, `catalog-directory` or `other`; `unknown` where its
    /// configuration is not there.
    pub kind: String,
    /// Media type of its manifest; null where none is stated.
    pub media_type: Option<String>,
    /// Bytes over its distinct blobs and manifests; null where its manifest is not there.
    pub bytes: Option<u64>,
    /// Its tags, sorted.
    pub tags: Vec<String>,
    /// How many of its blobs and manifests are not there or damaged.
    pub faulty_parts: usize,
    /// Its images: one for each platform.
    pub instances: Vec<InstanceView>,
    /// What its labels say: `catalog_directory`, `package`, `channels`, `release`, `artifact_type`.
    pub labels: BTreeMap<String, String>,
    /// What signs or attests it in the same repository.
    pub signatures: Vec<SignatureView>,
    /// Whether a release signature vouches for it.
    pub release_signature: ReleaseSignatureView,
    /// The path of the directory, where it is one.
    pub path: Option<String>,
    /// What a reader should know, as sentences.
    pub notes: Vec<String>,
}

/// One image of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InstanceView {
    /// Its digest.
    pub digest: String,
    /// The machine that it is for, as `linux/amd64`; null where nothing says so.
    pub platform: Option<String>,
    /// Whether it only attests another instance.
    pub attestation: bool,
    /// Whether it is there with all its parts.
    pub complete: bool,
    /// Bytes over its distinct blobs, its manifest included; null where its manifest is not there.
    pub bytes: Option<u64>,
}

/// Something that signs or attests an image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SignatureView {
    /// `cosign-signature`, `cosign-attestation` or `cosign-sbom`; it is there, which says nothing about whether it is right.
    pub kind: String,
    /// The tag that it lies under.
    pub tag: String,
}

/// Whether a signature vouches for a release.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReleaseSignatureView {
    /// Whether it is known: keys were given and there was a signature to check, or there is one that nothing could verify.
    pub known: bool,
    /// True where a given key signed exactly this digest, false where what lies here is no signature of it; null where that
    /// is not known.
    pub verified: Option<bool>,
    /// Why it is not verified; null where it is.
    pub reason: Option<String>,
    /// Fingerprint of the primary key that signed; null where nothing is verified.
    pub key: Option<String>,
    /// The name under which the release was signed; null where nothing is verified.
    pub reference: Option<String>,
    /// The file of the signature, with its name in a ConfigMap behind `#`; null where there is none.
    pub file: Option<String>,
}

/// `skipstone mirror missing`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// What was looked into.
    pub mirrors: Vec<StoreView>,
    /// Number of sources that the mirror rules name; null where no rules were given.
    pub rules: Option<usize>,
    /// Bundles with the images that they need, by catalog, package and name.
    pub bundles: Vec<MissingBundleView>,
    /// Payloads with their components.
    pub releases: Vec<MissingReleaseView>,
    /// What each package needs, by catalog and name.
    pub packages: Vec<ShareView>,
    /// Sums over everything, each image and each blob once.
    pub totals: MissingTotals,
    /// What to copy so that nothing is absent or bad any more, by source: the lines `source=destination` of a `mapping.txt`.
    /// What has no entry here cannot be mended by a copy, or nothing says where it belongs.
    pub repair: Vec<RepairView>,
    /// What is wrong with mirrors and rules, worst first.
    pub findings: Vec<FindingView>,
}

/// A bundle and its images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingBundleView {
    /// The catalog.
    pub catalog: String,
    /// The package.
    pub package: String,
    /// The bundle.
    pub bundle: String,
    /// Its images, in the order of the catalog, the bundle image first.
    pub images: Vec<MissingImageView>,
}

/// A payload and its components.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingReleaseView {
    /// The payload.
    pub release: String,
    /// Its images.
    pub images: Vec<MissingImageView>,
}

/// An image that something needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingImageView {
    /// The reference as it is written.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What it is there: `bundle`, or the names that its author gives it.
    pub roles: Vec<String>,
    /// `present`, `expected-at-target`, `absent`, `sparse`, `bad` or `unprovable`.
    pub state: String,
    /// Why, as `skipstone explain mirror/WHY` explains it; null where it is present.
    pub why: Option<String>,
    /// What is missing or wrong, as a sentence; null where it is present.
    pub reason: Option<String>,
    /// Where it was found, or the nearest to it; null where it is nowhere.
    pub found: Option<FoundView>,
    /// Bytes over its distinct blobs and manifests; null where nobody knows.
    pub bytes: Option<u64>,
}

/// One line of a mapping.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepairView {
    /// The reference as it is written.
    pub source: String,
    /// Where it belongs: repository and tag; without a host where that of the mirror is not known.
    pub destination: String,
}

/// Where an image lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundView {
    /// Position of the mirror in `mirrors`.
    pub mirror: usize,
    /// The repository; null where the mirror keeps none.
    pub repository: Option<String>,
    /// The tag, where it was looked for by one.
    pub tag: Option<String>,
    /// The digest.
    pub digest: String,
}

/// What a package needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShareView {
    /// The catalog.
    pub catalog: String,
    /// The package.
    pub package: String,
    /// Distinct images.
    pub images: usize,
    /// Of these, absent or bad ones.
    pub broken: usize,
    /// Of these, those whose size is not known here: the bytes are a lower bound then.
    pub unknown_size: usize,
    /// Bytes over its distinct blobs.
    pub bytes: u64,
    /// Of these, bytes that nothing else in this answer needs.
    pub unique_bytes: u64,
    /// Of these, bytes that something else needs as well.
    pub shared_bytes: u64,
}

/// Sums over all images of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissingTotals {
    /// Distinct images.
    pub images: usize,
    /// Of these, in the state `present`.
    pub present: usize,
    /// Of these, in the state `sparse`.
    pub sparse: usize,
    /// Of these, in the state `expected-at-target`.
    pub expected_at_target: usize,
    /// Of these, in the state `absent`.
    pub absent: usize,
    /// Of these, in the state `bad`.
    pub bad: usize,
    /// Of these, in the state `unprovable`.
    pub unprovable: usize,
    /// Of these, those whose size is not known here: the bytes below are lower bounds then.
    pub unknown_size: usize,
    /// Bytes of all blobs that are needed.
    pub needed_bytes: u64,
    /// Of these, bytes that are here.
    pub present_bytes: u64,
    /// Of these, bytes that must be brought.
    pub carry_bytes: u64,
}

/// `skipstone mirror diff`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorDiffView {
    /// The version of the published schema.
    pub schema_version: u32,
    /// What changed, by subject and code.
    pub changes: Vec<ChangeView>,
    /// What is wrong with the mirrors, worst first.
    pub findings: Vec<FindingView>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeView {
    /// The code; `skipstone explain CODE` tells more.
    pub code: String,
    /// `warning` where something that is installed may suffer, else `info`.
    pub severity: String,
    /// What it is about.
    pub subject: ChangeSubjectView,
    /// What was there before.
    pub old: Option<String>,
    /// What is there now.
    pub new: Option<String>,
}

/// What a change is about; null where a level does not apply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeSubjectView {
    /// The repository; empty where the mirror keeps none.
    pub repository: Option<String>,
    /// The tag.
    pub tag: Option<String>,
    /// The catalog.
    pub catalog: Option<String>,
    /// The package.
    pub package: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// The bundle.
    pub bundle: Option<String>,
}
