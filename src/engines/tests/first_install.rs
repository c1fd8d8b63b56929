//! First installs: what an engine starts with by itself, and what a user can start with.

use super::super::{Engine, PathAnswer, PathStatus, answer};
use super::sketch::{Sketch, name, short, shown, v0, v1};

fn first(engine: &dyn Engine, to: Option<&str>) -> (PathStatus, Vec<String>) {
    let PathAnswer { status, hops, .. } = answer(engine, None, to.map(name).as_deref());
    (status, hops.iter().map(|hop| short(&hop.step.to.name).to_owned()).collect())
}

const SKIPPING: &[&str] = &["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.0.0 [1.1.0]"];

#[test]
fn olm_v0_starts_with_the_head_and_olm_v1_with_the_highest() {
    let package = Sketch::of(&["1.0.0", "2.0.0 < 1.0.0", "1.5.0 < 2.0.0"]).package();
    assert_eq!(first(&v0(&package, "s"), None), (PathStatus::Reachable, vec!["1.5.0".to_owned()]));
    assert_eq!(first(&v1(&package, &[]), None), (PathStatus::Reachable, vec!["2.0.0".to_owned()]));
}

#[test]
fn olm_v0_takes_no_skipped_entry_by_itself() {
    let package = Sketch::of(SKIPPING).package();
    assert_eq!(shown(&v0(&package, "s").decide(None)), "1.2.0, 1.0.0");
    let forbidden = Sketch::of(SKIPPING)
        .property("1.2.0", "olm.deprecated", "{}")
        .property("1.0.0", "olm.deprecated", "{}")
        .package();
    assert_eq!(shown(&v0(&forbidden, "s").decide(None)), "path/forbidden");
    let lower = Sketch::of(SKIPPING).property("1.2.0", "olm.deprecated", "{}").package();
    assert_eq!(shown(&v0(&lower, "s").decide(None)), "1.0.0");
}

#[test]
fn a_starting_csv_may_be_skipped_but_not_forbidden() {
    let sketch = Sketch::of(SKIPPING);
    let start = |sketch: &Sketch| first(&v0(&sketch.package(), "s"), Some("1.1.0"));
    assert_eq!(start(&sketch), (PathStatus::Reachable, vec!["1.1.0".to_owned()]));
    let reasons = answer(&v0(&sketch.package(), "s"), None, Some(&name("1.1.0"))).reasons;
    assert_eq!(reasons.iter().map(|reason| reason.code).collect::<Vec<_>>(), ["path/starting-version"]);
    assert_eq!(start(&sketch.property("1.1.0", "olm.deprecated", "{}")), (PathStatus::Unreachable, vec![]));
}

/// The resolver sees the named entry alone, so that the rest of the channel may be broken; an entry that names itself has
/// no head even then.
#[test]
fn a_starting_csv_makes_a_chain_of_its_own() {
    let heads = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.0.0"]).package();
    assert_eq!(first(&v0(&heads, "s"), None).0, PathStatus::Error);
    assert_eq!(first(&v0(&heads, "s"), Some("1.1.0")), (PathStatus::Reachable, vec!["1.1.0".to_owned()]));
    let itself = Sketch::of(&["1.0.0 < 1.0.0", "1.1.0 [1.1.0]", "1.2.0 < 1.0.0"]).package();
    for version in ["1.0.0", "1.1.0"] {
        assert_eq!(first(&v0(&itself, "s"), Some(version)), (PathStatus::Error, vec![]), "{version}");
    }
}

#[test]
fn olm_v1_starts_with_any_pinned_bundle_but_a_deprecated_one_last() {
    let package = Sketch::of(SKIPPING).deprecated("1.2.0").package();
    assert_eq!(shown(&v1(&package, &[]).decide(None)), "1.1.0, 1.0.0, 1.2.0");
    assert_eq!(first(&v1(&package, &[]), Some("1.0.0")), (PathStatus::Reachable, vec!["1.0.0".to_owned()]));
}

#[test]
fn a_requirement_is_refused_at_the_first_install_too() {
    let package =
        Sketch::of(SKIPPING).property("1.2.0", "olm.gvk.required", "{group: g, version: v1, kind: K}").package();
    assert_eq!(shown(&v1(&package, &[]).decide(None)), "path/dependency-refused");
    assert_eq!(shown(&v0(&package, "s").decide(None)), "1.2.0, 1.0.0");
    assert_eq!(first(&v1(&package, &[]), Some("1.2.0")), (PathStatus::Error, vec![]));
}
