//! What bundles require of other packages, and whether the catalog offers it.
//!
//! Rule: operator-lifecycle-manager `pkg/controller/registry/resolver` (cache predicates): one provider must satisfy the
//! whole of a constraint, a package never satisfies its own need, and a skipped entry is never installed. Another catalog of
//! the cluster may provide it, so nothing here is an error. CEL is not evaluated: such a constraint counts as met. Cost:
//! requirements times installable bundles, equal requirements looked up once.

use std::collections::{BTreeMap, BTreeSet};

use super::super::facts::{BundleFacts, Constraint, Gvk, PackageRange, PropertyValue};
use super::super::model::{Bundle, Catalog, Channel, Package};
use crate::finding::{Finding, Subject, codes};
use crate::version::{BlangRange, Range as _, SemanticVersion};

pub(super) fn check(catalog: &Catalog, findings: &mut Vec<Finding>) {
    let providers = Providers::of(catalog);
    let mut answers: BTreeMap<(String, &str), bool> = BTreeMap::new();
    for package in catalog.packages.values() {
        for bundle in &package.bundles {
            for (kind, constraint) in requirements(&bundle.facts) {
                let text = constraint_text(&constraint);
                let subject = || Subject::bundle(catalog.name.clone(), package.name.clone(), bundle.name.clone());
                if let Some(reason) = bad_range(&constraint) {
                    let finding = Finding::new(codes::BAD_CONSTRAINT, subject()).at(&bundle.at);
                    findings.push(finding.with("property", kind).with("reason", reason));
                    continue;
                }
                let met = *answers
                    .entry((text.clone(), &package.name))
                    .or_insert_with(|| providers.satisfy(&constraint, &package.name));
                if !met {
                    let finding = Finding::new(codes::UNSATISFIED_DEPENDENCY, subject()).at(&bundle.at);
                    findings.push(finding.with("requirement", text));
                }
            }
        }
    }
    providers.duplicates(catalog, findings);
}

/// Everything that a bundle requires, with the type of the property that says so.
fn requirements(facts: &BundleFacts) -> Vec<(&str, Constraint)> {
    let requirement = |kind: &str, value: &PropertyValue| match (kind, value) {
        ("olm.gvk.required", PropertyValue::Gvk(gvk)) => Some(Constraint::Gvk(gvk.clone())),
        ("olm.package.required", PropertyValue::PackageRequired(range)) => Some(Constraint::Package(range.clone())),
        ("olm.constraint", PropertyValue::Constraint(constraint)) => Some(constraint.clone()),
        _ => None,
    };
    let properties = facts.properties.iter();
    properties.filter_map(|property| Some((&*property.kind, requirement(&property.kind, &property.value)?))).collect()
}

/// What a constraint asks for, in one line.
pub fn constraint_text(constraint: &Constraint) -> String {
    let joined = |word: &str, parts: &[Constraint]| {
        let parts: Vec<String> = parts.iter().map(constraint_text).collect();
        format!("{word}({})", parts.join("; "))
    };
    match constraint {
        Constraint::Cel(rule) => format!("the rule {rule}"),
        Constraint::Package(range) => format!("the package {} {}", range.package, range.range),
        Constraint::Gvk(gvk) => format!("the API {gvk}"),
        Constraint::All(parts) => joined("all", parts),
        Constraint::Any(parts) => joined("any", parts),
        Constraint::Not(parts) => joined("not", parts),
    }
}

fn bad_range(constraint: &Constraint) -> Option<String> {
    match constraint {
        Constraint::Package(PackageRange { range, .. }) => {
            BlangRange::parse(range).err().map(|error| format!("the range {range:?} does not parse: {error}"))
        }
        Constraint::All(parts) | Constraint::Any(parts) | Constraint::Not(parts) => parts.iter().find_map(bad_range),
        Constraint::Cel(_) | Constraint::Gvk(_) => None,
    }
}

/// Bundles that OLM v0 can install: entries of a channel that no entry of it skips.
struct Providers<'c> {
    offers: Vec<Offer<'c>>,
}

struct Offer<'c> {
    package: &'c str,
    version: Option<SemanticVersion>,
    apis: BTreeSet<&'c Gvk>,
}

impl<'c> Providers<'c> {
    fn of(catalog: &'c Catalog) -> Self {
        let offers = catalog.packages.values().flat_map(|package| {
            let installable = installable(package);
            let bundles = package.bundles.iter().filter(move |bundle| installable.contains(&*bundle.name));
            bundles.map(|bundle| Offer::of(package, bundle))
        });
        Self { offers: offers.collect() }
    }

    fn satisfy(&self, constraint: &Constraint, package: &str) -> bool {
        self.offers.iter().any(|offer| offer.package != package && offer.meets(constraint))
    }

    fn duplicates(&self, catalog: &Catalog, findings: &mut Vec<Finding>) {
        let mut by_api: BTreeMap<&Gvk, BTreeSet<&str>> = BTreeMap::new();
        for offer in &self.offers {
            for api in &offer.apis {
                by_api.entry(api).or_default().insert(offer.package);
            }
        }
        for (api, packages) in by_api.into_iter().filter(|(_, packages)| packages.len() > 1) {
            let names: Vec<&str> = packages.into_iter().collect();
            let finding = Finding::new(codes::DUPLICATE_PROVIDER, Subject::catalog(catalog.name.clone()));
            findings.push(finding.with("requirement", format!("the API {api}")).with("names", names.join(", ")));
        }
    }
}

fn installable(package: &Package) -> BTreeSet<&str> {
    package.channels.iter().flat_map(unskipped).collect()
}

/// The entries of a channel that no entry of it skips.
fn unskipped(channel: &Channel) -> impl Iterator<Item = &str> {
    let skips = channel.entries().iter().flat_map(|entry| &entry.skips);
    let skipped: BTreeSet<&str> = skips.map(String::as_str).collect();
    channel.entries().iter().map(|entry| entry.name.as_str()).filter(move |name| !skipped.contains(name))
}

impl<'c> Offer<'c> {
    fn of(package: &'c Package, bundle: &'c Bundle) -> Self {
        let apis = bundle.facts.properties.iter().filter(|property| property.kind == "olm.gvk");
        Self {
            package: &package.name,
            version: bundle.stated().and_then(|(_, version, _)| SemanticVersion::parse_tolerant(version).ok()),
            apis: apis
                .filter_map(|property| match &property.value {
                    PropertyValue::Gvk(gvk) => Some(gvk),
                    _ => None,
                })
                .collect(),
        }
    }

    fn meets(&self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Cel(_) => true,
            Constraint::Gvk(gvk) => self.apis.contains(gvk),
            Constraint::Package(range) => {
                self.package == range.package
                    && BlangRange::parse(&range.range)
                        .is_ok_and(|range| self.version.as_ref().is_some_and(|version| range.matches(version)))
            }
            Constraint::All(parts) => parts.iter().all(|part| self.meets(part)),
            Constraint::Any(parts) => parts.iter().any(|part| self.meets(part)),
            Constraint::Not(parts) => !parts.iter().any(|part| self.meets(part)),
        }
    }
}
