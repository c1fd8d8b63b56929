use serde_json::json;

use super::*;
use crate::cluster::{ClusterObject, ObjectKey};
use crate::finding::SourceRef;

fn add(facts: &mut ClusterFacts, kind: ObjectKind, namespace: &str, name: &str) {
    let key = ObjectKey { kind, namespace: namespace.to_owned(), name: name.to_owned() };
    facts.objects.insert(key, ClusterObject { at: SourceRef::input("dump"), value: json!({}) });
    facts.collected.insert(kind);
}

fn resources(facts: &ClusterFacts) -> Vec<String> {
    facts.lacking().into_iter().map(|lacking| lacking.resource).collect()
}

#[test]
fn an_empty_dump_lacks_everything_that_every_cluster_has() {
    let lacking = ClusterFacts::default().lacking();
    assert_eq!(lacking.len(), NEEDS.len());
    let subscriptions = lacking.iter().find(|lacking| lacking.resource.starts_with("subscriptions")).unwrap();
    assert_eq!(subscriptions.command, "oc get subscriptions.operators.coreos.com -A -o yaml");
    let nodes = lacking.iter().find(|lacking| lacking.resource == "nodes").unwrap();
    assert_eq!(nodes.command, "oc get nodes -o yaml");
    let acks = lacking.iter().find(|lacking| lacking.resource.ends_with("admin-acks")).unwrap();
    assert_eq!(acks.command, "oc get configmaps admin-acks -n openshift-config -o yaml");
}

#[test]
fn what_was_collected_is_not_lacking_even_where_it_is_empty() {
    let mut facts = ClusterFacts::default();
    facts.collected.insert(ObjectKind::Subscription);
    add(&mut facts, ObjectKind::ConfigMap, "openshift-config", "admin-acks");
    facts.absent.insert("configmaps/admin-gates".to_owned());
    let lacking = resources(&facts);
    assert_eq!(lacking.len(), NEEDS.len() - 3);
    assert!(!lacking.iter().any(|resource| resource.starts_with("subscriptions") || resource.contains("admin-")));
}

#[test]
fn what_the_cluster_does_not_know_is_not_lacking() {
    let name = "clusterextensions.olm.operatorframework.io";
    let mut facts = ClusterFacts::default();
    add(&mut facts, ObjectKind::CustomResourceDefinition, "", "gulls.example.com");
    assert!(resources(&facts).contains(&name.to_owned()), "one definition is not all of them");
    add(&mut facts, ObjectKind::CustomResourceDefinition, "", EVERYWHERE);
    let lacking = resources(&facts);
    assert!(!lacking.contains(&name.to_owned()) && lacking.contains(&"nodes".to_owned()));
    add(&mut facts, ObjectKind::CustomResourceDefinition, "", name);
    assert!(resources(&facts).contains(&name.to_owned()));
    facts.absent.insert("clusterextensions".to_owned());
    assert!(!resources(&facts).contains(&name.to_owned()), "the API server said that it has none");
}

#[test]
fn the_older_name_of_a_kind_will_do() {
    let resource = ObjectKind::ClusterObjectSet.resource();
    assert!(resources(&ClusterFacts::default()).contains(&resource));
    let mut facts = ClusterFacts::default();
    facts.collected.insert(ObjectKind::ClusterExtensionRevision);
    assert!(!resources(&facts).contains(&resource));
}

#[test]
fn versions_for_hosting_are_missed_only_where_something_is_hosted() {
    let wanted =
        |facts: &ClusterFacts| resources(facts).iter().any(|resource| resource.ends_with("supported-versions"));
    let mut facts = ClusterFacts::default();
    facts.collected.insert(ObjectKind::HostedCluster);
    assert!(!wanted(&facts));
    add(&mut facts, ObjectKind::HostedCluster, "clusters", "a");
    assert!(wanted(&facts));
}

#[test]
fn the_script_collects_each_resource_into_the_file_that_is_named_for_it() {
    let script = collecting_script();
    let lines: Vec<&str> = script.lines().filter(|line| line.starts_with("collect ")).collect();
    for kind in ObjectKind::ALL {
        let begin = format!("collect {}", kind.resource());
        assert!(lines.iter().any(|line| line.starts_with(&begin)), "{begin}");
    }
    assert!(lines.contains(&"collect nodes nodes"));
    assert!(lines.contains(&"collect configmaps.admin-acks configmaps admin-acks -n openshift-config"));
    let all_config_maps = ["collect configmaps configmaps", "collect configmaps configmaps -A"];
    assert!(!lines.iter().any(|line| all_config_maps.contains(line) || line.contains("secret")));
}
