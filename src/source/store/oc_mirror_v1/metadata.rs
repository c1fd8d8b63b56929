//! What oc-mirror v1 records of its runs: `.metadata.json`.
//!
//! Rule: oc-mirror, `v1/pkg/api/v1alpha2/types_metadata.go`: `pastMirror` is the latest run, `associations` and
//! `pastAssociations` name every image that was sent, with its manifests and layers. Cost: one reading of the file.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::finding::ContentDigest;
use crate::source::tree::FileTree;

/// Where the record lies, below `src` of a workspace and in the first part of an archive.
pub(super) const PATH: &str = "publish/.metadata.json";

/// A record of ten thousand images has some ten megabytes.
const METADATA_BYTES: u64 = 128 << 20;

/// The record of all runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// What ties the runs together.
    pub uid: String,
    /// Whether past runs do not count.
    pub single_use: bool,
    /// The latest run.
    pub past_mirror: PastMirror,
    sent: BTreeSet<ContentDigest>,
}

/// The latest run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PastMirror {
    /// When it ran, in seconds since 1970.
    pub timestamp: i64,
    /// Its number, from 1.
    pub sequence: u64,
    /// The catalogs that it mirrored.
    pub operators: Vec<MirroredCatalog>,
    /// The release channels that it mirrored.
    pub platforms: Vec<MirroredChannel>,
}

/// A catalog of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MirroredCatalog {
    /// The reference that was configured.
    pub catalog: String,
    /// The reference by digest that it meant then.
    pub image_pin: String,
}

/// A release channel of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MirroredChannel {
    /// The name of the channel.
    pub channel: String,
    /// The lowest version.
    pub min_version: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    uid: String,
    #[serde(default)]
    single_use: bool,
    #[serde(default)]
    past_mirror: RecordedMirror,
    #[serde(default)]
    past_associations: Option<Vec<Association>>,
}

#[derive(Default, Deserialize)]
struct RecordedMirror {
    #[serde(flatten)]
    run: PastMirror,
    #[serde(default)]
    associations: Option<Vec<Association>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Association {
    #[serde(default)]
    id: String,
    #[serde(default)]
    manifest_digests: Option<Vec<String>>,
    #[serde(default)]
    layer_digests: Option<Vec<String>>,
}

impl Metadata {
    /// Reads the record of a tree; `None` where it has none.
    ///
    /// # Errors
    /// A sentence that says why the record cannot be read.
    pub(super) fn read(tree: &dyn FileTree) -> Result<Option<Self>, String> {
        if tree.entry(PATH).is_none() {
            return Ok(None);
        }
        let bytes = tree.read(PATH, METADATA_BYTES).map_err(|error| error.to_string())?;
        let record: Record =
            serde_json::from_slice(&bytes).map_err(|error| format!("it is no record of oc-mirror: {error}"))?;
        let associations = record.past_mirror.associations.into_iter().chain(record.past_associations).flatten();
        let texts = associations.flat_map(|association| {
            let digests = association.manifest_digests.into_iter().chain(association.layer_digests).flatten();
            digests.chain([association.id])
        });
        let sent = texts.filter_map(|text| text.parse().ok()).collect();
        let Record { uid, single_use, .. } = record;
        Ok(Some(Self { uid, single_use, past_mirror: record.past_mirror.run, sent }))
    }

    /// Whether the record says that a manifest or layer was sent.
    pub fn lists(&self, digest: &ContentDigest) -> bool {
        self.sent.contains(digest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::{tree, write};
    use super::*;

    fn read(text: &str) -> Result<Option<Metadata>, String> {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), PATH, text);
        Metadata::read(&*tree(place.path()))
    }

    #[test]
    fn runs_and_what_they_sent_are_read() {
        let digests: Vec<ContentDigest> = (0..4u8).map(|number| ContentDigest::of(&[number])).collect();
        let text = format!(
            r#"{{"kind": "Metadata", "uid": "u", "singleUse": false, "pastMirror": {{"timestamp": 1700000000, "sequence": 3,
            "mirror": {{"x": 1}}, "operators": [{{"catalog": "c:v1", "imagePin": "c@sha256:00"}}],
            "platforms": [{{"channel": "stable-4.18", "minVersion": "4.18.1"}}],
            "associations": [{{"name": "n", "path": "p", "id": "{}", "layerDigests": ["{}"]}}]}},
            "pastAssociations": [{{"id": "v1", "manifestDigests": ["{}", "torn"]}}]}}"#,
            digests[0], digests[1], digests[2]
        );
        let metadata = read(&text).unwrap().unwrap();
        assert_eq!((metadata.uid.as_str(), metadata.past_mirror.sequence), ("u", 3));
        assert_eq!(metadata.past_mirror.operators[0].image_pin, "c@sha256:00");
        assert_eq!(metadata.past_mirror.platforms[0].min_version, "4.18.1");
        let listed: Vec<bool> = digests.iter().map(|digest| metadata.lists(digest)).collect();
        assert_eq!(listed, [true, true, true, false]);
    }

    #[test]
    fn a_record_may_be_absent_or_torn() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(Metadata::read(&*tree(place.path())), Ok(None));
        for text in ["", "{", "[]", r#"{"uid": 4}"#, &"[".repeat(100_000)] {
            assert!(read(text).is_err());
        }
        assert!(read(r#"{"uid": "u", "pastAssociations": null}"#).unwrap().is_some());
    }
}
