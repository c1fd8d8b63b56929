//! Catalogs, bundles and indexes read out of images: what is kept between runs changes time alone, and instances, rebuilt
//! catalogs and contents of bundles are judged by their rules.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::image_builder::{CATALOG_LABEL, Images, Tar, blob_path, gzip, write};
use crate::program::small_catalog;
use crate::site::{Scanned, Site, heron};

/// A catalog in three layers: the second takes a file of the first away and replaces another, and every compression occurs.
fn layered() -> Images {
    let lowest = Tar::with("configs/heron.yaml", "schema: olm.package\nname: heron\n")
        .file("configs/stale.yaml", small_catalog("stale"))
        .file("usr/bin/opm", [7; 5_000]);
    let middle = Tar::with("configs/.wh.stale.yaml", "").file(heron().0, heron().1);
    let upper = Tar::with("configs/tern.yaml", small_catalog("tern")).file("configs/gull.yaml", small_catalog("gull"));
    let middle = zstd::encode_all(middle.finish().as_slice(), 1).unwrap();
    Images::catalog(&[gzip(&lowest.finish()), middle, upper.finish()])
}

#[track_caller]
fn assert_same(expected: &Scanned, found: &Scanned, what: &str) {
    assert_eq!(expected.answer.code(), found.answer.code(), "{what}: {}", found.answer.err);
    let names = |scanned: &Scanned| scanned.report.keys().cloned().collect::<Vec<PathBuf>>();
    assert_eq!(names(expected), names(found), "{what}");
    let differing: Vec<&PathBuf> =
        expected.report.keys().filter(|path| expected.report[*path] != found.report[*path]).collect();
    assert!(differing.is_empty(), "{what}: {differing:?} differ");
}

fn scan(site: &Site, more: &[&str]) -> Scanned {
    site.scan_with(&site.mirror().display().to_string(), more)
}

#[test]
fn threads_and_caches_change_nothing_but_time() {
    let site = Site::layout(&layered());
    let fresh = scan(&site, &["--no-cache"]);
    assert_eq!(fresh.answer.code(), 0, "{}", fresh.answer.err);
    fresh.has_read(&["gull", "heron", "tern"]);
    assert!(!site.path("cache").exists(), "--no-cache keeps nothing");
    let cold = scan(&site, &[]);
    assert_same(&fresh, &cold, "cold");
    // heron once as a package alone; three documents each of stale, heron, tern and gull; one layer after the other.
    assert!(cold.answer.err.contains("3 layers and 13 documents decoded"), "{}", cold.answer.err);
    for jobs in ["1", "2", "8"] {
        let warm = site.scan_on(jobs, &[]);
        assert_same(&fresh, &warm, jobs);
        assert!(warm.answer.err.contains("0 layers and 0 documents decoded"), "{}", warm.answer.err);
        assert_same(&fresh, &site.scan_on(jobs, &["--no-cache"]), jobs);
    }
    for (what, keep) in [("empty", 0), ("cut", 2), ("nearly whole", 100)] {
        for file in files(&site.path("cache")) {
            let bytes = fs::read(&file).unwrap();
            let length = if keep == 100 { bytes.len().saturating_sub(1) } else { bytes.len() * keep / 4 };
            fs::write(&file, &bytes[..length]).unwrap();
        }
        let spoilt = scan(&site, &[]);
        assert_same(&fresh, &spoilt, what);
        assert!(spoilt.answer.err.contains("3 layers"), "{what}: {}", spoilt.answer.err);
    }
}

/// Everything that a cache keeps.
fn files(cache: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(cache).into_iter().map(Result::unwrap);
    let files: Vec<PathBuf> =
        entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect();
    assert!(!files.is_empty());
    files
}

#[test]
fn a_layer_that_is_overwritten_after_a_warm_run_is_noticed() {
    let images = layered();
    let site = Site::layout(&images);
    scan(&site, &[]);
    assert!(scan(&site, &[]).answer.err.contains("0 layers and 0 documents decoded"));
    let (_, _, layers) = images.parts();
    let blob = site.mirror().join(blob_path(&layers[2]));
    let (bytes, changed) = (fs::read(&blob).unwrap(), fs::metadata(&blob).unwrap().modified().unwrap());
    let other = String::from_utf8(bytes).unwrap().replace("tern.v1.0.0", "tern.v6.6.6");
    fs::write(&blob, other).unwrap();
    let noticed = scan(&site, &[]);
    noticed.tells(3, "input/unreadable", &layers[2]);
    assert_same(&scan(&site, &["--no-cache"]), &noticed, "overwritten");
    // With length and time as they were nothing tells the file from the one that was read, short of reading it: the kept
    // facts are those of the bytes that had the digest, and the damage itself is told only without a cache.
    File::options().write(true).open(&blob).unwrap().set_modified(changed).unwrap();
    let unnoticed = scan(&site, &[]);
    assert_eq!(unnoticed.answer.code(), 0, "{}", unnoticed.answer.err);
    unnoticed.has_read(&["gull", "heron", "tern"]);
    scan(&site, &["--no-cache"]).tells(3, "input/unreadable", &layers[2]);
}

#[test]
fn a_layer_that_is_gone_after_a_warm_run_is_noticed() {
    let images = layered();
    let (manifest, config, layers) = images.parts();
    for digest in layers.iter().chain([&manifest, &config]) {
        let site = Site::layout(&images);
        scan(&site, &[]);
        fs::remove_file(site.mirror().join(blob_path(digest))).unwrap();
        let gone = scan(&site, &[]);
        match layers.contains(digest) {
            true => gone.tells(3, "input/unreadable", digest),
            false => gone.fails(digest),
        }
        let fresh = scan(&site, &["--no-cache"]);
        assert_same(&fresh, &gone, digest);
        assert_eq!(fresh.findings, gone.findings);
    }
}

fn for_machine(mut image: Value, architecture: &str) -> Value {
    image["platform"] = json!({"os": "linux", "architecture": architecture});
    image
}

fn catalog_of(images: &mut Images, package: &str) -> Value {
    let layer = Tar::with("configs/catalog.yaml", small_catalog(package)).file("usr/bin/opm", package);
    images.image(&json!({CATALOG_LABEL: "/configs"}), &[layer.finish()])
}

fn codes(scanned: &Scanned) -> Vec<&str> {
    scanned.findings.iter().map(|(code, ..)| code.as_str()).collect()
}

#[test]
fn instances_that_show_other_catalogs_are_told_and_absent_ones_are_not() {
    let index = |other: &str| {
        let mut images = Images::default();
        let one = for_machine(catalog_of(&mut images, "heron"), "amd64");
        let mut two = Images::default();
        let other = for_machine(catalog_of(&mut two, other), "arm64");
        let statement = images.blob("application/vnd.oci.image.manifest.v1+json", "no image at all");
        let mut statement = for_machine(statement, "unknown");
        statement["platform"]["os"] = json!("unknown");
        statement["annotations"] = json!({"vnd.docker.reference.type": "attestation-manifest"});
        let list = images.index(&[statement, one, other]);
        images.tag("v1", list);
        (images, two)
    };
    let (mut differing, other) = index("tern");
    differing.blobs.extend(other.blobs);
    let scanned = Site::layout(&differing).scan();
    scanned.tells(0, "mirror/instances-differ", "linux/arm64");
    assert_eq!(codes(&scanned), ["mirror/instances-differ"]);
    scanned.has_read(&["heron"]);
    let site = Site::layout(&differing);
    scan(&site, &["--image-platform", "linux/arm64"]).has_read(&["tern"]);

    let (mut equal, other) = index("heron");
    equal.blobs.extend(other.blobs);
    let scanned = Site::layout(&equal).scan();
    assert_eq!((scanned.answer.code(), codes(&scanned)), (0, vec![]));

    let (sparse, _) = index("tern");
    let site = Site::layout(&sparse);
    let scanned = site.scan();
    assert_eq!((scanned.answer.code(), codes(&scanned)), (0, vec![]));
    scanned.has_read(&["heron"]);
    let wanted = scan(&site, &["--image-platform", "linux/arm64"]);
    wanted.fails("for linux/arm64");
}

/// What oc-mirror makes of a catalog whose label names another directory than `/configs`: that directory, unfiltered, and a
/// last layer with what was filtered.
#[test]
fn a_rebuilt_catalog_is_read_as_it_is_served() {
    let mut images = Images::default();
    let original =
        Tar::with("catalog/heron.yaml", small_catalog("heron")).file("catalog/tern.yaml", small_catalog("tern"));
    let layers = [original.finish(), Tar::with(".wh.configs", "").finish(), Tar::with(heron().0, heron().1).finish()];
    let rebuilt = images.image(&json!({CATALOG_LABEL: "/catalog"}), &layers);
    images.tag("v1", rebuilt);
    let scanned = Site::layout(&images).scan();
    scanned.tells(0, "mirror/rebuilt-catalog", "catalog");
    scanned.has_read(&["heron"]);

    let mut images = Images::default();
    let original = images.image(&json!({CATALOG_LABEL: "/catalog"}), &layers[..1]);
    images.tag("v1", original);
    let scanned = Site::layout(&images).scan();
    assert_eq!((scanned.answer.code(), codes(&scanned)), (0, vec![]));
    scanned.has_read(&["heron", "tern"]);
}

const SERVICE_VERSION: &str = r#"{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion",
    "metadata": {"name": "heron.v1.0.0"}, "spec": {"version": "1.0.0", "displayName": "Heron",
    "installModes": [{"type": "AllNamespaces", "supported": true}],
    "install": {"strategy": "deployment", "spec": {"deployments": []}}}}"#;

/// The labels of a bundle of the package heron.
fn bundle_labels() -> Value {
    let labels = [
        ("mediatype.v1", "registry+v1"),
        ("manifests.v1", "manifests/"),
        ("metadata.v1", "metadata/"),
        ("package.v1", "heron"),
        ("channels.v1", "stable"),
        ("channel.default.v1", "stable"),
    ];
    let named = labels.map(|(name, value)| (format!("operators.operatorframework.io.bundle.{name}"), json!(value)));
    Value::Object(named.into_iter().collect())
}

fn bundle_files() -> Tar {
    let annotations = json!({"annotations": bundle_labels()}).to_string();
    Tar::with("manifests/heron.clusterserviceversion.json", SERVICE_VERSION)
        .file("metadata/annotations.yaml", annotations)
}

/// The document about the one bundle of the catalog; null where there is none, since no place for contents is known.
fn bundle_document(scanned: &Scanned) -> Value {
    let bytes = scanned.report.get(Path::new("api/v1/bundles/birds/heron.v1.0.0.json"));
    bytes.map_or(Value::Null, |bytes| serde_json::from_slice(bytes).unwrap())
}

/// A mirror of a whole catalog is one place, so that nothing more need be named.
#[test]
fn contents_of_bundles_are_found_in_the_catalogs_own_store() {
    let mut images = Images::default();
    let bundle = images.image(&bundle_labels(), &[gzip(&bundle_files().finish())]);
    let digest = bundle["digest"].as_str().unwrap().to_owned();
    let catalog = heron().1.replace(&format!("sha256:{}", "0".repeat(64)), &digest);
    let catalog = images.image(&json!({CATALOG_LABEL: "/configs"}), &[Tar::with(heron().0, catalog).finish()]);
    images.tag("catalog", catalog);
    images.tag("bundle", bundle);
    let site = Site::layout(&images);
    let scanned = scan(&site, &[]);
    assert_eq!(scanned.answer.code(), 0, "{}", scanned.answer.err);
    let document = bundle_document(&scanned);
    assert_eq!(
        document["contents"],
        json!({"known": true, "reason": null, "media_type": "registry+v1", "objects": 1,
        "api": "api/v1/bundles/birds/heron.v1.0.0.json"})
    );
    assert_eq!(document["csv"]["display_name"], "Heron");
    assert!(!codes(&scanned).contains(&"bundle/contents-unproven"));
    assert_same(&scanned, &scan(&site, &[]), "warm");

    fs::remove_file(site.mirror().join(blob_path(&digest))).unwrap();
    let gone = scan(&site, &[]);
    assert_eq!(bundle_document(&gone), Value::Null);
    assert_same(&scan(&site, &["--no-cache"]), &gone, "without the bundle");
}

/// A part of a bundle is no bundle: what the image shows beside the device is not taken for all of it, kept or not.
#[test]
fn a_bundle_with_a_file_that_cannot_be_read_is_not_known() {
    let mut images = Images::default();
    let bundle = images.image(&bundle_labels(), &[bundle_files().special(b'3', "manifests/role.yaml", "").finish()]);
    let digest = bundle["digest"].as_str().unwrap().to_owned();
    let catalog = heron().1.replace(&format!("sha256:{}", "0".repeat(64)), &digest);
    let catalog = images.image(&json!({CATALOG_LABEL: "/configs"}), &[Tar::with(heron().0, catalog).finish()]);
    images.tag("catalog", catalog);
    images.tag("bundle", bundle);
    let site = Site::layout(&images);
    let mirror = site.mirror().display().to_string();
    let cold = scan(&site, &["--bundles", &mirror]);
    cold.tells(3, "input/unreadable", "manifests/role.yaml");
    assert_eq!(bundle_document(&cold)["contents"]["known"], false);
    assert_same(&cold, &scan(&site, &["--bundles", &mirror]), "warm");
}

/// Equal content in another image is another report, since findings tell the image: the one that stands is not kept.
#[test]
fn a_standing_report_of_another_image_with_the_same_content_is_written_anew() {
    let layer = Tar::with(heron().0, heron().1).file("configs/odd.yaml", "schema: odd\nname: a\nname: b\n").finish();
    let labelled = |extra: &str| {
        let mut images = Images::default();
        let image = images.image(&json!({CATALOG_LABEL: "/configs", "extra": extra}), std::slice::from_ref(&layer));
        let digest = image["digest"].as_str().unwrap().to_owned();
        images.tag("v1", image);
        (images, digest)
    };
    let (first, first_digest) = labelled("one");
    let (second, second_digest) = labelled("two");
    let site = Site::layout(&first);
    let told = |digest: &str| {
        let mut command = site.confined();
        command
            .args(["scan", "--now", "2026-11-30T00:00:00Z", "--catalog"])
            .arg(format!("birds={}", site.mirror().display()));
        command.arg("--output").arg(site.path("report")).arg("--cache-dir").arg(site.path("cache"));
        assert!(command.status().unwrap().success());
        fs::read_to_string(site.path("report/api/v1/findings.json")).unwrap().contains(digest)
    };
    assert!(told(&first_digest));
    fs::remove_dir_all(site.mirror()).unwrap();
    write(&site.mirror(), &second.layout());
    assert!(told(&second_digest));
}

#[test]
fn contents_of_a_directory_are_taken_and_told_as_unproven() {
    let site = Site::layout(&Images::catalog(&[Tar::with(heron().0, heron().1).finish()]));
    let scanned = scan(&site, &[]);
    assert_eq!(bundle_document(&scanned), Value::Null);
    let place = site.path("aside/bundle");
    fs::create_dir_all(place.join("manifests")).unwrap();
    fs::create_dir_all(place.join("metadata")).unwrap();
    fs::write(place.join("manifests/heron.clusterserviceversion.json"), SERVICE_VERSION).unwrap();
    fs::write(place.join("metadata/annotations.yaml"), json!({"annotations": bundle_labels()}).to_string()).unwrap();
    let scanned = scan(&site, &["--bundles", "bundle"]);
    scanned.tells(0, "bundle/contents-unproven", "heron.v1.0.0");
    assert_eq!(bundle_document(&scanned)["contents"]["known"], true);
}

#[test]
fn a_place_that_cannot_be_opened_does_not_stop_the_others() {
    let site = Site::layout(&layered());
    fs::create_dir_all(site.path("broken")).unwrap();
    fs::write(site.path("broken/oci-layout"), r#"{"imageLayoutVersion": "1.0.0"}"#).unwrap();
    fs::write(site.path("broken/index.json"), "{").unwrap();
    let broken = format!("broken={}", site.path("broken").display());
    let scanned = scan(&site, &["--catalog", &broken]);
    scanned.tells(3, "input/unreadable", "index.json");
    scanned.has_read(&["gull", "heron", "tern"]);
    let whole = site.path("broken").display().to_string();
    assert!(
        scanned.report.values().all(|bytes| !String::from_utf8_lossy(bytes).contains(&whole)),
        "no directory is told"
    );
}
