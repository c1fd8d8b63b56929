//! `skipstone mirror` over what is there and cannot be read: a finding names it, and the exit code says it.

use std::fs;

use serde_json::Value;

use crate::mirror::Site;
use crate::program::{Answer, ask};

fn inventory(site: &Site, more: &[&str]) -> Answer {
    let storage = site.path("storage");
    ask(["mirror", "inventory", &storage, "--format", "json"].iter().chain(more))
}

/// Code and message of each finding.
fn findings(answer: &Answer) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let json = answer.json();
    json["findings"].as_array().unwrap().iter().map(|one| (text(&one["code"]), text(&one["message"]))).collect()
}

fn only(answer: &Answer, code: &str, named: &str) {
    let found = findings(answer);
    assert_eq!((answer.code(), found.len()), (3, 1), "{found:?}");
    assert!(found[0].0 == code && found[0].1.contains(named), "{found:?}");
}

#[test]
fn an_inventory_names_the_images_whose_manifests_are_bad() {
    let site = Site::new();
    site.push("storage", "birds/gull", "v1", "gull");
    let (digest, _) = site.push("storage", "birds/tern", "v1", "tern");
    assert_eq!((inventory(&site, &[]).code(), findings(&inventory(&site, &[]))), (0, vec![]));
    site.write(&Site::blob_path("storage", &digest), "{}");
    only(&inventory(&site, &[]), "mirror/bad-digest", "birds/tern:v1");
    // What is absent may be so by design.
    fs::remove_file(site.path(&Site::blob_path("storage", &digest))).unwrap();
    assert_eq!((inventory(&site, &[]).code(), findings(&inventory(&site, &[]))), (0, vec![]));
}

#[test]
fn an_inventory_does_not_guess_what_an_image_with_a_bad_configuration_is() {
    let site = Site::new();
    let config = r#"{"os": "linux", "architecture": "amd64"}"#;
    site.push_configured("storage", "birds/gull", "v1", config, b"layer");
    let digest = skipstone::finding::ContentDigest::of(config.as_bytes());
    for (swapped, code) in
        [(config.replace("amd64", "arm64"), "mirror/bad-digest"), ("{}".to_owned(), "mirror/truncated")]
    {
        site.write(&Site::blob_path("storage", &digest), swapped);
        let answer = inventory(&site, &[]);
        only(&answer, code, "birds/gull:v1");
        let image = &answer.json()["repositories"][0]["images"][0];
        assert_eq!((image["kind"].as_str(), image["faulty_parts"].as_u64()), (Some("unknown"), Some(1)));
    }
}

#[test]
fn an_inventory_that_reads_every_byte_names_the_images_with_bad_layers() {
    let site = Site::new();
    let (_, layer) = site.push("storage", "birds/gull", "v1", "layer");
    assert_eq!(inventory(&site, &["--verify"]).code(), 0);
    site.write(&Site::blob_path("storage", &layer), "reyal");
    assert_eq!(inventory(&site, &[]).code(), 0);
    only(&inventory(&site, &["--verify"]), "mirror/bad-digest", "birds/gull:v1");
}

#[test]
fn a_document_that_does_not_decode_is_told_where_images_are_missed_and_catalogs_compared() {
    let site = Site::new();
    let (digest, _) = site.push("storage", "birds/gull", "v1", "layer");
    site.catalog(&[format!("up.example/birds/gull@{digest}")]);
    fs::create_dir(site.path("before")).unwrap();
    fs::copy(site.path("catalog/gull.yaml"), site.path("before/gull.yaml")).unwrap();
    site.write("before/tern.yaml", "schema: olm.package\nname: tern\ndefaultChannel: stable\n");
    let (before, after) = (site.path("before"), site.path("catalog"));
    let compare = || ask(["mirror", "diff", &before, &after, "--format", "json"]);
    assert_eq!((site.missing(&[]).code(), findings(&site.missing(&[]))), (0, vec![]));
    assert_eq!((compare().code(), findings(&compare())), (1, vec![]));
    site.write("catalog/tern.yaml", "schema: olm.package\nname: [tern\n");
    for answer in [site.missing(&[]), compare()] {
        only(&answer, "catalog/decode-error", "does not decode");
        assert!(answer.out.contains("tern.yaml"), "{}", answer.out);
    }
}

#[test]
fn a_catalog_image_with_a_torn_document_is_told_where_mirrors_are_compared() {
    let site = Site::new();
    let config = r#"{"os": "linux", "architecture": "amd64", "config": {"Labels":
        {"operators.operatorframework.io.index.configs.v1": "/configs"}}}"#;
    let archive = |text: &str| {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, "configs/gull/catalog.yaml", text.as_bytes()).unwrap();
        archive.into_inner().unwrap()
    };
    let whole = archive("schema: olm.package\nname: gull\ndefaultChannel: stable\n");
    let torn = archive("schema: olm.package\nname: [gull\n");
    site.push_configured("old", "birds/catalog", "v1", config, &whole);
    site.push_configured("new", "birds/catalog", "v1", config, &torn);
    let answer = ask(["mirror", "diff", &site.path("old"), &site.path("new"), "--format", "json"]);
    assert_eq!(answer.code(), 3, "{}", answer.err);
    assert!(findings(&answer).iter().any(|(code, _)| code == "catalog/decode-error"), "{}", answer.out);
}
