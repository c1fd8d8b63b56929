//! Releases of mirrors: whether they are signed, and whether all their images are there.

use pgp::composed::{KeyType, MessageBuilder, SecretKeyParamsBuilder, SignedSecretKey};
use pgp::crypto::hash::HashAlgorithm;
use pgp::ser::Serialize as _;
use pgp::types::{Password, Timestamp};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use skipstone::finding::ContentDigest;

use crate::mirror::Site;
use crate::program::{Answer, NOW, ask};

/// A key made on 2026-01-01.
fn key(seed: u64) -> SignedSecretKey {
    let mut builder = SecretKeyParamsBuilder::default();
    builder.key_type(KeyType::Ed25519Legacy).can_sign(true).can_certify(true);
    builder.created_at(Timestamp::from_secs(1_767_225_600)).primary_user_id(format!("key {seed}"));
    builder.build().unwrap().generate(StdRng::seed_from_u64(seed)).unwrap()
}

fn signature(key: &SignedSecretKey, digest: &ContentDigest) -> Vec<u8> {
    let body = json!({
        "critical": {
            "type": "atomic container signature",
            "image": {"docker-manifest-digest": digest.to_string()},
            "identity": {"docker-reference": "up.example/release:4.20.1"},
        },
        "optional": {},
    });
    let mut builder = MessageBuilder::from_bytes("", body.to_string());
    builder.sign(&key.primary_key, Password::empty(), HashAlgorithm::Sha256);
    builder.to_vec(StdRng::seed_from_u64(0)).unwrap()
}

/// A registry with one release, and the public part of the key that signs it.
fn site() -> (Site, ContentDigest) {
    let site = Site::new();
    let config =
        r#"{"os": "linux", "architecture": "amd64", "config": {"Labels": {"io.openshift.release": "4.20.1"}}}"#;
    let (digest, _) = site.push_configured("storage", "openshift/release-images", "4.20.1-x86_64", config, b"layer");
    site.push("storage", "birds/gull", "v1", "another layer");
    site.write("key.gpg", key(1).to_public_key().to_bytes().unwrap());
    site.write("other.gpg", key(2).to_public_key().to_bytes().unwrap());
    (site, digest)
}

fn inventory(site: &Site, more: &[&str]) -> Answer {
    let storage = site.path("storage");
    // Signatures of this test are made now.
    let base = ["mirror", "inventory", &storage, "--format", "json", "--now", "2100-01-01T00:00:00Z"];
    ask(base.iter().chain(more))
}

/// What is said of the signature of the release, and the codes of the findings.
fn said(answer: &Answer) -> (Value, Vec<(String, String)>) {
    let json = answer.json();
    let repositories = json["repositories"].as_array().unwrap();
    let release = repositories.iter().find(|one| one["name"] == "openshift/release-images").unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let findings = json["findings"].as_array().unwrap().iter();
    let codes = findings.map(|finding| (text(&finding["code"]), text(&finding["severity"])));
    (release["images"][0]["release_signature"].clone(), codes.collect())
}

fn one(code: &str, severity: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), severity.to_owned())]
}

#[test]
fn a_release_is_verified_by_the_key_that_signed_it() {
    let (site, digest) = site();
    site.write(&format!("signatures/sha256={}/signature-1", digest.hex()), signature(&key(1), &digest));
    let (signatures, right) = (site.path("signatures"), site.path("key.gpg"));
    let answer = inventory(&site, &["--signatures", &signatures, "--key", &right]);
    let (view, codes) = said(&answer);
    assert_eq!((answer.code(), codes), (0, vec![]));
    assert_eq!((&view["known"], &view["verified"]), (&json!(true), &json!(true)));
    assert_eq!((&view["reference"], &view["reason"]), (&json!("up.example/release:4.20.1"), &Value::Null));
    assert_eq!(view["key"].as_str().map(str::len), Some(40));
    assert_eq!(view["file"], format!("sha256={}/signature-1", digest.hex()));

    let without = said(&inventory(&site, &["--signatures", &signatures]));
    assert_eq!((&without.0["known"], &without.0["verified"]), (&json!(false), &Value::Null));
    assert_eq!((&without.0["reason"], without.1), (&json!("no key was given"), vec![]));
    let other = said(&inventory(&site, &["--signatures", &signatures, "--key", &site.path("other.gpg")]));
    assert_eq!((&other.0["verified"], other.1), (&Value::Null, one("mirror/signature-unproven", "warning")));

    let storage = site.path("storage");
    for format in ["text", "markdown"] {
        let typed = ["mirror", "inventory", &storage, "--signatures", &signatures, "--key", &right];
        let answer = ask(typed.iter().chain(&["--format", format, "--now", "2100-01-01T00:00:00Z"]));
        assert!(answer.out.contains("release signature verified: up.example/release:4.20.1"), "{}", answer.out);
    }
}

#[test]
fn a_signature_of_another_release_is_bad_and_none_is_said() {
    let (site, digest) = site();
    let key_file = site.path("key.gpg");
    let absent = inventory(&site, &["--key", &key_file]);
    assert_eq!((absent.code(), said(&absent).1), (0, one("mirror/signature-absent", "warning")));
    assert_eq!(said(&inventory(&site, &[])).1, one("mirror/signature-absent", "info"));
    site.write(
        &format!("4.20.1-x86_64-sha256-{}", digest.hex()),
        signature(&key(1), &ContentDigest::of(b"another release")),
    );
    let file = site.path(&format!("4.20.1-x86_64-sha256-{}", digest.hex()));
    let bad = inventory(&site, &["--signatures", &file, "--key", &key_file]);
    assert_eq!((bad.code(), said(&bad).1), (1, one("mirror/bad-signature", "error")));
    assert_eq!(said(&bad).0["verified"], false);
    site.write("cut.gpg", b"no key");
    assert_eq!(inventory(&site, &["--key", &site.path("cut.gpg")]).code(), 2);
    assert_eq!(inventory(&site, &["--signatures", &site.path("nothing")]).code(), 2);
    site.write("torn.json", b"{");
    assert_eq!(inventory(&site, &["--signatures", &site.path("torn.json")]).code(), 3);
}

#[test]
fn signatures_that_lie_beside_the_images_are_found() {
    let site = Site::new();
    let config = r#"{"config": {"Labels": {"io.openshift.release": "4.20.1"}}}"#;
    let config_digest = ContentDigest::of(config.as_bytes());
    let manifest = format!(
        r#"{{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": {{"mediaType": "application/vnd.oci.image.config.v1+json", "digest": "{config_digest}",
            "size": {}}}, "layers": []}}"#,
        config.len()
    );
    let digest = ContentDigest::of(manifest.as_bytes());
    site.write(&format!("m/v2/openshift/release/blobs/{config_digest}"), config);
    site.write(&format!("m/v2/openshift/release/blobs/{digest}"), &manifest);
    site.write(&format!("m/v2/openshift/release/manifests/{digest}"), &manifest);
    site.write("key.gpg", key(1).to_public_key().to_bytes().unwrap());
    let message = base64(&signature(&key(1), &digest));
    let name = format!("sha256-{}-1", digest.hex());
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "binaryData": {name.as_str(): message}});
    let file = format!("config/signature-sha256-{}.json", digest.hex());
    site.write(&format!("m/{file}"), map.to_string());
    let mirror = site.path("m");
    let typed = ["mirror", "inventory", &mirror, "--key", &site.path("key.gpg"), "--format", "json"];
    let answer = ask(typed.iter().chain(&["--now", "2100-01-01T00:00:00Z"]));
    let view = &answer.json()["repositories"][0]["images"][0]["release_signature"];
    assert_eq!((answer.code(), &view["verified"]), (0, &json!(true)), "{}", answer.out);
    assert_eq!(view["file"], format!("{file}#{name}"));
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// An extracted payload with these components.
fn payload(site: &Site, components: &[(&str, String)]) {
    let tags: Vec<Value> = components
        .iter()
        .map(|(name, reference)| json!({"name": name, "from": {"kind": "DockerImage", "name": reference}}))
        .collect();
    let stream = json!({"kind": "ImageStream", "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": "4.20.1"}, "spec": {"tags": tags}});
    let metadata = json!({"kind": "cincinnati-metadata-v0", "version": "4.20.1", "previous": [], "metadata": {}});
    site.write("payload/release-manifests/image-references", stream.to_string());
    site.write("payload/release-manifests/release-metadata", metadata.to_string());
}

#[test]
fn components_of_payloads_are_looked_for_and_a_repair_is_named() {
    let (site, _) = site();
    let (etcd, _) = site.push("storage", "openshift/release", "4.20.1-x86_64-etcd", "etcd");
    let gone = format!("up.example/birds/release@{}", ContentDigest::of(b"gone"));
    payload(&site, &[("etcd", format!("up.example/birds/release@{etcd}"))]);
    let (place, storage) = (site.path("payload"), site.path("storage"));
    let missing = |more: &[&str]| {
        let base = ["mirror", "missing", "--releases", &place, "--mirror", &storage, "--format", "json", "--now", NOW];
        ask(base.iter().chain(more))
    };
    let whole = missing(&[]);
    assert_eq!(whole.code(), 0, "{}{}", whole.out, whole.err);
    let release = whole.json()["releases"][0].clone();
    assert_eq!((&release["images"][0]["roles"], &release["images"][0]["state"]), (&json!(["etcd"]), &json!("present")));

    payload(&site, &[("console", gone.clone()), ("etcd", format!("up.example/birds/release@{etcd}"))]);
    let lacking = missing(&[]);
    let view = lacking.json();
    assert_eq!((lacking.code(), &view["totals"]["absent"], &view["repair"]), (1, &json!(1), &json!([])));
    site.rules("up.example/birds", "registry.example:5000/openshift");
    let view = missing(&["--rules", &site.path("rules")]).json();
    let tag = format!("sha256-{}", ContentDigest::of(b"gone").hex());
    let expected = json!([{"source": gone, "destination": format!("registry.example:5000/openshift/release:{tag}")}]);
    assert_eq!(view["repair"], expected);
    assert_eq!(ask(["mirror", "missing", "--mirror", &storage]).code(), 2);
    let empty = ask(["mirror", "missing", "--releases", &site.path("rules"), "--mirror", &storage]);
    assert_eq!(empty.code(), 2, "{}", empty.out);
}
