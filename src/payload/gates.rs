//! The admin gates of a payload: the ConfigMap `admin-gates` in `openshift-config-managed`.
//!
//! Rule: cluster-version-operator `install/0000_00_cluster-version-operator_01_admingate_configmap.yaml` and
//! `pkg/risk/adminack/adminack.go`. The file lies in `manifests/`, below the payload's own layer: where that directory is not
//! at hand, or holds what does not decode, gates are not known. A malformed key is kept, since it blocks an update as well.
//! Cost: one look at each manifest's identity.

use std::collections::BTreeMap;

use super::facts::AdminGates;
use crate::codec::ManifestObject;
use crate::codec::fields::{FieldFault, Fields, mismatch};

/// Gates while manifests are read.
#[derive(Debug, Default)]
pub(super) struct GateSearch {
    found: bool,
    gates: BTreeMap<String, String>,
    /// Why the gates are not known for certain.
    doubt: Option<String>,
}

impl GateSearch {
    /// Takes the gates of an object, where it is the ConfigMap.
    ///
    /// # Errors
    /// A sentence where it is, and its data are no texts.
    pub(super) fn look(&mut self, object: &ManifestObject<'_>) -> Result<(), FieldFault> {
        let facts = &object.facts;
        let is_gates = (facts.kind.as_str(), facts.name.as_str(), facts.namespace.as_str())
            == ("ConfigMap", "admin-gates", "openshift-config-managed");
        if !is_gates {
            return Ok(());
        }
        self.found = true;
        let read = self.data(object);
        if let Err(reason) = &read {
            self.doubt(&format!("the ConfigMap admin-gates does not decode: {reason}"));
        }
        read
    }

    fn data(&mut self, object: &ManifestObject<'_>) -> Result<(), FieldFault> {
        let fields = Fields::of(&object.value, "")?;
        let data = fields.object("data")?;
        for (key, value) in data.all() {
            let text = value.text().ok_or_else(|| mismatch(&data.at(key), "a text", value))?;
            self.gates.insert(key.to_string(), text.into_owned());
        }
        Ok(())
    }

    /// Something that might have held gates could not be read; the first such thing is told.
    pub(super) fn doubt(&mut self, reason: &str) {
        self.doubt.get_or_insert_with(|| reason.to_owned());
    }

    /// What is known of the gates, where `manifests/` was at hand or not.
    pub(super) fn finish(self, has_manifests: bool) -> AdminGates {
        match self.doubt {
            Some(reason) => AdminGates::Unknown(reason),
            None if self.found || has_manifests => AdminGates::Known(self.gates),
            None => AdminGates::Unknown("the directory manifests/ of the layers below was not read".to_owned()),
        }
    }
}
