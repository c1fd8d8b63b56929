//! Lifecycle documents and the phase of a bundle on a day.

use jiff::civil::Date;

use super::super::facts::{DocumentFacts, LifecycleVersion};
use super::super::{Lifecycle, PhaseAnswer, phase_of, support_findings};
use super::{GOOD, catalog, codes_of, facts};

/// A document for package `p` with these versions.
fn text(versions: &str) -> String {
    format!("schema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\nversions: {versions}\n")
}

fn versions(versions: &str) -> Result<Vec<LifecycleVersion>, String> {
    let Ok(DocumentFacts::Lifecycle(facts)) = facts(&text(versions)) else { panic!("it is a lifecycle") };
    facts.versions.clone()
}

fn phases(phases: &str) -> Result<Vec<LifecycleVersion>, String> {
    versions(&format!("[{{name: '1.0', phases: [{phases}]}}]"))
}

const TWO_PHASES: &str = "[{name: '1.1', phases: [{name: Full, startDate: '2026-01-01', endDate: '2026-06-30'}, \
    {name: Late, startDate: '2026-07-01', endDate: '2026-12-31'}], \
    platformCompatibility: [{name: openshift, versions: ['4.20', '4.21']}]}]";

#[test]
fn a_whole_document() {
    let read = versions(TWO_PHASES).expect("it keeps the rules");
    assert_eq!((read[0].name.as_str(), read[0].phases.len()), ("1.1", 2));
    assert_eq!(read[0].openshift, Some(vec!["4.20".to_owned(), "4.21".to_owned()]));
    assert_eq!(versions("[{name: '1.0'}]").expect("phases may be missing")[0].openshift, None);
}

#[test]
fn what_breaks_a_rule() {
    for (value, reason) in [
        ("[{name: '1'}]", "not MAJOR.MINOR"),
        ("[{name: '1.0.0'}]", "not MAJOR.MINOR"),
        ("[{name: '1.01'}]", "not MAJOR.MINOR"),
        ("[{name: v1.0}]", "not MAJOR.MINOR"),
        ("[{name: 1.0}]", "a text is wanted"),
        ("[{name: '1.0', other: 1}]", "unknown"),
        ("[{name: '1.0'}, {name: '1.1'}, {name: '1.0'}]", "stands twice"),
        ("[{name: '1.0', platformCompatibility: [{name: openshift, versions: ['4.20.1']}]}]", "not MAJOR.MINOR"),
        ("[{name: '1.0', platformCompatibility: [{name: openshift, version: []}]}]", "unknown"),
        ("7", "a list is wanted"),
    ] {
        assert!(versions(value).is_err_and(|found| found.contains(reason)), "{value}: {:?}", versions(value));
    }
}

#[test]
fn what_breaks_a_rule_of_phases() {
    for (value, reason) in [
        ("{name: A, startDate: '2026-01-01', endDate: '2026-01-01'}", "same day"),
        ("{name: A, startDate: '2026-01-02', endDate: '2026-01-01'}", "ends before"),
        ("{startDate: '2026-01-01', endDate: '2026-02-01'}", "no name"),
        ("{name: A, startDate: '2026-1-1', endDate: '2026-02-01'}", "no day"),
        ("{name: A, startDate: '2026-02-30', endDate: '2026-03-01'}", "no day"),
        ("{name: A, startDate: '2026-01-01'}", "no day"),
        ("{name: A, startDate: '2026-01-01', endDate: '2026-02-01', note: x}", "unknown"),
    ] {
        assert!(phases(value).is_err_and(|found| found.contains(reason)), "{value}: {:?}", phases(value));
    }
    let after = |start: &str| {
        let first = "{name: A, startDate: '2026-01-01', endDate: '2026-02-28'}";
        phases(&format!("{first}, {{name: B, startDate: '{start}', endDate: '2026-12-31'}}"))
    };
    assert!(after("2026-03-01").is_ok());
    for start in ["2026-03-02", "2026-02-28", "2025-01-01"] {
        assert!(after(start).is_err_and(|found| found.contains("does not start on the day after")), "{start}");
    }
}

#[test]
fn two_documents_of_a_package_are_not_usable() {
    let one = format!("{GOOD}---\n{}", text(TWO_PHASES));
    assert!(codes_of(&one).is_empty());
    let two = format!("{one}---\n{}", text(TWO_PHASES));
    assert_eq!(codes_of(&two), ["lifecycle-invalid"]);
    let (read, _) = catalog(&two);
    assert!(matches!(read.packages["p"].lifecycle, Lifecycle::Unusable(_)));
    assert_eq!(codes_of(&format!("{GOOD}---\n{}", text("7"))), ["lifecycle-invalid"]);
    assert_eq!(
        codes_of(&format!("{GOOD}---\n{}", text("[]").replace("package: p", "package: q"))),
        ["lifecycle-invalid"]
    );
}

/// The phase of a bundle of the valid catalog on a day.
fn phase(lifecycle: Option<&str>, bundle: &str, day: &str) -> PhaseAnswer {
    let more = lifecycle.map_or_else(String::new, |versions| format!("---\n{}", text(versions)));
    let (catalog, _) = catalog(&format!("{GOOD}{more}"));
    let package = &catalog.packages["p"];
    phase_of(&package.lifecycle, package.bundle(bundle).expect("it is there"), day.parse().expect("a day"))
}

#[test]
fn both_days_of_a_phase_are_inside_it() {
    let on = |day| phase(Some(TWO_PHASES), "p.v1.1.0", day);
    let is = |name: &str, ends: &str, days_left| {
        let ends: Date = ends.parse().expect("a day");
        PhaseAnswer::Phase { name: name.to_owned(), ends, days_left, last: name == "Late" }
    };
    assert_eq!(on("2026-01-01"), is("Full", "2026-06-30", 180));
    assert_eq!(on("2026-06-30"), is("Full", "2026-06-30", 0));
    assert_eq!(on("2026-07-01"), is("Late", "2026-12-31", 183));
    assert_eq!(on("2026-12-31"), is("Late", "2026-12-31", 0));
    let ended: Date = "2026-12-31".parse().expect("a day");
    assert_eq!(on("2027-01-01"), PhaseAnswer::Ended { last: "Late".to_owned(), ended, days_left: -1 });
}

#[test]
fn what_nobody_states_is_unknown_with_a_reason() {
    for (lifecycle, bundle, day, reason) in [
        (None, "p.v1.1.0", "2026-01-01", "states no lifecycle"),
        (Some("7"), "p.v1.1.0", "2026-01-01", "not usable"),
        (Some(TWO_PHASES), "p.v1.0.0", "2026-01-01", "no lifecycle is stated for 1.0"),
        (Some(TWO_PHASES), "p.v1.1.0", "2025-12-31", "no phase of 1.1 holds"),
        (Some("[{name: '1.1'}]"), "p.v1.1.0", "2026-01-01", "no phase of 1.1 holds"),
    ] {
        let answer = phase(lifecycle, bundle, day);
        assert!(matches!(&answer, PhaseAnswer::Unknown(found) if found.contains(reason)), "{answer:?}");
    }
}

#[test]
fn the_end_of_support_of_the_default_head_is_told_from_ninety_days_before() {
    let (catalog, _) = catalog(&format!("{GOOD}---\n{}", text(TWO_PHASES)));
    let told = |day: &str| -> Vec<&str> {
        support_findings(&catalog, day.parse().expect("a day")).iter().map(|finding| finding.code.name()).collect()
    };
    assert!(told("2026-06-30").is_empty(), "another phase follows");
    assert!(told("2026-10-01").is_empty(), "91 days are left");
    assert_eq!(told("2026-10-02"), ["catalog/support-ends"]);
    assert_eq!(told("2026-12-31"), ["catalog/support-ends"]);
    assert_eq!(told("2027-01-01"), ["catalog/support-over"]);
}
