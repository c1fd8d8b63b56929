//! Which bundles fold, and that none is lost.

use super::reader::of_class;
use super::sketch::Sketch;
use crate::report::route_map::{RouteMap, draw};

/// A chain of bundles: `minors` of each of `majors`, each with `patches`.
fn grid(majors: usize, minors: usize, patches: usize) -> Vec<String> {
    let version =
        |number: usize| format!("{}.{}.{}", number / minors / patches, number / patches % minors, number % patches);
    (0..majors * minors * patches).map(version).collect()
}

fn chain(versions: &[String]) -> RouteMap {
    let names: Vec<&str> = versions.iter().map(String::as_str).collect();
    let head = names.last().unwrap();
    draw(&Sketch::of(&names).channel("stable", &names).chain("stable", &names).head("stable", head).view())
}

fn fold_sizes(map: &RouteMap) -> Vec<usize> {
    of_class(&map.svg, "rm-fold").iter().map(|fold| fold.positions("data-members").len()).collect()
}

#[test]
fn forty_bundles_stand_alone() {
    let map = chain(&grid(1, 4, 10));
    assert!(!map.folded);
    assert_eq!(of_class(&map.svg, "rm-station").len(), 40);
}

#[test]
fn of_more_the_minors_fold_and_the_head_stays() {
    let map = chain(&grid(1, 6, 7));
    assert!(map.folded);
    assert_eq!(fold_sizes(&map), [7, 7, 7, 7, 7, 6]);
    let stations = of_class(&map.svg, "rm-station");
    assert_eq!((stations.len(), stations[0].number("data-name"), stations[0].has("rm-head")), (1, 41, true));
}

#[test]
fn edges_inside_and_between_folds_add_up() {
    let map = chain(&grid(1, 6, 7));
    let inside: usize = of_class(&map.svg, "rm-fold").iter().map(|fold| fold.number("data-inside")).sum();
    let between: usize = of_class(&map.svg, "rm-track").iter().map(|track| track.number("data-count")).sum();
    // Five folds of seven have six edges each, the sixth of six has five; six more join the seven columns.
    assert_eq!((inside, between), (35, 6));
}

#[test]
fn many_minors_fold_into_majors() {
    let map = chain(&grid(5, 20, 1));
    assert_eq!(fold_sizes(&map), [20, 20, 20, 20, 19]);
}

#[test]
fn many_majors_fold_into_equal_runs() {
    let map = chain(&grid(100, 1, 1));
    // A hundred names in at most forty runs are runs of three, the last of one.
    assert_eq!(fold_sizes(&map), [3; 33]);
    assert_eq!(of_class(&map.svg, "rm-station").len(), 1);
}

#[test]
fn only_more_than_three_outside_names_fold() {
    let map = |names: &[&str]| {
        let sketch = Sketch::of(&["1.0.0"]).outside(names).channel("stable", &["1.0.0"]);
        draw(&names.iter().fold(sketch, |sketch, name| sketch.edge("stable", name, "1.0.0", "skips")).view())
    };
    let three = map(&["a", "b", "c"]);
    assert!(!three.folded);
    let four = map(&["a", "b", "c", "d"]);
    let folds = of_class(&four.svg, "rm-fold");
    assert_eq!((folds.len(), folds[0].has("rm-outside")), (1, true));
    assert_eq!(of_class(&four.svg, "rm-express")[0].number("data-count"), 4);
}

#[test]
fn heads_without_number_fold_with_the_others() {
    let versions = grid(1, 6, 10);
    let names: Vec<&str> = versions.iter().map(String::as_str).collect();
    let sketch =
        names.iter().fold(Sketch::of(&names).channel("stable", &names), |sketch, name| sketch.head("stable", name));
    let map = draw(&sketch.view());
    assert_eq!(fold_sizes(&map), [10; 6]);
    assert!(of_class(&map.svg, "rm-fold").iter().all(|fold| fold.has("rm-head")));
}

#[test]
fn a_fold_is_hollow_only_where_all_of_it_is_deprecated() {
    let versions = grid(1, 6, 7);
    let names: Vec<&str> = versions.iter().map(String::as_str).collect();
    let sketch = Sketch::of(&names).channel("stable", &names).deprecate(names[10]);
    let map = draw(&names[..7].iter().fold(sketch, |sketch, name| sketch.deprecate(name)).view());
    let hollow: Vec<bool> = of_class(&map.svg, "rm-fold").iter().map(|fold| fold.has("rm-deprecated")).collect();
    assert_eq!(hollow, [true, false, false, false, false, false]);
    assert!(map.svg.contains("○1"));
}

#[test]
fn a_large_package_stays_small() {
    let versions = grid(1, 25, 10);
    let names: Vec<&str> = versions.iter().map(String::as_str).collect();
    let mut sketch = Sketch::of(&names);
    for number in 0..12 {
        let channel = if number == 0 { "stable".to_owned() } else { format!("stable-1.{number}") };
        let entries: Vec<&str> = names.iter().copied().skip(number * 10).collect();
        sketch = sketch.channel(&channel, &entries).chain(&channel, &entries).head(&channel, names[249 - number]);
        for (position, to) in entries.iter().enumerate().skip(1) {
            let older = &entries[..position];
            sketch = older.iter().step_by(3).fold(sketch, |sketch, from| sketch.edge(&channel, from, to, "skipRange"));
        }
    }
    let map = draw(&sketch.view());
    assert!(map.svg.len() + map.labels.len() < 400_000, "{} bytes", map.svg.len());
    assert!(map.width < 4_000 && map.height < 2_000, "{} × {}", map.width, map.height);
}
