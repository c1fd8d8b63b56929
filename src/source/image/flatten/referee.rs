//! A second version of laying layers over one another: slow, obvious, on a tree of directories, straight from the
//! specification, and without reading archives.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::source::image::ImageFile;
use crate::source::image::sample::{image, resolved};
use crate::source::image::tree::Node;
use crate::source::tar::sample::Archive;

#[derive(Debug, Clone)]
enum Step {
    File,
    Directory,
    SymbolicLink(String),
    HardLink(String),
    Whiteout,
    Opaque,
}

type Layer = Vec<(String, Step)>;

#[derive(Debug, Clone, PartialEq)]
enum Plain {
    Directory(BTreeMap<String, Plain>),
    File(usize, usize),
    SymbolicLink(String),
    Broken,
}

/// The directory that holds a path, made where it is missing, and the last name.
fn holder<'t>(root: &'t mut Plain, path: &str) -> (&'t mut BTreeMap<String, Plain>, String) {
    let mut names: Vec<&str> = path.split('/').collect();
    let last = names.pop().unwrap().to_owned();
    let mut at = root;
    for name in names {
        if !matches!(at, Plain::Directory(_)) {
            *at = Plain::Directory(BTreeMap::new());
        }
        let Plain::Directory(children) = at else { panic!("it is a directory now") };
        at = children.entry(name.to_owned()).or_insert_with(|| Plain::Directory(BTreeMap::new()));
    }
    if !matches!(at, Plain::Directory(_)) {
        *at = Plain::Directory(BTreeMap::new());
    }
    let Plain::Directory(children) = at else { panic!("it is a directory now") };
    (children, last)
}

fn find<'t>(root: &'t mut Plain, path: &str) -> Option<&'t mut Plain> {
    let mut at = root;
    for name in path.split('/') {
        let Plain::Directory(children) = at else { return None };
        at = children.get_mut(name)?;
    }
    Some(at)
}

fn apply(root: &mut Plain, number: usize, layer: &Layer) {
    for (path, step) in layer {
        match step {
            Step::Whiteout if find(root, path).is_some() => {
                let (children, name) = holder(root, path);
                children.remove(&name);
            }
            Step::Opaque => {
                if let Some(Plain::Directory(children)) = find(root, path) {
                    children.clear();
                }
            }
            _ => {}
        }
    }
    for (entry, (path, step)) in layer.iter().enumerate() {
        let new = match step {
            Step::Whiteout | Step::Opaque => continue,
            Step::File => Plain::File(number, entry),
            Step::Directory => Plain::Directory(BTreeMap::new()),
            Step::SymbolicLink(target) => Plain::SymbolicLink(target.clone()),
            Step::HardLink(target) => match find(root, target) {
                None | Some(Plain::Directory(_)) => Plain::Broken,
                Some(found) => found.clone(),
            },
        };
        let (children, name) = holder(root, path);
        match (children.get(&name), &new) {
            (Some(Plain::Directory(_)), Plain::Directory(_)) => {}
            _ => {
                children.insert(name, new);
            }
        }
    }
}

fn leaves(tree: &Plain, path: &str, found: &mut BTreeMap<String, Plain>) {
    match tree {
        Plain::Directory(children) => {
            for (name, child) in children {
                let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
                leaves(child, &path, found);
            }
        }
        leaf => {
            found.insert(path.to_owned(), leaf.clone());
        }
    }
}

fn archive(layer: &Layer) -> Archive {
    layer.iter().fold(Archive::default(), |archive, (path, step)| {
        let (directory, name) = path
            .rsplit_once('/')
            .map_or((String::new(), path.as_str()), |(directory, name)| (format!("{directory}/"), name));
        match step {
            Step::File => archive.file(path, "x"),
            Step::Directory => archive.directory(path),
            Step::SymbolicLink(target) => archive.symbolic_link(path, target),
            Step::HardLink(target) => archive.hard_link(path, target),
            Step::Whiteout => archive.file(&format!("{directory}.wh.{name}"), ""),
            Step::Opaque => archive.file(&format!("{path}/.wh..wh..opq"), ""),
        }
    })
}

fn layers() -> impl Strategy<Value = Vec<Layer>> {
    let path = || "[ab](/[ab-]){0,2}";
    let target = "(/|\\.\\./|\\.\\./\\.\\./)?[ab](/[ab-]){0,2}";
    let step = prop_oneof![
        4 => Just(Step::File),
        2 => Just(Step::Directory),
        2 => target.prop_map(Step::SymbolicLink),
        2 => path().prop_map(Step::HardLink),
        1 => Just(Step::Whiteout),
        1 => Just(Step::Opaque),
    ];
    prop::collection::vec(prop::collection::vec((path(), step), 0..10), 1..4)
}

proptest! {
    #[test]
    fn layers_give_what_the_referee_gives(layers in layers()) {
        let mut root = Plain::Directory(BTreeMap::new());
        for (number, layer) in layers.iter().enumerate() {
            apply(&mut root, number, layer);
        }
        let mut expected = BTreeMap::new();
        leaves(&root, "", &mut expected);
        let archives: Vec<Archive> = layers.iter().map(archive).collect();
        let found: BTreeMap<String, Plain> = image(&archives, &[""]).nodes.iter().filter_map(|(path, node)| {
            let plain = match node {
                Node::Directory => return None,
                Node::File(ImageFile { layer, entry, .. }) => Plain::File(*layer, *entry),
                Node::SymbolicLink(target) => Plain::SymbolicLink(target.clone()),
                Node::Unusable(_) => Plain::Broken,
                Node::Unknown(target) => panic!("{target} is wanted"),
            };
            Some((path.clone(), plain))
        }).collect();
        prop_assert_eq!(found, expected);
    }

    /// Wanting one directory gives what wanting everything gives there. A link may leave the directory and come back only
    /// where everything is wanted; else it is told. Images in which tools differ are left out: an entry that nobody wanted
    /// may lie below a link, and what becomes of the link then is seen only where everything is wanted.
    #[test]
    fn a_part_is_what_the_whole_has_there(layers in layers()) {
        let archives: Vec<Archive> = layers.iter().map(archive).collect();
        let whole = image(&archives, &[""]);
        if whole.faults.iter().any(|fault| fault.reason.contains("tools differ")) {
            return Ok(());
        }
        let (whole, part) = (whole.below("a/b"), resolved(&archives, &["a/b"]).below("a/b"));
        match (whole, part) {
            (Ok(whole), Ok(part)) => {
                for file in &part.files {
                    prop_assert!(whole.files.contains(file));
                }
                for (path, _) in whole.files.iter().filter(|file| !part.files.contains(file)) {
                    prop_assert!(part.faults.iter().any(|fault| fault.path == *path), "{path} is missing");
                }
            }
            (whole, part) => prop_assert_eq!(whole.is_ok(), part.is_ok(), "{:?} {:?}", whole, part),
        }
    }
}
