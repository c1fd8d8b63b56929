//! Bad input: a finding that names its place, the other inputs go on, and the exit code says which kind it was. Never a panic.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::program::{Answer, NOW, ask, finish, fixture, folders, program, small_catalog};

/// Neither root nor anybody else on the usual machine.
const NOBODY: u32 = 65_534;

fn check(source: &Path) -> Answer {
    ask(["catalog", "check", &source.display().to_string(), "--format", "json"])
}

/// Code, path, document and line of a finding.
type Place = (String, Option<String>, Option<u64>, Option<u64>);

/// The findings of an answer with their places.
fn places(answer: &Answer) -> Vec<Place> {
    let document = answer.json();
    let findings = document["findings"].as_array().unwrap().iter();
    let place = |finding: &Value| {
        let (code, at) = (finding["code"].as_str().unwrap().to_owned(), &finding["at"]);
        (code, at["path"].as_str().map(str::to_owned), at["document"].as_u64(), at["line"].as_u64())
    };
    findings.map(place).collect()
}

/// A directory with a valid catalog of the package heron, and one more file.
fn beside_heron(name: &str, content: &[u8]) -> TempDir {
    let place = tempdir().unwrap();
    fs::write(place.path().join("heron.yaml"), small_catalog("heron")).unwrap();
    fs::write(place.path().join(name), content).unwrap();
    place
}

/// Document and line are counted by hand in the fixture.
#[test]
fn each_broken_fixture_is_told_with_file_document_and_line() {
    let rows = [
        ("alias-bomb", "catalog/decode-error", "catalog.yaml", 1, None),
        ("binary", "catalog/decode-error", "catalog.yaml", 1, None),
        ("cyclic-alias", "catalog/decode-error", "catalog.yaml", 1, Some(3)),
        ("deep-nesting", "catalog/decode-error", "catalog.yaml", 1, Some(2)),
        ("half-json", "catalog/decode-error", "catalog.json", 1, None),
        ("json-array", "catalog/decode-error", "catalog.json", 1, Some(1)),
        ("merge-conflict", "catalog/decode-error", "catalog.yaml", 2, None),
        ("non-utf8", "catalog/decode-error", "catalog.yaml", 2, None),
        ("stray-readme", "catalog/missing-schema", "README.md", 1, Some(1)),
        ("text-after-separator", "catalog/decode-error", "catalog.yaml", 3, Some(12)),
        ("truncated", "catalog/decode-error", "catalog.yaml", 4, None),
    ];
    assert_eq!(folders("broken"), rows.map(|(folder, ..)| folder), "each fixture has its row");
    for (folder, code, path, document, line) in rows {
        let answer = check(&fixture("broken").join(folder));
        assert_eq!(answer.code(), 1, "{folder}");
        let found = places(&answer).into_iter().find(|(found, ..)| found == code);
        let (_, found_path, found_document, found_line) = found.unwrap_or_else(|| panic!("{folder}: no {code}"));
        assert_eq!((found_path.as_deref(), found_document), (Some(path), Some(document)), "{folder}");
        assert!(found_line.is_some_and(|found| line.is_none_or(|line| line == found)), "{folder}: {found_line:?}");
    }
}

#[test]
fn broken_inputs_do_not_stop_the_others() {
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    let mut scan = program();
    scan.args(["scan", "--now", NOW, "--output"]).arg(&report);
    for folder in folders("broken") {
        scan.arg("--catalog").arg(fixture("broken").join(folder));
    }
    scan.arg("--catalog").arg(fixture("demo/4.18")).args(["--catalog", "gone=/nowhere/at/all"]);
    let answer = finish(&mut scan);
    assert_eq!(answer.code(), 3, "{}", answer.err);
    let read = |path: &str| fs::read_to_string(report.join(path)).unwrap();
    assert_eq!(fs::read_dir(report.join("api/v1/packages/4.18")).unwrap().count(), 9);
    let overview: Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(overview["coverage"]["complete"], false);
    let failed: Vec<&str> =
        overview["coverage"]["failed"].as_array().unwrap().iter().map(|note| note["input"].as_str().unwrap()).collect();
    assert!(failed.contains(&"gone") && failed.contains(&"truncated"), "{failed:?}");
    assert_eq!(overview["verdict"], "incomplete");
    assert!(!read("api/v1/findings.json").contains("internal/panic"));
    assert_eq!(skipstone::emit::verify_sums(&report).unwrap(), []);
}

#[test]
fn files_that_are_hostile_by_their_size_or_shape_are_findings() {
    let bomb = (1..12).fold("l0: &l0 [x]\n".to_owned(), |text, level| {
        let before = format!("*l{}, ", level - 1).repeat(10);
        text + &format!("l{level}: &l{level} [{before}x]\n")
    });
    let rows: Vec<(&str, Vec<u8>, u64)> = vec![
        ("long-line.yaml", [b"a: ".to_vec(), vec![b'x'; 70 << 20]].concat(), 1),
        ("deep.json", b"{\"a\":".repeat(100_000), 1),
        ("deep-list.json", b"[".repeat(100_000), 1),
        ("deep.yaml", b"- ".repeat(100_000), 1),
        ("bomb.yaml", bomb.into_bytes(), 1),
        ("cycle.yaml", b"schema: olm.package\nname: &a [*a]\n".to_vec(), 1),
        ("latin.yaml", b"schema: olm.package\nname: caf\xe9\n".to_vec(), 1),
        ("zeros", vec![0; 100_000], 1),
        ("half.json", b"{\"schema\": \"olm.package\"}\n{\"schema\": \"olm.pa".to_vec(), 2),
        ("half.yaml", b"schema: other\n---\nschema: \"olm.pack".to_vec(), 2),
        ("tags.yaml", b"schema: !!python/object:os.system {}\n".to_vec(), 1),
        ("number.json", format!("{{\"schema\": {}}}", "9".repeat(5_000)).into_bytes(), 1),
    ];
    for (name, content, document) in rows {
        let place = beside_heron(name, &content);
        let answer = check(place.path());
        assert_eq!(answer.code(), 1, "{name}");
        assert_eq!(answer.json()["packages"]["heron"]["valid"], true, "{name}: the other file is read");
        let found = places(&answer);
        let here = found.iter().find(|(_, path, ..)| path.as_deref() == Some(name));
        let (code, _, found_document, line) = here.unwrap_or_else(|| panic!("{name}: {found:?}"));
        assert!(code == "catalog/decode-error" || code == "catalog/missing-schema", "{name}: {code}");
        assert!(*found_document == Some(document) && line.is_some(), "{name}: {found_document:?} {line:?}");
    }
}

/// Names of files and packages are foreign text, wherever they are printed for a reader.
#[test]
fn foreign_names_steer_no_terminal() {
    let place = beside_heron("\u{1b}[31mred\u{202e}.yaml", b"schema: olm.package\nname: \"\\e[2Jx\"\n");
    for format in ["text", "github"] {
        let answer = ask(["catalog", "check", &place.path().display().to_string(), "--format", format]);
        assert!(answer.code() == 1 && answer.out.contains("red"), "{}", answer.out);
        assert!(!answer.out.contains(['\u{1b}', '\u{202e}']), "{format}: {:?}", answer.out);
    }
    let missing = check(&place.path().join("\u{1b}[2J\rgone"));
    assert!(missing.code() == 2 && missing.err.contains("gone"), "{}", missing.err);
    assert!(!missing.err.contains(['\u{1b}', '\r']), "{:?}", missing.err);
}

/// opm reads an empty file as no document at all.
#[test]
fn an_empty_file_takes_nothing_away() {
    let answer = check(beside_heron("empty.yaml", b"").path());
    assert_eq!((answer.code(), &answer.json()["counts"]["bundles"]), (0, &1.into()));
}

#[test]
fn links_and_pipes_are_told_and_never_followed_out() {
    let outside = beside_heron("secret.yaml", small_catalog("secret").as_bytes());
    let place = beside_heron("plain.yaml", small_catalog("plain").as_bytes());
    fs::create_dir(place.path().join("folder")).unwrap();
    symlink(outside.path().join("secret.yaml"), place.path().join("out")).unwrap();
    symlink("nowhere", place.path().join("dangling")).unwrap();
    symlink("round", place.path().join("round")).unwrap();
    assert!(Command::new("mkfifo").arg(place.path().join("pipe")).status().unwrap().success());
    let answer = check(place.path());
    assert_eq!(answer.code(), 3, "what stands there is not known");
    let unreadable: Vec<String> = places(&answer)
        .into_iter()
        .filter(|(code, ..)| code == "input/unreadable")
        .filter_map(|(_, path, ..)| path)
        .collect();
    assert_eq!(unreadable, ["dangling", "out", "pipe", "round"]);
    assert!(!answer.out.contains("secret"), "nothing outside of the catalog is read");
    assert_eq!(answer.json()["packages"].as_object().unwrap().len(), 2);
}

/// opm fails on a link to a directory, so this is the catalog's own fault, and an answer.
#[test]
fn a_link_to_a_directory_is_invalid() {
    let place = beside_heron("folder.yaml", b"");
    fs::create_dir(place.path().join("folder")).unwrap();
    symlink("folder", place.path().join("link")).unwrap();
    let answer = check(place.path());
    assert_eq!(answer.code(), 1);
    assert!(
        places(&answer)
            .iter()
            .any(|(code, path, ..)| code == "catalog/decode-error" && path.as_deref() == Some("link"))
    );
}

/// The program as somebody for whom permissions hold: root may read everything.
fn check_without_privileges(source: &Path) -> Answer {
    let mut command = program();
    command.current_dir("/").args(["catalog", "check", "--format", "json"]).arg(source);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY);
    }
    finish(&mut command)
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_may_not_be_read_is_told_and_the_rest_is_read() {
    let place = beside_heron("locked.yaml", small_catalog("locked").as_bytes());
    allow(place.path(), 0o755);
    let closed = place.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("inside.yaml"), small_catalog("inside")).unwrap();
    allow(&place.path().join("locked.yaml"), 0);
    allow(&closed, 0);
    let answer = check_without_privileges(place.path());
    let alone = check_without_privileges(&place.path().join("locked.yaml"));
    allow(&closed, 0o755);
    assert_eq!(answer.code(), 3);
    let unreadable = places(&answer).into_iter().filter(|(code, ..)| code == "input/unreadable");
    let paths: Vec<_> = unreadable.filter_map(|(_, path, ..)| path).collect();
    assert_eq!(paths, ["closed", "locked.yaml"]);
    assert_eq!(answer.json()["packages"]["heron"]["valid"], true);
    assert_eq!(alone.code(), 2, "nothing of this one could be read");
    assert!(alone.err.contains("locked.yaml") && alone.err.contains("ermission denied"), "{}", alone.err);
}

#[test]
fn a_place_that_is_no_catalog_is_an_error_that_names_it() {
    let place = tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir(at("empty")).unwrap();
    fs::create_dir_all(at("image/blobs")).unwrap();
    fs::write(at("image/oci-layout"), "{}").unwrap();
    fs::write(at("archive.tar"), [0; 1024]).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    for name in ["empty", "image", "archive.tar", "pipe", "missing", "missing\nname"] {
        let answer = check(&at(name));
        assert_eq!(answer.code(), 2, "{name}");
        let shown = name.lines().next().unwrap_or_default();
        assert!(answer.out.is_empty() && answer.err.contains(shown), "{name}: {}", answer.err);
    }
}
