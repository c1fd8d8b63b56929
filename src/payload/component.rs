//! The versions of components that images state in their annotations.
//!
//! Rule: oc `pkg/cli/admin/release/image_mapper.go` (`io.openshift.build.versions`: `name=version` separated by commas, the
//! name in lower-case letters, digits and dashes, the version semantic and without its build metadata;
//! `io.openshift.build.version-display-names` alike with free text) and `info.go`: images that disagree are an error, but for
//! `machine-os`, of which the first version in the order of texts counts. Cost: linear in the annotations.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Component, PayloadFacts, PayloadFault, PayloadImage};
use crate::version::SemanticVersion;

const VERSIONS: &str = "io.openshift.build.versions";
const DISPLAY_NAMES: &str = "io.openshift.build.version-display-names";
/// The component that may have several versions: one for each stream of the operating system.
const MACHINE_OS: &str = "machine-os";

/// Takes the components of all images into the facts.
pub(super) fn take(facts: &mut PayloadFacts, images: &[PayloadImage]) {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut display_names: BTreeMap<String, String> = BTreeMap::new();
    for image in images {
        let bad = |reason| PayloadFault::BadComponent { name: image.name.clone(), reason };
        for (name, version) in stated(image, VERSIONS) {
            match without_build(name, version) {
                Ok(version) => {
                    versions.entry(name.to_owned()).or_default().insert(version);
                }
                Err(reason) => facts.faults.push(bad(reason)),
            }
        }
        for (name, text) in stated(image, DISPLAY_NAMES) {
            display_names.entry(name.to_owned()).or_insert_with(|| text.to_owned());
        }
    }
    for (name, versions) in versions {
        if versions.len() > 1 && name != MACHINE_OS {
            facts.faults.push(PayloadFault::ConflictingComponent(name.clone()));
        }
        let component = Component {
            version: versions.first().cloned().unwrap_or_default(),
            display_name: display_names.remove(&name).unwrap_or_default(),
            versions: versions.into_iter().collect(),
        };
        facts.components.insert(name, component);
    }
}

/// The pairs of an annotation; a part without `=` has an empty value.
fn stated<'i>(image: &'i PayloadImage, key: &str) -> impl Iterator<Item = (&'i str, &'i str)> {
    let list = image.annotations.get(key).map_or("", String::as_str);
    let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').unwrap_or((part, "")))
}

/// The version without its build metadata.
fn without_build(name: &str, version: &str) -> Result<String, String> {
    if !is_name(name) {
        return Err(format!("{name:?} is no name of a component"));
    }
    SemanticVersion::parse_strict(version).map_err(|error| format!("the version {version:?} of {name}: {error}"))?;
    Ok(version.split('+').next().unwrap_or(version).to_owned())
}

/// `^[a-z0-9]+[\-a-z0-9]*[a-z0-9]+$`: at least two characters, no dash at either end.
fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = [name.bytes().next(), name.bytes().next_back()];
    name.len() >= 2
        && name.bytes().all(|byte| is_plain(byte) || byte == b'-')
        && ends.into_iter().all(|end| end.is_some_and(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(images: &[(&str, &str)]) -> PayloadFacts {
        let image = |(name, versions): &(&str, &str)| PayloadImage {
            name: (*name).to_owned(),
            annotations: BTreeMap::from([(VERSIONS.to_owned(), (*versions).to_owned())]),
            ..PayloadImage::default()
        };
        let mut facts = PayloadFacts::default();
        take(&mut facts, &images.iter().map(image).collect::<Vec<_>>());
        facts
    }

    #[test]
    fn build_metadata_is_dropped_and_equal_versions_agree() {
        let facts = taken(&[("a", "kubernetes=1.33.2+abc, kubectl=1.33.2"), ("b", "kubernetes=1.33.2")]);
        assert_eq!(facts.components["kubernetes"].version, "1.33.2");
        assert_eq!(facts.components["kubectl"].versions, ["1.33.2"]);
        assert_eq!(facts.faults, []);
    }

    #[test]
    fn only_machine_os_may_have_several_versions() {
        let facts = taken(&[("a", "machine-os=9.6.2,crio=1.33.0"), ("b", "machine-os=10.0.1,crio=1.34.0")]);
        assert_eq!(facts.components["machine-os"].version, "10.0.1", "the first in the order of texts");
        assert_eq!(facts.faults, [PayloadFault::ConflictingComponent("crio".into())]);
    }

    #[test]
    fn what_does_not_parse_is_a_fault() {
        for bad in ["kubernetes", "kubernetes=v1.33", "k=1.0.0", "-kube=1.0.0", "Kube=1.0.0"] {
            let facts = taken(&[("a", bad)]);
            assert_eq!((facts.components.len(), facts.faults.len()), (0, 1), "{bad}");
        }
    }
}
