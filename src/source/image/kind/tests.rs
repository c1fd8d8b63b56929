//! Kinds by types, names and labels.

use std::collections::BTreeMap;

use super::*;
use crate::finding::ContentDigest;

fn descriptor(media_type: &str) -> Descriptor {
    Descriptor {
        media_type: media_type.to_owned(),
        digest: ContentDigest::of(b""),
        bytes: 0,
        platform: None,
        annotations: BTreeMap::new(),
        artifact_type: None,
    }
}

fn manifest(config: &str, layer: &str, artifact_type: Option<&str>) -> ImageManifest {
    ImageManifest {
        media_type: None,
        artifact_type: artifact_type.map(str::to_owned),
        config: descriptor(config),
        layers: vec![descriptor(layer)],
        subject: None,
        annotations: BTreeMap::new(),
    }
}

fn plain() -> ImageManifest {
    manifest(media_type::DOCKER_CONFIGURATION, "application/vnd.docker.image.rootfs.diff.tar.gzip", None)
}

fn labelled(labels: &[(&str, &str)]) -> Result<ImageKind, LabelError> {
    let labels = labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    image_kind(&plain(), Some(&Configuration { labels, ..Configuration::default() }), None, None)
}

fn named(repository: &str, tag: &str) -> ImageKind {
    image_kind(&plain(), Some(&Configuration::default()), Some(repository), Some(tag)).unwrap()
}

fn typed(config: &str, layer: &str, artifact_type: Option<&str>) -> ImageKind {
    image_kind(&manifest(config, layer, artifact_type), None, None, None).unwrap()
}

#[test]
fn the_label_of_a_catalog_is_cleaned() {
    for value in ["/configs", "configs", "/configs/", "//configs/./", "./configs"] {
        let directory = "configs".to_owned();
        assert_eq!(labelled(&[(CATALOG_LABEL, value)]), Ok(ImageKind::Catalog { directory }), "{value}");
    }
    let nested = ImageKind::Catalog { directory: "a/b".to_owned() };
    assert_eq!(labelled(&[(CATALOG_LABEL, "/a//b")]), Ok(nested));
    assert_eq!(labelled(&[(CATALOG_LABEL, "/")]), Ok(ImageKind::Catalog { directory: String::new() }));
    assert_eq!(labelled(&[(CATALOG_LABEL, "")]), Ok(ImageKind::Other));
}

#[test]
fn attack_a_label_that_leads_out_of_the_image() {
    for value in ["..", "/../etc", "/configs/../../etc", "configs/..", "a\0b"] {
        let error = labelled(&[(CATALOG_LABEL, value)]).unwrap_err();
        assert_eq!((error.label, error.value.as_str()), (CATALOG_LABEL, value));
        assert!(labelled(&[(MANIFESTS_LABEL, value)]).is_err(), "{value}");
    }
    assert!(labelled(&[(CATALOG_LABEL, "/..configs")]).is_ok(), "two dots at the start of a name are a name");
}

#[test]
fn labels_tell_the_rest() {
    assert_eq!(labelled(&[(DATABASE_LABEL, "/database/index.db")]), Ok(ImageKind::SqliteCatalog));
    let version = "4.18.2".to_owned();
    assert_eq!(labelled(&[(RELEASE_LABEL, "4.18.2")]), Ok(ImageKind::ReleasePayload { version }));
    let bundle = labelled(&[
        (MANIFESTS_LABEL, "manifests/"),
        (METADATA_LABEL, "/metadata/"),
        (PACKAGE_LABEL, "tern"),
        (CHANNELS_LABEL, "stable, fast,,"),
    ]);
    let expected = ImageKind::Bundle {
        manifests: "manifests".to_owned(),
        metadata: "metadata".to_owned(),
        package: Some("tern".to_owned()),
        channels: vec!["stable".to_owned(), "fast".to_owned()],
    };
    assert_eq!(bundle, Ok(expected));
    assert_eq!(labelled(&[("io.openshift.build.name", "x")]), Ok(ImageKind::Other));
}

#[test]
fn types_tell_what_is_no_image_to_run() {
    let tar = "application/vnd.oci.image.layer.v1.tar+gzip";
    let (config, empty) = (media_type::OCI_CONFIGURATION, media_type::EMPTY);
    let artifact = |artifact_type: &str| ImageKind::Artifact { artifact_type: artifact_type.to_owned() };
    for (config, layer, own, expected) in [
        (config, "application/vnd.dev.cosign.simplesigning.v1+json", None, ImageKind::Signature),
        (empty, "x", Some("application/vnd.dev.sigstore.bundle.v0.3+json"), ImageKind::Signature),
        (config, "application/vnd.in-toto+json", None, ImageKind::Attestation),
        (config, "application/vnd.dsse.envelope.v1+json", None, ImageKind::Attestation),
        (config, "text/spdx+json", None, ImageKind::Sbom),
        (empty, "application/octet-stream", Some("application/vnd.example"), artifact("application/vnd.example")),
        ("application/vnd.cncf.helm.config.v1+json", tar, None, artifact("application/vnd.cncf.helm.config.v1+json")),
        (empty, "application/wasm", None, artifact("application/wasm")),
        (config, tar, None, ImageKind::Other),
        ("", tar, None, ImageKind::Other),
    ] {
        assert_eq!(typed(config, layer, own), expected, "{config} {layer} {own:?}");
    }
    let mut stated = manifest(empty, "x", Some("application/vnd.dev.sigstore.bundle.v0.3+json"));
    stated.annotations.insert(PREDICATE.to_owned(), "https://slsa.dev/provenance/v1".to_owned());
    assert_eq!(image_kind(&stated, None, None, None), Ok(ImageKind::Attestation));
}

#[test]
fn names_tell_where_labels_are_silent() {
    let hex = "a".repeat(64);
    for (repository, tag, expected) in [
        ("mirror/openshift/graph-image", "latest", ImageKind::GraphData),
        ("openshift/graph-image", "latest", ImageKind::GraphData),
        ("other/graph-image", "latest", ImageKind::Other),
        ("openshift/release", "4.18.2-x86_64-etcd", ImageKind::PayloadComponent),
        ("a/release", "1", ImageKind::Other),
        ("a/oc-mirror", "01234567-89ab-cdef-0123-456789abcdef", ImageKind::OcMirrorMetadata),
        ("a/oc-mirror", "latest", ImageKind::Other),
        ("a", &format!("sha256-{hex}.sig"), ImageKind::Signature),
        ("a", &format!("sha256-{hex}.att"), ImageKind::Attestation),
        ("a", &format!("sha256-{hex}.sbom"), ImageKind::Sbom),
        ("a", &format!("sha256-{hex}"), ImageKind::Other),
        ("a", "sha256-abc.sig", ImageKind::Other),
    ] {
        assert_eq!(named(repository, tag), expected, "{repository}:{tag}");
    }
}

#[test]
fn names_for_reports_are_fixed() {
    let catalog = ImageKind::Catalog { directory: String::new() };
    let release = ImageKind::ReleasePayload { version: String::new() };
    let artifact = ImageKind::Artifact { artifact_type: String::new() };
    let names = [catalog, release, artifact, ImageKind::Sbom, ImageKind::SqliteCatalog].map(|kind| kind.name());
    assert_eq!(names, ["catalog", "release", "artifact", "artifact", "sqlite-catalog"]);
}

#[test]
fn a_rebuilt_catalog_lies_in_configs() {
    let served = ["serve", "/configs"].map(str::to_owned);
    assert_eq!(rebuilt_catalog_directory("catalog", ["configs", "configs/p/catalog.json"], true, &[]), Some("configs"));
    assert_eq!(rebuilt_catalog_directory("catalog", ["./configs/", "/configs/p"], false, &served), Some("configs"));
    assert_eq!(rebuilt_catalog_directory("configs", ["configs"], true, &served), None, "the label names it already");
    assert_eq!(
        rebuilt_catalog_directory("configs/sub", ["configs"], true, &served),
        None,
        "the label names a part of it"
    );
    assert_eq!(
        rebuilt_catalog_directory("catalog", ["etc/configs", "configs-old", ".wh.configs"], true, &served),
        None
    );
    assert_eq!(rebuilt_catalog_directory("catalog", [], true, &served), None);
    assert_eq!(rebuilt_catalog_directory("", ["configs"], true, &served), None, "the root holds it");
    assert_eq!(
        rebuilt_catalog_directory("catalog", ["configs"], false, &[]),
        None,
        "nothing shows that it was rebuilt"
    );
}
