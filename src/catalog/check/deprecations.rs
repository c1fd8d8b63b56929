//! Rules on `olm.deprecations`.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg_to_model.go` (references) and `alpha/model/model.go` (messages).
//! Cost: one look-up for each reference.

use std::collections::BTreeSet;

use super::super::facts::{DeprecationEntry, DeprecationsFacts};
use super::super::model::Package;

/// Every rule that a deprecations document breaks, as sentences.
pub(crate) fn faults(facts: &DeprecationsFacts, package: Option<&Package>) -> Vec<String> {
    if facts.package.is_empty() {
        return vec!["the document names no package".to_owned()];
    }
    let Some(package) = package.filter(|package| package.defined.is_some()) else {
        return vec![format!("the catalog has no package {:?}", facts.package)];
    };
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for entry in &facts.entries {
        if !seen.insert((&entry.schema, &entry.name)) {
            faults.push(format!("the reference {} {:?} stands twice", entry.schema, entry.name));
        }
        if entry.message.is_empty() {
            faults.push(format!("the reference {} {:?} has no message", entry.schema, entry.name));
        }
        faults.extend(reference_fault(entry, package));
    }
    faults
}

fn reference_fault(entry: &DeprecationEntry, package: &Package) -> Option<String> {
    match entry.schema.as_str() {
        "" => Some("a reference has no schema".to_owned()),
        "olm.package" if !entry.name.is_empty() => {
            Some(format!("the reference to the package must have no name, not {:?}", entry.name))
        }
        "olm.package" => None,
        "olm.channel" if package.channel(&entry.name).is_none() => {
            Some(format!("the package has no channel {:?}", entry.name))
        }
        "olm.bundle" if package.bundle(&entry.name).is_none() => {
            Some(format!("the package has no bundle {:?}", entry.name))
        }
        "olm.channel" | "olm.bundle" => None,
        other => Some(format!("a reference cannot have the schema {other:?}")),
    }
}
