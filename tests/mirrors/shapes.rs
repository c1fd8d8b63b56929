//! Every shape that is a directory, or the archive of one image, against the plain directories.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use crate::registry::Registry;
use crate::report::{Answers, Sources, answers, assert_same};
use crate::samples::{BUNDLE, CATALOG, IMAGES, PAYLOAD, Samples, write};
use crate::tools::{copy, text};

/// The document of the payload.
const RELEASE: &str = "platform/releases/4.18.2-amd64.json";

/// What the layout says; the other shapes must say the same.
pub(crate) fn expected(samples: &Samples) -> Answers {
    let answers = answers(&Sources::of_one(text(&samples.layout()), "catalog"));
    let bundle_document = "bundles/harbour/harbour.v1.1.0.json";
    for document in ["catalogs/harbour.json", "packages/harbour/harbour.json", bundle_document, RELEASE] {
        assert!(answers.contains_key(document), "{document} is not among {:?}", answers.keys());
    }
    let bundle = String::from_utf8_lossy(&answers[bundle_document]);
    assert!(bundle.contains("berths.example.com"), "{bundle}");
    let release = String::from_utf8_lossy(&answers[RELEASE]);
    assert!(release.contains("ack-4.18-kube-1.32-api-removals-in-4.19"), "{release}");
    answers
}

/// Directories state no architecture, so that the payload has another name there; all else must be the same.
#[test]
fn plain_directories() {
    let samples = Samples::new();
    let sources = Sources {
        catalog: text(&samples.configs()).to_owned(),
        bundles: text(&samples.bundle()).to_owned(),
        releases: text(&samples.payload()).to_owned(),
        flags: Vec::new(),
    };
    let mut found = answers(&sources);
    let mut expected = expected(&samples);
    let plain: Value = serde_json::from_slice(&found.remove("platform/releases/4.18.2-unknown.json").unwrap()).unwrap();
    let mut of_image: Value = serde_json::from_slice(&expected.remove(RELEASE).unwrap()).unwrap();
    assert_eq!(of_image["architecture"], "amd64", "{of_image}");
    of_image["architecture"] = plain["architecture"].clone();
    assert_eq!(plain, of_image);
    assert_same("plain directories", &found, &expected);
}

/// Three places, one for each image.
fn of_three(place: &Path, ending: &str) -> Sources {
    let at = |image: &str| text(&place.join(format!("{image}{ending}"))).to_owned();
    Sources { catalog: at("catalog"), bundles: at("bundle"), releases: at("payload"), flags: Vec::new() }
}

#[test]
fn an_oci_layout() {
    let samples = Samples::new();
    let digest = format!("{}#{}", text(&samples.layout()), samples.digest("catalog"));
    let by_digest = Sources { catalog: digest, ..Sources::of_one(text(&samples.layout()), "catalog") };
    assert_same("OCI layout by digest", &answers(&by_digest), &expected(&samples));
}

#[test]
fn skopeo_directories() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    for (image, _) in IMAGES {
        let from = format!("oci:{}:{image}", text(&samples.layout()));
        copy(&from, &format!("dir:{}", text(&place.path().join(image))), &[]);
    }
    assert_same("dir:", &answers(&of_three(place.path(), "")), &expected(&samples));
}

#[test]
fn oci_archives_of_skopeo() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    for (image, _) in IMAGES {
        let from = format!("oci:{}:{image}", text(&samples.layout()));
        copy(&from, &format!("oci-archive:{}:{image}", text(&place.path().join(format!("{image}.tar")))), &[]);
    }
    assert_same("oci-archive:", &answers(&of_three(place.path(), ".tar")), &expected(&samples));
}

#[test]
fn docker_archives_of_skopeo() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    for (image, (repository, tag)) in IMAGES {
        let from = format!("oci:{}:{image}", text(&samples.layout()));
        let to = format!(
            "docker-archive:{}:example.com/{repository}:{tag}",
            text(&place.path().join(format!("{image}.tar")))
        );
        crate::tools::run("skopeo", &["--insecure-policy", "copy", "-q", &from, &to]);
    }
    assert_same("docker-archive:", &answers(&of_three(place.path(), ".tar")), &expected(&samples));
}

#[test]
fn the_storage_of_a_registry_and_the_live_registry_over_plain_http() {
    let samples = Samples::new();
    let registry = Registry::open();
    registry.push(&samples);
    let expected = expected(&samples);
    let live = Sources {
        catalog: format!("registry:{}/{}:{}", registry.host, CATALOG.0, CATALOG.1),
        bundles: format!("registry:{}", registry.host),
        releases: format!("registry:{}/{}:{}", registry.host, PAYLOAD.0, PAYLOAD.1),
        flags: Vec::new(),
    };
    assert_same("live registry", &answers(&live), &expected);
    let storage = Sources::of_one(text(&registry.storage()), &format!("{}:{}", CATALOG.0, CATALOG.1));
    assert_same("storage of a registry", &answers(&storage), &expected);
}

#[test]
fn a_tree_of_oc_image_mirror_with_and_without_its_links() {
    let samples = Samples::new();
    let expected = expected(&samples);
    let place = tempfile::tempdir().unwrap();
    image_mirror(&samples, place.path());
    let sources = Sources::of_one(text(place.path()), &format!("{}:{}", CATALOG.0, CATALOG.1));
    assert_same("oc image mirror", &answers(&sources), &expected);
    // A medium with FAT keeps neither links nor colons.
    for (image, (repository, tag)) in IMAGES {
        let manifests = place.path().join("v2").join(repository).join("manifests");
        fs::remove_file(manifests.join(tag)).unwrap();
        let digest = samples.digest(image);
        fs::rename(manifests.join(&digest), manifests.join(digest.replace(':', "-"))).unwrap();
    }
    let by_digest = format!("{}@{}", CATALOG.0, samples.digest("catalog"));
    assert_same("oc image mirror on FAT", &answers(&Sources::of_one(text(place.path()), &by_digest)), &expected);
}

/// Writes what `oc image mirror --dir` writes: manifests and blobs for each repository, tags as links.
pub(crate) fn image_mirror(samples: &Samples, place: &Path) {
    for (image, (repository, tag)) in IMAGES {
        let repository = place.join("v2").join(repository);
        let digest = samples.digest(image);
        write(&repository.join("manifests").join(&digest), fs::read(samples.blob(&digest)).unwrap());
        symlink(&digest, repository.join("manifests").join(tag)).unwrap();
        for blob in samples.blobs_of(image).iter().chain([&digest]) {
            write(&repository.join("blobs").join(blob), fs::read(samples.blob(blob)).unwrap());
        }
    }
    assert_eq!(BUNDLE.0.split('/').count(), 2, "repositories nest");
}
