//! Draws a laid out map: gives each lane its row, and puts the parts over one another.
//!
//! Rule: all coordinates are whole; text is never smaller than 11 CSS pixels. A small map is drawn larger as a whole.
//! Cost: linear in what is drawn.

use super::RouteMap;
use super::background;
use super::labels;
use super::lanes::{Lane, Layout};
use super::legend::legend;
use super::notes;
use super::rails::{self, LEVEL};
use super::stations::{self, TITLE_LIMIT};
use super::svg::{Svg, elide};
use crate::finding::counted;
use crate::report::schema::ChannelView;

/// The smallest text, in CSS pixels.
pub(super) const SMALL_TEXT: i32 = 11;
/// Width of a character of the smallest text, at most, for common ones.
pub(super) const CHARACTER: i32 = 7;
/// Height of the zones' names.
pub(super) const ZONE_ROW: i32 = 20;
/// Least room from a lane's stations to the lane above.
const HEADROOM: i32 = 22;
/// Least room from a lane's stations to the lane below.
const FOOTROOM: i32 = 30;
/// How many channels a description names.
const DESCRIBED_CHANNELS: usize = 12;

/// The most columns and lanes of a small map, which is drawn larger.
const SMALL: (usize, usize) = (12, 3);

/// The size of a part of a map in CSS pixels: its own, or for small maps 1.3 times that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    tenths: i32,
}

impl Scale {
    fn of(layout: &Layout) -> Self {
        let is_small = layout.axis.columns.len() <= SMALL.0 && layout.lanes.len() <= SMALL.1;
        Self { tenths: if is_small { 13 } else { 10 } }
    }

    /// The next greater length that a scale of tenths turns into whole pixels.
    pub(super) fn rounded(length: i32) -> i32 {
        length + (10 - length % 10) % 10
    }

    /// A rounded length in CSS pixels.
    pub(super) fn pixels(self, length: i32) -> i32 {
        length / 10 * self.tenths
    }
}

/// Where the parts of a map stand.
pub(super) struct Frame {
    /// Where the stations of each lane stand.
    pub(super) rows: Vec<i32>,
    /// Where the lanes begin.
    pub(super) top: i32,
    /// Width of the map.
    pub(super) width: i32,
    /// Height of both parts.
    pub(super) height: i32,
    /// How large both parts are drawn.
    pub(super) scale: Scale,
}

/// Draws both parts of a map.
pub(super) fn route_map(layout: &Layout) -> RouteMap {
    let versions: Vec<String> =
        layout.axis.columns.iter().map(|column| background::column_label(layout, column)).collect();
    let frame = frame(layout, &versions);
    let svg = map(layout, &frame, &versions);
    RouteMap {
        legend: legend(&svg),
        svg,
        labels: labels::labels(layout, &frame),
        folded: layout.axis.is_folded(),
        width: frame.scale.pixels(frame.width),
        height: frame.scale.pixels(frame.height),
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
        let marks = if lane.troubles.are_there() { notes::MARKS } else { 0 };
        bottom = row + FOOTROOM + marks + LEVEL * to_pixels(lane.lines.levels_below());
        rows.push(row);
    }
    let (width, height) = (layout.axis.right() + slanted, bottom + SMALL_TEXT);
    Frame { rows, top, width: Scale::rounded(width), height: Scale::rounded(height), scale: Scale::of(layout) }
}

/// Width of a text in the smallest size, about.
pub(super) fn pixels(text: &str) -> i32 {
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
            ("width", &frame.scale.pixels(frame.width)),
            ("height", &frame.scale.pixels(frame.height)),
            ("viewBox", &format!("0 0 {} {}", frame.width, frame.height)),
            ("font-family", &"sans-serif"),
            ("font-size", &SMALL_TEXT),
            ("fill", &"CanvasText"),
        ],
    );
    svg.title(&format!("Route map of {}", layout.view.package));
    svg.text("desc", &[], &description(layout));
    background::draw(&mut svg, layout, frame, versions);
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
        let name = elide(&channel.name, TITLE_LIMIT);
        text += &format!(" {name}{default}: {}, {}.", counted(channel.entries.len(), "bundle"), heads(channel));
    }
    if layout.lanes.len() > DESCRIBED_CHANNELS {
        text += &format!(" And {} more.", counted(layout.lanes.len() - DESCRIBED_CHANNELS, "channel"));
    }
    text + " The table lists the same facts."
}

fn heads(channel: &ChannelView) -> String {
    match channel.heads.as_slice() {
        [] => "no head".to_owned(),
        [head] => format!("head {}", elide(head, TITLE_LIMIT)),
        several => format!("{} heads", several.len()),
    }
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

/// The classes of an element that stands for a lane, its own first.
pub(super) fn lane_class(first: &str, lane: &Lane) -> String {
    let mut class = format!("{first} rm-line-{}", lane.colour);
    if lane.channel.default {
        class += " rm-default";
    }
    if lane.channel.deprecated.is_some() {
        class += " rm-deprecated";
    }
    class
}
