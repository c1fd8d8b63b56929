//! Reads the files of a payload.
//!
//! Rule: that of [`super`]; files that are neither manifests by their ending nor one of the two files of metadata are passed
//! over, as the cluster-version operator passes over them. Cost: every manifest is decoded once.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::directories::{
    IMAGE_REFERENCES, MANIFESTS, RELEASE_MANIFESTS, RELEASE_METADATA, is_manifest, own_directory,
};
use super::facts::{PayloadFacts, PayloadFault, PayloadObject};
use super::gates::GateSearch;
use super::{images, metadata};
use crate::codec::fields::Fields;
use crate::codec::{Limits, ManifestFault, ManifestObject, Value, manifest_objects};
use crate::source::image::FileSet;

/// What the key of an annotation that decides about a manifest has in it.
const DECIDING: &[&str] = &["release.openshift.io/", "capability.openshift.io/"];

/// The facts of a payload from the files of its image, or of a plain directory, with paths from its root.
///
/// `manifests/` should come from all layers, `release-manifests/` lies in the top one. Nothing is refused: whatever is wrong
/// is a fault of the facts. Files that were extracted without a directory are told as if they lay in `release-manifests/`.
///
/// ```
/// use skipstone::payload::{AdminGates, read};
/// use skipstone::source::image::FileSet;
///
/// let metadata = br#"{"kind": "cincinnati-metadata-v0", "version": "4.20.1", "previous": ["4.19.9"]}"#;
/// let files = FileSet::from([("release-manifests/release-metadata".to_owned(), metadata.to_vec())]);
/// let facts = read(&files);
/// assert_eq!((facts.version.as_str(), facts.previous), ("4.20.1", vec!["4.19.9".to_owned()]));
/// assert!(matches!(facts.admin_gates, AdminGates::Unknown(_)));
/// ```
#[must_use]
pub fn read(files: &FileSet) -> PayloadFacts {
    let own = own_directory(files);
    let mut facts = PayloadFacts::default();
    let mut gates = GateSearch::default();
    for (name, take) in
        [(RELEASE_METADATA, metadata::take as fn(&mut _, &str, &[u8])), (IMAGE_REFERENCES, images::take)]
    {
        let path = format!("{RELEASE_MANIFESTS}{name}");
        match files.get(&format!("{own}{name}")) {
            Some(bytes) => take(&mut facts, &path, bytes),
            None => facts.faults.push(PayloadFault::Missing(path)),
        }
    }
    let (name, version) = (&facts.image_references_name, &facts.version);
    if !name.is_empty() && !version.is_empty() && name != version {
        facts.faults.push(PayloadFault::VersionMismatch);
    }
    for (path, bytes) in files.iter().filter(|(path, _)| is_manifest(path)) {
        if is_in(path, MANIFESTS) {
            manifest(&mut facts, &mut gates, path, bytes);
        } else if is_in(path, own) {
            let name = path.strip_prefix(own).unwrap_or(path);
            manifest(&mut facts, &mut gates, &format!("{RELEASE_MANIFESTS}{name}"), bytes);
        }
    }
    facts.admin_gates = gates.finish(files.keys().any(|path| path.starts_with(MANIFESTS)));
    facts.faults.sort();
    facts
}

/// Whether a file lies in a directory itself: the operator does not look into those below.
fn is_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| !rest.contains('/'))
}

fn manifest(facts: &mut PayloadFacts, gates: &mut GateSearch, path: &str, bytes: &[u8]) {
    let file = manifest_objects(path, bytes, &Limits::of_manifests());
    if !file.faults.is_empty() && path.starts_with(MANIFESTS) {
        gates.doubt(&format!("the file {path} does not decode"));
    }
    facts.faults.extend(file.faults.into_iter().map(PayloadFault::Undecodable));
    for object in file.objects {
        if let Err(reason) = gates.look(&object) {
            let (document, line) = (object.facts.document, object.facts.line);
            let fault = ManifestFault { path: path.to_owned(), document, line, reason };
            facts.faults.push(PayloadFault::Undecodable(fault));
        }
        let annotations = deciding_annotations(&object);
        facts.objects.push(PayloadObject { object: object.facts, annotations });
    }
}

/// The annotations that decide about an object; those that are no texts decide nothing.
fn deciding_annotations(object: &ManifestObject<'_>) -> BTreeMap<String, String> {
    let kept = |(key, value): &(Cow<'_, str>, Value<'_>)| {
        let text = value.text().filter(|_| DECIDING.iter().any(|part| key.contains(part)))?;
        Some((key.to_string(), text.into_owned()))
    };
    let annotations = Fields::of(&object.value, "").and_then(|fields| {
        Ok(fields.object("metadata")?.object("annotations")?.all().iter().filter_map(kept).collect())
    });
    annotations.unwrap_or_default()
}
