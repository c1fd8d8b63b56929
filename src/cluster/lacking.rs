//! What a dump lacks, and the script that collects it.
//!
//! Rule: a kind is told where one of its objects, or a list of that kind alone, is in the dump; where the API server said
//! that it does not have the resource; or where the dump holds the cluster's CustomResourceDefinitions and none is for it.
//! One command collects one resource, by its full name, so that `subscriptions` of another vendor are not taken for those
//! of OLM. Secrets are never asked for. Cost: one look at a short table.

use std::fmt::Write as _;

use super::facts::ClusterFacts;
use super::kind::ObjectKind;

/// Something that later answers need and the dump does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lacking {
    /// What is asked for, by its full name.
    pub resource: String,
    /// What cannot be answered without it.
    pub needed_for: &'static str,
    /// The command that collects it.
    pub command: String,
}

/// Something that is needed, whether the dump has it or not.
struct Need {
    /// The kind, and an older or newer one that tells the same.
    kind: ObjectKind,
    instead: Option<ObjectKind>,
    /// One object, by namespace and name.
    only: Option<(&'static str, &'static str)>,
    needed_for: &'static str,
}

const fn all(kind: ObjectKind, needed_for: &'static str) -> Need {
    Need { kind, instead: None, only: None, needed_for }
}

const fn one(namespace: &'static str, name: &'static str, needed_for: &'static str) -> Need {
    Need { kind: ObjectKind::ConfigMap, instead: None, only: Some((namespace, name)), needed_for }
}

const HOSTED: &str = "hosted control planes and their node pools, on a management cluster";
const MIRRORS: &str = "where the cluster pulls images from";

const NEEDS: [Need; 26] = [
    all(ObjectKind::ClusterVersion, "the platform's version, its history, and what holds its upgrade back"),
    all(ObjectKind::ClusterOperator, "components that hold the platform's upgrade back, and its progress"),
    all(ObjectKind::Infrastructure, "whether the control plane is hosted elsewhere"),
    all(ObjectKind::MachineConfigPool, "pools of nodes that are paused or still updating"),
    all(ObjectKind::Node, "versions of kubelets, which may lag behind only so far"),
    all(ObjectKind::PodDisruptionBudget, "nodes that cannot be drained"),
    all(ObjectKind::APIRequestCount, "APIs in use that a later version removes"),
    all(ObjectKind::CustomResourceDefinition, "versions of APIs that are stored and served"),
    one("openshift-config", "admin-acks", "gates that an administrator has acknowledged"),
    one("openshift-config-managed", "admin-gates", "gates that an administrator must acknowledge"),
    all(ObjectKind::Subscription, "operators that OLM v0 manages, and their channels"),
    all(
        ObjectKind::ClusterServiceVersion,
        "installed versions of operators, and the highest platform version they take",
    ),
    all(ObjectKind::InstallPlan, "what waits for approval, and how far an upgrade is"),
    all(ObjectKind::CatalogSource, "catalogs that OLM v0 resolves from"),
    all(ObjectKind::OperatorGroup, "namespaces that operators watch"),
    all(ObjectKind::OperatorCondition, "operators that say they must not be upgraded now"),
    all(ObjectKind::Operator, "what belongs to an operator"),
    all(ObjectKind::ClusterExtension, "operators that OLM v1 manages"),
    Need {
        kind: ObjectKind::ClusterObjectSet,
        instead: Some(ObjectKind::ClusterExtensionRevision),
        only: None,
        needed_for: "how far a rollout of OLM v1 is",
    },
    all(ObjectKind::ClusterCatalog, "catalogs that OLM v1 resolves from"),
    all(ObjectKind::ImageDigestMirrorSet, MIRRORS),
    all(ObjectKind::ImageTagMirrorSet, MIRRORS),
    all(ObjectKind::ImageContentSourcePolicy, MIRRORS),
    all(ObjectKind::HostedCluster, HOSTED),
    all(ObjectKind::NodePool, HOSTED),
    all(ObjectKind::HostedControlPlane, HOSTED),
];

/// What is needed only where a cluster hosts control planes.
const OF_HOSTING_CLUSTERS: [Need; 2] = [
    one("hypershift", "supported-versions", "versions that the HyperShift operator hosts"),
    all(ObjectKind::MultiClusterEngine, "the version of the multicluster engine"),
];

/// What is collected, but not missed where it is not there: it only adds to what other objects tell.
const OPTIONAL: [ObjectKind; 2] = [ObjectKind::PackageManifest, ObjectKind::ManagedCluster];

/// A definition that every OpenShift cluster has: where it is in a dump, the others are there as well.
const EVERYWHERE: &str = "clusterversions.config.openshift.io";

impl Need {
    /// The arguments of `oc get` that collect it.
    fn arguments(&self) -> String {
        match self.only {
            Some((namespace, name)) => format!("{} {name} -n {namespace}", self.kind.resource()),
            None => arguments(self.kind),
        }
    }

    fn is_met(&self, facts: &ClusterFacts) -> bool {
        if let Some((namespace, name)) = self.only {
            let resource = self.kind.resource();
            return facts.object(self.kind, namespace, name).is_some()
                || facts.absent.contains(&format!("{resource}/{name}"));
        }
        let is_told = |kind| facts.is_collected(kind) || facts.is_absent(kind);
        is_told(self.kind) || self.instead.is_some_and(is_told)
    }
}

fn arguments(kind: ObjectKind) -> String {
    let resource = kind.resource();
    if kind.is_namespaced() { format!("{resource} -A") } else { resource }
}

impl ClusterFacts {
    /// What the dump lacks, in the order in which it should be collected.
    #[must_use]
    pub fn lacking(&self) -> Vec<Lacking> {
        let hosts = self.of_kind(ObjectKind::HostedCluster).next().is_some();
        let of_hosting = OF_HOSTING_CLUSTERS.iter().filter(|_| hosts);
        let unmet = NEEDS.iter().chain(of_hosting).filter(|need| !need.is_met(self));
        let lacking = |need: &Need| {
            let resource = match need.only {
                Some((namespace, name)) => format!("{} {namespace}/{name}", need.kind.resource()),
                None => need.kind.resource(),
            };
            let command = format!("oc get {} -o yaml", need.arguments());
            Lacking { resource, needed_for: need.needed_for, command }
        };
        unmet.map(lacking).collect()
    }

    /// Whether the cluster does not know this kind.
    fn is_absent(&self, kind: ObjectKind) -> bool {
        let resource = kind.resource();
        let defines = |name: &str| self.object(ObjectKind::CustomResourceDefinition, "", name).is_some();
        // kubectl leaves the group out of its message (cli-runtime, pkg/resource/builder.go).
        let plural = resource.split('.').next().unwrap_or_default();
        let is_denied = self.absent.contains(&resource) || self.absent.contains(plural);
        is_denied || (kind.is_custom() && defines(EVERYWHERE) && !defines(&resource))
    }
}

/// A script for a POSIX shell that collects everything into a directory: the first argument, else `cluster-dump`. It only
/// reads, and asks for no Secret. What the API server refuses is written beside, into a file that ends in `.error.txt`.
///
/// ```
/// let script = skipstone::cluster::collecting_script();
/// assert!(script.starts_with("#!/bin/sh\n") && !script.to_lowercase().contains("get secret"));
/// ```
#[must_use]
pub fn collecting_script() -> String {
    let mut script = SCRIPT_HEAD.to_owned();
    for need in NEEDS.iter().chain(&OF_HOSTING_CLUSTERS) {
        add_line(&mut script, need.kind, need.only.map(|(_, name)| name), &need.arguments());
        if let Some(kind) = need.instead {
            add_line(&mut script, kind, None, &arguments(kind));
        }
    }
    for kind in OPTIONAL {
        add_line(&mut script, kind, None, &arguments(kind));
    }
    script.push_str(SCRIPT_END);
    script
}

fn add_line(script: &mut String, kind: ObjectKind, name: Option<&str>, arguments: &str) {
    let file = name.map_or_else(|| kind.resource(), |name| format!("{}.{name}", kind.resource()));
    let _ = writeln!(script, "collect {file} {arguments}");
}

const SCRIPT_HEAD: &str = r#"#!/bin/sh
# Collects what skipstone needs to know of a cluster, into the directory named by the first argument.
# It only reads, and it asks for no Secret. OC names another client than oc.
set -u
umask 077
directory=${1:-cluster-dump}
client=${OC:-oc}
mkdir -p "$directory" || exit 2
refused=0

collect() {
  file=$directory/$1
  shift
  if "$client" get "$@" -o yaml >"$file.yaml" 2>"$file.error.txt"; then
    rm -f "$file.error.txt"
  else
    rm -f "$file.yaml"
    refused=$((refused + 1))
    echo "not collected: $*" >&2
  fi
}

date -u +%Y-%m-%dT%H:%M:%SZ >"$directory/timestamp"
"#;

const SCRIPT_END: &str = r#"collect configmaps.signatures configmaps -n openshift-config-managed -l release.openshift.io/verification-signatures
collect jobs.batch jobs.batch -A -l operatorframework.io/bundle-unpack-ref
date -u +%Y-%m-%dT%H:%M:%SZ >>"$directory/timestamp"
echo "collected into $directory; $refused not collected, see *.error.txt there" >&2
"#;

#[cfg(test)]
mod tests;
