//! Scans sources and looks at what the API says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is given to a scan.
#[derive(Debug, Clone)]
pub(crate) struct Sources {
    pub(crate) catalog: String,
    pub(crate) bundles: String,
    pub(crate) releases: String,
    /// Flags for registries.
    pub(crate) flags: Vec<String>,
}

impl Sources {
    /// One source that holds all three, the catalog by a name of its own.
    pub(crate) fn of_one(place: impl Into<String>, catalog: &str) -> Self {
        let place = place.into();
        Self { catalog: format!("{place}#{catalog}"), bundles: place.clone(), releases: place, flags: Vec::new() }
    }
}

/// Files of the API by path: everything that must not depend on where content lies.
pub(crate) type Answers = BTreeMap<String, Vec<u8>>;

/// Scans, and gives the answers.
pub(crate) fn answers(sources: &Sources) -> Answers {
    let place = tempfile::tempdir().unwrap();
    let report = place.path().join("report");
    let output = Command::new(env!("CARGO_BIN_EXE_skipstone"))
        .args(["scan", "--now", "2026-11-30T00:00:00Z", "--no-cache", "--quiet", "--output"])
        .arg(&report)
        .args(["--catalog", &format!("harbour={}", sources.catalog)])
        .args(["--bundles", &sources.bundles, "--releases", &sources.releases])
        .args(&sources.flags)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{sources:?}: {errors}");
    let mut answers = Answers::new();
    for part in ["catalogs", "packages", "bundles", "platform/releases"] {
        collect(&report.join("api/v1"), &report.join("api/v1").join(part), &mut answers);
    }
    answers
}

fn collect(root: &Path, directory: &Path, answers: &mut Answers) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, answers);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            answers.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// Holds the answers of two shapes against each other.
pub(crate) fn assert_same(shape: &str, found: &Answers, expected: &Answers) {
    let names = |answers: &Answers| answers.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{shape}: other documents");
    for (name, bytes) in expected {
        assert_eq!(
            String::from_utf8_lossy(&found[name]),
            String::from_utf8_lossy(bytes),
            "{shape}: {name} is not the same"
        );
    }
}
