use std::fs;
use std::path::Path;

use super::*;
use crate::cluster::ObjectKind;

const NODE: &str = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n";

fn read(place: &Path) -> ClusterDump {
    let input = DumpInput { name: "dump".into(), place: place.to_owned() };
    ClusterDump::read_within(&[input], &DumpLimits::default(), &Limits::default()).unwrap()
}

fn write(root: &Path, path: &str, text: &str) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, text).unwrap();
}

/// Code, path, document and line.
fn places(dump: &ClusterDump) -> Vec<(&'static str, String, Option<u32>, Option<u32>)> {
    let place = |finding: &Finding| {
        let at = finding.at.clone().unwrap();
        (finding.code.name(), at.path.unwrap().to_string(), at.document, at.line)
    };
    dump.findings.iter().map(place).collect()
}

#[test]
fn a_document_that_does_not_decode_is_told_and_the_others_go_on() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), "a.yaml", &format!("kind: [\n---\n{NODE}"));
    write(place.path(), "half.json", "{\"kind\": \"List\", \"items\": [{");
    write(place.path(), "whole.yaml", NODE);
    let dump = read(place.path());
    assert_eq!(dump.facts.counts()["Node"], 1);
    let found = places(&dump);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].0, found[0].1.as_str(), found[0].2), ("cluster/decode-error", "a.yaml", Some(1)));
    assert_eq!((found[1].0, found[1].1.as_str(), found[1].2), ("cluster/decode-error", "half.json", Some(1)));
    assert!(found.iter().all(|place| place.3.is_some()));
    assert_eq!((dump.coverage.read, dump.coverage.failed, dump.is_incomplete()), (1, 2, true));
}

#[test]
fn a_refusal_in_the_place_of_objects_is_no_decode_error() {
    let refusal = "Error from server (Forbidden): nodes is forbidden: User \"me\" cannot list resource \"nodes\"\n";
    for name in ["nodes.yaml", "nodes.json", "nodes.error.txt"] {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), name, refusal);
        let dump = read(place.path());
        let found: Vec<&str> = dump.findings.iter().map(|finding| finding.code.name()).collect();
        assert_eq!((found, dump.is_incomplete()), (vec!["cluster/refused"], false), "{name}");
        assert!(!dump.facts.is_collected(ObjectKind::Node), "{name}: what was refused is not known");
        assert!(!format!("{:?}", dump.findings).contains("me\\\""));
    }
}

#[test]
fn the_digest_tells_contents_and_paths_apart_and_nothing_else() {
    let digest = |path: &str, text: &str| {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), path, text);
        write(place.path(), "pods/current.log", path);
        read(place.path()).digest
    };
    let first = digest("a.yaml", NODE);
    assert_eq!(first, digest("a.yaml", NODE));
    assert_ne!(first, digest("b.yaml", NODE));
    assert_ne!(first, digest("a.yaml", &format!("{NODE}# and\n")));
}

#[test]
fn several_places_make_one_picture() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(one.path(), "n.yaml", NODE);
    write(two.path(), "n.yaml", &NODE.replace("node-1", "node-2"));
    let inputs = [&one, &two].map(|place| DumpInput { name: "d".into(), place: place.path().to_owned() });
    let dump = ClusterDump::read_within(&inputs, &DumpLimits::default(), &Limits::default()).unwrap();
    assert_eq!((dump.facts.counts()["Node"], dump.coverage.read), (2, 2));
    assert!(read(tempfile::tempdir().unwrap().path()).is_blank());
}
