//! Documents of contents, with values worked out by hand.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::bundle::{self, StatedBundle};
use crate::finding::ContentDigest;
use crate::payload::{self, AdminGates, PayloadFacts, StatedArchitecture, StatedPayload};
use crate::report::sample;
use crate::report::schema::ReleaseRow;
use crate::source::image::FileSet;

fn stated_bundle() -> StatedBundle {
    StatedBundle {
        catalog: "birds".into(),
        package: "tern".into(),
        bundle: "tern.v1.0.0".into(),
        version: Some("1.0.0".into()),
        image: "example.com/tern:1".into(),
    }
}

fn bundle_files() -> FileSet {
    let csv = "{apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, metadata: {name: tern.v1.0.0}, \
               spec: {version: 1.0.0, installModes: [{type: AllNamespaces, supported: true}]}}";
    let annotations = "annotations: {operators.operatorframework.io.bundle.package.v1: tern}";
    let dependencies = "dependencies: [{type: olm.gvk, value: {group: g, kind: K, version: v1}}]";
    [
        ("manifests/csv.yaml", csv),
        ("metadata/annotations.yaml", annotations),
        ("metadata/dependencies.yaml", dependencies),
    ]
    .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
    .into()
}

fn as_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn a_bundle_document_tells_everything_but_the_store() {
    let facts = bundle::read(&bundle_files(), None).facts;
    let document = as_json(&bundle_document(&stated_bundle(), Ok(&facts), &bundle::findings(&facts, &stated_bundle())));
    let api = "api/v1/bundles/birds/tern.v1.0.0.json";
    assert_eq!(
        document["contents"],
        json!({"known": true, "reason": null, "media_type": null, "objects": 1, "api": api})
    );
    assert_eq!(document["csv"]["install_modes"], json!([{"type": "AllNamespaces", "supported": true}]));
    assert_eq!(document["csv"]["replaces"], Value::Null);
    assert_eq!(
        document["objects"],
        json!([{
            "api_version": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion", "name": "tern.v1.0.0",
            "namespace": null, "path": "manifests/csv.yaml",
        }])
    );
    assert_eq!(
        document["dependencies"],
        json!([{"type": "olm.gvk", "value": {"group": "g", "kind": "K", "version": "v1"}}])
    );
    assert_eq!((&document["other_files"], &document["findings"]), (&json!([]), &json!([])));
}

#[test]
fn unknown_contents_are_null_with_a_reason_and_never_empty() {
    let document = as_json(&bundle_document(&stated_bundle(), Err("no store holds the image"), &[]));
    assert_eq!(document["contents"]["known"], false);
    assert_eq!(document["contents"]["reason"], "no store holds the image");
    for field in ["csv", "objects", "annotations", "dependencies", "properties", "other_files"] {
        assert_eq!(document[field], Value::Null, "{field}");
    }
}

#[test]
fn contents_stand_beside_their_bundle_in_the_package() {
    let mut package = sample::package(vec![]);
    let view = contents_view(&stated_bundle(), Err("no store holds the image"));
    add_contents(&mut package, BTreeMap::from([("p.v2".to_owned(), view.clone()), ("gone".to_owned(), view.clone())]));
    assert_eq!(package.bundles[0].contents, None);
    assert_eq!(package.bundles[1].contents, Some(view));
    let text = crate::report::markdown::package(&package, 10_000);
    assert!(text.contains("Contents are known of 0 of 1 bundle."), "{text}");
    let page = crate::report::html::Pages::new().unwrap().render_package(&package).unwrap();
    assert!(page.contains("Contents not known: no store holds the image"));
}

fn payload_facts() -> PayloadFacts {
    let metadata = r#"{"kind": "cincinnati-metadata-v0", "version": "4.20.1", "previous": ["4.20.0"],
                       "metadata": {"url": "https://example.com/errata"}}"#;
    let digest = "0".repeat(64);
    let references = format!(
        r#"{{"kind": "ImageStream", "metadata": {{"name": "4.20.1"}}, "spec": {{"tags": [{{"name": "etcd",
           "annotations": {{"io.openshift.build.versions": "kubernetes=1.33.4"}},
           "from": {{"name": "example.com/r@sha256:{digest}"}}}}]}}}}"#
    );
    let pods =
        "{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: b}}\n";
    let files = [("release-metadata", metadata), ("image-references", references.as_str()), ("pods.yaml", pods)];
    payload::read(&files.map(|(name, text)| (format!("release-manifests/{name}"), text.as_bytes().to_vec())).into())
}

fn stated_payload() -> StatedPayload {
    StatedPayload { version_label: None, architecture: StatedArchitecture::Image("amd64".into()) }
}

#[test]
fn a_release_document_tells_content_only() {
    let facts = payload_facts();
    let document = as_json(&release_document(&facts, &stated_payload(), &payload::findings(&facts, &stated_payload())));
    assert_eq!((&document["version"], &document["architecture"]), (&json!("4.20.1"), &json!("amd64")));
    assert_eq!((&document["previous"], &document["url"]), (&json!(["4.20.0"]), &json!("https://example.com/errata")));
    assert_eq!(document["images"][0]["name"], "etcd");
    assert_eq!(
        document["components"],
        json!({"kubernetes": {"version": "1.33.4", "display_name": null, "versions": ["1.33.4"]}})
    );
    assert_eq!(document["objects"], json!({"Pod": 2}));
    assert_eq!((&document["admin_gates"]["known"], &document["admin_gates"]["gates"]), (&json!(false), &Value::Null));
    assert_eq!(document["findings"][0]["code"], "payload/gates-unknown");
    let known = PayloadFacts { admin_gates: AdminGates::Known(BTreeMap::new()), ..facts };
    let gates = as_json(&release_document(&known, &stated_payload(), &[]).admin_gates);
    assert_eq!(gates, json!({"known": true, "reason": null, "gates": {}}), "no gate is a fact");
}

#[test]
fn releases_are_listed_by_version_and_once() {
    let digest = ContentDigest::of(b"image");
    let row = |version: &str, digest: Result<&ContentDigest, &str>| {
        let facts = PayloadFacts { version: version.to_owned(), ..payload_facts() };
        release_row(&facts, &stated_payload(), digest, &[])
    };
    let rows = vec![
        row("4.20.10", Ok(&digest)),
        row("4.20.9", Err("a plain directory has none")),
        row("4.20.9", Ok(&digest)),
        row("4.20.9", Ok(&digest)),
        row("", Ok(&digest)),
    ];
    let index = releases_index(rows);
    let told = |row: &ReleaseRow| (row.version.clone().unwrap_or_default(), row.digest.known);
    assert_eq!(
        index.releases.iter().map(told).collect::<Vec<_>>(),
        [(String::new(), true), ("4.20.9".into(), false), ("4.20.9".into(), true), ("4.20.10".into(), true)]
    );
    let entries: Vec<String> = release_entries(&index).into_iter().map(|entry| entry.path).collect();
    let release = |name: &str| format!("api/v1/platform/releases/{name}-amd64.json");
    let list = "api/v1/platform/releases.json".to_owned();
    assert_eq!(entries, [list, release("4.20.10"), release("4.20.9"), release("unknown")]);
}
