use super::*;
use crate::report::sample;
use crate::report::schema::{CoverageNote, ReasonView};

const ROOM: usize = 1 << 20;

#[test]
fn a_package_shows_channels_findings_and_walks() {
    let text = package(&sample::package(vec![sample::finding("error", "a/b")]), ROOM);
    let expected = "\
# `p` in catalog `c`

Valid. Default channel: `stable`.

## Channels

| Channel | Default | Head | Entries | Deprecated |
| --- | --- | --- | --- | --- |
| `stable` | yes | `p.v2` | 2 | no |

## Findings

| Severity | Code | About | Message | What to do | Where |
| --- | --- | --- | --- | --- | --- |
| error | `a/b` | catalog c, package p | message of a/b | – | `p/catalog.yaml`, line 3 |

## From each bundle: OLM v0, channel `stable`

| Installed | Version | Answer | Next | Walk | Trouble |
| --- | --- | --- | --- | --- | --- |
| `p.v1` | 1.0.0 | reachable | `p.v2` | → `p.v2` |  |
| `p.v2` | 2.0.0 | up-to-date | – |  |  |
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("\n## From each bundle: OLM v1, channel `stable`\n"));
    assert!(text.contains("\n## From each bundle: OLM v1, all channels\n"));
}

#[test]
fn an_engine_that_fails_says_why_instead_of_walks() {
    let mut view = sample::package(vec![]);
    let error = ReasonView { code: "path/no-head".into(), message: "no head".into(), because: vec![] };
    view.engines.olm_v0.get_mut("stable").unwrap().error = Some(error);
    assert!(
        package(&view, ROOM).contains("OLM v0, channel `stable`\n\nThe engine fails here: no head (`path/no-head`).\n")
    );
}

#[test]
fn a_walk_in_trouble_says_why() {
    let reason = |code: &str, message: &str| ReasonView { code: code.into(), message: message.into(), because: vec![] };
    let mut view = sample::package(vec![]);
    let stable = view.engines.olm_v0.get_mut("stable").unwrap();
    let end = stable.from.get_mut("p.v2").unwrap();
    end.status = "dead-end".into();
    end.reasons = vec![reason("path/no-edge", "nothing leads on")];
    let start = stable.from.get_mut("p.v1").unwrap();
    start.reasons = vec![reason("path/moves-down", "2 is lower"), reason("path/no-edge", "nothing leads on")];
    let text = package(&view, ROOM);
    assert!(text.contains("→ `p.v2` | **dead-end**: nothing leads on; **moves down**: 2 is lower |\n"), "{text}");
    assert!(text.contains("| `p.v2` | 2.0.0 | dead-end | – |  | **dead-end**: nothing leads on |\n"));
    let other = text.split("OLM v1, channel").nth(1).unwrap();
    assert!(!other.contains("**dead-end**") && !other.contains("**moves down**"));
}

#[test]
fn a_long_walk_is_shown_by_its_ends() {
    let names: Vec<String> = (0..9).map(|number| format!("b{number}")).collect();
    let mut view = sample::package(vec![]);
    let mut walk = view.engines.olm_v0.remove("stable").unwrap().from.remove("p.v1").unwrap();
    walk.path = (1..=7).collect();
    assert_eq!(route(&walk, &names), "→ `b1` → `b2` → `b3` → … 3 more … → `b7`");
    walk.path = (1..=6).collect();
    assert_eq!(route(&walk, &names), "→ `b1` → `b2` → `b3` → `b4` → `b5` → `b6`");
}

#[test]
fn the_overview_names_verdict_and_what_was_not_read() {
    let mut view = sample::overview();
    view.coverage.failed = vec![CoverageNote { input: "c".into(), path: None, reason: "a|b".into() }];
    let text = overview(&view, ROOM);
    assert!(text.starts_with("# Upgrade report\n\n**Errors: at least one rule is broken.**\n"));
    assert!(
        text.contains(
            "\n## Could not be read\n\n| Input | Path | Reason |\n| --- | --- | --- |\n| `c` | – | a\\|b |\n"
        )
    );
    assert!(!text.contains("Left out by a rule"));
    assert!(text.contains("| `p` | `c` | `stable` | `p.v2` | 1 error, 0 warnings, 0 infos | several heads |\n"));
    assert!(text.contains("| `c` | catalog | `c` | `sha256:abc` |\n"));
}

#[test]
fn a_catalog_over_budget_says_how_many_rows_are_missing() {
    let names: Vec<String> = (0..100).map(|number| format!("p{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = catalog(&sample::catalog(&names, vec![]), 2_000);
    let shown = text.lines().filter(|line| line.starts_with("| `p")).count();
    assert!(text.len() <= 2_000 && shown > 0 && shown < 100);
    let closing = format!("*{} more in the report: the document of catalog `c`*\n", 100 - shown);
    assert!(text.ends_with(&closing), "{text}");
}
