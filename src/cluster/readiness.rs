//! The readiness report of the cluster-version-operator: what it checked on the running cluster before an update.
//!
//! Source: cluster-version-operator pkg/readiness, check.go (the frame) and olm_lifecycle.go (the operators). What a check
//! found is kept as it stands, without secrets; fields that a version does not write are `None`. Cost: one pass.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::path;

/// A readiness report.
#[derive(Debug, Clone, PartialEq)]
pub struct Readiness {
    /// The version that the cluster had.
    pub current_version: Option<String>,
    /// The version that the checks were made for.
    pub target_version: Option<String>,
    /// What each check came to, by its name.
    pub checks: BTreeMap<String, ReadinessCheck>,
}

/// What one check came to.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadinessCheck {
    /// `ok` where the check could be made, `error` where not; it does not judge what was found.
    pub status: Option<String>,
    /// Why it could not be made.
    pub error: Option<String>,
    /// How long it took.
    pub elapsed_seconds: Option<f64>,
    /// Everything else that it wrote.
    pub found: Json,
}

/// An operator as the check `olm_operator_lifecycle` describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadinessOperator {
    /// Name of the Subscription.
    pub name: Option<String>,
    /// Its namespace.
    pub namespace: Option<String>,
    /// The package.
    pub package: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// The CatalogSource.
    pub source: Option<String>,
    /// `Automatic` or `Manual`.
    pub install_plan_approval: Option<String>,
    /// Name of the installed ClusterServiceVersion.
    pub installed_csv: Option<String>,
    /// Its version.
    pub installed_version: Option<String>,
    /// The lowest version of Kubernetes that it takes.
    pub min_kube_version: Option<String>,
    /// Whether another version is on its way.
    pub pending_upgrade: Option<bool>,
    /// The lowest version of the platform that the channel's head takes.
    pub ocp_min: Option<String>,
    /// The highest one.
    pub ocp_max: Option<String>,
    /// What the check thinks of the target.
    pub compatible_with_target: Option<bool>,
    /// Channels of the package.
    pub available_channels: Vec<String>,
}

const LIFECYCLE: &str = "olm_operator_lifecycle";

impl Readiness {
    /// The report, where the document is one: an object with `checks`, `meta` and a version, and without a kind.
    pub(super) fn of(document: &Json) -> Option<Self> {
        let checks = document.get("checks")?.as_object()?;
        let has_frame = document.get("meta").is_some_and(Json::is_object) && document.get("kind").is_none();
        let text = |name: &str| document.get(name).and_then(Json::as_str).map(str::to_owned);
        let (current_version, target_version) = (text("current_version"), text("target_version"));
        if !has_frame || (current_version.is_none() && target_version.is_none()) {
            return None;
        }
        let checks = checks.iter().map(|(name, check)| (name.clone(), ReadinessCheck::of(check))).collect();
        Some(Self { current_version, target_version, checks })
    }

    /// The operators that the check of their lifecycle describes, in its order.
    #[must_use]
    pub fn operators(&self) -> Vec<ReadinessOperator> {
        let check = self.checks.get(LIFECYCLE);
        let described = check.and_then(|check| check.found.get("operators")).and_then(Json::as_array);
        described.into_iter().flatten().map(ReadinessOperator::of).collect()
    }
}

impl ReadinessCheck {
    fn of(check: &Json) -> Self {
        let text = |name: &str| check.get(name).and_then(Json::as_str).map(str::to_owned);
        let mut found = check.clone();
        super::keep::scrub(&mut found);
        if let Some(fields) = found.as_object_mut() {
            fields.retain(|name, _| !name.starts_with('_'));
        }
        let elapsed_seconds = check.get("_elapsed_seconds").and_then(Json::as_f64);
        Self { status: text("_status"), error: text("_error"), elapsed_seconds, found }
    }
}

impl ReadinessOperator {
    fn of(operator: &Json) -> Self {
        let text = |name: &str| operator.get(name).and_then(Json::as_str).map(str::to_owned);
        let truth = |name: &str| operator.get(name).and_then(Json::as_bool);
        let bound = |name: &str| path::text_at(operator, &["ocp_compat", name]).map(str::to_owned);
        let channels = operator.get("available_channels").and_then(Json::as_array).into_iter().flatten();
        Self {
            name: text("name"),
            namespace: text("namespace"),
            package: text("package"),
            channel: text("channel"),
            source: text("source"),
            install_plan_approval: text("install_plan_approval"),
            installed_csv: text("installed_csv"),
            installed_version: text("installed_version"),
            min_kube_version: text("min_kube_version"),
            pending_upgrade: truth("pending_upgrade"),
            ocp_min: bound("min"),
            ocp_max: bound("max"),
            compatible_with_target: truth("compatible_with_target"),
            available_channels: channels.filter_map(Json::as_str).map(str::to_owned).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> Json {
        json!({
            "current_version": "4.18.3", "target_version": "4.19.1",
            "checks": {
                "etcd_health": {"_status": "ok", "_elapsed_seconds": 0.5, "externally_managed": true},
                "network": {"_status": "error", "_error": "timed out", "_elapsed_seconds": 60},
                "olm_operator_lifecycle": {"_status": "ok", "_elapsed_seconds": 1, "operators": [{
                    "name": "gull", "namespace": "birds", "channel": "stable", "package": "gull",
                    "install_plan_approval": "Manual", "installed_csv": "gull.v1.0.0", "pending_upgrade": true,
                    "ocp_compat": {"max": "4.18"}, "compatible_with_target": false, "available_channels": ["stable"],
                }]},
            },
            "meta": {"total_checks": 3, "checks_ok": 2, "checks_errored": 1, "elapsed_seconds": 61.5},
        })
    }

    #[test]
    fn checks_and_operators_are_read() {
        let readiness = Readiness::of(&report()).unwrap();
        assert_eq!(readiness.target_version.as_deref(), Some("4.19.1"));
        let network = &readiness.checks["network"];
        assert_eq!((network.status.as_deref(), network.error.as_deref()), (Some("error"), Some("timed out")));
        assert_eq!(readiness.checks["etcd_health"].found, json!({"externally_managed": true}));
        let operators = readiness.operators();
        assert_eq!(operators.len(), 1);
        let gull = &operators[0];
        assert_eq!((gull.ocp_min.as_deref(), gull.ocp_max.as_deref()), (None, Some("4.18")));
        assert_eq!((gull.pending_upgrade, gull.compatible_with_target), (Some(true), Some(false)));
        assert_eq!(gull.installed_version, None);
    }

    #[test]
    fn other_documents_with_checks_are_none() {
        let mut of_a_kind = report();
        of_a_kind["kind"] = "Pod".into();
        let mut without_versions = report();
        without_versions.as_object_mut().unwrap().retain(|name, _| !name.ends_with("_version"));
        for document in [of_a_kind, without_versions, json!({"checks": {}}), json!([])] {
            assert_eq!(Readiness::of(&document), None);
        }
    }
}
