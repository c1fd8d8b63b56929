//! OLM v0's rules one by one, each where it holds and where it does not.

use super::super::{Decision, Engine as _, Installed};
use super::sketch::{Sketch, channel, decides, installed, shown, v0};
use crate::engines::olm_v0::OlmV0;

#[test]
fn a_forbidden_bundle_is_passed_over_for_the_next() {
    let sketch = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)"]);
    assert_eq!(decides(&v0(&sketch.package(), "s"), &sketch.package(), "1.0.0"), "1.2.0, 1.1.0");
    let forbidden = sketch.property("1.2.0", "olm.deprecated", "{}").package();
    assert_eq!(decides(&v0(&forbidden, "s"), &forbidden, "1.0.0"), "1.1.0");
    assert_eq!(decides(&v0(&forbidden, "s"), &forbidden, "1.1.0"), "dead end");
}

/// A forbidden entry that covers itself is no candidate either, so that it does not stand for staying.
#[test]
fn a_forbidden_self_match_does_not_end_the_candidates() {
    let entries = ["1.0.0 (>=1.0.0 <3.0.0)", "2.0.0 < 1.0.0 (>=1.0.0 <3.0.0)"];
    let package = Sketch::of(&entries).package();
    assert_eq!(decides(&v0(&package, "s"), &package, "2.0.0"), "stays");
    let forbidden = Sketch::of(&entries).property("2.0.0", "olm.deprecated", "{}").package();
    assert_eq!(decides(&v0(&forbidden, "s"), &forbidden, "2.0.0"), "1.0.0");
}

#[test]
fn candidates_end_where_the_entry_covers_itself() {
    let package = Sketch::of(&["1.0.0 (>=1.0.0)", "2.0.0 < 1.0.0 (>=1.0.0)", "3.0.0 < 2.0.0 (>=1.0.0)"]).package();
    assert_eq!(decides(&v0(&package, "s"), &package, "2.0.0"), "3.0.0");
    assert_eq!(decides(&v0(&package, "s"), &package, "1.5.0"), "3.0.0, 2.0.0, 1.0.0");
}

#[test]
fn names_decide_without_a_version_and_ranges_do_not() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)"]).package();
    let unknown = |name: &str| v0(&package, "s").decide(Some(&Installed::outside(name, None)));
    assert_eq!(shown(&unknown("a.v1.0.0")), "1.1.0", "by replaces alone");
    let Decision::Stays { newer_exist: true, reasons } = unknown("a.v1.0.7") else { panic!("nothing names it") };
    let codes: Vec<&str> = reasons.iter().map(|reason| reason.code).collect();
    assert_eq!(codes, ["path/no-edge", "path/version-unknown"]);
}

#[test]
fn a_range_that_does_not_parse_is_ignored() {
    for (range, expected) in [(">=1.0.0 <1.2.0", "1.2.0, 1.1.0"), (">=1.0.0, <1.2.0", "1.1.0"), ("^1.0.0", "1.1.0")] {
        let head = format!("1.2.0 < 1.1.0 ({range})");
        let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", &head]).package();
        assert_eq!(decides(&v0(&package, "s"), &package, "1.0.0"), expected, "{range}");
    }
}

#[test]
fn versions_of_the_catalog_are_read_tolerantly() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0 (<1.1.0)"]).version("1.0.0", "v1.0").package();
    assert_eq!(installed(&package, "1.0.0").version.map(|version| version.to_string()), Some("1.0.0".to_owned()));
}

#[test]
fn the_head_is_the_end_of_no_chain_that_fails() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"]).channel("t", &["1.0.0", "1.1.0"]).package();
    assert_eq!(v0(&package, "s").head().map(|head| &*head.name), Some("a.v1.1.0"));
    assert!(v0(&package, "s").fault().is_none());
    let broken = OlmV0::new(&package, channel(&package, "t"));
    assert_eq!(broken.head(), None);
    assert_eq!(broken.fault().map(|reason| reason.code), Some("path/multiple-heads"));
}

#[test]
fn a_channel_without_entries_fails() {
    let package = Sketch::of(&["1.0.0"]).channel("t", &[]).package();
    assert_eq!(decides(&v0(&package, "t"), &package, "1.0.0"), "path/empty-channel");
}

#[test]
fn requirements_are_notes_and_stop_nothing() {
    for kind in ["olm.package.required", "olm.gvk.required", "olm.constraint", "olm.label.required"] {
        let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"]).property("1.1.0", kind, "{}").package();
        let decision = v0(&package, "s").decide(Some(&installed(&package, "1.0.0")));
        let notes: Vec<&str> = decision.next().expect("it moves").notes.iter().map(|note| note.code).collect();
        assert_eq!(notes, ["path/requires"], "{kind}");
    }
}

#[test]
fn deprecations_change_nothing() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"]).deprecated("1.1.0").package();
    assert_eq!(decides(&v0(&package, "s"), &package, "1.0.0"), "1.1.0");
}
