//! Dumps of clusters: what they hold, what they lack, and that nothing secret comes out of them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::program::{ask, finish, fixture, folders};

fn contents(places: &[&str]) -> (i32, Value) {
    let answer = ask(["cluster", "contents", "--format", "json"].iter().chain(places));
    (answer.code(), answer.json())
}

fn of_fixture(folder: &str) -> (i32, Value) {
    contents(&[&format!("fixtures/clusters/{folder}")])
}

fn lacks(contents: &Value, resource: &str) -> bool {
    contents["lacking"].as_array().unwrap().iter().any(|lacking| lacking["resource"] == resource)
}

#[test]
fn what_oc_get_printed_is_counted_and_an_empty_list_is_known() {
    let (code, contents) = of_fixture("oc-get");
    assert_eq!(code, 0);
    let expected = json!({"ClusterServiceVersion": 1, "ClusterVersion": 1, "InstallPlan": 0, "Subscription": 1});
    assert_eq!(contents["objects"], expected);
    assert_eq!(contents["observed_at"], "2026-11-01T08:05:00Z");
    assert_eq!(contents["observed_basis"], "conditions");
    assert_eq!(contents["files"], json!({"read": 3, "passed_over": 0, "failed": 0}));
    assert_eq!((&contents["readiness"], &contents["findings"]), (&Value::Null, &json!([])));
    assert!(!lacks(&contents, "installplans.operators.coreos.com"));
    let catalogs = contents["lacking"].as_array().unwrap().iter();
    let catalogs: Vec<&Value> =
        catalogs.filter(|lacking| lacking["resource"] == "catalogsources.operators.coreos.com").collect();
    assert_eq!(catalogs[0]["command"], "oc get catalogsources.operators.coreos.com -A -o yaml");
}

#[test]
fn a_must_gather_tells_when_it_was_taken_and_its_logs_are_passed_over() {
    let (code, contents) = of_fixture("must-gather");
    assert_eq!((code, &contents["observed_at"]), (0, &json!("2026-11-30T12:10:00.25Z")));
    assert_eq!(contents["objects"], json!({"ClusterVersion": 1, "Node": 2, "Subscription": 1}));
    assert_eq!(contents["files"], json!({"read": 4, "passed_over": 3, "failed": 0}));
}

#[test]
fn what_the_api_server_refused_is_lacking_and_what_it_does_not_have_is_not() {
    let (code, contents) = of_fixture("forbidden");
    assert_eq!((code, &contents["objects"]), (0, &json!({"Node": 1})));
    let findings = contents["findings"].as_array().unwrap();
    assert_eq!((findings.len(), &findings[0]["code"]), (1, &json!("cluster/refused")));
    assert!(!findings[0].to_string().contains("harbour-pilot"), "who asked is not told");
    assert!(lacks(&contents, "subscriptions.operators.coreos.com"));
    assert!(!lacks(&contents, "clusterextensions.olm.operatorframework.io"));
}

#[test]
fn half_a_document_is_told_with_its_place_and_the_rest_is_read() {
    let (code, contents) = of_fixture("half-a-document");
    assert_eq!((code, &contents["objects"]), (3, &json!({"Node": 1})));
    assert_eq!(contents["files"], json!({"read": 1, "passed_over": 0, "failed": 1}));
    let finding = &contents["findings"][0];
    assert_eq!((&finding["code"], &finding["severity"]), (&json!("cluster/decode-error"), &json!("error")));
    assert_eq!((&finding["at"]["path"], &finding["at"]["document"]), (&json!("nodes.json"), &json!(1)));
    assert!(finding["at"]["line"].as_u64() >= Some(1));
}

#[test]
fn a_readiness_report_is_a_dump_of_its_own() {
    let (code, contents) = of_fixture("readiness");
    assert_eq!((code, &contents["objects"]), (0, &json!({})));
    let readiness = &contents["readiness"];
    assert_eq!(readiness["target_version"], "4.19.1");
    assert_eq!(readiness["checks"]["network"], json!({"status": "error", "error": "timed out"}));
    let gull = &readiness["operators"][0];
    assert_eq!((&gull["ocp_max"], &gull["ocp_min"]), (&json!("4.18"), &Value::Null));
    assert_eq!(
        (&gull["compatible_with_target"], &gull["available_channels"]),
        (&json!(false), &json!(["stable", "candidate"]))
    );
}

#[test]
fn attack_secret_in_a_dump_comes_out_in_no_format() {
    for format in ["text", "json"] {
        let answer = ask(["cluster", "contents", "fixtures/clusters/secrets", "--format", format]);
        assert_eq!(answer.code(), 0);
        assert!(answer.out.contains("Subscription"));
        assert!(!answer.out.contains("not-a-real-token") && !answer.err.contains("not-a-real-token"));
    }
}

#[test]
fn an_archive_says_the_same_as_the_directory_that_it_was_made_of() {
    let place = tempdir().unwrap();
    for folder in folders("clusters") {
        let (code, mut unpacked) = of_fixture(&folder);
        for (name, flag) in [("dump.tar", "-cf"), ("dump.tar.gz", "-czf")] {
            let archive = place.path().join(name);
            let packed =
                finish(Command::new("tar").arg(flag).arg(&archive).arg("-C").arg(fixture("clusters")).arg(&folder));
            assert_eq!(packed.exit, Some(0), "{}", packed.err);
            let (code_of_archive, mut contents) = contents(&[&archive.display().to_string()]);
            for answer in [&mut unpacked, &mut contents] {
                for finding in answer["findings"].as_array_mut().unwrap() {
                    finding["at"] = Value::Null;
                }
            }
            assert_eq!((code_of_archive, contents), (code, unpacked.clone()), "{folder} {name}");
        }
    }
}

#[test]
fn several_places_make_one_picture() {
    let (code, both) = contents(&["fixtures/clusters/oc-get", "fixtures/clusters/must-gather"]);
    assert_eq!((code, &both["objects"]["Node"], &both["objects"]["Subscription"]), (0, &json!(2), &json!(1)));
    let codes: Vec<&str> =
        both["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["cluster/conflicting-states", "cluster/several-states"]);
}

/// A client that has Nodes, refuses ConfigMaps, and has nothing else.
const CLIENT: &str = r#"#!/bin/sh
case "$2" in
nodes) echo "kind: List
apiVersion: v1
items: [{apiVersion: v1, kind: Node, metadata: {name: worker-0}}]" ;;
configmaps) echo "Error from server (Forbidden): configmaps is forbidden: User \"u\" cannot get" >&2; exit 1 ;;
*) echo "kind: List
apiVersion: v1
items: []" ;;
esac
"#;

#[test]
fn the_script_collects_a_dump_that_lacks_only_what_was_refused() {
    let place = tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = place.path().join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file
    };
    let script = write("collect.sh", &ask(["cluster", "collect"]).out);
    let client = write("client", CLIENT);
    let dump = place.path().join("dump");
    let collected = finish(Command::new("sh").arg(script).arg(&dump).env("OC", client));
    assert_eq!((collected.exit, collected.out.as_str()), (Some(0), ""), "{}", collected.err);
    assert!(!Path::new(&dump).join("configmaps.admin-acks.yaml").exists());
    let (code, contents) = contents(&[&dump.display().to_string()]);
    assert_eq!((code, &contents["objects"]["Node"], &contents["objects"]["Subscription"]), (0, &json!(1), &json!(0)));
    let lacking = contents["lacking"].as_array().unwrap();
    assert!(
        lacking.iter().all(|lacking| lacking["resource"].as_str().unwrap().starts_with("configmaps")),
        "{lacking:?}"
    );
    assert_eq!((lacking.len(), &contents["observed_basis"]), (2, &json!("timestamp-file")));
}
