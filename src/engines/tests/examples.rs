//! Worked examples: one channel, what validation says of it, and what each engine does from each installed version.

use super::super::olm_v1::{Policy, Request};
use super::super::{Engine as _, PathStatus, answer, walk};
use super::sketch::{Sketch, decides, installed, request, short, v0, v1};
use crate::finding::Severity;
use crate::version::{MastermindsRange, Range as _};

struct Example {
    title: &'static str,
    entries: &'static [&'static str],
    /// The rules of validation that it breaks.
    invalid: &'static [&'static str],
    /// From each installed version: every candidate, or `stays`, `dead end`, or the reason of a failure.
    v0: &'static [(&'static str, &'static str)],
    v1: &'static [(&'static str, &'static str)],
}

const M1: &str = "4.17.0-202409100034";
const M2: &str = "4.17.0-202410011205";
const M3: &str = "4.17.0-202412170235";

const EXAMPLES: &[Example] = &[
    Example {
        title: "1: a line",
        entries: &["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0"],
        invalid: &[],
        v0: &[("1.0.0", "1.1.0"), ("1.1.0", "1.2.0"), ("1.2.0", "stays")],
        v1: &[("1.0.0", "1.1.0"), ("1.1.0", "1.2.0"), ("1.2.0", "stays")],
    },
    Example {
        title: "2: the usual skip",
        entries: &["1.0.0", "1.0.1 < 1.0.0", "1.0.2 < 1.0.0 [1.0.1]"],
        invalid: &[],
        v0: &[("1.0.0", "1.0.2"), ("1.0.1", "1.0.2"), ("1.0.2", "stays")],
        v1: &[("1.0.0", "1.0.2, 1.0.1"), ("1.0.1", "1.0.2")],
    },
    Example {
        title: "3: replaced and skipped at once",
        entries: &["1.0.0", "2.0.0 < 1.0.0", "3.0.0 < 2.0.0 [2.0.0]"],
        invalid: &["catalog/stranded-bundle"],
        v0: &[("1.0.0", "dead end"), ("2.0.0", "3.0.0")],
        v1: &[("1.0.0", "2.0.0"), ("2.0.0", "3.0.0")],
    },
    Example {
        title: "4: a skip without replaces",
        entries: &["1.0.0", "2.0.0 < 1.0.0", "3.0.0 [2.0.0]", "4.0.0 < 3.0.0"],
        invalid: &["catalog/stranded-bundle"],
        v0: &[("1.0.0", "dead end"), ("2.0.0", "3.0.0"), ("3.0.0", "4.0.0")],
        v1: &[("1.0.0", "2.0.0")],
    },
    Example {
        title: "5: a range on the head",
        entries: &["1.0.0", "1.1.0 < 1.0.0", "2.0.0 < 1.1.0 (>=1.0.0 <2.0.0)"],
        invalid: &[],
        v0: &[("1.0.0", "2.0.0, 1.1.0"), ("1.1.0", "2.0.0")],
        v1: &[("1.0.0", "2.0.0, 1.1.0")],
    },
    Example {
        title: "6: a range below the head",
        entries: &["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)", "1.3.0 < 1.2.0"],
        invalid: &[],
        v0: &[("1.0.0", "1.2.0, 1.1.0"), ("1.2.0", "1.3.0")],
        v1: &[("1.0.0", "1.2.0, 1.1.0"), ("1.2.0", "1.3.0")],
    },
    Example {
        title: "7: the only target is skipped",
        entries: &["1.0.0", "1.1.0 < 1.0.0 (>=0.5.0 <1.1.0)", "1.2.0 < 1.0.0 [1.1.0]"],
        invalid: &[],
        v0: &[("0.9.0", "dead end")],
        v1: &[("0.9.0", "1.1.0")],
    },
    Example {
        title: "8: date stamps below one version, a stale mirror",
        entries: &[
            "4.17.0-202409100034 (>=4.3.0-0 <4.17.0)",
            "4.17.0-202410011205 (>=4.3.0-0 <4.17.0)",
            "4.17.0-202412170235 [4.17.0-202408010000, 4.17.0-202409100034, 4.17.0-202410011205] (>=4.3.0-0 <4.17.0)",
        ],
        invalid: &[],
        v0: &[
            (M1, M3),
            (M2, M3),
            (M3, "stays"),
            ("4.16.0-202401010000", M3),
            ("4.17.0-202501010000", M3),
            ("4.17.0", "stays"),
        ],
        v1: &[
            (M1, "4.17.0-202412170235, 4.17.0-202410011205"),
            (M2, M3),
            (M3, "stays"),
            ("4.17.0-202501010000", "4.17.0-202412170235, 4.17.0-202410011205, 4.17.0-202409100034"),
            ("4.17.0", "path/no-bundles"),
        ],
    },
    Example {
        title: "9: two heads",
        entries: &["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.0.0"],
        invalid: &["catalog/multiple-heads"],
        v0: &[("1.0.0", "path/multiple-heads")],
        v1: &[("1.0.0", "1.2.0, 1.1.0"), ("1.1.0", "dead end")],
    },
    Example {
        title: "10: a ring",
        entries: &["1.0.0 < 1.2.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0"],
        invalid: &["catalog/no-head"],
        v0: &[("1.0.0", "path/no-head")],
        v1: &[("1.0.0", "1.1.0"), ("1.1.0", "1.2.0"), ("1.2.0", "stays")],
    },
    Example {
        title: "11: a ring under a head",
        entries: &["1.0.0 < 1.1.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0"],
        invalid: &["catalog/replaces-cycle"],
        v0: &[("1.0.0", "path/cycle")],
        v1: &[("1.0.0", "1.1.0"), ("1.1.0", "1.2.0")],
    },
    Example {
        title: "12: the tail replaces what is gone",
        entries: &["1.1.0 < 1.0.0", "1.2.0 < 1.1.0"],
        invalid: &[],
        v0: &[("1.0.0", "1.1.0"), ("1.1.0", "1.2.0")],
        v1: &[("1.0.0", "1.1.0")],
    },
    Example {
        title: "13: a hole in the middle",
        entries: &["1.0.0", "1.2.0 < 1.1.0"],
        invalid: &["catalog/multiple-heads"],
        v0: &[("1.0.0", "path/multiple-heads")],
        v1: &[("1.0.0", "dead end"), ("1.1.0", "1.2.0")],
    },
    Example {
        title: "14: a hole bridged by a skip",
        entries: &["1.0.0", "1.2.0 < 1.1.0 [1.0.0]"],
        invalid: &[],
        v0: &[("1.0.0", "1.2.0")],
        v1: &[("1.0.0", "1.2.0")],
    },
    Example {
        title: "15: a respin that is lower",
        entries: &["3.3.9", "3.3.9-operator.1 < 3.3.9"],
        invalid: &[],
        v0: &[("3.3.9", "3.3.9-operator.1"), ("3.3.9-operator.1", "stays")],
        v1: &[("3.3.9", "stays")],
    },
    Example {
        title: "16: an open range",
        entries: &["5.0.0", "6.0.0 < 5.0.0 (>=5.0.0)"],
        invalid: &[],
        v0: &[("6.0.0", "stays"), ("7.0.0", "6.0.0")],
        v1: &[("6.0.0", "stays"), ("7.0.0", "6.0.0")],
    },
    Example {
        title: "16b: a lower range covers the head",
        entries: &["1.0.0 (>=1.0.0 <3.0.0)", "2.0.0 < 1.0.0"],
        invalid: &[],
        v0: &[("1.0.0", "2.0.0"), ("2.0.0", "1.0.0")],
        v1: &[("1.0.0", "2.0.0"), ("2.0.0", "stays")],
    },
    Example {
        title: "20: a range holds its own pre-releases",
        entries: &["1.0.0", "2.0.0 < 1.0.0 (<2.0.0)"],
        invalid: &[],
        v0: &[("2.0.0-alpha", "2.0.0")],
        v1: &[("2.0.0-alpha", "2.0.0")],
    },
    Example {
        title: "21: an entry replaces itself",
        entries: &["1.0.0 < 1.0.0"],
        invalid: &["catalog/no-head"],
        v0: &[("1.0.0", "path/no-head")],
        v1: &[("1.0.0", "stays")],
    },
    Example {
        title: "22: an entry skips itself",
        entries: &["1.0.0", "1.1.0 < 1.0.0 [1.1.0]"],
        invalid: &["catalog/no-head"],
        v0: &[("1.0.0", "path/no-head")],
        v1: &[("1.0.0", "1.1.0")],
    },
    Example {
        title: "23: a withdrawn bundle",
        entries: &["1.0.0", "1.1.0 < 1.0.0 [1.0.5]"],
        invalid: &[],
        v0: &[("1.0.5", "1.1.0"), ("1.0.0", "1.1.0")],
        v1: &[("1.0.5", "1.1.0"), ("1.0.0", "1.1.0")],
    },
];

#[test]
fn one_channel() {
    for Example { title, entries, invalid, v0: by_v0, v1: by_v1 } in EXAMPLES {
        let sketch = Sketch::of(entries);
        let (_, findings) = sketch.catalog();
        let broken: Vec<&str> = findings
            .iter()
            .filter(|finding| finding.severity() == Severity::Error)
            .map(|finding| finding.code.name())
            .collect();
        assert_eq!(broken, *invalid, "{title}");
        let package = sketch.package();
        for (from, expected) in *by_v0 {
            assert_eq!(decides(&v0(&package, "s"), &package, from), *expected, "{title}: v0 from {from}");
        }
        for (from, expected) in *by_v1 {
            assert_eq!(decides(&v1(&package, &["s"]), &package, from), *expected, "{title}: v1 from {from}");
        }
    }
}

#[test]
fn walks_go_on_hop_by_hop() {
    let package = Sketch::of(EXAMPLES[5].entries).package();
    for engine in [&v0(&package, "s") as &dyn super::super::Engine, &v1(&package, &["s"])] {
        let walked = walk(engine, Some(&installed(&package, "1.0.0")));
        let stops: Vec<&str> = walked.hops.iter().map(|hop| short(&hop.step.to.name)).collect();
        assert_eq!(stops, ["1.2.0", "1.3.0"]);
    }
}

/// 17: OLM v1 unites the edges of all channels where it is given none.
#[test]
fn two_channels() {
    let package =
        Sketch::of(&["1.0.0", "1.1.0 < 1.0.0"]).channel("fast", &["1.1.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)"]).package();
    assert_eq!(decides(&v0(&package, "s"), &package, "1.0.0"), "1.1.0");
    assert_eq!(decides(&v0(&package, "s"), &package, "1.1.0"), "stays");
    assert_eq!(decides(&v0(&package, "fast"), &package, "1.0.0"), "1.2.0");
    assert_eq!(decides(&v1(&package, &["s"]), &package, "1.0.0"), "1.1.0");
    assert_eq!(decides(&v1(&package, &[]), &package, "1.0.0"), "1.2.0, 1.1.0");
    assert_eq!(decides(&v1(&package, &["fast", "s"]), &package, "1.0.0"), "1.2.0, 1.1.0");
}

/// 18: a channel that has no edge from what is installed.
#[test]
fn a_switch_to_a_channel_without_an_edge() {
    let package = Sketch::of(&["1.0.0", "1.2.0 [1.0.0]"]).channel("fast", &["1.1.0", "1.2.0 < 1.1.0"]).package();
    let from = installed(&package, "1.1.0");
    assert_eq!(answer(&v0(&package, "s"), Some(&from), None).status, PathStatus::DeadEnd);
    assert_eq!(decides(&v1(&package, &["s"]), &package, "1.1.0"), "path/no-bundles");
    assert_eq!(decides(&v1(&package, &[]), &package, "1.1.0"), "1.2.0");
}

/// 19: a deprecated head comes after staying.
#[test]
fn a_deprecated_head() {
    let package =
        Sketch::of(&["1.0.0", "1.1.0 < 1.0.0", "1.2.0 < 1.1.0 (>=1.0.0 <1.2.0)"]).deprecated("1.2.0").package();
    assert_eq!(decides(&v0(&package, "s"), &package, "1.0.0"), "1.2.0, 1.1.0");
    let engine = v1(&package, &["s"]);
    let next = engine.decide(Some(&installed(&package, "1.0.0")));
    assert_eq!(next.next().map(|step| short(&step.to.name)), Some("1.1.0"));
    assert_eq!(decides(&engine, &package, "1.1.0"), "dead end");
}

/// 24: build metadata is a release for OLM v1, names are all that counts for OLM v0.
#[test]
fn a_rebuild() {
    let sketch = Sketch::of(&["1.0.0", "1.0.0-2 < 1.0.0", "1.0.1 < 1.0.0-2"]).version("1.0.0-2", "1.0.0+2");
    assert!(sketch.catalog().1.iter().all(|finding| finding.severity() < Severity::Error));
    let package = sketch.package();
    for engine in [&v0(&package, "s") as &dyn super::super::Engine, &v1(&package, &["s"])] {
        assert_eq!(decides(engine, &package, "1.0.0"), "1.0.0-2");
        assert_eq!(decides(engine, &package, "1.0.0-2"), "1.0.1");
    }
}

/// 25: a version pin over two hops.
#[test]
fn a_pin_beyond_one_hop() {
    let package = Sketch::of(EXAMPLES[0].entries).package();
    let pinned = |policy| {
        let range = MastermindsRange::parse("1.2.0").ok();
        request(&package, Request { channels: vec!["s".to_owned()], range, policy })
    };
    assert_eq!(decides(&pinned(Policy::CatalogProvided), &package, "1.0.0"), "path/no-bundles");
    assert_eq!(decides(&pinned(Policy::SelfCertified), &package, "1.0.0"), "1.2.0");
}

/// 26: OLM v1 refuses what it chose, OLM v0 moves where the requirement can be met.
#[test]
fn a_head_with_a_requirement() {
    let package = Sketch::of(EXAMPLES[0].entries)
        .property("1.2.0", "olm.package.required", r#"{packageName: b, versionRange: ">=1.0.0"}"#)
        .package();
    assert_eq!(decides(&v0(&package, "s"), &package, "1.1.0"), "1.2.0");
    assert_eq!(decides(&v1(&package, &["s"]), &package, "1.1.0"), "path/dependency-refused");
    let range = MastermindsRange::parse("<1.2.0").ok();
    let below = request(&package, Request { range, ..Request::default() });
    assert_eq!(decides(&below, &package, "1.1.0"), "stays");
    assert_eq!(decides(&below, &package, "1.0.0"), "1.1.0");
}

/// 28: a range without a pre-release admits none.
#[test]
fn a_pre_release_outside_the_range() {
    let package = Sketch::of(&["1.0.0", "2.0.0-rc1 < 1.0.0"]).package();
    let with = |text| request(&package, Request { range: MastermindsRange::parse(text).ok(), ..Request::default() });
    assert_eq!(decides(&v0(&package, "s"), &package, "1.0.0"), "2.0.0-rc1");
    assert_eq!(decides(&with(">=1.0.0"), &package, "1.0.0"), "stays");
    assert_eq!(decides(&with(">=1.0.0-0"), &package, "1.0.0"), "2.0.0-rc1");
}
