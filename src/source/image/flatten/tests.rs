use crate::source::image::sample::image;
use crate::source::image::{ImageFile, ImageTree};
use crate::source::tar::sample::Archive;

fn layer() -> Archive {
    Archive::default()
}

/// `path: layer.entry` of every file.
fn files(tree: &ImageTree) -> Vec<String> {
    tree.files().map(|(path, ImageFile { layer, entry, .. })| format!("{path}: {layer}.{entry}")).collect()
}

fn faults(tree: &ImageTree) -> Vec<&str> {
    tree.faults.iter().map(|fault| fault.path.as_str()).collect()
}

#[test]
fn whiteouts_act_on_lower_layers_in_whatever_order_they_stand() {
    let layers = [
        layer().directory("configs").file("configs/old/c", "").file("configs/moss/c", "").file("configs/fern/c", ""),
        layer().file("configs/moss/c", "").file("configs/.wh..wh..opq", "").file("configs/.wh.old", ""),
        layer().file("configs/.wh.moss", "").file("configs/moss/c", "").file(".wh..wh.plnk", ""),
    ];
    assert_eq!(
        files(&image(&layers[..1], &["configs"])),
        ["configs/fern/c: 0.3", "configs/moss/c: 0.2", "configs/old/c: 0.1"]
    );
    assert_eq!(files(&image(&layers[..2], &["configs"])), ["configs/moss/c: 1.0"]);
    assert_eq!(files(&image(&layers, &["configs"])), ["configs/moss/c: 2.1"]);
}

#[test]
fn whiteouts_of_paths_above_take_wanted_paths_away() {
    let base = layer().file("usr/share/configs/a", "");
    for (name, files_left) in [("usr/.wh.share", 0), (".wh.usr", 0), (".wh..wh..opq", 0), ("usr/.wh.sha", 1)] {
        let tree = image(&[base.clone(), layer().file(name, "")], &["usr/share/configs"]);
        assert_eq!(tree.files().count(), files_left, "{name}");
    }
}

#[test]
fn directories_merge_and_anything_else_replaces() {
    let base = layer().file("configs/a/x", "").file("configs/b", "");
    let merged = layer().directory("configs/a").file("configs/a/y", "");
    assert_eq!(
        files(&image(&[base.clone(), merged], &["configs"])),
        ["configs/a/x: 0.0", "configs/a/y: 1.1", "configs/b: 0.1"]
    );
    let replaced = layer().file("configs/a", "").directory("configs/b");
    assert_eq!(files(&image(&[base.clone(), replaced], &["configs"])), ["configs/a: 1.0"]);
    let linked = layer().symbolic_link("configs/a", "b").file("configs/b", "");
    assert_eq!(files(&image(&[base, linked], &["configs"])), ["configs/b: 1.1"]);
}

#[test]
fn the_last_of_several_entries_of_a_path_counts() {
    let tree = image(&[layer().file("configs/a", "1").file("configs/a", "22")], &["configs"]);
    assert_eq!(tree.file("configs/a").unwrap(), ImageFile { layer: 0, entry: 1, bytes: 2 });
}

#[test]
fn hard_links_lead_into_lower_layers_and_keep_what_was_there() {
    let layers = [
        layer().file("configs/a", "one"),
        layer().hard_link("configs/b", "/configs/a").hard_link("configs/c", "configs/b"),
        layer().file("configs/a", "two"),
    ];
    assert_eq!(files(&image(&layers, &["configs"])), ["configs/a: 2.0", "configs/b: 0.0", "configs/c: 0.0"]);
}

#[test]
fn hard_links_to_nothing_and_to_directories_are_faults() {
    let layers = [layer()
        .directory("configs/d")
        .hard_link("configs/a", "configs/later")
        .hard_link("configs/b", "configs/d")
        .file("configs/later", "")];
    let tree = image(&layers, &["configs"]);
    assert_eq!(faults(&tree), ["configs/a", "configs/b"]);
    assert_eq!(files(&tree), ["configs/later: 0.3"]);
}

#[test]
fn targets_of_hard_links_elsewhere_are_asked_for() {
    let layers = [layer().file("data/a", "x"), layer().hard_link("configs/a", "data/a")];
    let tree = image(&layers, &["configs"]);
    assert_eq!(tree.unresolved, ["data/a"]);
    assert_eq!(faults(&tree), ["configs/a"]);
    let tree = image(&layers, &["configs", "data/a"]);
    assert_eq!(tree.unresolved, [""; 0]);
    assert_eq!(files(&tree), ["configs/a: 0.0", "data/a: 0.0"]);
}

#[test]
fn what_was_unusable_and_is_gone_is_no_fault() {
    let device = layer().entry("configs/null", b'3', b"").file("configs/a", "");
    assert_eq!(faults(&image(std::slice::from_ref(&device), &["configs"])), ["configs/null"]);
    assert_eq!(faults(&image(&[device.clone(), layer().file("configs/.wh.null", "")], &["configs"])), [""; 0]);
    let replaced = image(&[layer().file("configs/a", ""), layer().entry("configs/a", b'6', b"")], &["configs"]);
    assert_eq!(files(&replaced), [""; 0], "a pipe hides the file below it");
}

#[test]
fn a_file_below_a_link_is_told() {
    let layers = [layer().symbolic_link("configs", "data"), layer().file("configs/a", "")];
    let tree = image(&layers, &["configs"]);
    assert_eq!(files(&tree), ["configs/a: 1.0"]);
    assert_eq!(faults(&tree), ["configs/a"]);
    let explicit = [layer().symbolic_link("configs", "data"), layer().directory("configs").file("configs/a", "")];
    assert_eq!(faults(&image(&explicit, &["configs"])), [""; 0], "a directory replaces a link");
}

#[test]
fn names_that_lead_out_are_faults_of_the_image() {
    let tree = image(&[layer().file("../outside.yaml", "x").file("configs/a", "")], &["configs"]);
    assert_eq!(faults(&tree), ["../outside.yaml"]);
    assert_eq!(files(&tree), ["configs/a: 0.1"]);
}
