//! What oc-mirror leaves behind, put together by hand from images of real tools: the tool itself needs a network.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::registry::Registry;
use crate::report::{Sources, answers, assert_same};
use crate::samples::{BUNDLE, CATALOG, IMAGES, PAYLOAD, Samples, json_file, write};
use crate::shapes::{expected, image_mirror};
use crate::tools::{copy, run, text};

fn catalog_reference() -> String {
    format!("{}:{}", CATALOG.0, CATALOG.1)
}

/// Appends files, given relative to a directory, to an archive.
fn append(archive: &Path, directory: &Path, files: &[String]) {
    for file in files {
        run("tar", &["-C", text(directory), "-rf", text(archive), file]);
    }
}

/// The regular files below a directory, relative to it, in order.
fn files_below(root: &Path, directory: &str) -> Vec<String> {
    let found = run("find", &[text(&root.join(directory)), "-type", "f"]).stdout;
    let prefix = format!("{}/", text(root));
    let mut files: Vec<String> =
        String::from_utf8(found).unwrap().lines().map(|line| line.trim_start_matches(&prefix).to_owned()).collect();
    files.sort();
    files
}

/// The storage that a registry keeps of the samples, copied.
fn storage(samples: &Samples, to: &Path) {
    let registry = Registry::open();
    registry.push(samples);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    run("cp", &["-a", text(&registry.storage()), text(to)]);
}

#[test]
fn archives_of_version_2_in_two_segments() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    let cache = place.path().join("cache");
    storage(&samples, &cache);
    let target = place.path().join("usb");
    fs::create_dir(&target).unwrap();
    // A large file goes into a segment of its own while the first one goes on.
    let (links, mut blobs): (Vec<String>, Vec<String>) =
        files_below(&cache, "docker").into_iter().partition(|file| file.contains("/repositories/"));
    let second = blobs.split_off(blobs.len() / 2);
    append(&target.join("mirror_000001.tar"), &cache, &links);
    append(&target.join("mirror_000001.tar"), &cache, &blobs);
    append(&target.join("mirror_000002.tar"), &cache, &second);
    let sources = Sources::of_one(text(&target), &catalog_reference());
    assert_same("oc-mirror v2 archive", &answers(&sources), &expected(&samples));
}

/// A later archive links what an earlier one carried: that is in the target registry, and no fault of this archive.
#[test]
fn an_incremental_archive_of_version_2() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    let cache = place.path().join("cache");
    storage(&samples, &cache);
    let mut carried = samples.blobs_of("catalog");
    carried.push(samples.digest("catalog"));
    let hex = |digest: &String| digest.trim_start_matches("sha256:").to_owned();
    let is_here = |file: &String| {
        file.contains("/repositories/") || carried.iter().any(|digest| file.contains(&format!("/{}/data", hex(digest))))
    };
    let here: Vec<String> = files_below(&cache, "docker").into_iter().filter(is_here).collect();
    let earlier = ["bundle", "payload"].map(|image| {
        let blobs = samples.blobs_of(image);
        [vec![samples.digest(image)], blobs].concat().join("\n")
    });
    write(&place.path().join("working-dir/.history/.history-2026-01-01T00:00:00Z"), earlier.join("\n"));
    let usb = place.path().join("usb");
    fs::create_dir(&usb).unwrap();
    append(&usb.join("mirror_000001.tar"), &cache, &here);
    append(&usb.join("mirror_000001.tar"), place.path(), &files_below(place.path(), "working-dir"));
    let report = place.path().join("report");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_skipstone"))
        .args(["scan", "--no-cache", "--quiet", "--catalog", &format!("harbour={}", text(&usb)), "--output"])
        .arg(&report)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let overview = json_file(&report.join("report.json"));
    let skipped = overview["coverage"]["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    for note in skipped {
        assert!(note["reason"].as_str().unwrap().contains("target registry"), "{note}");
    }
    assert_eq!(overview["coverage"]["complete"], true);
    assert_eq!(overview["summary"]["counts"]["bundles"], 2);
}

#[test]
fn the_cache_of_version_2() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    let cache = place.path().join(".oc-mirror/.cache");
    storage(&samples, &cache);
    let sources = Sources::of_one(text(&cache), &catalog_reference());
    assert_same("oc-mirror v2 cache", &answers(&sources), &expected(&samples));
}

/// The working directory holds no bundles: those come from the archive beside it, here from the layout.
#[test]
fn the_working_directory_of_version_2() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    let working = place.path().join("working-dir");
    let hex = samples.digest("catalog").trim_start_matches("sha256:").to_owned();
    let catalog = working.join("operator-catalogs/harbour-index").join(&hex);
    let payload = working.join("release-images/ocp-release").join(PAYLOAD.1);
    for (image, to) in [("catalog", catalog.join("catalog-image")), ("payload", payload)] {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        copy(&format!("oci:{}:{image}", text(&samples.layout())), &format!("oci:{}", text(&to)), &[]);
    }
    run("cp", &["-a", text(&samples.configs()), text(&catalog.join("catalog-config"))]);
    let expected = expected(&samples);
    let from_working = Sources {
        catalog: format!("{}#sha256:{hex}", text(&working)),
        bundles: text(&samples.layout()).to_owned(),
        releases: text(&working).to_owned(),
        flags: Vec::new(),
    };
    assert_same("oc-mirror v2 working-dir", &answers(&from_working), &expected);
    // The same inside an archive.
    let archive = place.path().join("usb/mirror_000001.tar");
    fs::create_dir(archive.parent().unwrap()).unwrap();
    append(&archive, place.path(), &files_below(place.path(), "working-dir"));
    let packed = text(archive.parent().unwrap()).to_owned();
    let from_archive = Sources { catalog: format!("{packed}#sha256:{hex}"), releases: packed, ..from_working };
    assert_same("oc-mirror v2 working-dir in an archive", &answers(&from_archive), &expected);
}

#[test]
fn the_workspace_and_the_archive_of_version_1() {
    let samples = Samples::new();
    let expected = expected(&samples);
    let place = tempfile::tempdir().unwrap();
    let workspace = place.path().join("oc-mirror-workspace");
    image_mirror(&samples, &workspace.join("src"));
    write(
        &workspace.join("src/publish/.metadata.json"),
        r#"{"uid": "11111111-2222-3333-4444-555555555555", "singleUse": false}"#,
    );
    let sources = Sources::of_one(text(place.path()), &catalog_reference());
    assert_same("oc-mirror v1 workspace", &answers(&sources), &expected);

    let tree = place.path().join("tree");
    for (image, (repository, tag)) in IMAGES {
        let digest = samples.digest(image);
        let manifests = tree.join("v2").join(repository).join("manifests");
        write(&manifests.join(&digest), fs::read(samples.blob(&digest)).unwrap());
        symlink(&digest, manifests.join(tag)).unwrap();
        for blob in samples.blobs_of(image).iter().chain([&digest]) {
            write(&tree.join("blobs").join(blob), fs::read(samples.blob(blob)).unwrap());
        }
    }
    let usb: PathBuf = place.path().join("usb");
    fs::create_dir(&usb).unwrap();
    run("tar", &["-C", text(&tree), "-cf", text(&usb.join("mirror_seq1_000000.tar")), "v2", "blobs"]);
    let sources = Sources::of_one(text(&usb), &catalog_reference());
    assert_same("oc-mirror v1 archive", &answers(&sources), &expected);
    assert_ne!(BUNDLE.0, CATALOG.0);
}
