//! Catalogs of two mirrors under one name: compared by content, however often they are rebuilt.

use skipstone::finding::ContentDigest;

use crate::mirror::Site;
use crate::program::{Answer, ask, small_catalog};

const CONFIG: &str = r#"{"os": "linux", "architecture": "amd64", "config": {"Labels":
    {"operators.operatorframework.io.index.configs.v1": "/configs"}}}"#;

/// Pushes a catalog image; what is built at another time has other bytes. The digest is that of its layer.
fn push(site: &Site, storage: &str, catalog: &str, built: u64) -> ContentDigest {
    let mut layer = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(catalog.len() as u64);
    header.set_mode(0o644);
    header.set_mtime(built);
    layer.append_data(&mut header, "configs/gull.yaml", catalog.as_bytes()).unwrap();
    let layer = layer.into_inner().unwrap();
    site.push_configured(storage, "birds/index", "v4.20", CONFIG, &layer).1
}

fn diff(site: &Site) -> Answer {
    ask(["mirror", "diff", &site.path("old"), &site.path("new"), "--format", "json"])
}

/// The codes of what changed in catalogs.
fn codes(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let changes = json["changes"].as_array().unwrap().iter();
    let of_catalogs = changes.filter(|change| !change["subject"]["catalog"].is_null());
    of_catalogs.map(|change| change["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_rebuilt_catalog_has_not_changed_and_a_republished_bundle_has() {
    let site = Site::new();
    push(&site, "old", &small_catalog("gull"), 1);
    push(&site, "new", &small_catalog("gull"), 2);
    let rebuilt = diff(&site);
    // The tag moved all the same.
    assert_eq!((rebuilt.code(), codes(&rebuilt).len()), (1, 0), "{}", rebuilt.out);
    push(&site, "new", &small_catalog("gull").replace(&"0".repeat(64), &"1".repeat(64)), 3);
    let republished = diff(&site);
    assert_eq!((republished.code(), codes(&republished)), (1, vec!["mirror/bundle-republished".to_owned()]));
    let subject = &republished.json()["changes"][0]["subject"];
    assert_eq!(
        (subject["catalog"].as_str(), subject["bundle"].as_str()),
        (Some("birds/index:v4.20"), Some("gull.v1.0.0"))
    );
}

#[test]
fn a_catalog_that_cannot_be_read_is_a_finding() {
    let site = Site::new();
    push(&site, "old", &small_catalog("gull"), 1);
    let layer = push(&site, "new", &small_catalog("gull"), 2);
    std::fs::remove_file(site.path(&Site::blob_path("new", &layer))).unwrap();
    let answer = diff(&site);
    let json = answer.json();
    assert_eq!((answer.code(), json["findings"][0]["code"].as_str()), (3, Some("input/unreadable")), "{}", answer.out);
    assert!(json["findings"][0]["message"].as_str().unwrap().contains("birds/index:v4.20"), "{}", answer.out);
    assert_eq!(codes(&answer).len(), 0);
}
