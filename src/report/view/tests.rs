//! Views of small packages, with facts worked out by hand.

use std::sync::Arc;

use jiff::civil::{Date, date};

use super::*;
use crate::engines::tests::sketch::Sketch;
use crate::finding::{Finding, Severity, Subject, codes, sort};
use crate::report::schema::{
    Coverage, EdgeView, OthersView, PackageRow, PackageView, PairCounts, SeverityCounts, Verdict, WalkView, WalksView,
};

const DAY: Date = date(2026, 11, 30);

fn viewed(sketch: &Sketch) -> (PackageView, PairCounts) {
    let (catalog, mut findings) = sketch.catalog();
    sort(&mut findings);
    package_view(PackageFacts { catalog: &catalog.name, package: &catalog.packages["a"], findings: &findings }, DAY)
}

/// `s` knows 0.9.0, 1.0.0 and 1.1.0, `t` knows 1.1.0 and 2.0.0; the catalog does not hold 0.9.0.
fn two_channels() -> Sketch {
    Sketch::of(&["1.0.0", "1.1.0 < 1.0.0 [0.9.0]"]).channel("t", &["1.1.0", "2.0.0 < 1.1.0"])
}

fn others(walks: &WalksView) -> Vec<(&str, &[u32])> {
    walks.others.iter().map(|OthersView { status, names, .. }| (status.as_str(), names.as_slice())).collect()
}

/// Status, path and reach of a walk.
fn walk<'w>(walks: &'w WalksView, from: &str) -> (&'w str, &'w [u32], &'w [u32]) {
    let WalkView { status, path, reaches, .. } = &walks.from[from];
    (status, path, reaches)
}

#[test]
fn names_come_by_version_and_unknown_ones_first() {
    let (view, _) = viewed(&two_channels());
    assert_eq!(view.names, ["a.v0.9.0", "a.v1.0.0", "a.v1.1.0", "a.v2.0.0"]);
    let bundles: Vec<_> = view
        .bundles
        .iter()
        .map(|bundle| (bundle.in_catalog, bundle.version.as_deref(), bundle.channels.join(" ")))
        .collect();
    assert_eq!(
        bundles,
        [
            (false, None, String::new()),
            (true, Some("1.0.0"), "s".to_owned()),
            (true, Some("1.1.0"), "s t".to_owned()),
            (true, Some("2.0.0"), "t".to_owned()),
        ]
    );
    let (view, _) = viewed(&Sketch::of(&["1.0.0-9 < 1.0.0-10", "1.0.0-10", "1.0.0-2"]).version("1.0.0-2", "1.0.0+2"));
    assert_eq!(view.names, ["a.v1.0.0-9", "a.v1.0.0-10", "a.v1.0.0-2"], "numbers as numbers, releases above");
}

#[test]
fn edges_stay_between_the_names_of_their_channel() {
    let (view, _) = viewed(&two_channels());
    let edges: Vec<_> = view
        .edges
        .iter()
        .map(|EdgeView { channel, from, to, via }| (channel.as_str(), from.as_str(), to.as_str(), via.join(" ")))
        .collect();
    assert_eq!(
        edges,
        [
            ("s", "a.v0.9.0", "a.v1.1.0", "skips".to_owned()),
            ("s", "a.v1.0.0", "a.v1.1.0", "replaces".to_owned()),
            ("t", "a.v1.1.0", "a.v2.0.0", "replaces".to_owned()),
        ]
    );
    let ranged = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0 (<=1.1.0)"]).channel("t", &["2.0.0"]);
    let edges: Vec<_> = viewed(&ranged).0.edges.into_iter().map(|edge| (edge.from, edge.via)).collect();
    let via = vec!["replaces".to_owned(), "skipRange".to_owned()];
    assert_eq!(edges, [("a.v1.0.0".to_owned(), via)], "none to itself");
}

#[test]
fn walks_of_both_engines_by_channel() {
    let (view, pairs) = viewed(&two_channels());
    let s = &view.engines.olm_v0["s"];
    assert_eq!(walk(s, "a.v0.9.0"), ("reachable", &[2][..], &[2][..]));
    assert_eq!(walk(s, "a.v1.0.0"), ("reachable", &[2][..], &[2][..]));
    assert_eq!(walk(s, "a.v1.1.0"), ("up-to-date", &[][..], &[][..]));
    assert_eq!(others(s), [("up-to-date", &[3][..])]);
    let t = &view.engines.olm_v0["t"];
    assert_eq!(t.from.keys().collect::<Vec<_>>(), ["a.v1.1.0", "a.v2.0.0"]);
    assert_eq!(others(t), [("dead-end", &[0, 1][..])]);
    assert_eq!(others(&view.engines.olm_v1["s"]), [("error", &[3][..])]);
    assert_eq!(others(&view.engines.olm_v1["t"]), [("error", &[0, 1][..])]);
    assert!(t.others[0].reason.message.starts_with("no entry here "));
    assert!(
        view.engines.olm_v1["t"].others[0].reason.message.starts_with("not installable through this channel alone")
    );
    let all = &view.engines.olm_v1_all_channels;
    assert_eq!(walk(all, "a.v0.9.0"), ("reachable", &[2, 3][..], &[2, 3][..]));
    assert_eq!(walk(all, "a.v1.1.0"), ("reachable", &[3][..], &[3][..]));
    assert!(all.others.is_empty());
    assert_eq!(pairs, PairCounts { olm_v0: 3, olm_v1: 3, olm_v1_all_channels: 5 });
}

#[test]
fn what_legal_edges_reach_is_more_than_the_walk() {
    let (view, pairs) = viewed(&Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)"]));
    assert_eq!(walk(&view.engines.olm_v0["s"], "a.v1.0.0"), ("reachable", &[2][..], &[1, 2][..]));
    assert_eq!(view.engines.olm_v0["s"].from["a.v1.0.0"].candidates, ["a.v1.2.0", "a.v1.1.0"]);
    assert_eq!(pairs.olm_v0, 3);
}

#[test]
fn a_loop_ends_before_it_repeats_and_reaches_itself_no_more() {
    let (view, pairs) = viewed(&Sketch::of(&["1.0.0 (>=1.0.0 <3.0.0)", "2.0.0 < 1.0.0"]));
    let s = &view.engines.olm_v0["s"];
    assert_eq!(walk(s, "a.v1.0.0"), ("loop", &[1][..], &[1][..]));
    assert_eq!(walk(s, "a.v2.0.0"), ("loop", &[0][..], &[0][..]));
    assert_eq!(s.from["a.v1.0.0"].reasons.last().map(|reason| reason.code.as_str()), Some("path/loop"));
    assert_eq!(pairs.olm_v0, 2);
    assert_eq!(walk(&view.engines.olm_v1["s"], "a.v2.0.0").0, "up-to-date");
}

#[test]
fn an_engine_that_refuses_a_channel_says_so_once() {
    let (view, pairs) = viewed(&Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.0.0"]));
    let s = &view.engines.olm_v0["s"];
    assert_eq!(s.error.as_ref().map(|reason| reason.code.as_str()), Some("path/multiple-heads"));
    assert!(s.from.is_empty() && s.others.is_empty());
    assert_eq!((pairs.olm_v0, pairs.olm_v1), (0, 2));
    assert_eq!(view.channels[0].heads, ["a.v1.1.0", "a.v1.2.0"]);
    assert!(!view.valid);
}

#[test]
fn what_a_bundle_states() {
    let sketch = Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"])
        .property("1.1.0", "olm.maxOpenShiftVersion", "'4.20'")
        .property("1.1.0", "olm.package.required", "{packageName: b, versionRange: '>=1.0.0'}")
        .property("1.1.0", "olm.label.required", "{label: 7}")
        .property("1.1.0", "olm.csv.metadata", "{displayName: The A, minKubeVersion: 1.30.0, provider: {name: B}}")
        .property("1.0.0", "olm.deprecated", "{}")
        .deprecated("1.0.0");
    let (view, _) = viewed(&sketch);
    assert_eq!((view.display_name.as_deref(), view.provider.as_deref()), (Some("The A"), Some("B")));
    let [old, new] = &view.bundles[..] else { panic!("{:?}", view.names) };
    assert_eq!((old.forbidden, old.deprecated.as_deref()), (true, Some("gone")));
    assert_eq!((new.forbidden, new.deprecated.as_deref()), (false, None));
    assert_eq!(new.max_openshift_version.as_deref(), Some("4.20"));
    assert_eq!(new.min_kube_version.as_deref(), Some("1.30.0"));
    let requires: Vec<_> = new.requires.iter().map(|need| (need.kind.as_str(), need.text.as_str())).collect();
    assert_eq!(requires, [("olm.package.required", "b >=1.0.0"), ("olm.label.required", "not readable")]);
    assert!(!new.lifecycle.known && new.lifecycle.reason.is_some());
}

fn row(sketch: &Sketch) -> PackageRow {
    let (catalog, mut findings) = sketch.catalog();
    sort(&mut findings);
    package_row(PackageFacts { catalog: &catalog.name, package: &catalog.packages["a"], findings: &findings })
}

#[test]
fn rows_name_the_head_of_the_default_channel_only_where_there_is_one() {
    let good = row(&two_channels());
    assert_eq!((good.head.as_deref(), good.head_version.as_deref()), (Some("a.v1.1.0"), Some("1.1.0")));
    assert_eq!((good.channels, good.bundles, good.valid), (2, 3, true));
    assert!(good.reasons.is_empty(), "names that are gone are worth no reason: {:?}", good.reasons);
    let bad = row(&Sketch::of(&["1.0.0", "1.1.0"]));
    assert_eq!((bad.head, bad.valid, bad.findings.error, bad.reasons.len()), (None, false, 1, 1));
}

#[test]
fn what_was_not_read_weighs_most() {
    let found = |error, warning, info| SeverityCounts { error, warning, info };
    let read = |complete| Coverage { complete, ..Coverage::default() };
    for (complete, findings, expected) in [
        (true, found(0, 0, 0), Verdict::Clean),
        (true, found(0, 0, 3), Verdict::Clean),
        (true, found(0, 1, 0), Verdict::Warnings),
        (true, found(1, 5, 0), Verdict::Errors),
        (false, found(0, 0, 0), Verdict::Incomplete),
        (false, found(1, 0, 0), Verdict::Incomplete),
    ] {
        assert_eq!(verdict(&read(complete), findings), expected);
    }
}

#[test]
fn findings_go_to_their_packages_and_the_rest_to_the_catalog() {
    let (catalog, _) = two_channels().catalog();
    let findings = [
        Finding::new(codes::MISSING_SCHEMA, Subject::catalog("c")),
        Finding::new(codes::NO_CHANNELS, Subject::package("c", "a")),
        Finding::new(codes::DEAD_END, Subject::bundle("c", "a", "a.v1.0.0")),
        Finding::new(codes::BAD_DEPRECATION, Subject::package("c", "nowhere")),
    ];
    let groups = by_package(&findings);
    let numbers: Vec<_> = groups.iter().map(|(package, group)| (package.as_deref(), group.len())).collect();
    assert_eq!(numbers, [(None, 1), (Some("a"), 2), (Some("nowhere"), 1)]);
    let facts = CatalogFacts { catalog: &catalog, findings: &findings, rows: &[], pairs: &PairCounts::default() };
    let own: Vec<String> = catalog_view(facts).findings.into_iter().map(|finding| finding.code).collect();
    assert_eq!(own, ["catalog/missing-schema", "catalog/bad-deprecation"]);
}

#[test]
fn a_summary_adds_up_and_puts_the_worst_first() {
    let (catalog, _) = two_channels().catalog();
    let findings = [
        Finding::new(codes::NO_CHANNELS, Subject::package("c", "a")),
        Finding::new(codes::DEAD_END, Subject::package("c", "a")),
    ];
    let rated = |name: &str, error, warning| PackageRow {
        package: name.to_owned(),
        findings: SeverityCounts { error, warning, info: 1 },
        ..row(&two_channels())
    };
    let rows = [rated("a", 0, 1), rated("b", 1, 0), rated("d", 0, 0), rated("e", 0, 1), rated("f", 1, 2)];
    let pairs = PairCounts { olm_v0: 1, olm_v1: 2, olm_v1_all_channels: 3 };
    let facts = CatalogFacts { catalog: &catalog, findings: &findings, rows: &rows, pairs: &pairs };
    let about = OverviewFacts {
        version: "1".to_owned(),
        generated_at: "2026-11-30T00:00:00Z".to_owned(),
        inputs: Vec::new(),
        mirror: None,
        clusters: Vec::new(),
        coverage: Coverage { complete: true, ..Coverage::default() },
    };
    let found = SeverityCounts { error: 2, warning: 2, info: 0 };
    let view = overview(about, &[facts, facts], found);
    assert_eq!((view.summary.catalogs, view.summary.counts.bundles, view.summary.counts.entries), (2, 6, 8));
    assert_eq!(view.summary.findings, found);
    assert_eq!(view.summary.pairs, PairCounts { olm_v0: 2, olm_v1: 4, olm_v1_all_channels: 6 });
    assert_eq!(view.verdict, Verdict::Errors);
    let first: Vec<&str> = view.attention.iter().map(|row| row.package.as_str()).collect();
    assert_eq!(first, ["f", "f", "b", "b", "a", "a", "e", "e"]);
}

#[test]
fn a_check_is_valid_without_errors_of_the_catalog() {
    let (catalog, _) = two_channels().catalog();
    let with = |code, package: &str| {
        let finding = Finding::new(code, Subject::package(Arc::<str>::from("c"), package));
        let view = check_view(&catalog, &[finding]);
        (view.valid, view.packages["a"].valid)
    };
    assert_eq!(codes::DEAD_END.severity(), Severity::Warning);
    assert_eq!(with(codes::DEAD_END, "a"), (true, true));
    assert_eq!(with(codes::NO_CHANNELS, "a"), (false, false));
    assert_eq!(with(codes::NO_CHANNELS, "b"), (false, true));
    assert_eq!(with(codes::INPUT_UNREADABLE, "a"), (true, true), "what was not read is no answer");
    assert_eq!(check_view(&catalog, &[]).packages["a"].channels["t"].entries, 2);
}

#[test]
fn reasons_count_what_is_alike_and_tell_one_of_a_kind_in_full() {
    let (catalog, _) = two_channels().catalog();
    let package = &catalog.packages["a"];
    let dead_end = |bundle: &str| Finding::new(codes::DEAD_END, Subject::bundle("c", "a", bundle).in_channel("t"));
    let findings = [
        Finding::new(codes::NO_DEFAULT_CHANNEL, Subject::package("c", "a")),
        dead_end("a.v1"),
        dead_end("a.v2"),
        Finding::new(codes::REPLACES_UNKNOWN, Subject::package("c", "a")),
    ];
    let row = package_row(PackageFacts { catalog: &catalog.name, package, findings: &findings });
    assert_eq!(row.reasons, ["the package a states no default channel", "OLM v0 never leaves a bundle: 2 times"]);
}
