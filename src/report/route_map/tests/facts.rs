//! What the view says is what the map shows.

use std::collections::BTreeSet;

use super::reader::{elements, of_class};
use super::sketch::Sketch;
use crate::report::route_map::draw;

/// Every edge that the drawing shows, from lines that name one target each.
fn drawn_edges(svg: &str) -> Vec<(String, usize, usize)> {
    let mut edges = vec![];
    for line in elements(svg).iter().filter(|element| element.attributes.contains_key("data-from")) {
        let (from, to) = (line.positions("data-from"), line.positions("data-to"));
        assert_eq!(to.len(), 1);
        assert_eq!(from.len(), line.number("data-count"));
        let lane = line.lane.clone().unwrap();
        edges.extend(from.into_iter().map(|from| (lane.clone(), from, to[0])));
    }
    edges.sort();
    edges
}

#[test]
fn every_edge_of_a_small_view_is_there_once() {
    let view = Sketch::of(&["1.0.0", "1.0.1", "1.1.0", "1.2.0"])
        .channel("stable", &["1.0.0", "1.1.0", "1.2.0"])
        .channel("fast", &["1.0.0", "1.0.1", "1.1.0"])
        .chain("stable", &["1.0.0", "1.1.0", "1.2.0"])
        .edge("stable", "1.0.0", "1.2.0", "skips")
        .edge("stable", "1.0.1", "1.2.0", "skipRange")
        .edge("stable", "1.0.0", "1.1.0", "skipRange")
        .edge("fast", "1.0.0", "1.1.0", "replaces")
        .edge("fast", "1.1.0", "1.0.1", "skipRange")
        .view();
    let expected =
        [("fast", 0, 2), ("fast", 2, 1), ("stable", 0, 2), ("stable", 0, 3), ("stable", 1, 3), ("stable", 2, 3)];
    assert_eq!(drawn_edges(&draw(&view).svg), expected.map(|(lane, from, to)| (lane.to_owned(), from, to)));
}

#[test]
fn replaces_is_track_and_rises_over_what_it_leaves_out() {
    let map = |entries: &[&str]| {
        let sketch = Sketch::of(&["1.0.0", "1.0.1", "1.1.0"]).channel("stable", entries);
        draw(&sketch.edge("stable", "1.0.0", "1.1.0", "replaces").view()).svg
    };
    let direct = of_class(&map(&["1.0.0", "1.1.0"]), "rm-track");
    assert!(direct.len() == 1 && !direct[0].has("rm-bypass"));
    let rising = of_class(&map(&["1.0.0", "1.0.1", "1.1.0"]), "rm-track");
    assert!(rising.len() == 1 && rising[0].has("rm-bypass"));
}

#[test]
fn skips_and_ranges_are_no_track() {
    let sketch = Sketch::of(&["1.0.0", "1.1.0"]).channel("stable", &["1.0.0", "1.1.0"]);
    let svg = draw(&sketch.edge("stable", "1.0.0", "1.1.0", "skipRange").view()).svg;
    assert_eq!(of_class(&svg, "rm-track").len(), 0);
    assert_eq!(of_class(&svg, "rm-express").len(), 1);
}

#[test]
fn only_an_edge_to_an_older_bundle_runs_below() {
    let sketch = Sketch::of(&["1.0.0", "1.1.0"]).channel("stable", &["1.0.0", "1.1.0"]);
    let down = draw(&sketch.clone().edge("stable", "1.1.0", "1.0.0", "replaces").view()).svg;
    assert_eq!((of_class(&down, "rm-down").len(), of_class(&down, "rm-track").len()), (1, 0));
    let up = draw(&sketch.edge("stable", "1.0.0", "1.1.0", "replaces").view()).svg;
    assert_eq!(of_class(&up, "rm-down").len(), 0);
}

#[test]
fn an_edge_to_itself_is_a_mark() {
    let sketch = Sketch::of(&["1.0.0"]).channel("stable", &["1.0.0"]);
    assert_eq!(of_class(&draw(&sketch.view()).svg, "rm-loop").len(), 0);
    let svg = draw(&sketch.edge("stable", "1.0.0", "1.0.0", "skipRange").view()).svg;
    assert_eq!(of_class(&svg, "rm-loop").len(), 1);
}

#[test]
fn jumps_into_one_bundle_share_a_line() {
    let svg = draw(
        &Sketch::of(&["1.0.0", "1.1.0", "1.2.0", "1.3.0"])
            .channel("stable", &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])
            .edge("stable", "1.0.0", "1.3.0", "skips")
            .edge("stable", "1.1.0", "1.3.0", "skipRange")
            .edge("stable", "1.0.0", "1.2.0", "skips")
            .view(),
    )
    .svg;
    let mut counts: Vec<usize> = of_class(&svg, "rm-express").iter().map(|line| line.number("data-count")).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
}

/// A lane in which every older bundle may jump to each newer one: one line less than bundles, all over the first gap.
fn any_to_any(bundles: usize) -> String {
    let versions: Vec<String> = (0..bundles).map(|minor| format!("1.{minor}.0")).collect();
    let names: Vec<&str> = versions.iter().map(String::as_str).collect();
    let mut sketch = Sketch::of(&names).channel("stable", &names).head("stable", names[bundles - 1]);
    for (position, to) in names.iter().enumerate() {
        sketch = names[..position].iter().fold(sketch, |sketch, from| sketch.edge("stable", from, to, "skipRange"));
    }
    draw(&sketch.view()).svg
}

#[test]
fn five_lines_have_room_over_one_another() {
    let svg = any_to_any(6);
    assert_eq!((of_class(&svg, "rm-express").len(), of_class(&svg, "rm-band").len()), (5, 0));
}

#[test]
fn of_more_only_those_into_heads_stay() {
    let svg = any_to_any(7);
    let lines = of_class(&svg, "rm-express");
    assert_eq!(lines.len(), 1);
    assert_eq!((lines[0].positions("data-to"), lines[0].number("data-count")), (vec![6], 6));
    let bands = of_class(&svg, "rm-band");
    // 7 × 6 / 2 edges, less the six into the head.
    assert_eq!((bands.len(), bands[0].number("data-count")), (1, 15));
}

#[test]
fn the_same_bundle_stands_in_one_vertical() {
    let sketch = Sketch::of(&["1.0.0", "1.0.1", "1.1.0"])
        .channel("stable", &["1.1.0", "1.0.0"])
        .channel("fast", &["1.1.0", "1.0.1", "1.0.0"]);
    let stations = of_class(&draw(&sketch.view()).svg, "rm-station");
    let places = |lane: &str| -> Vec<(usize, usize)> {
        let stations = stations.iter().filter(|station| station.lane.as_deref() == Some(lane));
        stations.map(|station| (station.number("data-name"), station.number("data-x"))).collect()
    };
    let (stable, fast) = (places("stable"), places("fast"));
    assert_eq!(fast.iter().map(|(name, _)| *name).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(fast.is_sorted_by_key(|(_, x)| *x) && fast.windows(2).all(|pair| pair[0].1 < pair[1].1));
    assert_eq!(stable, [fast[0], fast[2]]);
}

#[test]
fn only_what_two_lanes_share_is_an_interchange() {
    let sketch = Sketch::of(&["1.0.0", "1.1.0"]).channel("stable", &["1.0.0", "1.1.0"]);
    assert_eq!(of_class(&draw(&sketch.view()).svg, "rm-interchange").len(), 0);
    let shared = sketch.channel("fast", &["1.1.0"]);
    assert_eq!(of_class(&draw(&shared.view()).svg, "rm-interchange").len(), 1);
}

#[test]
fn states_are_told_by_class() {
    let svg = draw(
        &Sketch::of(&["1.0.0", "1.1.0", "1.2.0"])
            .outside(&["gone"])
            .channel("stable", &["1.0.0", "1.2.0"])
            .edge("stable", "gone", "1.0.0", "skips")
            .edge("stable", "1.1.0", "1.2.0", "skips")
            .head("stable", "1.2.0")
            .deprecate("1.0.0")
            .view(),
    )
    .svg;
    let stations = of_class(&svg, "rm-station");
    let of = |class: &str| -> Vec<usize> {
        stations.iter().filter(|station| station.has(class)).map(|station| station.number("data-name")).collect()
    };
    assert_eq!(of("rm-station"), [0, 1, 2, 3]);
    assert_eq!(of("rm-outside"), [0]);
    assert_eq!(of("rm-deprecated"), [1]);
    assert_eq!(of("rm-visitor"), [0, 2]);
    assert_eq!(of("rm-head"), [3]);
}

#[test]
fn the_default_channel_is_first_and_numbers_count_as_numbers() {
    let sketch = Sketch::of(&["1.0.0"]).channel("stable", &["1.0.0"]).channel("s-10", &[]).channel("s-9", &[]);
    let svg = draw(&sketch.view()).svg;
    let lanes: Vec<String> = of_class(&svg, "rm-lane").into_iter().filter_map(|lane| lane.lane).collect();
    assert_eq!(lanes, ["stable", "s-9", "s-10"]);
    assert_eq!(of_class(&svg, "rm-default").len(), 1);
}

#[test]
fn foreign_text_adds_no_element() {
    let names = ["\"><script>alert(1)</script>", "a' onload='x", "<!--"];
    let plain = Sketch::of(&["1.0.0", "1.0.1", "1.0.2"]).channel("fast", &["1.0.0", "1.0.1", "1.0.2"]);
    let hostile = Sketch::of(&names).channel("</svg><b>", &names);
    let (plain, hostile) = (draw(&plain.view()), draw(&hostile.view()));
    assert_eq!(elements(&hostile.labels).len(), elements(&plain.labels).len());
    let stations = of_class(&hostile.svg, "rm-station");
    assert_eq!(stations.len(), 3);
    assert!(!hostile.svg.contains("<script") && !hostile.svg.contains("<b>") && !hostile.svg.contains("<!"));
}

#[test]
fn the_drawing_names_itself_and_needs_no_style_nor_id() {
    let map = draw(&Sketch::of(&["1.0.0"]).channel("stable", &["1.0.0"]).head("stable", "1.0.0").view());
    assert!(map.svg.contains("role=\"img\""));
    assert!(map.svg.contains("<title>Route map of demo</title><desc>1 channel, 1 bundle,"));
    assert!(map.svg.contains("stable (default): 1 bundle, head 1.0.0."));
    let all: BTreeSet<String> =
        elements(&map.svg).into_iter().flat_map(|element| element.attributes.into_keys()).collect();
    assert!(!all.contains("style") && !all.contains("id"));
}

#[test]
fn an_empty_package_is_an_empty_map() {
    let map = draw(&Sketch::default().view());
    assert!(!map.folded);
    assert_eq!(of_class(&map.svg, "rm-lane").len(), 0);
}

#[test]
fn the_legend_explains_what_the_map_shows_and_nothing_else() {
    let chain = Sketch::of(&["1.0.0", "1.1.0"]).channel("stable", &["1.0.0", "1.1.0"]).head("stable", "1.1.0");
    let edge = |via: &str| draw(&chain.clone().edge("stable", "1.0.0", "1.1.0", via).view()).legend;
    assert!(edge("replaces").contains("replaces: one step") && !edge("replaces").contains("a jump"));
    assert!(edge("skips").contains("a jump") && !edge("skips").contains("replaces: one step"));
    assert!(edge("skips").contains("head of the channel") && !edge("skips").contains("deprecated"));
    assert_eq!(of_class(&edge("skips"), "rm-sample").len(), 3);
    assert!(!draw(&Sketch::default().view()).legend.contains("<li>"));
}
