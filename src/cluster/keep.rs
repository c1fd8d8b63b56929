//! What is kept of an object, and what is dropped at the door.
//!
//! Rule: nothing secret becomes a fact. A Secret is reduced to its name wherever it stands, values of environment variables
//! and earlier configurations (the annotation `kubectl.kubernetes.io/last-applied-configuration`, kubectl's
//! pkg/util/apply.go) are dropped, and of a ConfigMap, of which nobody knows what it holds, only those are kept that the
//! platform itself defines: acknowledgements and gates of the cluster-version-operator (pkg/cvo/upgradeable.go), signatures
//! of releases (openshift/library-go, pkg/verify/store/configmap), and HyperShift's `supported-versions`. Manifests within
//! manifests are dropped as well, for they may hold anything. Cost: one copy of the kept object.

use serde_json::{Map, Value as Json};

use super::kind::ObjectKind;
use super::path::{self, text_at};

/// Where the platform defines a ConfigMap: namespace and name.
const CONFIG_MAPS: [(&str, &str); 3] = [
    ("openshift-config", "admin-acks"),
    ("openshift-config-managed", "admin-gates"),
    ("hypershift", "supported-versions"),
];
/// The label of ConfigMaps that hold signatures of releases.
const SIGNATURES: &str = "release.openshift.io/verification-signatures";
/// The namespace in which signatures that came with the platform, or were added by an administrator, lie.
const SIGNATURES_NAMESPACE: &str = "openshift-config-managed";
/// The label of Jobs in which OLM v0 unpacks a bundle.
const UNPACKING: &str = "operatorframework.io/bundle-unpack-ref";
/// Labels of Nodes that tell something else than where a machine stands.
const NODE_LABELS: [&str; 4] =
    ["node-role.kubernetes.io/", "kubernetes.io/arch", "kubernetes.io/os", "hypershift.openshift.io/"];
const NODE_ANNOTATIONS: &str = "machineconfiguration.openshift.io/";
/// What of `status.nodeInfo` tells versions; the rest tells machines apart.
const NODE_INFO: [&str; 6] =
    ["architecture", "containerRuntimeVersion", "kernelVersion", "kubeletVersion", "operatingSystem", "osImage"];
/// Annotations of a PackageManifest's channel that bound the platform's version.
const CHANNEL_ANNOTATIONS: [&str; 2] = ["olm.maxOpenShiftVersion", "olm.properties"];

/// The kept part of an object, or `None` where the object is not wanted.
pub(super) fn keep(kind: ObjectKind, mut object: Json) -> Option<Json> {
    if !is_wanted(kind, &object) {
        return None;
    }
    scrub(&mut object);
    let whole = object.as_object_mut()?;
    let reads_data = kind == ObjectKind::ConfigMap;
    whole.retain(|name, _| match name.as_str() {
        "apiVersion" | "kind" | "metadata" | "spec" | "status" => true,
        "data" | "binaryData" => reads_data,
        _ => false,
    });
    if let Some(metadata) = path::object_mut(whole, "metadata") {
        reduce_metadata(metadata);
    }
    match kind {
        ObjectKind::ClusterServiceVersion => reduce_csv(whole),
        ObjectKind::InstallPlan => each(whole, &["status", "plan"], |step| {
            if let Some(resource) = path::object_mut(step, "resource") {
                resource.remove("manifest");
            }
        }),
        ObjectKind::ClusterObjectSet | ObjectKind::ClusterExtensionRevision => {
            each(whole, &["spec", "phases"], |phase| each(phase, &["objects"], reduce_phase_object));
        }
        ObjectKind::Node => reduce_node(whole),
        ObjectKind::CustomResourceDefinition => reduce_definition(whole),
        ObjectKind::PackageManifest => reduce_package(whole),
        ObjectKind::APIRequestCount => {
            if let Some(status) = path::object_mut(whole, "status") {
                status.retain(|name, _| ["conditions", "removedInRelease", "requestCount"].contains(&name.as_str()));
            }
        }
        ObjectKind::Job => {
            whole.remove("spec");
        }
        _ => {}
    }
    Some(object)
}

fn is_wanted(kind: ObjectKind, object: &Json) -> bool {
    match kind {
        ObjectKind::ConfigMap => {
            let place = (text_at(object, &["metadata", "namespace"]), text_at(object, &["metadata", "name"]));
            let is_signature = place.0 == Some(SIGNATURES_NAMESPACE) && has_label(object, SIGNATURES);
            is_signature || CONFIG_MAPS.iter().any(|&(namespace, name)| place == (Some(namespace), Some(name)))
        }
        ObjectKind::Job => has_label(object, UNPACKING),
        _ => true,
    }
}

fn has_label(object: &Json, label: &str) -> bool {
    path::at(object, &["metadata", "labels", label]).is_some()
}

/// Takes secrets out at any depth: a Secret becomes its name, and environment variables lose their values.
pub(super) fn scrub(value: &mut Json) {
    match value {
        Json::Array(items) => items.iter_mut().for_each(scrub),
        Json::Object(fields) => {
            if fields.get("kind").and_then(Json::as_str) == Some("Secret") && !is_reference(fields) {
                only_identity(fields);
                return;
            }
            if let Some(variables) = fields.get_mut("env").and_then(Json::as_array_mut) {
                for variable in variables.iter_mut().filter_map(Json::as_object_mut) {
                    variable.remove("value");
                }
            }
            fields.remove("stringData");
            if let Some(annotations) = path::object_mut(fields, "annotations") {
                annotations.retain(|name, _| !name.ends_with("last-applied-configuration"));
            }
            fields.values_mut().for_each(scrub);
        }
        _ => {}
    }
}

/// Whether something only names a Secret: an object has its name under `metadata`.
fn is_reference(fields: &Map<String, Json>) -> bool {
    ["metadata", "data", "stringData"].iter().all(|field| !fields.contains_key(*field))
}

/// Leaves API version, kind, namespace and name.
fn only_identity(object: &mut Map<String, Json>) {
    object.retain(|name, _| ["apiVersion", "kind", "metadata"].contains(&name.as_str()));
    if let Some(metadata) = path::object_mut(object, "metadata") {
        metadata.retain(|name, _| ["namespace", "name"].contains(&name.as_str()));
    }
}

fn reduce_metadata(metadata: &mut Map<String, Json>) {
    metadata.remove("managedFields");
    if let Some(annotations) = path::object_mut(metadata, "annotations") {
        annotations.remove("alm-examples");
    }
}

/// The install strategy holds Deployments, and icon and examples are large; no rule of an upgrade reads them.
fn reduce_csv(csv: &mut Map<String, Json>) {
    let Some(spec) = path::object_mut(csv, "spec") else { return };
    spec.remove("icon");
    if let Some(install) = path::object_mut(spec, "install") {
        install.retain(|name, _| name == "strategy");
    }
}

fn reduce_phase_object(item: &mut Map<String, Json>) {
    if let Some(object) = path::object_mut(item, "object") {
        only_identity(object);
    }
}

fn reduce_node(node: &mut Map<String, Json>) {
    if let Some(metadata) = path::object_mut(node, "metadata") {
        if let Some(labels) = path::object_mut(metadata, "labels") {
            labels.retain(|name, _| NODE_LABELS.iter().any(|known| name.starts_with(known)));
        }
        if let Some(annotations) = path::object_mut(metadata, "annotations") {
            annotations.retain(|name, _| name.starts_with(NODE_ANNOTATIONS));
        }
    }
    if let Some(spec) = path::object_mut(node, "spec") {
        spec.retain(|name, _| ["taints", "unschedulable"].contains(&name.as_str()));
    }
    if let Some(status) = path::object_mut(node, "status") {
        status.retain(|name, _| ["allocatable", "capacity", "conditions", "nodeInfo"].contains(&name.as_str()));
        if let Some(info) = path::object_mut(status, "nodeInfo") {
            info.retain(|name, _| NODE_INFO.contains(&name.as_str()));
        }
    }
}

/// Which versions are served and stored; the schemas are those of the bundle or payload that brought the definition.
fn reduce_definition(definition: &mut Map<String, Json>) {
    each(definition, &["spec", "versions"], |version| {
        version.retain(|name, _| ["name", "served", "storage", "deprecated"].contains(&name.as_str()));
    });
    if let Some(spec) = path::object_mut(definition, "spec") {
        spec.retain(|name, _| ["group", "names", "scope", "versions", "conversion"].contains(&name.as_str()));
        if let Some(conversion) = path::object_mut(spec, "conversion") {
            conversion.retain(|name, _| name == "strategy");
        }
    }
}

fn reduce_package(package: &mut Map<String, Json>) {
    package.remove("spec");
    each(package, &["status", "channels"], |channel| {
        channel.retain(|name, _| ["name", "currentCSV", "currentCSVDesc"].contains(&name.as_str()));
        let Some(described) = path::object_mut(channel, "currentCSVDesc") else { return };
        described.retain(|name, _| ["annotations", "version", "minKubeVersion"].contains(&name.as_str()));
        if let Some(annotations) = path::object_mut(described, "annotations") {
            annotations.retain(|name, _| CHANNEL_ANNOTATIONS.contains(&name.as_str()));
        }
    });
    if let Some(status) = path::object_mut(package, "status") {
        let kept = ["catalogSource", "catalogSourceNamespace", "packageName", "defaultChannel", "channels"];
        status.retain(|name, _| kept.contains(&name.as_str()));
    }
}

/// Changes every object of a list that lies below these names.
fn each(object: &mut Map<String, Json>, names: &[&str], mut change: impl FnMut(&mut Map<String, Json>)) {
    let Some((first, rest)) = names.split_first() else { return };
    let mut value = object.get_mut(*first);
    for name in rest {
        value = value.and_then(|found| found.get_mut(*name));
    }
    let items = value.and_then(Json::as_array_mut).into_iter().flatten();
    items.filter_map(Json::as_object_mut).for_each(&mut change);
}
