//! Bundles on disk, with facts and faults worked out by hand.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::*;
use crate::source::image::FileSet;

fn files(name: &str) -> FileSet {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/bundles").join(name);
    let entries =
        walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let path = |entry: &walkdir::DirEntry| entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| (path(&entry), std::fs::read(entry.path()).unwrap())).collect()
}

fn stated() -> StatedBundle {
    StatedBundle {
        catalog: "birds".into(),
        package: "tern".into(),
        bundle: "tern.v1.1.0".into(),
        version: Some("1.1.0".into()),
        image: format!("example.com/tern@sha256:{}", "5".repeat(64)),
    }
}

/// The codes of everything that is wrong with a fixture, and the files they name.
fn codes_of(name: &str) -> Vec<(&'static str, Option<String>)> {
    let found = findings(&read(&files(name), None).facts, &stated());
    let path = |finding: &crate::finding::Finding| finding.at.as_ref()?.path.as_ref().map(ToString::to_string);
    found.iter().map(|finding| (finding.code.name(), path(finding))).collect()
}

#[test]
fn a_good_bundle_is_read_in_full() {
    let contents = read(&files("good"), None);
    let facts = &contents.facts;
    assert_eq!(facts.faults, []);
    assert_eq!((facts.media_type.as_str(), facts.manifests.as_str()), ("registry+v1", "manifests"));
    assert_eq!((facts.package.as_str(), facts.default_channel.as_str()), ("tern", "stable"));
    assert_eq!(facts.channels, ["stable", "fast"]);
    assert_eq!(facts.annotations["com.example.flock"], "northern");
    let csv = facts.csv.as_ref().unwrap();
    assert_eq!((csv.name.as_str(), csv.version.as_str()), ("tern.v1.1.0", "1.1.0"));
    assert_eq!((csv.replaces.as_str(), csv.skip_range.as_str()), ("tern.v1.0.0", ">=1.0.0 <1.1.0"));
    assert_eq!(csv.skips, ["tern.v1.0.1"]);
    assert_eq!((csv.display_name.as_str(), csv.provider.as_str()), ("Arctic Tern", "Harbour Birds"));
    assert_eq!((csv.min_kube_version.as_str(), csv.maturity.as_str()), ("1.27.0", "stable"));
    let modes: Vec<_> = csv.install_modes.iter().map(|mode| (mode.kind.as_str(), mode.supported)).collect();
    assert_eq!(modes, [("OwnNamespace", true), ("AllNamespaces", false)]);
    assert_eq!((csv.owned_crds[0].kind.as_str(), csv.required_crds[0].version.as_str()), ("Nest", "v1beta1"));
    assert_eq!(csv.related_images[0].name, "tern");
    assert_eq!(facts.dependencies[0].value, json!({"packageName": "gull", "version": ">=2.0.0"}));
    assert_eq!(
        (facts.properties[0].kind.as_str(), &facts.properties[0].value),
        ("olm.maxOpenShiftVersion", &json!("4.20"))
    );
    let others: Vec<_> = facts.other_files.iter().map(|file| (file.path.as_str(), file.bytes)).collect();
    assert_eq!(others, [("tests/scorecard/config.yaml", 20)]);
    let objects: Vec<_> =
        contents.objects().map(|(facts, value)| (facts.path.as_str(), value["kind"].clone())).collect();
    assert_eq!(
        objects,
        [
            ("manifests/nests.crd.yaml", json!("CustomResourceDefinition")),
            ("manifests/tern.clusterserviceversion.yaml", json!("ClusterServiceVersion")),
        ]
    );
    assert_eq!(contents.values[0]["spec"]["versions"][0]["name"], "v1");
    assert_eq!(findings(facts, &stated()), []);
}

#[test]
fn each_broken_rule_is_a_finding() {
    let path = |path: &str| Some(path.to_owned());
    assert_eq!(codes_of("no-csv"), [("bundle/no-csv", None)]);
    assert_eq!(codes_of("several-csvs"), [("bundle/several-csvs", None)]);
    assert_eq!(codes_of("missing-annotations"), [("bundle/missing-annotations", None)]);
    assert_eq!(codes_of("unknown-media-type"), [("bundle/unknown-media-type", None)]);
    assert_eq!(codes_of("nested-manifest"), [("bundle/nested-manifest", path("manifests/crds/nests.crd.yaml"))]);
    assert_eq!(codes_of("several-documents"), [("bundle/several-documents", path("manifests/accounts.yaml"))]);
    assert_eq!(codes_of("decode-error"), [("bundle/decode-error", path("manifests/broken.yaml"))]);
    assert_eq!(codes_of("bad-directory"), [("bundle/bad-directory", None)]);
    assert_eq!(codes_of("csv-with-wrong-types"), [("bundle/decode-error", path("manifests/csv.yaml"))]);
}

#[test]
fn of_several_csvs_the_first_file_counts() {
    let facts = read(&files("several-csvs"), None).facts;
    assert_eq!(facts.csv.unwrap().name, "tern.v1.1.0", "csv.yaml comes before other.yaml");
    assert_eq!(facts.faults, [BundleFault::SeveralCsvs(vec!["tern.v1.1.0".into(), "tern.v1.0.0".into()])]);
}

#[test]
fn a_broken_file_leaves_the_others() {
    let facts = read(&files("decode-error"), None).facts;
    assert_eq!(facts.csv.unwrap().version, "1.1.0");
}

#[test]
fn hidden_secrets_stay_out_of_facts_and_values() {
    let contents = read(&files("hidden-secrets"), None);
    let kept = serde_json::to_string(&contents).unwrap();
    for hidden in ["aGlkZGVuLXlvbGs", "hidden-shell", "hidden-example"] {
        assert!(!kept.contains(hidden), "{hidden}");
    }
    let names: Vec<_> =
        contents.facts.objects.iter().map(|object| (object.kind.as_str(), object.name.as_str())).collect();
    assert_eq!(names, [("ClusterServiceVersion", "tern.v1.1.0"), ("Secret", "egg"), ("Secret", "shell")]);
}

#[test]
fn labels_name_the_directories_and_are_held_against_the_annotations() {
    let moved: FileSet =
        files("good").into_iter().map(|(path, bytes)| (path.replace("manifests/", "deploy/olm/"), bytes)).collect();
    let label = |key: &str, value: &str| (format!("operators.operatorframework.io.bundle.{key}"), value.to_owned());
    let labels = BTreeMap::from([
        label("manifests.v1", "deploy/olm/"),
        label("package.v1", "puffin"),
        ("io.buildah.version".to_owned(), "1.0".to_owned()),
    ]);
    let facts = read(&moved, Some(&labels)).facts;
    assert_eq!((facts.manifests.as_str(), facts.objects.len()), ("deploy/olm", 2));
    assert_eq!(facts.package, "tern", "the annotations file counts");
    let keys = facts.faults.iter().map(|fault| match fault {
        BundleFault::AnnotationMismatch { key, label, .. } => (key.rsplit('.').nth(1).unwrap(), label.as_str()),
        other => panic!("{other:?}"),
    });
    let keys: Vec<_> = keys.collect();
    assert_eq!(keys, [("manifests", "deploy/olm/"), ("package", "puffin")]);
}

#[test]
fn labels_stand_in_where_there_are_no_annotations() {
    let labels = BTreeMap::from([("operators.operatorframework.io.bundle.package.v1".to_owned(), "tern".to_owned())]);
    let facts = read(&files("missing-annotations"), Some(&labels)).facts;
    assert_eq!((facts.package.as_str(), facts.annotations), ("tern", labels));
    assert_eq!(facts.faults, [BundleFault::MissingAnnotations]);
    assert_eq!(facts.dependencies.len(), 1);
}

#[test]
fn a_label_that_leads_out_of_the_image_is_refused() {
    let labels =
        BTreeMap::from([("operators.operatorframework.io.bundle.manifests.v1".to_owned(), "../../etc".to_owned())]);
    let facts = read(&files("several-documents"), Some(&labels)).facts;
    assert_eq!(facts.manifests, "manifests");
    assert!(
        facts
            .faults
            .iter()
            .any(|fault| matches!(fault, BundleFault::BadDirectory { value, .. } if value == "../../etc"))
    );
}

#[test]
fn another_bundle_than_the_catalog_says_is_a_finding() {
    let other = StatedBundle {
        package: "gull".into(),
        bundle: "gull.v2.0.0".into(),
        version: Some("2.0.0".into()),
        ..stated()
    };
    let found = findings(&read(&files("good"), None).facts, &other);
    let told: Vec<_> = found.iter().map(|finding| (finding.code.name(), finding.evidence["what"].as_str())).collect();
    let code = "bundle/catalog-mismatch";
    // In the order of the evidence "found": 1.1.0, tern, tern.v1.1.0.
    assert_eq!(told, [(code, "version"), (code, "package"), (code, "name")]);
}

#[test]
fn a_finding_names_the_digest_of_the_catalog_and_no_store() {
    let found = findings(&read(&files("decode-error"), None).facts, &stated());
    let at = found[0].at.as_ref().unwrap();
    assert_eq!((&*at.source, at.image.as_ref().unwrap().hex()), ("birds", "5".repeat(64)));
    assert_eq!((at.document, at.line.is_some()), (Some(1), true));
    let by_tag = StatedBundle { image: "example.com/tern:latest".into(), ..stated() };
    assert_eq!(findings(&read(&files("no-csv"), None).facts, &by_tag)[0].at.as_ref().unwrap().image, None);
}

#[test]
fn contents_come_back_from_a_cache_as_they_were() {
    for name in ["good", "several-csvs", "decode-error", "bad-directory", "hidden-secrets"] {
        let contents = read(&files(name), None);
        let text = serde_json::to_vec(&contents).unwrap();
        assert_eq!(serde_json::from_slice::<BundleContents>(&text).unwrap(), contents, "{name}");
    }
}

#[test]
fn an_empty_image_and_bytes_at_random_never_stop_the_reading() {
    assert_eq!(read(&FileSet::new(), None).facts.faults, [BundleFault::NoCsv, BundleFault::MissingAnnotations]);
    let junk: FileSet = ["manifests/a.yaml", "metadata/annotations.yaml", "manifests/.hidden", "../manifests/b.yaml"]
        .map(|path| (path.to_owned(), vec![0xff, 0, b'{', b'\n']))
        .into();
    let facts = read(&junk, None).facts;
    assert_eq!(facts.faults.iter().filter(|fault| matches!(fault, BundleFault::Undecodable(_))).count(), 2);
    assert_eq!(facts.other_files.len(), 2);
}
