//! Manifests as tools write them, and as an attacker would.

use super::*;

const DIGEST: &str = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

fn image_text(media_type: &str, config: &str, layer: &str) -> String {
    format!(
        r#"{{"schemaVersion": 2, "mediaType": "{media_type}",
            "config": {{"mediaType": "{config}", "digest": "{DIGEST}", "size": 2}},
            "layers": [{{"mediaType": "{layer}", "digest": "{DIGEST}", "size": 2, "urls": ["https://example.com"]}}]}}"#
    )
}

fn index_of(text: &str) -> Index {
    match parse_manifest(text.as_bytes(), None) {
        Ok(Manifest::Index(index)) => index,
        other => panic!("{other:?}"),
    }
}

fn image_of(text: &str) -> ImageManifest {
    match parse_manifest(text.as_bytes(), None) {
        Ok(Manifest::Image(image)) => *image,
        other => panic!("{other:?}"),
    }
}

fn refusal(text: &str, stated: Option<&str>) -> String {
    parse_manifest(text.as_bytes(), stated).unwrap_err().to_string()
}

#[test]
fn oci_and_docker_read_the_same() {
    for (media_type, config) in [
        (media_type::OCI_IMAGE, media_type::OCI_CONFIGURATION),
        (media_type::DOCKER_IMAGE, media_type::DOCKER_CONFIGURATION),
    ] {
        let text = image_text(media_type, config, "application/vnd.docker.image.rootfs.diff.tar.gzip");
        let image = image_of(&text);
        assert_eq!(image.media_type.as_deref(), Some(media_type));
        assert!(media_type::is_image(media_type) && media_type::is_configuration(&image.config.media_type));
        assert_eq!(image.config.digest.to_string(), DIGEST);
        assert_eq!((image.config.bytes, image.layers.len()), (2, 1));
    }
    for media_type in [media_type::OCI_INDEX, media_type::DOCKER_INDEX] {
        let text = format!(
            r#"{{"schemaVersion": 2, "mediaType": "{media_type}", "manifests": [{{"mediaType": "x", "digest": "{DIGEST}",
                "size": 2, "platform": {{"os": "linux", "architecture": "arm64", "variant": "v8", "features": ["a"]}},
                "annotations": {{"a": "b"}}}}]}}"#
        );
        let index = index_of(&text);
        assert_eq!(index.media_type.as_deref(), Some(media_type));
        let [descriptor] = index.descriptors.as_slice() else { panic!("one member") };
        assert_eq!(descriptor.platform, Some("linux/arm64/v8".parse().unwrap()));
        assert_eq!(descriptor.annotations["a"], "b");
    }
}

#[test]
fn the_keys_say_what_it_is_where_nothing_else_does() {
    let index = index_of(&format!(r#"{{"manifests": [{{"digest": "{DIGEST}", "size": 2}}]}}"#));
    assert_eq!((index.media_type, index.descriptors[0].media_type.as_str()), (None, ""));
    assert_eq!(index_of(r#"{"manifests": null, "annotations": null}"#).descriptors, []);
    let image = image_of(&format!(r#"{{"config": {{"digest": "{DIGEST}", "size": 2}}, "layers": null}}"#));
    assert_eq!(image.layers, []);
    assert_eq!(refusal("{}", None), "it is neither an index nor the manifest of an image");
    assert_eq!(refusal(r#"{"layers": []}"#, None), "it names no configuration");
}

#[test]
fn an_artifact_is_an_image_with_its_types() {
    let text = format!(
        r#"{{"schemaVersion": 2, "mediaType": "{}", "artifactType": "application/vnd.example+json",
            "config": {{"mediaType": "{}", "digest": "{DIGEST}", "size": 2, "data": "e30="}},
            "layers": [{{"mediaType": "application/vnd.in-toto+json", "digest": "{DIGEST}", "size": 2}}],
            "subject": {{"mediaType": "{}", "digest": "{DIGEST}", "size": 7}}, "annotations": {{"k": "v"}}}}"#,
        media_type::OCI_IMAGE,
        media_type::EMPTY,
        media_type::OCI_IMAGE
    );
    let image = image_of(&text);
    assert_eq!(image.artifact_type.as_deref(), Some("application/vnd.example+json"));
    assert_eq!(image.config.media_type, media_type::EMPTY);
    assert_eq!(image.subject.map(|subject| subject.bytes), Some(7));
    assert_eq!(image.annotations["k"], "v");
}

#[test]
fn one_bad_descriptor_does_not_lose_the_others() {
    let good = format!(r#"{{"digest": "{DIGEST}", "size": 2}}"#);
    for bad in [
        r#"{"digest": "sha256:../../etc/passwd", "size": 2}"#.to_owned(),
        r#"{"digest": "md5:00", "size": 2}"#.to_owned(),
        format!(r#"{{"digest": "{DIGEST}", "size": -1}}"#),
        format!(r#"{{"digest": "{DIGEST}"}}"#),
        format!(r#"{{"digest": "{DIGEST}", "size": 2, "annotations": [1]}}"#),
        "7".to_owned(),
        format!(r#"["", "{DIGEST}", 2]"#),
        "null".to_owned(),
    ] {
        let index = index_of(&format!(r#"{{"manifests": [{good}, {bad}, {good}]}}"#));
        assert_eq!(index.descriptors.len(), 2, "{bad}");
        assert_eq!(index.faults.iter().map(|fault| fault.position).collect::<Vec<_>>(), [1], "{bad}");
    }
    let image = format!(r#"{{"config": {good}, "layers": [{good}, {{"digest": "x", "size": 1}}]}}"#);
    assert!(refusal(&image, None).starts_with("layer 2: "), "an image needs each of its layers");
}

#[test]
fn schema_1_is_refused_by_name() {
    for text in [
        r#"{"schemaVersion": 1, "name": "a", "tag": "b", "fsLayers": [], "history": []}"#,
        r#"{"mediaType": "application/vnd.docker.distribution.manifest.v1+prettyjws", "layers": []}"#,
    ] {
        assert_eq!(parse_manifest(text.as_bytes(), None), Err(ManifestError::Schema1));
    }
    let stated = "application/vnd.docker.distribution.manifest.v1+json; charset=utf-8";
    assert_eq!(parse_manifest(b"{}", Some(stated)), Err(ManifestError::Schema1));
}

#[test]
fn attack_a_document_that_is_index_and_image() {
    let text = format!(r#"{{"manifests": [], "config": {{"digest": "{DIGEST}", "size": 2}}, "layers": []}}"#);
    assert!(refusal(&text, None).contains("either"));
    assert!(refusal(r#"{"manifests": null, "layers": null}"#, None).contains("either"));
}

#[test]
fn attack_a_media_type_that_lies() {
    assert!(refusal(r#"{"manifests": []}"#, Some(media_type::OCI_IMAGE)).contains("calls it an image"));
    let image = image_text(media_type::OCI_INDEX, media_type::OCI_CONFIGURATION, "x");
    assert!(refusal(&image, None).contains("calls it an index"));
    let honest = image_text(media_type::DOCKER_IMAGE, media_type::OCI_CONFIGURATION, "x");
    assert!(parse_manifest(honest.as_bytes(), Some(media_type::OCI_IMAGE)).is_ok(), "docker's words are OCI's");
}

#[test]
fn attack_too_many_descriptors_and_layers() {
    let list = |count: usize| vec!["0"; count].join(",");
    let index = |count| format!(r#"{{"manifests": [{}]}}"#, list(count));
    assert_eq!(index_of(&index(MANIFEST_DESCRIPTORS)).faults.len(), MANIFEST_DESCRIPTORS);
    assert_eq!(refusal(&index(MANIFEST_DESCRIPTORS + 1), None), "it has more than 10000 descriptors");
    assert_eq!(refusal(&index(1_000_000), None), "it has more than 10000 descriptors");
    let good = format!(r#"{{"digest": "{DIGEST}", "size": 2}}"#);
    let image = |count| format!(r#"{{"config": {good}, "layers": [{}]}}"#, vec![good.as_str(); count].join(","));
    assert_eq!(image_of(&image(MANIFEST_LAYERS)).layers.len(), MANIFEST_LAYERS);
    assert_eq!(refusal(&image(MANIFEST_LAYERS + 1), None), "it has more than 1000 layers");
}

#[test]
fn attack_too_many_bytes() {
    let most = usize::try_from(MANIFEST_BYTES).unwrap();
    let mut text = String::from(r#"{"manifests": []}"#);
    text.push_str(&" ".repeat(most - text.len()));
    assert!(parse_manifest(text.as_bytes(), None).is_ok());
    text.push(' ');
    assert!(matches!(parse_manifest(text.as_bytes(), None), Err(ManifestError::Limit(_))));
}

#[test]
fn attack_nesting_without_end() {
    for text in [
        "[".repeat(1_000_000),
        format!(r#"{{"other": {}"#, "[".repeat(1_000_000)),
        format!(r#"{{"manifests": [{}{}]}}"#, "[".repeat(100_000), "]".repeat(100_000)),
        format!(r#"{{"other": {}{}, "manifests": []}}"#, "[".repeat(100_000), "]".repeat(100_000)),
    ] {
        // Whether it is read or refused does not matter: it comes back.
        let _ = parse_manifest(text.as_bytes(), None);
    }
}

#[test]
fn garbage_and_truncation_are_refused() {
    let whole = image_text(media_type::OCI_IMAGE, media_type::OCI_CONFIGURATION, "x");
    for end in 0..whole.len() {
        assert!(parse_manifest(&whole.as_bytes()[..end], None).is_err(), "cut at {end}");
    }
    for bytes in
        [b"\xff\xfe".as_slice(), b"[2, \"\", \"\", []]", b"null", b"7", b"{\"manifests\": {}}", b"{\"manifests\": 7}"]
    {
        assert!(parse_manifest(bytes, None).is_err(), "{bytes:?}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_come_back(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
        let _ = parse_manifest(&bytes, None);
    }
}
