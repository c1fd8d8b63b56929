//! What holds for any view.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::reader::{Element, elements};
use super::sketch::Sketch;
use crate::report::route_map::draw;
use crate::report::schema::PackageView;

prop_compose! {
    fn any_view()(
        outside in 0_usize..7,
        minors in prop::collection::vec(1_usize..9, 1..30),
        channels in 1_usize..5,
    )(
        entries in prop::collection::vec((0..channels, 0_usize..300), 0..120),
        edges in prop::collection::vec((0..channels, 0_usize..300, 0_usize..300, 0_usize..3), 0..200),
        heads in prop::collection::vec((0..channels, 0_usize..300), 0..12),
        outside in Just(outside),
        minors in Just(minors),
        channels in Just(channels),
    ) -> PackageView {
        let unknown: Vec<String> = (0..outside).map(|number| format!("outside-{number}")).collect();
        let known: Vec<String> = minors
            .iter()
            .enumerate()
            .flat_map(|(minor, patches)| (0..*patches).map(move |patch| format!("{}.{}.{patch}", minor / 8, minor % 8)))
            .collect();
        let all: Vec<&str> = unknown.iter().chain(&known).map(String::as_str).collect();
        let name = |number: usize| all[number % all.len()];
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
        let mut sketch = Sketch::of(&known).outside(&unknown);
        for channel in 0..channels {
            let mut own: Vec<&str> =
                entries.iter().filter(|(of, _)| *of == channel).map(|(_, entry)| name(*entry)).collect();
            own.sort_unstable();
            own.dedup();
            sketch = sketch.channel(&format!("channel-{channel}"), &own);
        }
        for (channel, from, to, kind) in edges {
            let via = ["replaces", "skips", "skipRange"][kind];
            sketch = sketch.edge(&format!("channel-{channel}"), name(from), name(to), via);
        }
        for (channel, head) in heads {
            sketch = sketch.head(&format!("channel-{channel}"), name(head));
        }
        sketch.view()
    }
}

/// The room that a stop takes at most: half a pill or half a ring to each side.
fn room(element: &Element) -> (usize, usize) {
    let (x, half) = (element.number("data-x"), if element.has("rm-fold") { 19 } else { 11 });
    (x - half, x + half)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_two_stops_of_a_lane_overlap(view in any_view()) {
        let mut lanes: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for element in elements(&draw(&view).svg) {
            if element.attributes.contains_key("data-x") {
                lanes.entry(element.lane.clone().unwrap()).or_default().push(room(&element));
            }
        }
        for stops in lanes.values() {
            prop_assert!(stops.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{stops:?}");
        }
    }

    #[test]
    fn every_edge_is_counted_once(view in any_view()) {
        let svg = draw(&view).svg;
        let counted: usize = elements(&svg)
            .iter()
            .flat_map(|element| [element.attributes.get("data-count"), element.attributes.get("data-inside")])
            .flatten()
            .map(|count| count.parse::<usize>().unwrap())
            .sum();
        prop_assert_eq!(counted, view.edges.len());
    }

    #[test]
    fn every_entry_stands_in_its_lane_once(view in any_view()) {
        let drawn = elements(&draw(&view).svg);
        for channel in &view.channels {
            let mut names: Vec<&str> = drawn
                .iter()
                .filter(|element| element.lane.as_ref() == Some(&channel.name))
                .flat_map(|element| match (element.attributes.get("data-name"), element.attributes.get("data-members")) {
                    (Some(_), _) => vec![element.number("data-name")],
                    (None, Some(_)) => element.positions("data-members"),
                    (None, None) => vec![],
                })
                .map(|name| view.names[name].as_str())
                .collect();
            names.sort_unstable();
            prop_assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
            for entry in &channel.entries {
                prop_assert!(names.binary_search(&entry.name.as_str()).is_ok(), "{} is missing", entry.name);
            }
        }
    }

    #[test]
    fn the_order_of_entries_and_edges_changes_nothing(view in any_view()) {
        let mut reversed = view.clone();
        reversed.edges.reverse();
        reversed.channels.reverse();
        for channel in &mut reversed.channels {
            channel.entries.reverse();
        }
        prop_assert_eq!(draw(&view), draw(&reversed));
    }

    #[test]
    fn any_text_is_drawn(names in prop::collection::vec(".{0,40}", 1..6), versions in prop::collection::vec(".{0,20}", 6)) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut view = Sketch::of(&names).channel(names[0], &names).chain(names[0], &names).view();
        for (bundle, version) in view.bundles.iter_mut().zip(&versions) {
            bundle.version = Some(version.clone());
        }
        let map = draw(&view);
        prop_assert!(!elements(&map.svg).is_empty() && !elements(&map.labels).is_empty());
    }
}
