//! A scan that looks into mirrors says what the commands say.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use skipstone::finding::ContentDigest;

use crate::mirror::Site;
use crate::program::{Answer, NOW, ask};

/// A catalog that needs one image that is there and one that is not.
fn site() -> Site {
    let site = Site::new();
    let (digest, _) = site.push("storage", "birds/gull", "v1", "layer");
    let gone = ContentDigest::of(b"gone");
    site.catalog(&[format!("up.example/birds/gull@{digest}"), format!("up.example/birds/gull@{gone}")]);
    site
}

fn scan(site: &Site, more: &[&str]) -> Answer {
    let (catalog, storage, report) = (site.path("catalog"), site.path("storage"), site.path("report"));
    let base = ["scan", "--catalog", &catalog, "--mirror", &storage, "--output", &report, "--now", NOW];
    ask(base.iter().chain(more))
}

fn read(site: &Site, path: &str) -> String {
    fs::read_to_string(Path::new(&site.path("report")).join(path)).unwrap()
}

fn report(site: &Site) -> Value {
    serde_json::from_str(&read(site, "report.json")).unwrap()
}

#[test]
fn the_documents_are_those_of_the_commands() {
    let site = site();
    site.rules("up.example/birds", "registry.example:5000/birds");
    let (catalog, storage, rules) = (site.path("catalog"), site.path("storage"), site.path("rules"));
    for more in [&[][..], &["--rules", &rules]] {
        assert_eq!(scan(&site, more).code(), 0);
        let inventory = ask(["mirror", "inventory", &storage, "--format", "json", "--now", NOW]);
        assert_eq!(read(&site, "api/v1/mirror/inventory.json"), inventory.out);
        let missing = ["mirror", "missing", "--catalog", &catalog, "--mirror", &storage, "--format", "json"];
        let missing = ask(missing.iter().chain(more));
        assert_eq!(missing.code(), 1);
        assert_eq!(read(&site, "api/v1/mirror/missing.json"), missing.out);
    }
    let index: Value = serde_json::from_str(&read(&site, "api/v1/index.json")).unwrap();
    let kinds: Vec<&str> =
        index["documents"].as_array().unwrap().iter().map(|document| document["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"mirror-inventory") && kinds.contains(&"mirror-missing"), "{kinds:?}");
    assert!(read(&site, "openapi.json").contains("/api/v1/mirror/missing.json"));
    let page = read(&site, "index.html");
    assert!(page.contains("href=\"api/v1/mirror/missing.json\"") && page.contains("<h2 id=\"mirror\">"), "{page}");
    assert!(read(&site, "markdown/index.md").contains("2 images: 1 present, 1 absent"));
}

#[test]
fn the_row_of_the_mirror_covers_what_was_looked_at() {
    let site = site();
    scan(&site, &[]);
    let row = |report: &Value| {
        let rows = report["inputs"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["kind"] == "mirror").unwrap()
    };
    let before = report(&site);
    assert_eq!((&row(&before)["source"], &row(&before)["files"]), (&json!("storage"), &json!(1)));
    assert_eq!((&before["mirror"]["needed"]["absent"], &before["coverage"]["complete"]), (&json!(1), &json!(true)));
    site.push("storage", "birds/tern", "v1", "another layer");
    scan(&site, &[]);
    let after = report(&site);
    assert_ne!(row(&before)["digest"], row(&after)["digest"]);
    assert_eq!(after["mirror"]["images"], 2);
    let plain = ["scan", "--catalog", &site.path("catalog"), "--output", &site.path("report"), "--now", NOW];
    assert_eq!(ask(plain).code(), 0);
    assert_eq!(report(&site)["mirror"], Value::Null);
    assert!(!Path::new(&site.path("report/api/v1/mirror")).exists());
}

#[test]
fn what_cannot_be_read_stands_under_coverage_and_threads_change_nothing() {
    let site = site();
    let with = |jobs: &str| {
        assert_eq!(scan(&site, &["--jobs", jobs, "--no-cache"]).code(), 0);
        read(&site, "SHA256SUMS")
    };
    assert_eq!(with("1"), with("4"));
    site.write("rules/idms.yaml", "kind: [");
    assert_eq!(scan(&site, &["--rules", &site.path("rules")]).code(), 3);
    let failed = report(&site)["coverage"]["failed"].clone();
    assert_eq!(failed[0]["input"], "mirror", "{failed}");
    assert_eq!(scan(&site, &["--rules", &site.path("nothing")]).code(), 2);
    let alone = ["scan", "--catalog", &site.path("catalog"), "--rules", &site.path("rules"), "--output"];
    assert_eq!(ask(alone.iter().chain(&[site.path("other").as_str()])).code(), 2);
}
