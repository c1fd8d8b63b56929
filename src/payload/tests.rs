//! Payloads on disk, with facts and faults worked out by hand.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::source::image::FileSet;

fn files(name: &str) -> FileSet {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/payloads").join(name);
    let entries =
        walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let path = |entry: &walkdir::DirEntry| entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| (path(&entry), std::fs::read(entry.path()).unwrap())).collect()
}

fn stated() -> StatedPayload {
    StatedPayload { version_label: Some("4.20.1".into()), architecture: StatedArchitecture::Image("amd64".into()) }
}

fn codes_of(name: &str) -> Vec<&'static str> {
    findings(&read(&files(name)), &stated()).iter().map(|finding| finding.code.name()).collect()
}

fn gates() -> BTreeMap<String, String> {
    let text = "Read the notes of the harbour master first.";
    BTreeMap::from([("ack-4.20-example-removals-in-4.21".to_owned(), text.to_owned())])
}

#[test]
fn a_good_payload_is_read_in_full() {
    let facts = read(&files("good"));
    assert_eq!(facts.faults, []);
    assert_eq!((facts.version.as_str(), facts.image_references_name.as_str()), ("4.20.1", "4.20.1"));
    assert_eq!(facts.previous, ["4.19.9", "4.20.0"]);
    assert_eq!(facts.metadata["url"], "https://example.com/errata/1");
    let images: Vec<_> = facts.images.iter().map(|image| image.name.as_str()).collect();
    assert_eq!(images, ["cli", "hyperkube", "rhel-coreos"], "by name");
    assert!(facts.images[0].reference.ends_with(&"b".repeat(64)));
    assert_eq!(facts.images[1].annotations["io.openshift.build.commit.id"], "00aa");
    assert_eq!(facts.components["kubernetes"].version, "1.33.4");
    assert_eq!(facts.components["machine-os"].display_name, "Harbour OS");
    let objects: Vec<_> = facts
        .objects
        .iter()
        .map(|PayloadObject { object, annotations }| (object.path.as_str(), object.name.as_str(), annotations.len()))
        .collect();
    let own = "release-manifests/0000_50_harbour_namespace.yaml";
    let expected =
        [("manifests/0000_00_gates.yaml", "admin-gates", 1), (own, "openshift-harbour", 1), (own, "tides", 2)];
    assert_eq!(objects, expected);
    assert_eq!(facts.admin_gates, AdminGates::Known(gates()));
    assert_eq!(findings(&facts, &stated()), []);
}

#[test]
fn each_broken_rule_is_a_finding() {
    assert_eq!(codes_of("missing-metadata"), ["payload/missing-metadata"]);
    assert_eq!(codes_of("wrong-kind"), ["payload/bad-metadata"]);
    assert_eq!(codes_of("metadata-of-numbers"), ["payload/bad-metadata"]);
    assert_eq!(codes_of("two-versions"), ["payload/version-mismatch"]);
    assert_eq!(codes_of("image-by-tag"), ["payload/image-not-by-digest"]);
    assert_eq!(codes_of("conflicting-component"), ["payload/conflicting-component"]);
    assert_eq!(codes_of("own-layer-only"), ["payload/gates-unknown"]);
    assert_eq!(codes_of("broken-base-manifest"), ["payload/decode-error", "payload/gates-unknown"]);
}

#[test]
fn a_label_of_another_version_is_a_finding() {
    let other = StatedPayload { version_label: Some("4.20.3".into()), ..stated() };
    let found = findings(&read(&files("good")), &other);
    assert_eq!(found[0].evidence["stated"], "\"4.20.3\"");
    assert_eq!(&*found[0].at.as_ref().unwrap().source, "4.20.1-amd64");
}

#[test]
fn gates_are_known_only_where_their_directory_was_read() {
    assert_eq!(read(&files("no-gates")).admin_gates, AdminGates::Known(BTreeMap::new()));
    for name in ["own-layer-only", "broken-base-manifest", "gates-of-numbers"] {
        assert!(matches!(read(&files(name)).admin_gates, AdminGates::Unknown(_)), "{name}");
    }
}

#[test]
fn extracted_files_are_those_of_the_payloads_own_layer() {
    assert_eq!(read(&files("extracted-flat")), read(&files("own-layer-only")));
}

#[test]
fn the_architecture_is_decided_as_cincinnati_decides_it() {
    let single = read(&files("good"));
    let mut multi = single.clone();
    multi.metadata.insert("release.openshift.io/architecture".into(), "multi".into());
    let image = || StatedArchitecture::Image("arm64".into());
    assert_eq!(single.architecture(&image()), ReleaseArchitecture::Known("arm64".into()));
    assert_eq!(multi.architecture(&image()), ReleaseArchitecture::Part("arm64".into()));
    assert_eq!(single.architecture(&StatedArchitecture::Index), ReleaseArchitecture::Known("multi".into()));
    assert_eq!(multi.architecture(&StatedArchitecture::Nowhere), ReleaseArchitecture::Known("multi".into()));
    for unknown in [StatedArchitecture::Nowhere, StatedArchitecture::Image(String::new())] {
        assert!(matches!(single.architecture(&unknown), ReleaseArchitecture::Unknown(_)));
    }
}

#[test]
fn facts_come_back_from_a_cache_as_they_were() {
    for name in ["good", "own-layer-only", "broken-base-manifest", "two-versions"] {
        let facts = read(&files(name));
        let text = serde_json::to_vec(&facts).unwrap();
        assert_eq!(serde_json::from_slice::<PayloadFacts>(&text).unwrap(), facts, "{name}");
    }
}

#[test]
fn nothing_and_junk_never_stop_the_reading() {
    let missing = |name: &str| PayloadFault::Missing(format!("release-manifests/{name}"));
    assert_eq!(read(&FileSet::new()).faults, [missing("image-references"), missing("release-metadata")]);
    let junk = [0xff, 0, b'{'].to_vec();
    let names = ["release-metadata", "image-references", "x.yaml"].map(|name| format!("release-manifests/{name}"));
    let facts = read(&names.map(|name| (name, junk.clone())).into());
    assert_eq!(facts.faults.len(), 3);
    assert!(facts.faults.iter().all(|fault| matches!(fault, PayloadFault::Undecodable(_))));
}
