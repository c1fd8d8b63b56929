//! What OLM v0 makes of a lane is told by marks and by the look of its tracks.

use super::reader::{elements, of_class};
use super::sketch::Sketch;
use crate::report::route_map::draw;

const CHAIN: [&str; 3] = ["1.0.0", "1.1.0", "1.2.0"];

fn chain() -> Sketch {
    Sketch::of(&CHAIN).channel("stable", &CHAIN).chain("stable", &CHAIN).head("stable", "1.2.0")
}

fn marks(svg: &str) -> [usize; 3] {
    ["rm-dead-end", "rm-circle", "rm-descent"].map(|class| of_class(svg, class).len())
}

#[test]
fn a_dead_end_has_a_mark_and_its_track_is_no_way() {
    let map = draw(
        &chain()
            .walk("stable", "1.0.0", "dead-end", &[], false)
            .walk("stable", "1.1.0", "reachable", &["1.2.0"], false)
            .walk("stable", "1.2.0", "up-to-date", &[], false)
            .view(),
    );
    assert_eq!(marks(&map.svg), [1, 0, 0]);
    let closed = of_class(&map.svg, "rm-closed");
    assert_eq!((closed.len(), closed[0].positions("data-from"), closed[0].positions("data-to")), (1, vec![0], vec![1]));
    assert!(map.legend.contains("dead end: OLM v0 stays") && map.legend.contains("OLM v0 never takes it"));
    assert!(map.svg.contains("1.0.0, version 1.0.0, dead end for OLM v0"));
}

#[test]
fn walks_without_trouble_have_no_mark_and_no_closed_track() {
    let map = draw(
        &chain()
            .walk("stable", "1.0.0", "reachable", &["1.1.0", "1.2.0"], false)
            .walk("stable", "1.1.0", "reachable", &["1.2.0"], false)
            .walk("stable", "1.2.0", "up-to-date", &[], false)
            .view(),
    );
    assert_eq!((marks(&map.svg), of_class(&map.svg, "rm-closed").len()), ([0, 0, 0], 0));
    assert!(!map.legend.contains("OLM v0"));
}

#[test]
fn of_a_channel_without_walks_nothing_is_said() {
    let map = draw(&chain().view());
    assert_eq!((marks(&map.svg), of_class(&map.svg, "rm-closed").len()), ([0, 0, 0], 0));
}

#[test]
fn a_loop_is_marked_at_its_bundles_alone_and_the_way_down_where_it_begins() {
    let map = draw(
        &chain()
            .walk("stable", "1.0.0", "loop", &["1.1.0", "1.2.0"], true)
            .walk("stable", "1.1.0", "loop", &["1.2.0"], false)
            .walk("stable", "1.2.0", "loop", &["1.1.0"], true)
            .view(),
    );
    assert_eq!(marks(&map.svg), [0, 2, 1]);
    assert!(map.legend.contains("again and again") && map.legend.contains("to a lower version"));
}

#[test]
fn a_word_stands_below_the_lines_that_pass_it() {
    let foot = |sketch: Sketch| {
        let svg = draw(&sketch.view()).svg;
        let lane = of_class(&svg, "rm-lane")[0].number("data-y");
        of_class(&svg, "rm-note")[0].number("y") - lane
    };
    assert_eq!(foot(chain()), 22);
    // The line runs 19 below the stations.
    assert!(foot(chain().edge("stable", "1.2.0", "1.0.0", "skipRange")) > 19 + 11);
    assert_eq!(foot(chain().edge("stable", "1.1.0", "1.0.0", "skipRange")), 22);
}

#[test]
fn only_small_maps_are_drawn_larger() {
    let enlarged = |bundles: usize, channels: &[&str]| {
        let versions: Vec<String> = (0..bundles).map(|minor| format!("1.{minor}.0")).collect();
        let names: Vec<&str> = versions.iter().map(String::as_str).collect();
        let sketch = channels.iter().fold(Sketch::of(&names), |sketch, channel| sketch.channel(channel, &names));
        let map = draw(&sketch.view());
        let own = |svg: &str, place: usize| -> i32 {
            let all = elements(svg);
            all[0].attributes["viewBox"].split(' ').nth(place).unwrap().parse().unwrap()
        };
        let labels_height: i32 = elements(&map.labels)[0].attributes["height"].parse().unwrap();
        assert_eq!(labels_height, map.height);
        (map.width * 10 / own(&map.svg, 2), map.height * 10 / own(&map.svg, 3))
    };
    assert_eq!(enlarged(12, &["stable", "a", "b"]), (13, 13));
    assert_eq!(enlarged(13, &["stable"]), (10, 10));
    assert_eq!(enlarged(3, &["stable", "a", "b", "c"]), (10, 10));
}

#[test]
fn the_zone_of_what_is_outside_has_room_for_its_title() {
    for outside in [&["gone"][..], &["gone", "lost", "left"]] {
        let sketch = outside
            .iter()
            .fold(Sketch::of(&["1.0.0"]).outside(outside).channel("stable", &["1.0.0"]), |sketch, name| {
                sketch.edge("stable", name, "1.0.0", "skips")
            });
        assert!(draw(&sketch.view()).svg.contains(">outside the catalog</text>"), "{outside:?}");
    }
}
