//! Draws what lies behind the lanes: the zones, the versions of the columns, and bundles that several lanes share.
//!
//! Rule: a column is called by the version of its bundle, a fold by its zone and the number of its bundles.
//! Cost: linear in the columns; for shared bundles in the stops of all lanes.

use super::columns::Column;
use super::draw::{CHARACTER, Frame, ZONE_ROW};
use super::lanes::{Lane, Layout};
use super::svg::{Svg, elide};

/// The most characters of a column's version.
const VERSION_LIMIT: usize = 20;

/// Draws everything behind the lanes; `versions` are what the columns are called.
pub(super) fn draw(svg: &mut Svg, layout: &Layout, frame: &Frame, versions: &[String]) {
    zones(svg, layout, frame);
    axis_labels(svg, layout, frame, versions);
    interchanges(svg, layout, frame);
}

/// Neighbouring columns of one zone, with the zone's name.
fn zone_spans(columns: &[Column]) -> Vec<(&str, i32, i32)> {
    let mut spans: Vec<(&str, i32, i32)> = Vec::new();
    for column in columns {
        let zone = column.zone.as_deref().unwrap_or("unknown");
        match spans.last_mut() {
            Some((before, _, right)) if *before == zone => *right = column.right,
            _ => spans.push((zone, column.left, column.right)),
        }
    }
    spans
}

fn zones(svg: &mut Svg, layout: &Layout, frame: &Frame) {
    for (number, (zone, left, right)) in zone_spans(&layout.axis.columns).into_iter().enumerate() {
        let odd = number % 2 == 1;
        svg.empty(
            "rect",
            &[
                ("class", &if odd { "rm-zone rm-zone-odd" } else { "rm-zone" }),
                ("x", &left),
                ("y", &0),
                ("width", &(right - left)),
                ("height", &frame.height),
                ("fill-opacity", &if odd { "0.06" } else { "0" }),
            ],
        );
        let room = usize::try_from((right - left) / CHARACTER).unwrap_or(0);
        svg.text(
            "text",
            &[
                ("class", &"rm-zone-label"),
                ("x", &i32::midpoint(left, right)),
                ("y", &(ZONE_ROW - 6)),
                ("text-anchor", &"middle"),
                ("font-weight", &"bold"),
            ],
            &elide(zone, room.max(4)),
        );
    }
}

fn axis_labels(svg: &mut Svg, layout: &Layout, frame: &Frame, versions: &[String]) {
    let y = frame.top - 4;
    for (column, version) in layout.axis.columns.iter().zip(versions) {
        let x = column.middle();
        svg.text(
            "text",
            &[("class", &"rm-axis-label"), ("transform", &format!("translate({x} {y}) rotate(-45)"))],
            version,
        );
    }
}

/// What a column is called: the version of its bundle, or the number of its bundles.
pub(super) fn column_label(layout: &Layout, column: &Column) -> String {
    let bundles = layout.view.bundles.get(column.members.clone()).unwrap_or_default();
    let in_catalog = bundles.iter().any(|bundle| bundle.in_catalog);
    match (bundles, &column.zone) {
        ([bundle], _) => {
            let name = bundle.name.strip_prefix(layout.view.package.as_str()).unwrap_or(&bundle.name);
            elide(bundle.version.as_deref().unwrap_or(name.trim_start_matches('.')), VERSION_LIMIT)
        }
        (several, Some(zone)) if in_catalog => elide(&format!("{zone} ({})", several.len()), VERSION_LIMIT),
        (several, None) if in_catalog => format!("{} without version", several.len()),
        (several, _) => format!("{} not in catalog", several.len()),
    }
}

/// A vertical for each column that several lanes share a bundle in, from the first of them to the last.
fn interchanges(svg: &mut Svg, layout: &Layout, frame: &Frame) {
    for (number, column) in layout.axis.columns.iter().enumerate() {
        let mut rows =
            layout.lanes.iter().zip(&frame.rows).filter(|(lane, _)| serves(lane, number)).map(|(_, row)| *row);
        let (first, last) = (rows.next(), rows.next_back());
        if let (Some(first), Some(last)) = (first, last)
            && first != last
        {
            svg.empty(
                "path",
                &[
                    ("class", &"rm-interchange"),
                    ("d", &format!("M{} {first}V{last}", column.middle())),
                    ("stroke", &"currentColor"),
                    ("stroke-opacity", &"0.35"),
                    ("stroke-dasharray", &"1 3"),
                ],
            );
        }
    }
}

fn serves(lane: &Lane, column: usize) -> bool {
    let stop = lane.stops.binary_search_by_key(&column, |stop| stop.column);
    stop.ok().and_then(|found| lane.stops.get(found)).is_some_and(|stop| !stop.entries.is_empty())
}
