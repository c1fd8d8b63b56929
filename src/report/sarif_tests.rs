use serde_json::{Value, json};

use super::*;
use crate::report::sample;

fn known(code: &str) -> Option<RuleText> {
    (code == "catalog/no-head").then(|| RuleText { title: "t".into(), why: "w".into(), hint: "h".into() })
}

fn rendered(findings: &[FindingView]) -> Value {
    let tool = Tool { name: "skipstone".into(), version: "0.1.0".into() };
    serde_json::from_str(&sarif(&tool, findings, &known).unwrap()).unwrap()
}

#[test]
fn a_finding_becomes_a_result_with_rule_place_and_fingerprint() {
    let mut finding = sample::finding("error", "catalog/no-head");
    finding.hint = Some("do this".into());
    let log = rendered(&[finding]);
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"][0]["tool"]["driver"]["name"], "skipstone");
    assert_eq!(
        log["runs"][0]["tool"]["driver"]["rules"][0],
        json!({"id": "catalog/no-head", "name": "CatalogNoHead", "shortDescription": {"text": "t"},
               "fullDescription": {"text": "w"}, "help": {"text": "h"}})
    );
    assert_eq!(
        log["runs"][0]["results"],
        json!([{
            "ruleId": "catalog/no-head", "ruleIndex": 0, "level": "error",
            "message": {"text": "message of catalog/no-head\ndo this"},
            "locations": [{
                "physicalLocation": {"artifactLocation": {"uri": "p/catalog.yaml"}, "region": {"startLine": 3}},
                "logicalLocations": [{"fullyQualifiedName": "c/p", "kind": "package"}]}],
            "partialFingerprints": {
                "primaryLocationLineHash": "sha256:error-catalog/no-head",
                "skipstone/v1": "sha256:error-catalog/no-head"}}])
    );
}

#[test]
fn levels_are_the_three_of_sarif_and_the_worst_comes_first() {
    let findings = [sample::finding("info", "a/a"), sample::finding("warning", "a/b"), sample::finding("error", "a/c")];
    let log = rendered(&findings);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let levels: Vec<_> = results.iter().map(|result| result["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["error", "warning", "note"]);
    let indices: Vec<_> = results.iter().map(|result| result["ruleIndex"].as_u64().unwrap()).collect();
    assert_eq!(indices, [2, 1, 0]);
}

#[test]
fn a_finding_without_a_place_points_at_the_list_of_findings() {
    let mut finding = sample::finding("warning", "a/b");
    finding.at = None;
    finding.subject = SubjectView::default();
    let log = rendered(&[finding]);
    assert_eq!(
        log["runs"][0]["results"][0]["locations"],
        json!([{"physicalLocation": {"artifactLocation": {"uri": "api/v1/findings.json"}}}])
    );
}

#[test]
fn five_thousand_fit_and_one_more_costs_a_place() {
    let exact = rendered(&vec![sample::finding("warning", "a/b"); 5_000]);
    assert!(exact["runs"][0]["results"].as_array().unwrap().iter().all(|result| result["ruleId"] == "a/b"));
    let over = rendered(&vec![sample::finding("warning", "a/b"); 5_001]);
    let results = over["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 5_000);
    let last = results.last().unwrap();
    assert_eq!(last["ruleId"], "report/left-out");
    assert_eq!(last["level"], "warning");
    assert_eq!(
        last["message"]["text"],
        "2 findings left out here: 0 errors, 2 warnings, 0 infos. All of them stand in api/v1/findings.json of the report."
    );
}

#[test]
fn the_file_stays_below_ten_megabytes() {
    let mut finding = sample::finding("error", "a/b");
    finding.message = "\u{1}".repeat(4_000);
    let tool = Tool { name: "skipstone".into(), version: "0.1.0".into() };
    let text = sarif(&tool, &vec![finding; 4_000], &|_| None).unwrap();
    assert!(text.len() < 10_000_000, "{}", text.len());
    assert!(text.len() > 9_000_000, "{}", text.len());
    let log: Value = serde_json::from_str(&text).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let shown = results.len() - 1;
    let message = results.last().unwrap()["message"]["text"].as_str().unwrap();
    assert!(message.starts_with(&format!("{} findings left out here", 4_000 - shown)), "{message}");
}

#[test]
fn paths_become_uri_references() {
    assert_eq!(uri("a b:c/ä%.yaml"), "a%20b%3Ac/%C3%A4%25.yaml");
    assert_eq!(uri("configs/p~1/x_y-z.yaml"), "configs/p~1/x_y-z.yaml");
}
