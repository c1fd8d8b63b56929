//! Each rule with a dump that follows it and one that does not.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::codec::{Format, Limits, decode};
use crate::finding::{Finding, SourceRef};

/// Facts and findings of files, each a path and the text of one document.
fn gather(files: &[(&str, &str)]) -> (ClusterFacts, Vec<Finding>) {
    gather_within(FactLimits::default(), files)
}

fn gather_within(limits: FactLimits, files: &[(&str, &str)]) -> (ClusterFacts, Vec<Finding>) {
    let mut gathering = Gathering::new(limits);
    for (path, text) in files {
        let format = if text.starts_with(['{', '[']) { Format::Json } else { Format::Yaml };
        let decoded = decode(text.as_bytes(), format, &Limits::default()).unwrap();
        gathering.document(&decoded.value, &SourceRef::file("dump", *path).document(1, 1));
    }
    gathering.finish()
}

fn codes_of(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code.name()).collect()
}

fn subscription(name: &str, version: &str, channel: &str) -> String {
    format!(
        "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n\
         metadata: {{name: {name}, namespace: birds, resourceVersion: {version}}}\nspec: {{channel: {channel}}}\n"
    )
}

#[test]
fn lists_typed_lists_and_single_objects_are_read_alike() {
    let mixed = r#"{"kind": "List", "apiVersion": "v1", "items": [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}},
        {"apiVersion": "operators.coreos.com/v1alpha1", "kind": "Subscription",
         "metadata": {"name": "a", "namespace": "birds"}}]}"#;
    let typed = "apiVersion: operators.coreos.com/v1alpha1\nkind: SubscriptionList\n\
                 items:\n- metadata: {name: b, namespace: birds}\n";
    let (facts, findings) = gather(&[("mixed", mixed), ("typed", typed), ("one", &subscription("c", "'7'", "stable"))]);
    let names: Vec<&str> = facts.of_kind(ObjectKind::Subscription).map(|(key, _)| key.name.as_str()).collect();
    assert_eq!((names, findings), (vec!["a", "b", "c"], vec![]));
    assert_eq!(facts.counts(), BTreeMap::from([("Node", 1), ("Subscription", 3)]));
    let object = facts.object(ObjectKind::Subscription, "birds", "c").unwrap();
    assert_eq!((object.text(&["spec", "channel"]), object.at(&["status"])), (Some("stable"), None));
    assert_eq!(facts.object(ObjectKind::Subscription, "", "c"), None);
}

#[test]
fn a_kind_of_another_group_is_another_kind() {
    let other = "apiVersion: messaging.example.com/v1\nkind: Subscription\nmetadata: {name: a, namespace: b}\n";
    let (facts, findings) = gather(&[("a", other)]);
    assert!(facts.is_empty() && findings.is_empty());
}

#[test]
fn an_empty_list_tells_only_where_it_says_of_what() {
    let untyped = r#"{"apiVersion": "v1", "kind": "List", "items": []}"#;
    let typed = r#"{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "InstallPlanList", "items": []}"#;
    assert!(gather(&[("all.json", untyped)]).0.is_empty());
    let (facts, _) = gather(&[("all.json", typed), ("d/subscriptions.operators.coreos.com.json", untyped)]);
    assert_eq!(facts.counts(), BTreeMap::from([("InstallPlan", 0), ("Subscription", 0)]));
    assert!(facts.is_collected(ObjectKind::InstallPlan) && !facts.is_collected(ObjectKind::CatalogSource));
}

#[test]
fn an_object_without_its_name_is_told_and_not_used() {
    let nameless = "apiVersion: v1\nkind: Node\nmetadata: {}\n";
    let homeless = "apiVersion: operators.coreos.com/v1alpha1\nkind: InstallPlan\nmetadata: {name: a}\n";
    let (facts, findings) = gather(&[("a", nameless), ("b", homeless)]);
    assert!(facts.is_empty());
    assert_eq!(codes_of(&findings), ["cluster/object-unusable", "cluster/object-unusable"]);
}

#[test]
fn equal_states_are_one_and_the_highest_resource_version_counts() {
    let (old, new) = (subscription("a", "'9'", "stable"), subscription("a", "'10'", "fast"));
    let channel = |facts: &ClusterFacts| {
        let object = facts.object(ObjectKind::Subscription, "birds", "a").unwrap();
        object.text(&["spec", "channel"]).unwrap().to_owned()
    };
    let (facts, findings) = gather(&[("x", &old), ("y", &old)]);
    assert_eq!((channel(&facts).as_str(), codes_of(&findings)), ("stable", vec![]));
    for files in [[("x", &*old), ("y", &*new)], [("x", &*new), ("y", &*old)], [("y", &*new), ("x", &*old)]] {
        let (facts, findings) = gather(&files);
        assert_eq!((channel(&facts).as_str(), codes_of(&findings)), ("fast", vec!["cluster/several-states"]));
        assert_eq!(findings[0].evidence["names"], "birds/a");
    }
}

#[test]
fn where_nothing_tells_the_later_state_the_first_file_counts_in_any_order_of_reading() {
    let (one, two) = (subscription("a", "x", "stable"), subscription("a", "y", "fast"));
    for files in [[("x", &*one), ("y", &*two)], [("y", &*two), ("x", &*one)]] {
        let (facts, findings) = gather(&files);
        let object = facts.object(ObjectKind::Subscription, "birds", "a").unwrap();
        assert_eq!(object.text(&["spec", "channel"]), Some("stable"));
        assert_eq!(codes_of(&findings), ["cluster/conflicting-states"]);
        assert_eq!(findings[0].at.as_ref().unwrap().path.as_deref(), Some("y"));
    }
}

#[test]
fn attack_more_objects_than_allowed() {
    let files: Vec<(String, String)> =
        ["a", "b", "c"].map(|name| (name.to_owned(), subscription(name, "'1'", "s"))).to_vec();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    for limits in
        [FactLimits { objects: 1, ..FactLimits::default() }, FactLimits { bytes: 300, ..FactLimits::default() }]
    {
        let (facts, findings) = gather_within(limits, &files);
        assert_eq!((facts.counts()["Subscription"], codes_of(&findings)), (1, vec!["input/limit"]));
    }
}

const TOKEN: &str = "sha256~not-a-real-token";

/// Every place in which a secret has been seen in dumps.
fn objects_with_secrets() -> Vec<String> {
    let metadata = r#""metadata": {"name": "a", "namespace": "birds", "managedFields": [{"manager": "TOKEN"}],
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{\"token\": \"TOKEN\"}"}}"#;
    let operators = r#""apiVersion": "operators.coreos.com/v1alpha1""#;
    let bodies = [
        format!(r#"{{"apiVersion": "v1", "kind": "Secret", {metadata}, "data": {{"t": "TOKEN"}}}}"#),
        format!(r#"{{"apiVersion": "v1", "kind": "ConfigMap", {metadata}, "data": {{"t": "TOKEN"}}}}"#),
        format!(r#"{{"apiVersion": "apps/v1", "kind": "Deployment", {metadata}, "spec": {{"env": "TOKEN"}}}}"#),
        format!(
            r#"{{{operators}, "kind": "Subscription", {metadata}, "data": "TOKEN",
                "spec": {{"config": {{"env": [{{"name": "T", "value": "TOKEN"}}]}}}}}}"#
        ),
        format!(
            r#"{{{operators}, "kind": "ClusterServiceVersion", {metadata}, "spec": {{"install": {{"strategy": "deployment",
                "spec": {{"deployments": [{{"env": [{{"value": "TOKEN"}}], "args": ["TOKEN"]}}]}}}}}}}}"#
        ),
        format!(
            r#"{{{operators}, "kind": "InstallPlan", {metadata}, "status": {{"plan": [
                {{"resource": {{"kind": "Secret", "name": "s", "manifest": "{{\"data\": \"TOKEN\"}}"}}}}]}}}}"#
        ),
        r#"{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterObjectSet", "metadata": {"name": "a"},
            "spec": {"phases": [{"objects": [{"object": {"kind": "Secret", "metadata": {"name": "s"},
            "stringData": {"t": "TOKEN"}}}, {"object": {"kind": "ConfigMap", "data": {"t": "TOKEN"}}}]}]}}"#
            .to_owned(),
        r#"{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "labels": {"t": "TOKEN"}},
            "status": {"addresses": [{"address": "TOKEN"}], "nodeInfo": {"machineID": "TOKEN"}}}"#
            .to_owned(),
        r#"{"current_version": "4.18.0", "meta": {}, "checks": {"c": {"_status": "ok",
            "found": {"kind": "Secret", "metadata": {"name": "s"}, "data": {"t": "TOKEN"}}}}}"#
            .to_owned(),
    ];
    bodies.map(|body| body.replace("TOKEN", TOKEN)).to_vec()
}

#[test]
fn attack_secret_in_a_dump_appears_nowhere() {
    let bodies = objects_with_secrets();
    assert!(bodies.iter().all(|body| body.contains(TOKEN)));
    let list = format!(r#"{{"kind": "List", "items": [{}]}}"#, bodies.join(", "));
    let files: Vec<(&str, &str)> = bodies.iter().map(|body| ("one", body.as_str())).chain([("list", &*list)]).collect();
    let (facts, findings) = gather(&files);
    assert_eq!(facts.objects.len(), 5, "Subscription, CSV, InstallPlan, ClusterObjectSet, Node");
    let shown = format!("{facts:?} {findings:?}");
    assert!(!shown.contains("not-a-real-token"), "{shown}");
    let names: Vec<String> = facts.objects.values().map(|object| object.value.to_string()).collect();
    assert!(!names.concat().contains("not-a-real-token"));
}

#[test]
fn config_maps_of_the_platform_are_kept_with_their_data() {
    let map = |namespace: &str, name: &str, labels: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: {namespace}, labels: {{{labels}}}}}\n\
             data: {{ack: 'true'}}\n"
        )
    };
    let signature = "release.openshift.io/verification-signatures: ''";
    let texts = [
        map("openshift-config", "admin-acks", ""),
        map("openshift-config-managed", "admin-gates", ""),
        map("hypershift", "supported-versions", ""),
        map("openshift-config-managed", "sha256-abc", signature),
        map("birds", "admin-acks", ""),
        map("birds", "signed", signature),
    ];
    let files: Vec<(&str, &str)> = texts.iter().map(|text| ("a", text.as_str())).collect();
    let (facts, _) = gather(&files);
    let kept: Vec<&str> = facts.of_kind(ObjectKind::ConfigMap).map(|(key, _)| key.name.as_str()).collect();
    assert_eq!(kept, ["supported-versions", "admin-acks", "admin-gates", "sha256-abc"]);
    let acks = facts.object(ObjectKind::ConfigMap, "openshift-config", "admin-acks").unwrap();
    assert_eq!(acks.at(&["data"]), Some(&json!({"ack": "true"})));
}

#[test]
fn what_tells_versions_is_kept() {
    let node = r#"{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels":
        {"node-role.kubernetes.io/worker": "", "topology.kubernetes.io/zone": "z"}},
        "spec": {"unschedulable": true, "providerID": "p"}, "status": {"nodeInfo": {"kubeletVersion": "v1.31.2"}}}"#;
    let definition = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gulls.example.com"}, "spec": {"group": "example.com", "versions":
        [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {}}}]},
        "status": {"storedVersions": ["v1alpha1", "v1"]}}"#;
    let (facts, _) = gather(&[("n", node), ("d", definition)]);
    assert_eq!(
        facts.object(ObjectKind::Node, "", "n").unwrap().value,
        json!({"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": "n", "labels": {"node-role.kubernetes.io/worker": ""}},
            "spec": {"unschedulable": true}, "status": {"nodeInfo": {"kubeletVersion": "v1.31.2"}}})
    );
    let definition = facts.object(ObjectKind::CustomResourceDefinition, "", "gulls.example.com").unwrap();
    assert_eq!(definition.at(&["spec", "versions"]), Some(&json!([{"name": "v1", "served": true, "storage": true}])));
    assert_eq!(definition.at(&["status", "storedVersions"]), Some(&json!(["v1alpha1", "v1"])));
}

#[test]
fn a_collector_knows_better_than_conditions_when_a_dump_was_taken() {
    let version = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n\
                   status: {conditions: [{type: Failing, lastTransitionTime: '2026-01-02T00:00:00Z'}]}\n";
    let (facts, _) = gather(&[("v", version)]);
    let at = "2026-01-02T00:00:00Z".parse().unwrap();
    assert_eq!(facts.observed, Some(Observed { at, basis: ObservedBasis::Conditions }));
    let mut gathering = Gathering::new(FactLimits::default());
    gathering.timestamp_file("2026-01-01 00:00:00 +0000 UTC m=+0.1\n");
    let decoded = decode(version.as_bytes(), Format::Yaml, &Limits::default()).unwrap();
    gathering.document(&decoded.value, &SourceRef::input("dump"));
    let at = "2026-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(gathering.finish().0.observed, Some(Observed { at, basis: ObservedBasis::TimestampFile }));
    assert_eq!(gather(&[]).0.observed, None);
}

#[test]
fn of_two_readiness_reports_the_first_counts() {
    let report = |target: &str| {
        format!(r#"{{"current_version": "4.18.0", "target_version": "{target}", "checks": {{}}, "meta": {{}}}}"#)
    };
    let (one, two) = (report("4.18.9"), report("4.19.1"));
    for files in [[("x", &*one), ("y", &*two)], [("y", &*two), ("x", &*one)]] {
        let (facts, findings) = gather(&files);
        assert_eq!(facts.readiness.unwrap().target_version.as_deref(), Some("4.18.9"));
        assert_eq!(codes_of(&findings), ["cluster/several-readiness"]);
    }
    assert_eq!(gather(&[("x", &one), ("y", &one)]).1, []);
}
