use super::*;
use crate::report::html::tests::sample;
use crate::report::schema::{PackageView, ReasonView, WalkView, WalksView};

/// Walks with these paths, each of which ends up to date; the bundles of a chain have the walks that follow.
fn walks(view: &PackageView, paths: &[&[u32]]) -> WalksView {
    let walk = |path: &&[u32]| WalkView {
        status: if path.is_empty() { "up-to-date" } else { "reachable" }.into(),
        next: path.first().map(|next| view.names[*next as usize].clone()),
        candidates: vec![],
        path: path.to_vec(),
        reaches: vec![],
        reasons: vec![],
    };
    let from = view.names.iter().cloned().zip(paths.iter().map(walk)).collect();
    WalksView { error: None, others: vec![], from }
}

#[test]
fn engines_that_agree_share_a_row_and_those_that_do_not_have_their_own() {
    let view = sample::package(5);
    let names = Names::of(&view);
    let v0 = walks(&view, &[&[4], &[4], &[4], &[4], &[]]);
    let v1 = walks(&view, &[&[4], &[4], &[4], &[2, 4], &[]]);
    let found: Vec<(&str, usize, Option<String>)> = rows(&[("OLM v0", &v0), ("OLM v1", &v1)], &BTreeSet::new(), &names)
        .into_iter()
        .map(|row| (row.engines, row.count, row.walk))
        .collect();
    let detour = names.label(2).to_owned();
    assert_eq!(found, [("both", 3, None), ("OLM v0", 1, None), ("OLM v1", 1, Some(detour))]);
}

#[test]
fn a_chain_is_one_row_and_a_dead_end_comes_before_it() {
    let view = sample::package(4);
    let names = Names::of(&view);
    let mut v0 = walks(&view, &[&[1, 2], &[2], &[], &[]]);
    v0.from.get_mut(&view.names[3]).unwrap().status = "dead-end".into();
    let found: Vec<(String, Option<String>, String)> = rows(&[("OLM v0", &v0)], &BTreeSet::new(), &names)
        .into_iter()
        .map(|row| (row.installed, row.last, row.ends.text))
        .collect();
    let label = |position| names.label(position).to_owned();
    assert_eq!(
        found,
        [
            (label(3), None, "dead end".to_owned()),
            (label(0), Some(label(2)), format!("ends at {}: nothing newer", label(2)))
        ]
    );
}

#[test]
fn the_same_walk_for_different_reasons_is_one_row() {
    let view = sample::package(3);
    let names = Names::of(&view);
    let because = |message: &str| {
        let mut walks = view.engines.olm_v0["stable"].clone();
        walks.from.retain(|name, _| *name == view.names[0]);
        walks.from.values_mut().for_each(|walk| walk.reasons[0].message = message.to_owned());
        walks
    };
    let rows = rows(&[("OLM v0", &because("head")), ("OLM v1", &because("highest"))], &BTreeSet::new(), &names);
    assert_eq!(
        rows.iter().map(|row| (row.engines, row.why.as_str())).collect::<Vec<_>>(),
        [("both", "OLM v0: head. OLM v1: highest.")]
    );
}

#[test]
fn only_stops_of_other_rows_are_counted() {
    let view = sample::package(20);
    let names = Names::of(&view);
    let stops: Vec<usize> = (0..9).collect();
    assert_eq!(in_short(&stops, 9, &names).len(), 9);
    let [first, second] = [2, 8].map(|stop| names.label(stop).to_owned());
    assert_eq!(in_short(&stops, 2, &names)[2..], [first, "… 5 more …".to_owned(), second]);
    assert_eq!(in_short(&stops, 5, &names).len(), 9);
}

#[test]
fn troubles_count_bundles_and_name_the_engine_where_one_alone_is_in_trouble() {
    let view = sample::package(4);
    let names = Names::of(&view);
    let mut v0 = walks(&view, &[&[1, 2], &[2], &[], &[]]);
    let v1 = v0.clone();
    v0.from.get_mut(&view.names[2]).unwrap().status = "dead-end".into();
    let texts = |engines: &[EngineWalks<'_>]| -> Vec<String> {
        troubles(&rows(engines, &BTreeSet::new(), &names)).into_iter().map(|trouble| trouble.text).collect()
    };
    assert_eq!(texts(&[("OLM v0", &v0), ("OLM v1", &v1)]), ["3 × dead end (OLM v0)"]);
    assert_eq!(texts(&[("OLM v0", &v0), ("OLM v1", &v0)]), ["3 × dead end"]);
    assert_eq!(texts(&[("OLM v0", &v1), ("OLM v1", &v1)]), Vec::<String>::new());
}

/// The walks 0 → 1 → 2 → 1 and 3 → 4, of which the hop from 2 leads down.
fn circle(view: &PackageView) -> WalksView {
    let mut walks = walks(view, &[&[1, 2], &[2], &[1], &[4], &[]]);
    let lower = ReasonView { code: "path/moves-down".into(), message: "lower".into(), because: vec![] };
    for (name, walk) in view.names.iter().zip(walks.from.values_mut()).take(3) {
        walk.status = "loop".into();
        walk.reasons.extend((*name == view.names[2]).then(|| lower.clone()));
    }
    walks
}

#[test]
fn every_bundle_of_a_circle_is_a_start_of_its_row() {
    let view = sample::package(5);
    let names = Names::of(&view);
    let rows = rows(&[("OLM v0", &circle(&view))], &BTreeSet::from([4]), &names);
    let told: Vec<(&str, Option<&str>, Option<&str>, &str)> = rows
        .iter()
        .map(|row| (row.installed.as_str(), row.walk.as_deref(), row.last.as_deref(), row.ends.text.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("1.0.0", Some("1.0.1 → 1.0.2"), Some("back to 1.0.1"), "loop"),
            ("1.0.1, 1.0.2", Some("1.0.2"), Some("back to 1.0.1"), "loop"),
            ("1.0.3", None, Some("1.0.4"), "ends at the head 1.0.4"),
        ]
    );
}

#[test]
fn a_hop_down_is_named_in_every_row_that_takes_it() {
    let view = sample::package(5);
    let names = Names::of(&view);
    let rows = rows(&[("OLM v0", &circle(&view))], &BTreeSet::new(), &names);
    let down: Vec<Option<&str>> = rows.iter().map(|row| row.down.as_ref().map(|badge| badge.text.as_str())).collect();
    let named = Some("moves down: 1.0.2 → 1.0.1");
    assert_eq!(down, [named, named, None]);
    let texts: Vec<String> = troubles(&rows).into_iter().map(|trouble| trouble.text).collect();
    assert_eq!(texts, ["3 × loop (OLM v0)", "moves down"]);
}
