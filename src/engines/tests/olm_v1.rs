//! OLM v1's rules on one catalog, each where it holds and where it does not.

use super::super::olm_v1::{Policy, Request};
use super::super::{Decision, Engine as _, Installed};
use super::sketch::{Sketch, decides, installed, request, short, shown, v1};
use crate::version::{MastermindsRange, Range as _, SemanticVersion};

fn ranged(text: &str) -> Request {
    Request { range: Some(MastermindsRange::parse(text).expect("the range parses")), ..Request::default() }
}

const LINE: &[&str] = &["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0"];

#[test]
fn self_certified_frees_from_edges_and_goes_down_too() {
    let package = Sketch::of(LINE).package();
    let free = |text: Option<&str>| {
        let range = text.and_then(|text| MastermindsRange::parse(text).ok());
        request(&package, Request { range, policy: Policy::SelfCertified, ..Request::default() })
    };
    assert_eq!(decides(&free(None), &package, "1.0.0"), "1.2.0, 1.1.0");
    assert_eq!(decides(&free(None), &package, "1.2.0"), "stays");
    assert_eq!(decides(&free(Some("1.0.0")), &package, "1.2.0"), "1.0.0");
    let decision = free(Some("1.0.0")).decide(Some(&installed(&package, "1.2.0")));
    let codes: Vec<&str> = decision.next().expect("it moves").notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, ["path/self-certified", "path/moves-down"]);
    let bound = request(&package, ranged("1.0.0"));
    assert_eq!(decides(&bound, &package, "1.2.0"), "path/no-bundles");
}

#[test]
fn a_range_admits_staying_too() {
    let package = Sketch::of(LINE).package();
    assert_eq!(decides(&request(&package, ranged(">=1.0.0 <1.2.0")), &package, "1.1.0"), "stays");
    assert_eq!(decides(&request(&package, ranged(">=1.2.0")), &package, "1.1.0"), "1.2.0");
    assert_eq!(decides(&request(&package, ranged(">=1.3.0")), &package, "1.1.0"), "path/no-bundles");
}

#[test]
fn what_is_outside_the_range_is_said() {
    let package = Sketch::of(LINE).package();
    let decision = request(&package, ranged("<1.2.0")).decide(Some(&installed(&package, "1.1.0")));
    let Decision::Stays { newer_exist: false, reasons } = decision else { panic!("{decision:?}") };
    let codes: Vec<&str> = reasons.iter().map(|reason| reason.code).collect();
    assert_eq!(codes, ["path/at-highest", "path/outside-range"]);
}

/// The version of a bundle is read strictly; one that does not parse is in no range and sorts last.
#[test]
fn a_version_that_is_not_strict_is_in_no_range_and_comes_last() {
    let entries = ["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.0.0"];
    let package = Sketch::of(&entries).version("1.2.0", "v1.2").package();
    assert_eq!(decides(&v1(&package, &[]), &package, "1.0.0"), "1.1.0");
    assert_eq!(decides(&request(&package, ranged(">=1.2.0")), &package, "1.0.0"), "path/no-bundles");
    let strict = Sketch::of(&entries).package();
    assert_eq!(decides(&request(&strict, ranged(">=1.2.0")), &strict, "1.0.0"), "1.2.0");
}

/// Version and release decide what is installed, the name does not.
#[test]
fn the_installed_version_under_another_name_is_staying() {
    let package = Sketch::of(LINE).package();
    let renamed = |version: &str| Installed::outside("renamed", SemanticVersion::parse_strict(version).ok());
    assert_eq!(shown(&v1(&package, &[]).decide(Some(&renamed("1.2.0")))), "stays");
    assert_eq!(shown(&v1(&package, &[]).decide(Some(&renamed("1.1.0")))), "dead end");
    assert_eq!(shown(&v1(&package, &[]).decide(Some(&renamed("1.0.9")))), "path/no-bundles");
}

#[test]
fn it_goes_down_where_the_installed_one_is_gone_or_deprecated() {
    let entries = ["1.0.0 (<3.0.0)", "2.0.0 < 1.0.0"];
    let offered = Sketch::of(&entries).package();
    assert_eq!(decides(&v1(&offered, &[]), &offered, "2.0.0"), "stays");
    assert_eq!(decides(&v1(&offered, &[]), &offered, "2.5.0"), "1.0.0", "it is gone");
    let deprecated = Sketch::of(&entries).deprecated("2.0.0").package();
    assert_eq!(decides(&v1(&deprecated, &[]), &deprecated, "2.0.0"), "1.0.0");
}

#[test]
fn a_skipped_entry_is_a_target() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 [1.1.0]"]).package();
    assert_eq!(decides(&v1(&package, &[]), &package, "1.0.0"), "1.1.0");
}

#[test]
fn edges_of_channels_that_are_not_listed_do_not_count() {
    let package = Sketch::of(&["1.0.0"]).channel("t", &["1.0.0", "1.1.0 < 1.0.0"]).package();
    assert_eq!(decides(&v1(&package, &["s"]), &package, "1.0.0"), "stays");
    assert_eq!(decides(&v1(&package, &["t"]), &package, "1.0.0"), "1.1.0");
    assert_eq!(decides(&v1(&package, &["none"]), &package, "1.0.0"), "path/no-bundles");
}

#[test]
fn every_refused_kind_fails_after_the_choice() {
    for (kind, expected) in [
        ("olm.package.required", "path/dependency-refused"),
        ("olm.gvk.required", "path/dependency-refused"),
        ("olm.constraint", "path/dependency-refused"),
        ("olm.label.required", "1.1.0"),
        ("olm.deprecated", "1.1.0"),
    ] {
        let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"]).property("1.1.0", kind, "{}").package();
        assert_eq!(decides(&v1(&package, &[]), &package, "1.0.0"), expected, "{kind}");
    }
}

#[test]
fn an_installed_bundle_with_a_requirement_is_refused_as_well() {
    let package = Sketch::of(&["1.0.0"]).property("1.0.0", "olm.constraint", "{}").package();
    assert_eq!(decides(&v1(&package, &[]), &package, "1.0.0"), "path/dependency-refused");
}

#[test]
fn without_a_version_only_names_count() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)"]).package();
    let unknown = |name: &str| v1(&package, &[]).decide(Some(&Installed::outside(name, None)));
    let Decision::Fails(reasons) = unknown("a.v0.9.0") else { panic!("nothing names it") };
    let codes: Vec<&str> = reasons[0].because.iter().map(|reason| reason.code).collect();
    assert_eq!(codes, ["path/no-edge", "path/version-unknown"]);
    assert_eq!(unknown("a.v1.1.0").next().map(|step| short(&step.to.name)), Some("1.2.0"));
}
