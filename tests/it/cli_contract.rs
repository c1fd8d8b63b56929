//! What scripts rely on: exit codes, what is printed where, and that formats change neither.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tempfile::tempdir;

use crate::program::{Answer, NOW, ask, finish, folders, program, scan_demo, small_catalog};

const DEMO: &str = "fixtures/demo/4.18";

/// Each command, how it ends, by the rule: 0 clean, 1 no, 2 could not run, 3 a part could not be read.
#[test]
fn each_command_ends_with_its_exit_code() {
    let rows: &[(i32, &[&str])] = &[
        (0, &["--help"]),
        (0, &["--version"]),
        (0, &["help", "catalog", "path"]),
        (2, &[]),
        (2, &["nonsense"]),
        (2, &["catalog"]),
        (2, &["--format", "nonsense", "man"]),
        (2, &["--jobs", "0", "man"]),
        (0, &["catalog", "check", DEMO]),
        (1, &["catalog", "check", "fixtures/invalid/no-head"]),
        (1, &["catalog", "check", "fixtures/broken/truncated"]),
        (2, &["catalog", "check", "no/such/place"]),
        (2, &["catalog", "check", "registry:example.org/a:b"]),
        (2, &["catalog", "check", "docker://example.org/a:b"]),
        (2, &["catalog", "check", DEMO, "--format", "markdown"]),
        (0, &["catalog", "path", DEMO, "--package", "gull"]),
        (0, &["catalog", "path", DEMO, "--package", "albatross", "--engine", "olm-v1"]),
        (1, &["catalog", "path", DEMO, "--package", "gull", "--engine", "olm-v1"]),
        (1, &["catalog", "path", DEMO, "--package", "gull", "--from", "gull.v9.9.9", "--to", "gull.v1.0.0"]),
        (
            1,
            &[
                "catalog",
                "path",
                DEMO,
                "--package",
                "pilot-boat",
                "--channel",
                "fast-v0",
                "--from",
                "pilot-boat.v0.2.0",
            ],
        ),
        (1, &["catalog", "path", DEMO, "--package", "cormorant", "--channel", "beta", "--from", "cormorant.v1.0.0"]),
        (1, &["catalog", "path", DEMO, "--package", "gull", "--channel", "none"]),
        (2, &["catalog", "path", DEMO, "--package", "none"]),
        (2, &["catalog", "path", DEMO, "--package", "gull", "--from", "9.9.9"]),
        (2, &["catalog", "path", DEMO, "--package", "gull", "--version-range", ">1"]),
        (2, &["catalog", "path", DEMO, "--package", "gull", "--engine", "olm-v1", "--version-range", "nonsense"]),
        (2, &["catalog", "path", DEMO, "--package", "gull", "--engine", "olm-v1", "--priority", "none=1"]),
        (2, &["catalog", "path", DEMO, "fixtures/demo/4.20", "--package", "gull"]),
        (2, &["catalog", "path", DEMO, "--package", "gull", "--channel", "stable", "--channel", "beta"]),
        (2, &["cluster"]),
        (0, &["cluster", "contents", "fixtures/clusters/oc-get"]),
        (3, &["cluster", "contents", "fixtures/clusters/half-a-document"]),
        (2, &["cluster", "contents", "no/such/place"]),
        (2, &["cluster", "contents", DEMO]),
        (2, &["cluster", "contents"]),
        (0, &["cluster", "collect"]),
        (2, &["cluster", "collect", "--format", "json"]),
        (0, &["range", "--dialect", "blang", ">=1.0.0 <2.0.0", "1.5.0", "3.0.0", "nonsense"]),
        (0, &["range", "--dialect", "masterminds", "^1.2", "1.5.0"]),
        (1, &["range", "--dialect", "blang", "^1.0.0", "1.5.0"]),
        (2, &["range", "--dialect", "none", "1.0.0", "1.0.0"]),
        (2, &["range", "--dialect", "blang", "1.0.0"]),
        (2, &["scan", "--output", "/nowhere/report"]),
        (2, &["scan", "--catalog", DEMO]),
        (0, &["explain"]),
        (0, &["explain", "catalog/no-head"]),
        (2, &["explain", "catalog/none"]),
        (0, &["schema"]),
        (0, &["schema", "path"]),
        (0, &["schema", "openapi"]),
        (2, &["schema", "none"]),
        (0, &["init", "-"]),
        (2, &["init", "Cargo.toml"]),
        (0, &["cache", "info", "--no-cache"]),
        (0, &["cache", "prune", "--no-cache"]),
        (0, &["completions", "zsh"]),
        (2, &["completions", "none"]),
        (0, &["man"]),
    ];
    for (code, arguments) in rows {
        let answer = ask(*arguments);
        assert_eq!(answer.code(), *code, "{arguments:?}: {}", answer.err);
        match code {
            2 => assert!(answer.out.is_empty() && !answer.err.is_empty(), "{arguments:?} prints data: {}", answer.out),
            _ => assert!(!answer.out.is_empty(), "{arguments:?} prints no data"),
        }
    }
}

#[test]
fn json_is_exactly_one_document_of_every_command() {
    let report = tempdir().unwrap();
    let mut scan = scan_demo(&report.path().join("report"));
    scan.extend(["--format".to_owned(), "json".to_owned()]);
    let written = ask(scan);
    assert_eq!(written.code(), 0);
    assert_eq!(written.out, std::fs::read_to_string(report.path().join("report/report.json")).unwrap());
    assert!(written.err.contains("index.html"), "the way to the pages is told on standard error");
    let rows: &[(&[&str], &str)] = &[
        (&["catalog", "check", "fixtures/invalid/no-head"], "/valid"),
        (&["catalog", "check", "fixtures/broken/binary"], "/findings/0/at/line"),
        (&["catalog", "path", DEMO, "--package", "gull"], "/status"),
        (&["cluster", "contents", "fixtures/clusters/oc-get"], "/objects/Subscription"),
        (&["range", "--dialect", "blang", "^1", "1.0.0"], "/error"),
        (&["range", "--dialect", "blang", ">=1.0.0", "1.0.0"], "/matches/1.0.0"),
        (&["explain"], "/codes/0/code"),
        (&["explain", "path/no-edge"], "/why"),
        (&["schema"], "/schemas/0"),
        (&["schema", "report"], "/$schema"),
        (&["cache", "info", "--no-cache"], "/dir"),
        (&["cache", "prune", "--no-cache"], "/files"),
    ];
    for (arguments, pointer) in rows {
        let document = ask(arguments.iter().chain(&["--format", "json"])).json();
        assert!(document.pointer(pointer).is_some(), "{arguments:?}: {document}");
    }
}

/// The answer of each faulty catalog: invalid, its code among the errors, at a file, a document and a line.
#[test]
fn each_faulty_catalog_is_told_with_its_place() {
    for folder in folders("invalid") {
        let answer = ask(["catalog", "check", &format!("fixtures/invalid/{folder}"), "--format", "json"]);
        let document = answer.json();
        assert_eq!((answer.code(), &document["valid"]), (1, &Value::Bool(false)), "{folder}");
        let code = format!("catalog/{folder}");
        let findings = document["findings"].as_array().unwrap();
        let found = findings.iter().find(|finding| finding["code"] == *code).unwrap_or_else(|| panic!("{code}"));
        assert_eq!((&found["severity"], &found["at"]["path"]), (&"error".into(), &"catalog.yaml".into()), "{folder}");
        assert!(found["at"]["document"].as_u64() >= Some(1) && found["at"]["line"].as_u64() >= Some(1), "{folder}");
    }
}

/// How many findings a rendering of `catalog check` or `scan` shows.
fn shown(format: &str, out: &str) -> usize {
    match format {
        "json" => serde_json::from_str::<Value>(out).unwrap()["findings"].as_array().unwrap().len(),
        "sarif" => serde_json::from_str::<Value>(out).unwrap()["runs"][0]["results"].as_array().unwrap().len(),
        "github" => out.lines().filter(|line| line.starts_with("::")).count(),
        _ => panic!("{format}"),
    }
}

#[test]
fn a_format_changes_neither_exit_code_nor_number_of_findings() {
    for (source, code) in [("fixtures/invalid/multiple-heads", 1), ("fixtures/broken/merge-conflict", 1)] {
        let answers = ["json", "sarif", "github"].map(|format| {
            let answer = ask(["catalog", "check", source, "--format", format]);
            assert_eq!(answer.code(), code, "{source} {format}");
            shown(format, &answer.out)
        });
        assert!(answers.iter().all(|count| *count == answers[0] && *count > 0), "{source}: {answers:?}");
        assert_eq!(ask(["catalog", "check", source]).code(), code);
    }
}

fn scan(sources: &[&str], output: &Path, more: &[&str]) -> Answer {
    let output = output.display().to_string();
    let catalogs = sources.iter().flat_map(|source| ["--catalog", source]);
    ask(["scan", "--now", NOW, "--output", &output].into_iter().chain(catalogs).chain(more.iter().copied()))
}

#[test]
fn a_scan_ends_alike_in_every_format() {
    let place = tempdir().unwrap();
    let empty = place.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let empty = empty.display().to_string();
    let broken = "fixtures/invalid/multiple-heads";
    let truncated = "fixtures/broken/truncated";
    for format in ["text", "json", "markdown", "github", "sarif", "junit"] {
        let report = place.path().join(format);
        let end =
            |sources: &[&str], more: &[&str]| scan(sources, &report, &[more, &["--format", format]].concat()).code();
        assert_eq!(end(&[broken], &[]), 0, "{format}: the report is written, whatever it says");
        assert_eq!(end(&[broken], &["--fail-on", "error"]), 1, "{format}");
        assert_eq!(end(&[DEMO, truncated], &["--fail-on", "error"]), 3, "{format}: what does not decode is not known");
        assert_eq!(end(&[DEMO], &["--fail-on", "error"]), 0, "{format}");
        assert_eq!(end(&[DEMO], &["--fail-on", "warning"]), 1, "{format}");
        assert_eq!(
            end(&[DEMO, &empty], &["--fail-on", "warning"]),
            3,
            "{format}: what was not read weighs more than no"
        );
        assert_eq!(end(&["nothing", &empty], &[]), 2, "{format}: nothing of any input");
    }
    let written = place.path().join("sarif");
    let found = std::fs::read_to_string(written.join("api/v1/findings.json")).unwrap();
    let sarif = std::fs::read_to_string(written.join("findings.sarif")).unwrap();
    assert_eq!(shown("json", &found), shown("sarif", &sarif));
}

#[test]
fn a_part_that_cannot_be_read_weighs_more_than_an_invalid_one() {
    let place = tempdir().unwrap();
    std::fs::write(place.path().join("a.yaml"), small_catalog("heron").replace("stable", "")).unwrap();
    assert_eq!(ask(["catalog", "check", &place.path().display().to_string()]).code(), 1);
    std::os::unix::fs::symlink("/etc/hostname", place.path().join("outside")).unwrap();
    let answer = ask(["catalog", "check", &place.path().display().to_string(), "--format", "json"]);
    assert_eq!(answer.code(), 3);
    assert!(answer.json()["findings"].as_array().unwrap().iter().any(|finding| finding["at"]["path"] == "outside"));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let mut child =
        program().args(["schema", "openapi"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_full_standard_output_is_an_error() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        eprintln!("skipped: this system has no /dev/full");
        return;
    };
    let answer = finish(program().args(["explain"]).stdout(full));
    assert_eq!(answer.code(), 2);
    assert!(answer.err.contains("standard output"), "{}", answer.err);
}

#[test]
fn quiet_runs_say_nothing_but_data() {
    let place = tempdir().unwrap();
    let answer = scan(&[DEMO], &place.path().join("report"), &["-q"]);
    assert_eq!((answer.code(), answer.err.as_str()), (0, ""));
    assert!(!answer.out.contains('\u{1b}'), "no colours where nobody looks");
}
