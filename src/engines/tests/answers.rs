//! Answers with and without a target: status, hops, and the codes of the reasons.

use super::super::{PathAnswer, PathStatus, Reason, answer, olm_v0::NoChannel};
use super::sketch::{Sketch, installed, short, v0, v1};
use crate::catalog::Package;

fn asked(package: &Package, from: &str, to: Option<&str>) -> PathAnswer {
    let to = to.map(super::sketch::name);
    answer(&v0(package, "s"), Some(&installed(package, from)), to.as_deref())
}

fn stops(answer: &PathAnswer) -> Vec<&str> {
    answer.hops.iter().map(|hop| short(&hop.step.to.name)).collect()
}

/// The codes of a tree of reasons: `a(b, c)`.
fn tree(reasons: &[Reason]) -> String {
    let one = |reason: &Reason| match reason.because.as_slice() {
        [] => reason.code.to_owned(),
        because => format!("{}({})", reason.code, tree(because)),
    };
    reasons.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn line() -> Package {
    Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0"]).package()
}

#[test]
fn without_a_target_it_is_the_walk_to_its_end() {
    let moves = asked(&line(), "1.0.0", None);
    assert_eq!((moves.status, stops(&moves)), (PathStatus::Reachable, vec!["1.1.0", "1.2.0"]));
    assert_eq!(tree(&moves.reasons), "path/at-head");
    let stays = asked(&line(), "1.2.0", None);
    assert_eq!((stays.status, stops(&stays)), (PathStatus::UpToDate, vec![]));
    assert!(stays.candidates.is_empty());
}

#[test]
fn a_dead_end_names_the_skipped_target_and_those_that_do_not_cover() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0 (>=0.5.0 <1.1.0)", "1.2.0 < 1.0.0 [1.1.0]"]).package();
    let ends = asked(&package, "0.9.0", None);
    assert_eq!(ends.status, PathStatus::DeadEnd);
    assert_eq!(tree(&ends.reasons), "path/no-edge(path/skipped-target, path/not-covered, path/not-covered)");
}

#[test]
fn a_loop_ends_before_it_repeats() {
    let package = Sketch::of(&["1.0.0 (>=1.0.0 <3.0.0)", "2.0.0 < 1.0.0"]).package();
    let turns = asked(&package, "1.0.0", None);
    assert_eq!((turns.status, stops(&turns)), (PathStatus::Loop, vec!["2.0.0"]));
    assert_eq!(tree(&turns.reasons), "path/loop");
    let to = asked(&package, "1.0.0", Some("2.0.0"));
    assert_eq!((to.status, stops(&to)), (PathStatus::Reachable, vec!["2.0.0"]));
}

#[test]
fn an_engine_that_fails_is_an_error_with_and_without_a_target() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.0.0"]).package();
    let fails = asked(&package, "1.0.0", None);
    assert_eq!((fails.status, tree(&fails.reasons)), (PathStatus::Error, "path/multiple-heads".to_owned()));
    let to = asked(&package, "1.0.0", Some("1.2.0"));
    assert_eq!(
        (to.status, tree(&to.reasons)),
        (PathStatus::Error, "path/not-reachable(path/multiple-heads)".to_owned())
    );
    let missing = answer(&NoChannel::new("none"), Some(&installed(&package, "1.0.0")), None);
    assert_eq!((missing.status, tree(&missing.reasons)), (PathStatus::Error, "path/no-channel".to_owned()));
}

#[test]
fn a_target_on_the_walk_ends_the_hops() {
    let on = asked(&line(), "1.0.0", Some("1.1.0"));
    assert_eq!((on.status, stops(&on)), (PathStatus::Reachable, vec!["1.1.0"]));
    let there = asked(&line(), "1.1.0", Some("1.1.0"));
    assert_eq!((there.status, stops(&there)), (PathStatus::UpToDate, vec![]));
    assert_eq!(short(&there.candidates[0].to.name), "1.2.0");
}

#[test]
fn a_target_off_the_walk_takes_the_fewest_legal_hops() {
    let entries = ["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)", "1.3.0 < 1.2.0 (>=1.0.0 <1.3.0)"];
    let package = Sketch::of(&entries).package();
    assert_eq!(stops(&asked(&package, "1.0.0", None)), ["1.3.0"]);
    for target in ["1.1.0", "1.2.0"] {
        let off = asked(&package, "1.0.0", Some(target));
        assert_eq!((off.status, stops(&off)), (PathStatus::Reachable, vec![target]));
        assert_eq!(tree(&off.reasons), "path/off-the-walk");
        assert_eq!(short(&off.candidates[0].to.name), "1.3.0", "the engine's own choice stays first");
    }
    let via = asked(&package, "1.0.0", Some("1.2.0")).hops[0].step.via;
    assert_eq!(via.names(), ["skipRange"]);
}

#[test]
fn what_no_edge_leads_to_is_unreachable() {
    let package = Sketch::of(&["1.0.0", "2.0.0 < 1.0.0", "3.0.0 < 2.0.0 [2.0.0]"]).package();
    let never = asked(&package, "1.0.0", Some("3.0.0"));
    assert_eq!((never.status, stops(&never)), (PathStatus::Unreachable, vec![]));
    assert_eq!(
        tree(&never.reasons),
        "path/not-reachable(path/no-edge(path/skipped-target, path/not-covered, path/not-covered))"
    );
    assert_eq!(asked(&line(), "1.1.0", Some("1.0.0")).status, PathStatus::Unreachable, "edges lead one way");
    assert_eq!(asked(&line(), "1.1.0", Some("9.9.9")).status, PathStatus::Unreachable, "nobody offers it");
}

#[test]
fn every_kind_of_edge_is_named_on_a_hop() {
    let package = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0 [1.0.0] (>=1.0.0 <1.1.0)"]).package();
    for hop in [&asked(&package, "1.0.0", None).hops[0], &answer_of_v1(&package).hops[0]] {
        assert_eq!(hop.step.via.names(), ["replaces", "skips", "skipRange"]);
        assert_eq!(hop.step.channel.as_deref(), Some("s"));
        assert_eq!(hop.from.as_deref(), Some("a.v1.0.0"));
    }
}

fn answer_of_v1(package: &Package) -> PathAnswer {
    answer(&v1(package, &["s"]), Some(&installed(package, "1.0.0")), None)
}

#[test]
fn a_hop_down_is_said() {
    let package = Sketch::of(&["3.3.9", "3.3.9-operator.1 < 3.3.9"]).package();
    assert_eq!(tree(&asked(&package, "3.3.9", None).reasons), "path/moves-down, path/at-head");
}
