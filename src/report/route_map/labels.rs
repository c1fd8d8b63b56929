//! Draws the names of the lanes, which stand left of the map.
//!
//! Rule: the same rows and the same height as the map.
//! Cost: linear in the channels.

use super::draw::{Frame, SMALL_TEXT, Scale, lane_class, pixels};
use super::lanes::{Lane, Layout};
use super::rails::thickness;
use super::stations::TITLE_LIMIT;
use super::svg::{Svg, elide};
use crate::finding::counted;

/// The most characters of a lane's name.
const NAME_LIMIT: usize = 22;

/// Draws the names of all lanes.
pub(super) fn labels(layout: &Layout, frame: &Frame) -> String {
    let names: Vec<(String, String)> = layout.lanes.iter().map(label_lines).collect();
    // Names are set larger than the smallest text, and bold.
    let longest = names.iter().map(|(name, note)| (pixels(name) * 13 / 10).max(pixels(note))).max().unwrap_or(0);
    let width = Scale::rounded(longest + 24);
    let mut svg = Svg::default();
    svg.open(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("class", &"rm-labels"),
            ("aria-hidden", &"true"),
            ("width", &frame.scale.pixels(width)),
            ("height", &frame.scale.pixels(frame.height)),
            ("viewBox", &format!("0 0 {width} {}", frame.height)),
            ("font-family", &"sans-serif"),
            ("font-size", &SMALL_TEXT),
            ("fill", &"CanvasText"),
        ],
    );
    for ((lane, row), (name, note)) in layout.lanes.iter().zip(&frame.rows).zip(&names) {
        svg.open("g", &[("class", &lane_class("rm-label", lane)), ("data-channel", &lane.channel.name)]);
        svg.title(&elide(&lane.channel.name, TITLE_LIMIT));
        svg.empty(
            "path",
            &[
                ("class", &"rm-rail"),
                ("d", &format!("M{} {row}H{width}", width - 12)),
                ("stroke", &"currentColor"),
                ("stroke-width", &thickness(lane)),
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
