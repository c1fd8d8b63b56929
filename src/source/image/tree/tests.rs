use crate::source::FileFaultKind;
use crate::source::image::sample::{image, resolved};
use crate::source::image::{DirectoryFiles, ImageTree};
use crate::source::tar::sample::Archive;

fn layer() -> Archive {
    Archive::default()
}

fn names(found: &DirectoryFiles) -> Vec<&str> {
    found.files.iter().map(|(path, _)| path.as_str()).collect()
}

/// Why a directory cannot be read.
fn refusal(tree: &ImageTree, directory: &str) -> (FileFaultKind, String) {
    let fault = tree.below(directory).unwrap_err();
    assert_eq!(fault.path, directory);
    (fault.kind, fault.reason)
}

#[test]
fn files_are_relative_to_their_directory() {
    let tree = image(&[layer().file("configs/b/c", "").file("configs/a", "").file("configs-b/a", "")], &["configs"]);
    assert_eq!(names(&tree.below("/configs/").unwrap()), ["a", "b/c"]);
    assert_eq!(names(&tree.below("configs/b").unwrap()), ["c"]);
    assert_eq!(refusal(&tree, "configs/none"), (FileFaultKind::Catalog, "the image has no such directory".to_owned()));
    assert!(tree.below("configs/a").is_err(), "a file is no directory");
}

#[test]
fn a_wanted_directory_may_be_a_link() {
    let layers = [layer().file("data/real/catalog.yaml", "x").symbolic_link("configs", "/data/real")];
    let tree = image(&layers, &["configs"]);
    assert_eq!(tree.unresolved, ["data/real"]);
    assert_eq!(refusal(&tree, "configs").0, FileFaultKind::Unreadable);
    let tree = image(&layers, &["configs", "data/real"]);
    assert_eq!(tree.unresolved, [""; 0]);
    assert_eq!(names(&tree.below("configs").unwrap()), ["catalog.yaml"]);
}

#[test]
fn links_above_wanted_paths_are_followed_one_after_the_other() {
    let layers = [
        layer().symbolic_link("usr", "system/./usr").symbolic_link("system/usr/share", "../../real"),
        layer().file("real/configs/a", ""),
    ];
    let tree = image(&layers, &["usr/share/configs"]);
    assert_eq!(tree.unresolved, ["system/usr/share/configs"]);
    let tree = resolved(&layers, &["usr/share/configs"]);
    assert_eq!(names(&tree.below("usr/share/configs").unwrap()), ["a"]);
    assert!(tree.file("usr/share/configs/a").is_ok());
}

#[test]
fn links_inside_the_directory_are_read_like_files() {
    let layers = [layer()
        .file("configs/a/real", "text")
        .symbolic_link("configs/b/relative", "../a/real")
        .symbolic_link("configs/b/absolute", "/configs/a/real")
        .symbolic_link("configs/b/chain", "relative")
        .symbolic_link("configs/nothing", "a/none")
        .symbolic_link("configs/directory", "a")
        .symbolic_link("configs/through", "a/real/../real")];
    let found = image(&layers, &["configs"]).below("configs").unwrap();
    assert_eq!(names(&found), ["a/real", "b/absolute", "b/chain", "b/relative"]);
    assert!(found.files.iter().all(|(_, file)| file.entry == 0 && file.bytes == 4));
    let faults: Vec<_> = found.faults.iter().map(|fault| (fault.path.as_str(), fault.kind)).collect();
    let kind = FileFaultKind::Catalog;
    assert_eq!(faults, [("directory", kind), ("nothing", kind), ("through", kind)]);
}

#[test]
fn an_escape_by_symbolic_link_is_named_and_not_followed() {
    let layers = [layer()
        .file("etc/passwd", "x")
        .symbolic_link("configs/out", "../etc/passwd")
        .symbolic_link("configs/far-out", "../../../../etc/passwd")
        .symbolic_link("other", "../../etc")];
    for wanted in [&["configs", "other"][..], &[""]] {
        let tree = image(&layers, wanted);
        let found = tree.below("configs").unwrap();
        assert_eq!(names(&found), [""; 0]);
        let faults: Vec<_> = found.faults.iter().map(|fault| (fault.path.as_str(), fault.kind)).collect();
        assert_eq!(faults, [("far-out", FileFaultKind::Unreadable), ("out", FileFaultKind::Unreadable)]);
        let (kind, reason) = refusal(&tree, "other");
        assert_eq!(kind, FileFaultKind::Unreadable);
        assert!(reason.contains("out of the image by the link \"other\""), "{reason}");
    }
}

#[test]
fn a_link_loop_has_an_end() {
    let layers = [layer()
        .symbolic_link("configs", "loop/x")
        .symbolic_link("loop", "configs")
        .symbolic_link("self", "self")
        .symbolic_link("longer", "longer/longer")];
    let tree = image(&layers, &["configs", "loop", "self", "longer"]);
    for directory in ["configs", "self", "longer"] {
        let (kind, reason) = refusal(&tree, directory);
        assert_eq!(kind, FileFaultKind::Catalog);
        assert!(reason.contains("circle"), "{reason}");
    }
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let chain = |links: usize| {
        let layer = (1..=links).fold(layer().file("configs/0", ""), |layer, number| {
            layer.symbolic_link(&format!("configs/{number}"), &(number - 1).to_string())
        });
        image(&[layer], &["configs"])
    };
    assert!(chain(40).file("configs/40").is_ok());
    assert!(chain(41).file("configs/41").is_err());
}

#[test]
fn a_file_is_found_through_links_and_else_the_reason_is_told() {
    let layers = [layer().file("m/a", "x").symbolic_link("m/b", "a").entry("m/pipe", b'6', b"")];
    let tree = image(&layers, &["m"]);
    assert_eq!(tree.file("m/b").unwrap(), tree.file("m/a").unwrap());
    for (path, reason) in
        [("m", "directory"), ("m/none", "no such file"), ("m/pipe", "named pipe"), ("etc/x", "not read")]
    {
        let fault = tree.file(path).unwrap_err();
        assert!(fault.reason.contains(reason), "{path}: {}", fault.reason);
    }
}
