//! Names, suggestions, the clock, the configuration file, and what is generated from the arguments themselves.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::tempdir;

use crate::program::{Answer, NOW, ask, finish, fixture, folders, program, scan_demo, small_catalog};

const DEMO: &str = "fixtures/demo/4.18";

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    let path = ["catalog", "path", DEMO, "--package"];
    let rows: &[(&[&str], &str)] = &[
        (&["gul"], "did you mean gull?"),
        (&["lighthuose"], "did you mean lighthouse?"),
        (&["gull", "--channel", "stabel"], "did you mean stable?"),
        (&["gull", "--to", "gull.v1.0.O"], "gull.v1.0.0"),
        (&["gull", "--engine", "olm-v1", "--priority", "4.81=1"], "did you mean 4.18?"),
    ];
    for (rest, expected) in rows {
        let answer = ask(path.iter().chain(*rest));
        assert!(answer.code() != 0 && answer.err.contains(expected), "{rest:?}: {}", answer.err);
    }
    for (arguments, expected) in [
        (["explain", "catalog/multiple-head"], "catalog/multiple-heads"),
        (["explain", "no-head"], "catalog/no-head"),
        (["schema", "pakage"], "did you mean package?"),
        (["catlog", "check"], "catalog"),
    ] {
        let answer = ask(arguments);
        assert!(answer.code() == 2 && answer.err.contains(expected), "{arguments:?}: {}", answer.err);
    }
    assert!(!ask(["explain", "zzz"]).err.contains("did you mean"));
}

fn report_of(answer: &Answer) -> Value {
    assert_eq!(answer.code(), 0, "{}", answer.err);
    answer.json()
}

fn scan_to(output: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["scan", "--format", "json", "--catalog", DEMO, "--output"]).arg(output).args(more);
    command
}

#[test]
fn the_clock_is_the_flag_else_the_variable_else_the_day() {
    let place = tempdir().unwrap();
    let output = place.path().join("report");
    let instant = |command: &mut Command| report_of(&finish(command))["generated_at"].as_str().unwrap().to_owned();
    assert_eq!(instant(&mut scan_to(&output, &["--now", "2026-11-30T12:34:56+02:00"])), "2026-11-30T10:34:56Z");
    assert_eq!(instant(&mut scan_to(&output, &["--now", "2026-11-30"])), "2026-11-30T00:00:00Z");
    let epoch = "86400";
    assert_eq!(instant(scan_to(&output, &[]).env("SOURCE_DATE_EPOCH", epoch)), "1970-01-02T00:00:00Z");
    assert_eq!(instant(scan_to(&output, &["--now", NOW]).env("SOURCE_DATE_EPOCH", epoch)), NOW);
    assert!(instant(&mut scan_to(&output, &[])).ends_with("T00:00:00Z"));
    assert_eq!(finish(scan_to(&output, &[]).env("SOURCE_DATE_EPOCH", "soon")).code(), 2);
    for wrong in ["soon", "", "2026-13-01", "99999999999999"] {
        assert_eq!(finish(&mut scan_to(&output, &["--now", wrong])).code(), 2, "{wrong}");
    }
}

#[test]
fn a_catalog_has_the_name_given_else_that_of_its_place() {
    let place = tempdir().unwrap();
    let output = place.path().join("report").display().to_string();
    let odd = place.path().join("a=b");
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("catalog.yaml"), small_catalog("heron")).unwrap();
    let names = |sources: &[&str]| {
        let catalogs = sources.iter().flat_map(|source| ["--catalog", source]);
        let report = report_of(&ask(["scan", "--format", "json", "--output", &output].into_iter().chain(catalogs)));
        let rows = report["catalogs"].as_array().unwrap().clone();
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&[DEMO]), ["4.18"]);
    assert_eq!(names(&["fixtures/demo/4.18/"]), ["4.18"]);
    assert_eq!(names(&["z=fixtures/demo/4.18", "a=fixtures/demo/4.18"]), ["a", "z"], "sorted by name");
    assert_eq!(names(&[&odd.display().to_string()]), ["a=b"], "what lies there is not taken apart");
    let twice = ask(["scan", "--output", &output, "--catalog", DEMO, "--catalog", "4.18=fixtures/demo/4.20"]);
    assert!(twice.code() == 2 && twice.err.contains("two catalogs are named 4.18"), "{}", twice.err);
}

/// A folder with a catalog in it, and a configuration beside it.
fn configured(text: &str) -> tempfile::TempDir {
    let place = tempdir().unwrap();
    fs::create_dir(place.path().join("mirror")).unwrap();
    fs::write(place.path().join("mirror/catalog.yaml"), small_catalog("heron")).unwrap();
    fs::write(place.path().join("skipstone.yaml"), text).unwrap();
    place
}

#[test]
fn the_configuration_file_replaces_the_flags_and_its_places_are_beside_it() {
    let place = configured("catalogs:\n  birds: mirror\noutput: made/report\nfail-on: error\n");
    let beside = finish(program().current_dir(place.path()).args(["scan"]));
    assert_eq!(beside.code(), 0, "{}", beside.err);
    assert!(place.path().join("made/report/packages/birds").is_dir());

    let elsewhere = tempdir().unwrap();
    let file = place.path().join("skipstone.yaml").display().to_string();
    fs::remove_dir_all(place.path().join("made")).unwrap();
    let named = finish(program().current_dir(elsewhere.path()).args(["scan", "--config", &file]));
    assert_eq!(named.code(), 0, "{}", named.err);
    assert!(place.path().join("made/report/index.html").is_file(), "places are relative to the file");

    let output = elsewhere.path().join("report").display().to_string();
    let flags = ["scan", "--config", &file, "--output", &output, "--catalog", "fixtures/invalid/no-head"];
    assert_eq!(ask(flags).code(), 1, "flags win, and fail-on of the file still holds");
    assert!(elsewhere.path().join("report/packages/no-head").is_dir());
}

#[test]
fn a_faulty_configuration_is_told_with_file_and_line() {
    for (text, expected) in [
        ("output: r\nfail-on: never\n", "skipstone.yaml:2: fail-on"),
        ("output: r\nfailOn: error\n", "skipstone.yaml:2: the key failOn is unknown"),
        ("output: r\ncatalogs: [a]\n", "skipstone.yaml:2: catalogs"),
        ("output: r\ncatalogs:\n  a: [b\n", "skipstone.yaml:"),
        ("- a\n", "skipstone.yaml:1: a mapping"),
        ("output: {}\n", "skipstone.yaml:1: output"),
    ] {
        let place = configured(text);
        let answer = finish(program().current_dir(place.path()).args(["scan"]));
        assert!(answer.code() == 2 && answer.err.contains(expected), "{text:?}: {}", answer.err);
    }
    let missing = ask(["scan", "--config", "no/such/file.yaml"]);
    assert!(missing.code() == 2 && missing.err.contains("no/such/file.yaml"), "{}", missing.err);
    if Path::new("/dev/zero").exists() {
        assert_eq!(ask(["scan", "--config", "/dev/zero"]).code(), 2, "a configuration without end is refused");
    }
}

#[test]
fn what_init_writes_can_be_scanned() {
    let place = tempdir().unwrap();
    let run = |arguments: &[&str]| finish(program().current_dir(place.path()).args(arguments));
    assert_eq!(run(&["init"]).code(), 0);
    assert_eq!(run(&["init"]).code(), 2, "a file that is there is kept");
    for name in ["v4.18", "v4.20"] {
        let catalog = place.path().join("catalogs").join(name);
        fs::create_dir_all(&catalog).unwrap();
        fs::write(catalog.join("catalog.yaml"), small_catalog("heron")).unwrap();
    }
    let scanned = run(&["scan"]);
    assert_eq!(scanned.code(), 0, "{}", scanned.err);
    assert!(!scanned.err.contains("warning"), "{}", scanned.err);
    assert!(place.path().join("report/packages/4.20").is_dir());
}

#[test]
fn every_code_that_a_fixture_raises_is_explained() {
    let place = tempdir().unwrap();
    let mut raised = BTreeSet::new();
    let mut collect = |findings: &Value| {
        let codes = findings["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap());
        raised.extend(codes.map(str::to_owned));
    };
    let sources = ["invalid", "broken"].into_iter().flat_map(|parent| {
        folders(parent).into_iter().map(move |folder| fixture(parent).join(folder).display().to_string())
    });
    for source in sources {
        collect(&ask(["catalog", "check", &source, "--format", "json"]).json());
    }
    let report = place.path().join("report");
    assert_eq!(ask(scan_demo(&report)).code(), 0);
    let found = fs::read_to_string(report.join("api/v1/findings.json")).unwrap();
    collect(&serde_json::from_str(&found).unwrap());
    let listed = ask(["explain"]).out;
    let listed: BTreeSet<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(raised.len() > 40, "{raised:?}");
    for code in &raised {
        assert!(listed.contains(code.as_str()), "{code} is not listed");
    }
}

#[test]
fn completions_and_the_manual_page_are_well_formed() {
    let script = ask(["completions", "bash"]).out;
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash is there");
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
    for word in ["catalog", "scan", "--no-cache", "olm-v1"] {
        assert!(script.contains(word), "{word}");
    }
    let page = ask(["man"]).out;
    assert!(page.contains(".TH skipstone 1") && page.contains(".SH NAME") && page.contains("Exit codes"), "{page}");
}
