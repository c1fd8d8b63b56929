//! Clusters in a report: the answer of `cluster contents`, inputs, coverage and findings; and the configuration file.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::program::{Answer, ask, finish, fixture, program};

const DEMO: &str = "fixtures/demo/4.18";

fn scan(output: &Path, clusters: &[&str]) -> Answer {
    let clusters = clusters.iter().flat_map(|cluster| ["--cluster", cluster]);
    let start = ["scan", "--format", "json", "--catalog", DEMO, "--output", output.to_str().unwrap()];
    ask(start.into_iter().chain(clusters))
}

fn document(report: &Path, path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(report.join(path)).unwrap()).unwrap()
}

#[test]
fn a_cluster_of_a_report_is_the_answer_of_cluster_contents() {
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    let dump = "fixtures/clusters/must-gather";
    let answer = scan(&report, &["fixtures/clusters/oc-get/", &format!("east={dump}")]);
    assert_eq!(answer.code(), 0, "{}", answer.err);
    let overview = answer.json();
    let names: Vec<&Value> = overview["clusters"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["east", "oc-get"], "sorted by name");
    let east = &overview["clusters"][0];
    assert_eq!(east["objects"], json!({"ClusterVersion": 1, "Node": 2, "Subscription": 1}));
    let contents = document(&report, "api/v1/clusters/east/contents.json");
    assert_eq!(contents, ask(["cluster", "contents", "--format", "json", dump]).json());
    assert_eq!(east["lacking"], contents["lacking"]);

    let inputs = overview["inputs"].as_array().unwrap();
    let input = inputs.iter().find(|input| input["name"] == "east").unwrap();
    assert_eq!(
        (&input["kind"], &input["source"], &input["files"]),
        (&json!("cluster"), &json!("must-gather"), &json!(4))
    );
    let skipped = overview["coverage"]["skipped"].as_array().unwrap();
    assert!(
        skipped
            .iter()
            .any(|note| note["input"] == "east" && note["reason"].as_str().unwrap().starts_with("3 of its files"))
    );
    let listed = document(&report, "api/v1/index.json");
    let listed = listed["documents"].as_array().unwrap();
    assert!(listed.iter().any(|document| document["path"] == "api/v1/clusters/oc-get/contents.json"
        && document["kind"] == "cluster"
        && document["schema"] == "cluster-contents"));
    for file in ["index.html", "markdown/index.md"] {
        let text = fs::read_to_string(report.join(file)).unwrap();
        assert!(text.contains("oc get catalogsources.operators.coreos.com -A -o yaml"), "{file}");
    }
}

#[test]
fn what_of_a_dump_cannot_be_read_makes_the_report_incomplete() {
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    let answer = scan(&report, &["west=fixtures/clusters/half-a-document"]);
    assert_eq!(answer.code(), 3, "{}", answer.err);
    let overview = answer.json();
    let failed = &overview["coverage"]["failed"][0];
    assert_eq!((&failed["input"], &failed["path"]), (&json!("west"), &json!("nodes.json")));
    let findings = document(&report, "api/v1/findings.json");
    let findings = findings["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["code"] == "cluster/decode-error").unwrap();
    assert_eq!(finding["at"]["source"], "west", "told by the name that the inputs have");

    let blank = place.path().join("blank");
    fs::create_dir(&blank).unwrap();
    fs::write(blank.join("notes.log"), "nothing").unwrap();
    let answer = scan(&report, &[blank.to_str().unwrap()]);
    assert_eq!(answer.code(), 3, "{}", answer.err);
    let failed = answer.json()["coverage"]["failed"][0].clone();
    assert_eq!((&failed["input"], &failed["path"]), (&json!("blank"), &Value::Null));
}

#[test]
fn a_name_given_twice_and_a_place_without_anything_are_refused() {
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    let twice = scan(&report, &["oc-get=fixtures/clusters/must-gather", "fixtures/clusters/oc-get"]);
    assert_eq!(twice.code(), 2);
    assert!(twice.err.contains("two clusters are named oc-get"), "{}", twice.err);
    for nothing in ["east=fixtures/clusters/nowhere", "registry:localhost:1/dump"] {
        assert_eq!(scan(&report, &[nothing]).code(), 2, "{nothing}");
    }
    assert!(!report.exists());
}

#[test]
fn one_more_log_in_a_dump_is_no_unchanged_report() {
    let place = tempdir().unwrap();
    let (report, dump, cache) = (place.path().join("report"), place.path().join("dump"), place.path().join("cache"));
    fs::create_dir(&dump).unwrap();
    fs::write(dump.join("node.yaml"), "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n").unwrap();
    let run = || {
        let mut command = program();
        command.args(["scan", "--catalog", DEMO, "--cache-dir"]).arg(&cache).arg("--output").arg(&report);
        let answer = finish(command.arg("--cluster").arg(&dump));
        assert_eq!(answer.code(), 0, "{}", answer.err);
        answer.err.contains("nothing has changed")
    };
    assert!(!run());
    assert!(run());
    fs::write(dump.join("more.log"), "a line").unwrap();
    assert!(!run());
    assert_eq!(document(&report, "api/v1/clusters/dump/contents.json")["files"]["passed_over"], 1);
}

#[test]
fn a_configuration_names_everything_and_flags_win() {
    let place = tempdir().unwrap();
    let fixtures = fixture("");
    let file = place.path().join("skipstone.yaml");
    std::os::unix::fs::symlink(&fixtures, place.path().join("in")).unwrap();
    let text = "catalogs: {demo: in/demo/4.18}\nbundles: [in/bundles/good]\nreleases: [in/payloads/good]\n\
                clusters: {east: in/clusters/oc-get}\noutput: report\n";
    fs::write(&file, text).unwrap();
    let config = file.to_str().unwrap();
    let kinds = |more: &[&str]| {
        let answer = ask(["scan", "--format", "json", "--config", config].iter().chain(more));
        assert_eq!(answer.code(), 0, "{}", answer.err);
        let inputs = answer.json()["inputs"].as_array().unwrap().clone();
        let named =
            |input: &Value| format!("{} {}", input["kind"].as_str().unwrap(), input["source"].as_str().unwrap());
        inputs.iter().map(named).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&[]), ["catalog 4.18", "bundles good", "releases good", "cluster oc-get"]);
    let flags = ["--cluster", "fixtures/clusters/must-gather"];
    assert_eq!(kinds(&flags), ["catalog 4.18", "bundles good", "releases good", "cluster must-gather"]);
}
