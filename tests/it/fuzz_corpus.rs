//! Replays the seeds of the fuzz targets on any toolchain: what fuzzing once found stays found.

use std::fs;
use std::path::Path;

#[path = "../fuzz/laws.rs"]
mod laws;

/// Every seed of a target, with its name.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz").join(target);
    let mut seeds: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder is readable").path())
        .map(|path| (path.display().to_string(), fs::read(&path).expect("a seed is readable")))
        .collect();
    seeds.sort();
    seeds
}

fn replay(target: &str, law: impl Fn(&[u8])) {
    let seeds = seeds(target);
    assert!(seeds.len() >= 12, "{target} has {} seeds", seeds.len());
    for (name, bytes) in seeds {
        // The name of the seed stands on the way to the panic, where the law itself cannot know it.
        eprintln!("replaying {name}");
        law(&bytes);
    }
}

#[test]
fn split_holds() {
    replay("split", laws::split_law);
}

#[test]
fn yaml_holds() {
    replay("yaml", laws::yaml_law);
}

#[test]
fn blang_range_holds() {
    replay("blang_range", laws::blang_range_law);
}

#[test]
fn masterminds_range_holds() {
    replay("masterminds_range", laws::masterminds_range_law);
}

#[test]
fn manifest_holds() {
    replay("manifest", laws::manifest_law);
}

/// What must be refused at once, and what no reader may fall over.
#[test]
fn broken_files_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/broken");
    for entry in walkdir::WalkDir::new(&folder).sort_by_file_name() {
        let path = entry.expect("the folder is readable").into_path();
        if path.is_file() {
            let bytes = fs::read(&path).expect("a fixture is readable");
            laws::split_law(&bytes);
            laws::yaml_law(&bytes);
            laws::manifest_law(&bytes);
        }
    }
}
