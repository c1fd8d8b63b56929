//! `skipstone mirror`: what it says of mirrors that are whole, damaged, and laid out otherwise than the rules say.

use std::fs;
use std::path::Path;

use serde_json::Value;
use skipstone::finding::ContentDigest;
use tempfile::{TempDir, tempdir};

use crate::program::{Answer, ask};

/// The storage of a registry, and a catalog beside it that needs what lies there.
pub(crate) struct Site {
    place: TempDir,
}

impl Site {
    pub(crate) fn new() -> Self {
        Self { place: tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.place.path().join(name).display().to_string()
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        write(&self.place.path().join(path), bytes.as_ref());
    }

    pub(crate) fn blob_path(storage: &str, digest: &ContentDigest) -> String {
        let hex = digest.hex();
        format!("{storage}/docker/registry/v2/blobs/sha256/{}/{hex}/data", &hex[..2])
    }

    pub(crate) fn blob(&self, storage: &str, bytes: impl AsRef<[u8]>) -> ContentDigest {
        let digest = ContentDigest::of(bytes.as_ref());
        self.write(&Self::blob_path(storage, &digest), bytes);
        digest
    }

    /// Pushes an image of one layer: digests of the manifest and of the layer.
    pub(crate) fn push(
        &self,
        storage: &str,
        repository: &str,
        tag: &str,
        layer: &str,
    ) -> (ContentDigest, ContentDigest) {
        let config = r#"{"os": "linux", "architecture": "amd64", "config": {"Labels":
            {"operators.operatorframework.io.bundle.manifests.v1": "manifests/",
             "operators.operatorframework.io.bundle.package.v1": "gull"}}}"#;
        self.push_configured(storage, repository, tag, config, layer.as_bytes())
    }

    /// Pushes an image with this configuration and one layer.
    pub(crate) fn push_configured(
        &self,
        storage: &str,
        repository: &str,
        tag: &str,
        config: &str,
        layer: &[u8],
    ) -> (ContentDigest, ContentDigest) {
        let (config_digest, layer_digest) = (self.blob(storage, config), self.blob(storage, layer));
        let manifest = self.blob(
            storage,
            format!(
                r#"{{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                    "config": {{"mediaType": "application/vnd.oci.image.config.v1+json", "digest": "{config_digest}", "size": {}}},
                    "layers": [{{"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": "{layer_digest}", "size": {}}}]}}"#,
                config.len(),
                layer.len()
            ),
        );
        self.link(storage, repository, tag, &manifest);
        (manifest, layer_digest)
    }

    pub(crate) fn link(&self, storage: &str, repository: &str, tag: &str, manifest: &ContentDigest) {
        let manifests = format!("{storage}/docker/registry/v2/repositories/{repository}/_manifests");
        let text = manifest.to_string();
        self.write(&format!("{manifests}/revisions/sha256/{}/link", manifest.hex()), &text);
        self.write(&format!("{manifests}/tags/{tag}/current/link"), &text);
        self.write(&format!("{manifests}/tags/{tag}/index/sha256/{}/link", manifest.hex()), &text);
    }

    /// A catalog of one bundle with these images.
    pub(crate) fn catalog(&self, images: &[String]) {
        let related: String = images.iter().map(|image| format!("- {{name: part, image: '{image}'}}\n")).collect();
        let text = format!(
            "schema: olm.package\nname: gull\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: gull\n\
             name: stable\nentries: [{{name: gull.v1.0.0}}]\n---\nschema: olm.bundle\npackage: gull\n\
             name: gull.v1.0.0\nimage: '{}'\nproperties:\n- {{type: olm.package, value: {{packageName: gull, \
             version: 1.0.0}}}}\nrelatedImages:\n{related}",
            images[0]
        );
        self.write("catalog/gull.yaml", text);
    }

    pub(crate) fn rules(&self, source: &str, mirror: &str) {
        let text = format!(
            "apiVersion: config.openshift.io/v1\nkind: ImageDigestMirrorSet\nspec:\n  imageDigestMirrors:\n  \
             - source: {source}\n    mirrors: [{mirror}]\n"
        );
        self.write("rules/idms.yaml", text);
    }

    pub(crate) fn missing(&self, more: &[&str]) -> Answer {
        let (catalog, storage) = (self.path("catalog"), self.path("storage"));
        let base = ["mirror", "missing", "--catalog", &catalog, "--mirror", &storage, "--format", "json"];
        ask(base.iter().chain(more))
    }
}

pub(crate) fn write(file: &Path, bytes: &[u8]) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

/// State and reason of each image of the first bundle.
fn states(answer: &Answer) -> Vec<(String, String)> {
    let json = answer.json();
    let images = json["bundles"][0]["images"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    images.iter().map(|image| (text(&image["state"]), text(&image["why"]))).collect()
}

fn one(state: &str, why: &str) -> Vec<(String, String)> {
    vec![(state.to_owned(), why.to_owned())]
}

fn by_digest(repository: &str, digest: &ContentDigest) -> String {
    format!("up.example/{repository}@{digest}")
}

#[test]
fn an_inventory_has_the_form_that_scripts_rely_on() {
    let site = Site::new();
    let (digest, _) = site.push("storage", "birds/gull", "v1", "layer one");
    site.link("storage", "birds/gull", "v2", &digest);
    site.push("storage", "birds/tern", "v1", "layer two");
    let answer = ask(["mirror", "inventory", &site.path("storage"), "--format", "json"]);
    assert_eq!(answer.code(), 0, "{}", answer.err);
    let json = answer.json();
    let repositories = json["repositories"].as_array().unwrap();
    let names: Vec<&str> = repositories.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["birds/gull", "birds/tern"]);
    assert_eq!(repositories[0]["tags"], serde_json::json!(["v1", "v2"]));
    let image = &repositories[0]["images"][0];
    assert_eq!((image["digest"].as_str(), image["kind"].as_str()), (Some(digest.to_string().as_str()), Some("bundle")));
    assert_eq!((image["labels"]["package"].as_str(), image["faulty_parts"].as_u64()), (Some("gull"), Some(0)));
    let sum: u64 = repositories.iter().map(|one| one["unique_bytes"].as_u64().unwrap()).sum();
    // Both share one configuration.
    assert!(json["unique_bytes"].as_u64().unwrap() < sum);
    assert_eq!(json["stores"][0]["place"], "storage");
    assert!(!answer.out.contains(&site.place.path().display().to_string()), "{}", answer.out);
    for format in ["text", "markdown"] {
        let answer = ask(["mirror", "inventory", &site.path("storage"), "--format", format]);
        assert_eq!(answer.code(), 0);
        assert!(answer.out.contains("birds/tern") && answer.out.contains("bundle"), "{}", answer.out);
    }
}

#[test]
fn a_damaged_layer_is_found_where_every_byte_is_read() {
    let site = Site::new();
    let (digest, layer) = site.push("storage", "birds/gull", "v1", "layer");
    site.catalog(&[by_digest("birds/gull", &digest)]);
    assert_eq!(site.missing(&[]).code(), 0);
    site.write(&Site::blob_path("storage", &layer), "reyal");
    assert_eq!(states(&site.missing(&[])), one("present", "-"));
    let verified = site.missing(&["--verify"]);
    assert_eq!((verified.code(), states(&verified)), (1, one("bad", "bad-digest")));
    site.write(&Site::blob_path("storage", &layer), "lay");
    let truncated = site.missing(&[]);
    assert_eq!((truncated.code(), states(&truncated)), (1, one("bad", "truncated")));
    fs::remove_file(site.path(&Site::blob_path("storage", &layer))).unwrap();
    let absent = site.missing(&[]);
    assert_eq!((absent.code(), states(&absent)), (1, one("absent", "blob-absent")));
    assert_eq!(absent.json()["totals"]["carry_bytes"], 5);
}

#[test]
fn rules_decide_whether_an_image_can_be_pulled() {
    let site = Site::new();
    let (digest, _) = site.push("storage", "mirror/gull", "v1", "layer");
    site.catalog(&[by_digest("birds/gull", &digest)]);
    assert_eq!(states(&site.missing(&[])), one("present", "-"));
    let rules = site.path("rules");
    site.rules("up.example/birds", "registry.example:5000/mirror");
    let found = site.missing(&["--rules", &rules]);
    assert_eq!((found.code(), states(&found)), (0, one("present", "-")));
    site.rules("up.example/birds", "registry.example:5000/elsewhere");
    let wrong = site.missing(&["--rules", &rules]);
    assert_eq!((wrong.code(), states(&wrong)), (1, one("absent", "wrong-repo")));
    site.rules("up.example/fish", "registry.example:5000/mirror");
    let none = site.missing(&["--rules", &rules]);
    assert_eq!((none.code(), states(&none)), (1, one("absent", "no-rule")));
}

#[test]
fn what_nobody_has_is_absent_and_its_size_unknown() {
    let site = Site::new();
    let (digest, _) = site.push("storage", "birds/gull", "v1", "layer");
    let gone = by_digest("birds/gull", &ContentDigest::of(b"gone"));
    site.catalog(&[by_digest("birds/gull", &digest), gone, String::new(), "oci:///birds".to_owned()]);
    let answer = site.missing(&["--package", "gull"]);
    let expected =
        [("present", "-"), ("absent", "manifest-absent"), ("absent", "unmirrorable"), ("absent", "unmirrorable")];
    assert_eq!(states(&answer), expected.map(|(state, why)| (state.to_owned(), why.to_owned())));
    assert_eq!((answer.code(), answer.json()["totals"]["unknown_size"].as_u64()), (1, Some(3)));
    let text = ask(["mirror", "missing", "--catalog", &site.path("catalog"), "--mirror", &site.path("storage")]);
    assert!(text.out.contains("needed by gull.v1.0.0"), "{}", text.out);
    assert_eq!(site.missing(&["--package", "none"]).code(), 2);
}

#[test]
fn a_part_that_cannot_be_read_makes_the_answer_incomplete() {
    let site = Site::new();
    let (digest, _) = site.push("storage", "birds/gull", "v1", "layer");
    site.catalog(&[by_digest("birds/gull", &digest)]);
    site.write("rules/idms.yaml", "kind: [");
    assert_eq!(site.missing(&["--rules", &site.path("rules")]).code(), 3);
    assert_eq!(site.missing(&["--rules", &site.path("no-rules")]).code(), 2);
    assert_eq!(ask(["mirror", "inventory", &site.path("nothing")]).code(), 2);
    assert_eq!(ask(["mirror", "inventory", &site.path("catalog")]).code(), 2);
}

#[test]
fn moved_tags_and_new_images_are_changes() {
    let site = Site::new();
    site.push("old", "birds/gull", "v1", "layer one");
    site.push("new", "birds/gull", "v1", "layer two");
    let (old, new) = (site.path("old"), site.path("new"));
    let same = ask(["mirror", "diff", &old, &old, "--format", "json"]);
    assert_eq!((same.code(), same.json()["changes"].as_array().unwrap().len()), (0, 0));
    let answer = ask(["mirror", "diff", &old, &new, "--format", "json"]);
    let json = answer.json();
    let codes: Vec<&str> =
        json["changes"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!((answer.code(), codes), (1, vec!["mirror/image-added", "mirror/image-removed", "mirror/tag-moved"]));
    for code in ["mirror/tag-moved", "mirror/wrong-repo", "mirror/bundle-republished"] {
        assert_eq!(ask(["explain", code]).code(), 0, "{code}");
    }
}

#[test]
fn two_catalogs_are_compared_by_content() {
    let site = Site::new();
    site.catalog(&["up.example/gull:1".to_owned()]);
    fs::rename(site.path("catalog"), site.path("before")).unwrap();
    site.catalog(&["up.example/gull:2".to_owned()]);
    let answer = ask(["mirror", "diff", &site.path("before"), &site.path("catalog"), "--format", "json"]);
    assert_eq!((answer.code(), answer.json()["changes"][0]["code"].as_str()), (1, Some("mirror/bundle-republished")));
    assert_eq!(ask(["mirror", "diff", &site.path("before"), &site.path("before")]).code(), 0);
}

#[test]
fn threads_change_nothing() {
    let site = Site::new();
    for number in 0..20 {
        site.push("storage", &format!("birds/{number}"), "v1", &format!("layer {number}"));
    }
    let with = |jobs: &str| ask(["mirror", "inventory", &site.path("storage"), "--format", "json", "--jobs", jobs]).out;
    assert_eq!(with("1"), with("4"));
}
