//! OLM v1 over several catalogs: a deprecated bundle loses to any other, then the priority decides, and a tie fails.

use super::super::Engine as _;
use super::super::olm_v1::{OlmV1, Request, Source};
use super::sketch::{Sketch, installed, short, shown};
use crate::catalog::Package;

/// Both hold 1.0.0; the first offers 1.2.0, the second 1.1.0.
fn higher() -> Sketch {
    Sketch::of(&["1.0.0", "1.2.0 < 1.0.0"])
}

fn lower() -> Sketch {
    Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"])
}

fn engine<'p>(one: (&'p Package, i32), other: (&'p Package, i32)) -> OlmV1<'p> {
    let source = |catalog: &str, (package, priority)| Source { catalog: catalog.into(), priority, package };
    OlmV1::new(&[source("one", one), source("other", other)], Request::default())
}

/// What is chosen from 1.0.0, and of which catalog; or why it fails.
fn choice(one: (&Package, i32), other: (&Package, i32)) -> String {
    let decision = engine(one, other).decide(Some(&installed(one.0, "1.0.0")));
    match decision.next() {
        Some(step) => format!("{} of {}", short(&step.to.name), step.catalog.as_deref().unwrap_or("none")),
        None => shown(&decision),
    }
}

#[test]
fn priority_beats_version() {
    let (higher, lower) = (higher().package(), lower().package());
    assert_eq!(choice((&higher, 0), (&lower, 10)), "1.1.0 of other");
    assert_eq!(choice((&higher, 0), (&lower, -10)), "1.2.0 of one");
}

#[test]
fn equal_priorities_fail() {
    let (higher, lower) = (higher().package(), lower().package());
    assert_eq!(choice((&higher, 5), (&lower, 5)), "path/same-priority");
}

#[test]
fn a_deprecated_bundle_loses_whatever_its_priority() {
    let (higher, lower) = (higher().package(), lower().deprecated("1.1.0").deprecated("1.0.0").package());
    assert_eq!(choice((&higher, 0), (&lower, 10)), "1.2.0 of one");
}

#[test]
fn staying_in_a_catalog_of_higher_priority_is_a_choice_too() {
    let (higher, nothing) = (higher().package(), Sketch::of(&["1.0.0"]).package());
    assert_eq!(choice((&higher, 0), (&nothing, 10)), "dead end");
    assert_eq!(choice((&higher, 0), (&nothing, 0)), "path/same-priority");
    let foreign = Sketch::of(&["3.0.0"]).package();
    assert_eq!(choice((&higher, 0), (&foreign, 10)), "1.2.0 of one", "a catalog without an edge has no say");
}

#[test]
fn a_stale_catalog_of_higher_priority_moves_down() {
    let current = Sketch::of(&["2.0.0"]).package();
    let stale = Sketch::of(&["1.0.0 (<3.0.0)"]).package();
    let from = installed(&current, "2.0.0");
    let decision = engine((&current, 0), (&stale, 10)).decide(Some(&from));
    assert_eq!(shown(&decision), "1.0.0");
    let notes: Vec<&str> = decision.next().expect("it moves").notes.iter().map(|note| note.code).collect();
    assert_eq!(notes, ["path/moves-down", "path/chosen-catalog"]);
    assert_eq!(shown(&engine((&current, 10), (&stale, 0)).decide(Some(&from))), "stays");
}

#[test]
fn the_choice_is_said_where_another_catalog_had_a_say() {
    let (higher, lower, foreign) = (higher().package(), lower().package(), Sketch::of(&["3.0.0"]).package());
    let notes = |other: &Package| {
        let decision = engine((&higher, 1), (other, 0)).decide(Some(&installed(&higher, "1.0.0")));
        decision.next().expect("it moves").notes.iter().map(|note| note.code).collect::<Vec<_>>()
    };
    assert_eq!(notes(&lower), ["path/chosen-catalog"]);
    assert!(notes(&foreign).is_empty());
}

#[test]
fn the_order_of_the_catalogs_changes_nothing() {
    let (higher, lower) = (higher().package(), lower().package());
    let from = installed(&higher, "1.0.0");
    let names = |engine: OlmV1<'_>| shown(&engine.decide(Some(&from)));
    assert_eq!(names(engine((&higher, 1), (&lower, 2))), names(engine((&lower, 2), (&higher, 1))));
}
