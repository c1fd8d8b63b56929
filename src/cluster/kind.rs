//! The kinds of objects that are taken out of a dump, and what each is needed for.
//!
//! Source: the API types of operator-framework/api, operator-controller, openshift/api, openshift/hypershift and
//! kubernetes/api. The version of an API is not looked at: the fields that are read have the same names in all of them.
//! Cost: a look over a short table.

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KindRow {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    pub(super) plural: &'static str,
    pub(super) namespaced: bool,
}

macro_rules! kinds {
    ($($variant:ident = $group:literal, $plural:literal, $namespaced:literal;)*) => {
        /// A kind of object that later questions are answered from.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "each variant is the kind of that name")]
        pub enum ObjectKind { $($variant),* }

        impl ObjectKind {
            /// Every kind, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub(super) fn row(self) -> &'static KindRow {
                match self {
                    $(Self::$variant => &KindRow {
                        group: $group, kind: stringify!($variant), plural: $plural, namespaced: $namespaced,
                    },)*
                }
            }
        }
    };
}

kinds! {
    ClusterVersion = "config.openshift.io", "clusterversions", false;
    ClusterOperator = "config.openshift.io", "clusteroperators", false;
    Infrastructure = "config.openshift.io", "infrastructures", false;
    ImageDigestMirrorSet = "config.openshift.io", "imagedigestmirrorsets", false;
    ImageTagMirrorSet = "config.openshift.io", "imagetagmirrorsets", false;
    ImageContentSourcePolicy = "operator.openshift.io", "imagecontentsourcepolicies", false;
    MachineConfigPool = "machineconfiguration.openshift.io", "machineconfigpools", false;
    Node = "", "nodes", false;
    PodDisruptionBudget = "policy", "poddisruptionbudgets", true;
    APIRequestCount = "apiserver.openshift.io", "apirequestcounts", false;
    CustomResourceDefinition = "apiextensions.k8s.io", "customresourcedefinitions", false;
    ConfigMap = "", "configmaps", true;
    Job = "batch", "jobs", true;
    Subscription = "operators.coreos.com", "subscriptions", true;
    ClusterServiceVersion = "operators.coreos.com", "clusterserviceversions", true;
    InstallPlan = "operators.coreos.com", "installplans", true;
    CatalogSource = "operators.coreos.com", "catalogsources", true;
    OperatorGroup = "operators.coreos.com", "operatorgroups", true;
    OperatorCondition = "operators.coreos.com", "operatorconditions", true;
    Operator = "operators.coreos.com", "operators", false;
    PackageManifest = "packages.operators.coreos.com", "packagemanifests", true;
    ClusterExtension = "olm.operatorframework.io", "clusterextensions", false;
    ClusterObjectSet = "olm.operatorframework.io", "clusterobjectsets", false;
    ClusterExtensionRevision = "olm.operatorframework.io", "clusterextensionrevisions", false;
    ClusterCatalog = "olm.operatorframework.io", "clustercatalogs", false;
    HostedCluster = "hypershift.openshift.io", "hostedclusters", true;
    HostedControlPlane = "hypershift.openshift.io", "hostedcontrolplanes", true;
    NodePool = "hypershift.openshift.io", "nodepools", true;
    MultiClusterEngine = "multicluster.openshift.io", "multiclusterengines", false;
    ManagedCluster = "cluster.open-cluster-management.io", "managedclusters", false;
}

impl ObjectKind {
    /// The kind of this name in this API group; the core group is `""`.
    ///
    /// ```
    /// use skipstone::cluster::ObjectKind;
    /// assert_eq!(ObjectKind::find("operators.coreos.com", "Subscription"), Some(ObjectKind::Subscription));
    /// assert_eq!(ObjectKind::find("messaging.example.com", "Subscription"), None);
    /// ```
    #[must_use]
    pub fn find(group: &str, kind: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.row().kind == kind && known.row().group == group)
    }

    /// The kind whose objects are asked for by this name: `subscriptions.operators.coreos.com`, `nodes`.
    #[must_use]
    pub fn of_resource(resource: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.resource() == resource)
    }

    /// The kind's own name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().kind
    }

    /// Its API group; the core group is `""`.
    #[must_use]
    pub fn group(self) -> &'static str {
        self.row().group
    }

    /// Whether its objects lie in namespaces.
    #[must_use]
    pub fn is_namespaced(self) -> bool {
        self.row().namespaced
    }

    /// The name that asks for its objects and for nobody else's, which is that of its CustomResourceDefinition, too.
    #[must_use]
    pub fn resource(self) -> String {
        let row = self.row();
        if row.group.is_empty() { row.plural.to_owned() } else { format!("{}.{}", row.plural, row.group) }
    }

    /// Whether a CustomResourceDefinition brings the kind, so that a cluster may do without it.
    #[must_use]
    pub fn is_custom(self) -> bool {
        !matches!(
            self,
            Self::Node
                | Self::PodDisruptionBudget
                | Self::CustomResourceDefinition
                | Self::ConfigMap
                | Self::Job
                | Self::PackageManifest
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn kinds_are_found_by_group_and_name_and_by_resource() {
        assert_eq!(ObjectKind::find("", "Node"), Some(ObjectKind::Node));
        assert_eq!(ObjectKind::find("example.com", "Node"), None);
        assert_eq!(ObjectKind::find("", "Secret"), None);
        assert_eq!(ObjectKind::of_resource("nodes"), Some(ObjectKind::Node));
        assert_eq!(ObjectKind::of_resource("subscriptions"), None, "Knative has subscriptions, too");
        let resource = "subscriptions.operators.coreos.com";
        assert_eq!(ObjectKind::of_resource(resource), Some(ObjectKind::Subscription));
        assert_eq!(ObjectKind::Subscription.resource(), resource);
    }

    #[test]
    fn names_and_resources_are_unique() {
        let names: BTreeSet<&str> = ObjectKind::ALL.iter().map(|kind| kind.name()).collect();
        let resources: BTreeSet<String> = ObjectKind::ALL.iter().map(|kind| kind.resource()).collect();
        assert_eq!((names.len(), resources.len()), (ObjectKind::ALL.len(), ObjectKind::ALL.len()));
    }
}
