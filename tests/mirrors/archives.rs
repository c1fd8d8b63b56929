//! Archives that hold several images, in the forms that docker and tar give them.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::report::{Sources, answers, assert_same};
use crate::samples::{CATALOG, IMAGES, Samples, write};
use crate::shapes::expected;
use crate::tools::{run, text};

/// Packs a directory as `tar` does, with names that begin with `./`.
fn pack(directory: &Path, archive: &Path) {
    run("tar", &["-C", text(directory), "-cf", text(archive), "."]);
}

#[test]
fn a_layout_with_all_images_in_one_archive() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    let archive = place.path().join("all.tar");
    pack(&samples.layout(), &archive);
    assert_same("OCI archive", &answers(&Sources::of_one(text(&archive), "catalog")), &expected(&samples));
}

/// docker 25 and later write a layout and the old list into one archive.
#[test]
fn docker_save_of_today() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    let layout = place.path().join("layout");
    run("cp", &["-a", text(&samples.layout()), text(&layout)]);
    let path_of = |digest: &str| format!("blobs/{}", digest.replace(':', "/"));
    let list: Vec<_> = IMAGES
        .iter()
        .map(|(image, (repository, tag))| {
            let blobs = samples.blobs_of(image);
            let (config, layers) = blobs.split_first().unwrap();
            let layers: Vec<String> = layers.iter().map(|digest| path_of(digest)).collect();
            json!({"Config": path_of(config), "RepoTags": [format!("example.com/{repository}:{tag}")], "Layers": layers})
        })
        .collect();
    write(&layout.join("manifest.json"), serde_json::to_vec(&list).unwrap());
    let archive = place.path().join("saved.tar");
    pack(&layout, &archive);
    assert_same("docker save", &answers(&Sources::of_one(text(&archive), "catalog")), &expected(&samples));
}

/// docker up to 24 wrote each layer unpacked into a directory of its own.
#[test]
fn docker_save_of_old() {
    let samples = Samples::new();
    let place = tempfile::tempdir().unwrap();
    let tree = place.path().join("tree");
    let mut list = Vec::new();
    for (image, (repository, tag)) in IMAGES {
        let blobs = samples.blobs_of(image);
        let (config, layers) = blobs.split_first().unwrap();
        let config_name = format!("{}.json", config.trim_start_matches("sha256:"));
        write(&tree.join(&config_name), fs::read(samples.blob(config)).unwrap());
        let mut names = Vec::new();
        for digest in layers {
            let name = format!("{}/layer.tar", digest.trim_start_matches("sha256:"));
            let unpacked = run("gzip", &["-dc", text(&samples.blob(digest))]).stdout;
            write(&tree.join(&name), unpacked);
            names.push(name);
        }
        let reference = format!("example.com/{repository}:{tag}");
        list.push(json!({"Config": config_name, "RepoTags": [reference], "Layers": names}));
    }
    write(&tree.join("manifest.json"), serde_json::to_vec(&list).unwrap());
    let archive = place.path().join("saved.tar");
    pack(&tree, &archive);
    let catalog = format!("example.com/{}:{}", CATALOG.0, CATALOG.1);
    let expected = expected(&samples);
    assert_same("old docker save", &answers(&Sources::of_one(text(&archive), &catalog)), &expected);
    assert_same("old docker save, unpacked", &answers(&Sources::of_one(text(&tree), &catalog)), &expected);
}
