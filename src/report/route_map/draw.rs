//! Draws a laid out map: the axis, the lanes in their order, and the lanes' names beside it.
//!
//! Rule: all coordinates are whole CSS pixels; text is never smaller than 11.
//! Cost: linear in what is drawn.

use super::RouteMap;
use super::columns::Column;
use super::lanes::{Lane, Layout};
use super::rails::{self, LEVEL};
use super::stations;
use super::svg::{Svg, counted, elide};

/// The smallest text, in CSS pixels.
pub(super) const SMALL_TEXT: i32 = 11;
/// Width of a character of the smallest text, at most, for common ones.
const CHARACTER: i32 = 7;
/// The most characters of a lane's name.
const NAME_LIMIT: usize = 22;
/// The most characters of a column's version.
const VERSION_LIMIT: usize = 20;
/// Height of the zones' names.
const ZONE_ROW: i32 = 20;
/// Least room from a lane's stations to the lane above.
const HEADROOM: i32 = 22;
/// Least room from a lane's stations to the lane below.
const FOOTROOM: i32 = 30;
/// How many channels a description names.
const DESCRIBED_CHANNELS: usize = 12;

/// Where the parts of a map stand.
struct Frame {
    /// Where the stations of each lane stand.
    rows: Vec<i32>,
    /// Where the lanes begin.
    top: i32,
    width: i32,
    height: i32,
}

/// Draws both parts of a map.
pub(super) fn route_map(layout: &Layout) -> RouteMap {
    let versions: Vec<String> = layout.axis.columns.iter().map(|column| column_label(layout, column)).collect();
    let frame = frame(layout, &versions);
    RouteMap {
        svg: map(layout, &frame, &versions),
        labels: labels(layout, &frame),
        folded: layout.axis.is_folded(),
        width: frame.width,
        height: frame.height,
    }
}

fn frame(layout: &Layout, versions: &[String]) -> Frame {
    let longest = versions.iter().map(|version| pixels(version)).max().unwrap_or(0);
    // Versions are turned by 45 degrees, so their height and their width beyond the column are sin 45° of their length.
    let slanted = longest * 7 / 10 + SMALL_TEXT;
    let top = ZONE_ROW + slanted;
    let mut bottom = top;
    let mut rows = Vec::with_capacity(layout.lanes.len());
    for lane in &layout.lanes {
        let row = bottom + HEADROOM + LEVEL * to_pixels(lane.lines.levels_above());
        bottom = row + FOOTROOM + LEVEL * to_pixels(lane.lines.levels_below());
        rows.push(row);
    }
    Frame { rows, top, width: layout.axis.right() + slanted, height: bottom + SMALL_TEXT }
}

fn pixels(text: &str) -> i32 {
    CHARACTER * to_pixels(text.chars().count())
}

fn to_pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 64)
}

fn map(layout: &Layout, frame: &Frame, versions: &[String]) -> String {
    let mut svg = Svg::default();
    let folded = layout.axis.is_folded();
    svg.open(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("class", &if folded { "rm-map rm-folded" } else { "rm-map" }),
            ("role", &"img"),
            ("width", &frame.width),
            ("height", &frame.height),
            ("viewBox", &format!("0 0 {} {}", frame.width, frame.height)),
            ("font-family", &"sans-serif"),
            ("font-size", &SMALL_TEXT),
            ("fill", &"CanvasText"),
        ],
    );
    svg.title(&format!("Route map of {}", layout.view.package));
    svg.text("desc", &[], &description(layout));
    zones(&mut svg, layout, frame);
    axis_labels(&mut svg, layout, frame, versions);
    interchanges(&mut svg, layout, frame);
    for (lane, row) in layout.lanes.iter().zip(&frame.rows) {
        draw_lane(&mut svg, layout, lane, *row);
    }
    svg.empty("g", &[("class", &"rm-overlay")]);
    svg.close("svg");
    svg.finish()
}

fn description(layout: &Layout) -> String {
    let view = layout.view;
    let bundles = view.bundles.iter().filter(|bundle| bundle.in_catalog).count();
    let mut text = format!(
        "{}, {}, in version order from left to right.",
        counted(view.channels.len(), "channel"),
        counted(bundles, "bundle")
    );
    for lane in layout.lanes.iter().take(DESCRIBED_CHANNELS) {
        let channel = lane.channel;
        let default = if channel.default { " (default)" } else { "" };
        let heads = if channel.heads.is_empty() { "none".to_owned() } else { channel.heads.join(", ") };
        text += &format!(" {}{default}: {}, head {heads}.", channel.name, counted(channel.entries.len(), "bundle"));
    }
    if layout.lanes.len() > DESCRIBED_CHANNELS {
        text += &format!(" And {} more.", counted(layout.lanes.len() - DESCRIBED_CHANNELS, "channel"));
    }
    text + " The table lists the same facts."
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
fn column_label(layout: &Layout, column: &Column) -> String {
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

fn draw_lane(svg: &mut Svg, layout: &Layout, lane: &Lane, row: i32) {
    svg.open("g", &[("class", &lane_class("rm-lane", lane)), ("data-channel", &lane.channel.name), ("data-y", &row)]);
    if let Some(last) = lane.stops.last() {
        svg.empty(
            "path",
            &[
                ("class", &"rm-bed"),
                ("d", &format!("M0 {row}H{}", layout.axis.middle(last.column))),
                ("stroke", &"currentColor"),
                ("stroke-opacity", &"0.3"),
            ],
        );
    }
    rails::draw(svg, layout, lane, row);
    for stop in &lane.stops {
        stations::draw(svg, layout, lane, stop, row);
    }
    svg.close("g");
}

fn lane_class(first: &str, lane: &Lane) -> String {
    let mut class = format!("{first} rm-line-{}", lane.colour);
    if lane.channel.default {
        class += " rm-default";
    }
    if lane.channel.deprecated.is_some() {
        class += " rm-deprecated";
    }
    class
}

fn labels(layout: &Layout, frame: &Frame) -> String {
    let names: Vec<(String, String)> = layout.lanes.iter().map(label_lines).collect();
    // Names are set larger than the smallest text, and bold.
    let longest = names.iter().map(|(name, note)| (pixels(name) * 13 / 10).max(pixels(note))).max().unwrap_or(0);
    let width = longest + 24;
    let mut svg = Svg::default();
    svg.open(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("class", &"rm-labels"),
            ("aria-hidden", &"true"),
            ("width", &width),
            ("height", &frame.height),
            ("viewBox", &format!("0 0 {width} {}", frame.height)),
            ("font-family", &"sans-serif"),
            ("font-size", &SMALL_TEXT),
            ("fill", &"CanvasText"),
        ],
    );
    for ((lane, row), (name, note)) in layout.lanes.iter().zip(&frame.rows).zip(&names) {
        svg.open("g", &[("class", &lane_class("rm-label", lane)), ("data-channel", &lane.channel.name)]);
        svg.title(&elide(&lane.channel.name, stations::TITLE_LIMIT));
        let thickness = if lane.channel.default { 6 } else { 4 };
        svg.empty(
            "path",
            &[
                ("class", &"rm-rail"),
                ("d", &format!("M{} {row}H{width}", width - 12)),
                ("stroke", &"currentColor"),
                ("stroke-width", &thickness),
            ],
        );
        let name_attributes: [(&str, &dyn std::fmt::Display); 5] =
            [("class", &"rm-name"), ("x", &4), ("y", &(row - 1)), ("font-size", &13), ("font-weight", &"bold")];
        svg.text("text", &name_attributes, name);
        svg.text("text", &[("class", &"rm-note"), ("x", &4), ("y", &(row + 12))], note);
        svg.close("g");
    }
    svg.close("svg");
    svg.finish()
}

/// A lane's name and what is said below it.
fn label_lines(lane: &Lane) -> (String, String) {
    let mut notes = vec![];
    if lane.channel.default {
        notes.push("default".to_owned());
    }
    if lane.channel.deprecated.is_some() {
        notes.push("deprecated".to_owned());
    }
    notes.push(counted(lane.channel.entries.len(), "bundle"));
    (elide(&lane.channel.name, NAME_LIMIT), notes.join(" · "))
}
