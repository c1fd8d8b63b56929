//! Mirrors that attack whoever reads them, or that fell apart on their way, by the whole program.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use skipstone::finding::ContentDigest;

use crate::image_builder::{CATALOG_LABEL, Files, Images, Tar, blob_path, gzip, storage_path, write};
use crate::program::finish;
use crate::site::{OUTSIDE, Site, heron};

fn honest() -> Images {
    let (path, text) = heron();
    Images::catalog(&[gzip(&Tar::with(path, text).finish())])
}

/// The bytes of the file at a path.
fn content<'f>(files: &'f mut Files, path: &str) -> &'f mut Vec<u8> {
    &mut files.iter_mut().find(|(found, _)| found == path).unwrap().1
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn attack_a_blob_that_is_a_link_out_of_the_layout() {
    let images = honest();
    let (manifest, config, layers) = images.parts();
    for digest in [&manifest, &config, &layers[0]] {
        let site = Site::layout(&images);
        let blob = site.mirror().join(blob_path(digest));
        // The right bytes, but not in the layout.
        fs::rename(&blob, site.path("aside/blob")).unwrap();
        symlink(site.path("aside/blob"), &blob).unwrap();
        let scanned = site.scan();
        scanned.fails(&digest[7..]);
    }
    let site = Site::layout(&images);
    fs::rename(site.mirror().join("blobs"), site.path("aside/blobs")).unwrap();
    symlink("../aside/blobs", site.mirror().join("blobs")).unwrap();
    site.scan().fails("is not here");
}

/// Whoever opens a pipe waits for a writer who never comes.
#[test]
fn attack_a_pipe_in_the_place_of_a_blob_or_of_the_index() {
    let images = honest();
    let (manifest, config, layers) = images.parts();
    let paths = [blob_path(&manifest), blob_path(&config), blob_path(&layers[0]), "index.json".to_owned()];
    for path in paths {
        let site = Site::layout(&images);
        fs::remove_file(site.mirror().join(&path)).unwrap();
        pipe(&site.mirror().join(&path));
        let scanned = site.scan();
        assert!([2, 3].contains(&scanned.answer.code()), "{path}: {}", scanned.answer.err);
        scanned.has_read(&[]);
    }
}

#[test]
fn attack_digests_that_are_paths() {
    for digest in ["sha256:../../../outside.yaml", "../../outside.yaml", "sha256:/etc/passwd", "..:..", "sha256:", "/"]
    {
        let images = honest();
        let mut beside = images.clone();
        beside.top.push(
            json!({"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": digest, "size": OUTSIDE.len()}),
        );
        let scanned = Site::layout(&beside).scan();
        scanned.tells(3, "input/unreadable", "is no descriptor");
        scanned.has_read(&["heron"]);

        let mut within = images.clone();
        let layer =
            json!({"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": digest, "size": OUTSIDE.len()});
        within.top.clear();
        let image = within.image_of(&json!({CATALOG_LABEL: "/configs"}), &[layer]);
        within.tag("v1", image);
        let scanned = Site::layout(&within).scan();
        scanned.fails("layer 1: ");
    }
}

#[test]
fn attack_bytes_that_are_not_those_of_the_digest() {
    let images = honest();
    let (manifest, config, layers) = images.parts();
    for digest in [&manifest, &config, &layers[0]] {
        let mut files = images.layout();
        let bytes = content(&mut files, &blob_path(digest));
        // In a layer the time in the header of gzip, which changes nothing that is unpacked; in JSON a letter.
        bytes[5] ^= 1;
        let scanned = Site::of(&files).scan();
        scanned.fails(&digest[7..]);
    }
}

#[test]
fn attack_descriptors_that_lie_about_the_size() {
    let (path, text) = heron();
    for wrong in [-1_i64, 1, 1 << 50] {
        let mut images = Images::default();
        let mut layer = images.blob("application/vnd.oci.image.layer.v1.tar", Tar::with(path, &text).finish());
        layer["size"] = json!(layer["size"].as_i64().unwrap() + wrong);
        let image = images.image_of(&json!({CATALOG_LABEL: "/configs"}), &[layer]);
        images.tag("v1", image);
        let scanned = Site::layout(&images).scan();
        scanned.fails(" bytes");

        let mut images = honest();
        images.top[0]["size"] = json!(images.top[0]["size"].as_i64().unwrap() + wrong);
        let scanned = Site::layout(&images).scan();
        scanned.fails(" bytes");
    }
}

#[test]
fn attack_an_index_file_of_a_hundred_megabytes() {
    let mut files = honest().layout();
    content(&mut files, "index.json").extend(vec![b' '; 100 << 20]);
    let site = Site::of(&files);
    let answer = finish(site.confined().args(["catalog", "check"]).arg(site.mirror()));
    assert_eq!(answer.code(), 2, "{}", answer.err);
    assert!(answer.err.contains("index.json") && answer.err.contains("more than"), "{}", answer.err);
    site.scan().has_read(&[]);
}

/// Whatever an archive was cut to, it is never taken for the whole one.
#[test]
fn attack_an_archive_that_was_cut_at_every_block() {
    let archive = Tar::of(&honest().layout()).finish();
    let site = Site::new();
    let file = site.path("aside/images.tar");
    for cut in (0..=archive.len()).step_by(512).chain([archive.len() - 1, 100]) {
        fs::write(&file, &archive[..cut]).unwrap();
        let answer = finish(site.confined().args(["catalog", "check", "images.tar", "--no-cache"]));
        let code = answer.code();
        assert_eq!(code == 0, cut == archive.len(), "cut to {cut} of {}: {code} {}", archive.len(), answer.err);
        assert!(code == 0 || code >= 2, "a cut archive is no answer: {code} at {cut}");
    }
}

/// Archives of oc-mirror v2 are numbered from 1; a catalog in the one that stayed behind is missing, not invalid.
#[test]
fn attack_a_segment_that_is_missing() {
    let files = honest().storage("birds/index");
    let parts: Vec<Vec<u8>> = files.chunks(2).map(|part| Tar::of(&part.to_vec()).finish()).collect();
    assert_eq!(parts.len(), 3);
    for missing in [None, Some(1), Some(2)] {
        let site = Site::new();
        for (number, part) in parts.iter().enumerate().filter(|(number, _)| Some(*number) != missing) {
            fs::write(site.mirror().join(format!("mirror_{:06}.tar", number + 1)), part).unwrap();
        }
        let scanned = site.scan();
        match missing {
            None => scanned.has_read(&["heron"]),
            Some(_) => scanned.has_read(&[]),
        }
        let expected: &[i32] = if missing.is_none() { &[0] } else { &[2, 3] };
        assert!(
            expected.contains(&scanned.answer.code()),
            "{missing:?}: {} {:#?}",
            scanned.answer.err,
            scanned.findings
        );
        if missing == Some(1) {
            let answer = finish(site.confined().args(["mirror", "inventory", "--format", "json"]).arg(site.mirror()));
            assert_eq!(answer.code(), 3, "{}", answer.err);
            assert!(answer.out.contains("000002"), "{}", answer.out);
        }
    }
}

#[test]
fn attack_torn_links_of_a_registry() {
    let images = honest();
    let digest = images.top[0]["digest"].as_str().unwrap();
    let current = "docker/registry/v2/repositories/birds/index/_manifests/tags/v1/current/link";
    for torn in ["", "sha256:", &digest[..40], "sha256:../../../../../outside.yaml", "\0\0\0\0"] {
        let mut files = images.storage("birds/index");
        *content(&mut files, current) = torn.as_bytes().to_vec();
        let scanned = Site::of(&files).scan();
        scanned.tells(3, "input/unreadable", "link");
    }
    let mut files = images.storage("birds/index");
    *content(&mut files, &storage_path(digest)) = Vec::new();
    Site::of(&files).scan().fails("a torn write");
    let mut files = images.storage("birds/index");
    *content(&mut files, current) = [digest, "\n"].concat().into_bytes();
    Site::of(&files).scan().has_read(&["heron"]);
}

/// An archive of `docker save`, whose list of layers is a list of names in the archive.
fn docker_archive(layer_name: &str, listed: &str) -> Files {
    let (path, text) = heron();
    let layer = Tar::with(path, text).finish();
    let config = json!({"os": "linux", "architecture": "amd64",
        "rootfs": {"type": "layers", "diff_ids": [ContentDigest::of(&layer).to_string()]},
        "config": {"Labels": {CATALOG_LABEL: "/configs"}}});
    let list = json!([{"Config": "config.json", "RepoTags": ["registry.example/birds:v1"], "Layers": [listed]}]);
    vec![
        ("manifest.json".to_owned(), list.to_string().into_bytes()),
        ("config.json".to_owned(), config.to_string().into_bytes()),
        (layer_name.to_owned(), layer),
    ]
}

#[test]
fn attack_a_docker_archive_whose_layer_leaves_it() {
    let rows = [
        ("layer.tar", "layer.tar", true),
        ("layer.tar", "../outside.yaml", false),
        ("../layer.tar", "../layer.tar", false),
    ];
    for (name, listed, is_read) in rows {
        let site = Site::new();
        fs::write(site.path("aside/saved.tar"), Tar::of(&docker_archive(name, listed)).finish()).unwrap();
        let scanned = site.scan_with::<&str>("saved.tar", &[]);
        scanned.has_read(if is_read { &["heron"] } else { &[] });
        assert!(is_read || scanned.answer.code() >= 2, "{listed}: {}", scanned.answer.err);
    }
    let site = Site::new();
    let linked = docker_archive("other.tar", "layer.tar");
    let archive = Tar::of(&linked).special(b'2', "layer.tar", "../../outside.yaml");
    fs::write(site.path("aside/saved.tar"), archive.finish()).unwrap();
    site.scan_with::<&str>("saved.tar", &[]).has_read(&[]);
}

/// Two mirrors side by side: what is wrong with one takes nothing from the other.
#[test]
fn a_hostile_mirror_takes_nothing_from_an_honest_one() {
    let site = Site::layout(&honest());
    let mut files = honest().layout();
    let (manifest, ..) = honest().parts();
    *content(&mut files, &blob_path(&manifest)) = b"{\"layers\": [null, 7, []]}".to_vec();
    write(&site.path("aside/hostile"), &files);
    let source = site.mirror().display().to_string();
    let scanned = site.scan_with(&source, &["--catalog", "hostile=hostile"]);
    assert_eq!(scanned.answer.code(), 3, "{}", scanned.answer.err);
    scanned.has_read(&["heron"]);
    let overview: Value = serde_json::from_slice(&scanned.report[Path::new("report.json")]).unwrap();
    assert_eq!(overview["verdict"], "incomplete");
}
