//! Draws the lines of one lane: tracks, express lines, lines to older bundles and bands.
//!
//! Rule: a line leaves a station to its right and comes in from its left, or the other way round below the lane, so that
//! one line may end where the next begins. Further sources of a line rise to it and board where the dot is.
//! Cost: linear in the lines and the columns that they start from.

use super::lanes::{Lane, Layout};
use super::lines::Line;
use super::svg::{Svg, elide, positions};
use crate::finding::counted;

/// Height of one level of lines.
pub(super) const LEVEL: i32 = 14;
/// From the stations to the first line above.
const FIRST_ABOVE: i32 = 19;
/// From the stations to the first line below.
pub(super) const FIRST_BELOW: i32 = 19;
/// From a station's middle to where lines touch its rim.
const RIM: i32 = 10;
/// How far from a station's middle lines leave or come in.
const ASIDE: i32 = 5;
/// The dashes of a track that OLM v0 never takes.
pub(super) const CLOSED: &str = "2 4";
/// Radius of corners.
const CORNER: i32 = 6;
/// The most characters of a name in a title.
const NAME_LIMIT: usize = 80;

/// Where a line runs: above a lane to the right, or below it to the left.
struct Course {
    row: i32,
    /// 1 below the lane, -1 above it.
    side: i32,
    /// 1 to the right, -1 to the left.
    ahead: i32,
}

impl Course {
    fn above(row: i32) -> Self {
        Self { row, side: -1, ahead: 1 }
    }

    fn below(row: i32) -> Self {
        Self { row, side: 1, ahead: -1 }
    }

    fn height(&self, level: usize) -> i32 {
        let first = if self.side < 0 { FIRST_ABOVE } else { FIRST_BELOW };
        let levels = i32::try_from(level).unwrap_or(i32::MAX / LEVEL / 2);
        self.row + self.side * (first + LEVEL * levels)
    }

    fn rim(&self) -> i32 {
        self.row + self.side * RIM
    }
}

/// Draws all lines of a lane whose stations stand at `row`.
pub(super) fn draw(svg: &mut Svg, layout: &Layout, lane: &Lane, row: i32) {
    let (above, below) = (Course::above(row), Course::below(row));
    if let Some(band) = &lane.lines.band_above {
        let (height, word) = (above.height(lane.lines.levels_above() - 1), more("jump", &lane.lines.above, band));
        draw_band(svg, layout, band, "rm-band", height, &word);
    }
    if let Some(band) = &lane.lines.band_below {
        let (height, word) = (below.height(lane.lines.levels_below() - 1), more("downgrade", &lane.lines.below, band));
        draw_band(svg, layout, band, "rm-band rm-down", height, &word);
    }
    for line in &lane.lines.below {
        draw_line(svg, layout, lane, line, &below);
    }
    for line in lane.lines.above.iter().rev() {
        draw_line(svg, layout, lane, line, &above);
    }
    for track in &lane.lines.tracks {
        draw_track(svg, layout, lane, track, row);
    }
}

/// The dashes of a lane whose colour is used again, none for the first of a colour.
fn dashes(lane: &Lane) -> &'static str {
    match lane.repeat {
        0 => "none",
        1 => "10 3",
        2 => "6 3",
        _ => "10 3 2 3",
    }
}

/// How thick a lane's tracks are.
pub(super) fn thickness(lane: &Lane) -> i32 {
    if lane.channel.default { 6 } else { 4 }
}

fn draw_track(svg: &mut Svg, layout: &Layout, lane: &Lane, track: &Line, row: i32) {
    let (first, last) = track.span();
    let (class, width, dash) = strokes(lane, track, Course::above(row).side);
    open(svg, layout, track, class);
    svg.empty(
        "path",
        &[
            ("class", &"rm-rail"),
            ("d", &format!("M{} {row}H{}", layout.axis.middle(first), layout.axis.middle(last))),
            ("stroke", &"currentColor"),
            ("stroke-width", &width),
            ("stroke-dasharray", &dash),
        ],
    );
    svg.close("g");
}

/// Class, width and dashes of a line; of a track they tell whether OLM v0 may take it.
fn strokes(lane: &Lane, line: &Line, side: i32) -> (&'static str, i32, &'static str) {
    match (line.is_track, line.is_closed(), side) {
        (true, true, _) => ("rm-track rm-closed", 2, CLOSED),
        (true, false, _) => ("rm-track", thickness(lane), dashes(lane)),
        (false, _, 1) => ("rm-down", 2, "5 4"),
        (false, ..) => ("rm-express", 2, "none"),
    }
}

fn draw_line(svg: &mut Svg, layout: &Layout, lane: &Lane, line: &Line, course: &Course) {
    let (class, width, dash) = strokes(lane, line, course.side);
    let class = if line.is_track { format!("{class} rm-bypass") } else { class.to_owned() };
    let Some(target) = line.targets.first().map(|column| layout.axis.middle(*column)) else { return };
    let mut sources: Vec<i32> = line.sources.iter().map(|column| layout.axis.middle(*column)).collect();
    if course.ahead < 0 {
        sources.reverse();
    }
    let Some((start, others)) = sources.split_first() else { return };
    let bar = course.height(line.level);
    open(svg, layout, line, &class);
    svg.empty(
        "path",
        &[
            ("class", &"rm-rail"),
            ("d", &rail(*start, target, bar, course)),
            ("fill", &"none"),
            ("stroke", &"currentColor"),
            ("stroke-width", &width),
            ("stroke-dasharray", &dash),
        ],
    );
    svg.empty("path", &[("class", &"rm-arrow"), ("d", &arrow(target, course)), ("fill", &"currentColor")]);
    boarding(svg, others, bar, course);
    if line.count > 1 {
        count(svg, i32::midpoint(*start, target), bar + 4, &format!("×{}", line.count));
    }
    svg.close("g");
}

fn open(svg: &mut Svg, layout: &Layout, line: &Line, class: &str) {
    svg.open(
        "g",
        &[
            ("class", &class),
            ("data-count", &line.count),
            ("data-from", &positions(line.from.iter().copied())),
            ("data-to", &positions(line.to.iter().copied())),
        ],
    );
    svg.title(&title(layout, line));
}

/// From the rim of the first source to the bar, along it, and to the rim of the target.
fn rail(start: i32, target: i32, bar: i32, course: &Course) -> String {
    let (side, ahead, rim) = (course.side, course.ahead, course.rim());
    let (out, into) = (start + ahead * ASIDE, target - ahead * ASIDE);
    let (near, turn, end) = (bar - side * CORNER, out + ahead * CORNER, into - ahead * CORNER);
    format!("M{out} {rim}V{near}Q{out} {bar} {turn} {bar}H{end}Q{into} {bar} {into} {near}V{}", rim + side * 3)
}

/// A triangle that touches the target's rim.
fn arrow(target: i32, course: &Course) -> String {
    let (x, tip) = (target - course.ahead * ASIDE, course.rim() - course.side * 2);
    let base = tip + course.side * 7;
    format!("M{x} {tip}L{} {base}H{}Z", x - 4, x + 4)
}

fn boarding(svg: &mut Svg, sources: &[i32], bar: i32, course: &Course) {
    if sources.is_empty() {
        return;
    }
    let (mut risers, mut dots) = (String::new(), String::new());
    for source in sources {
        let x = source + course.ahead * ASIDE;
        risers += &format!("M{x} {}V{bar}", course.rim());
        dots += &format!("M{x} {bar}h0");
    }
    svg.empty(
        "path",
        &[
            ("class", &"rm-board"),
            ("d", &risers),
            ("fill", &"none"),
            ("stroke", &"currentColor"),
            ("stroke-opacity", &"0.45"),
        ],
    );
    svg.empty(
        "path",
        &[
            ("class", &"rm-dot"),
            ("d", &dots),
            ("fill", &"none"),
            ("stroke", &"currentColor"),
            ("stroke-width", &6),
            ("stroke-linecap", &"round"),
        ],
    );
}

/// What a band says: how many edges it holds, more than the lines beside it.
fn more(noun: &str, lines: &[Line], band: &Line) -> String {
    if lines.is_empty() { counted(band.count, noun) } else { counted(band.count, &format!("more {noun}")) }
}

fn draw_band(svg: &mut Svg, layout: &Layout, band: &Line, class: &str, height: i32, word: &str) {
    let (first, last) = band.span();
    let (left, right) = (layout.axis.middle(first), layout.axis.middle(last));
    open(svg, layout, band, class);
    svg.empty(
        "path",
        &[
            ("class", &"rm-rail"),
            ("d", &format!("M{left} {height}H{right}")),
            ("stroke", &"currentColor"),
            ("stroke-width", &10),
            ("stroke-opacity", &"0.3"),
            ("stroke-linecap", &"round"),
        ],
    );
    count(svg, i32::midpoint(left, right), height + 4, word);
    svg.close("g");
}

fn count(svg: &mut Svg, x: i32, y: i32, text: &str) {
    svg.text(
        "text",
        &[
            ("class", &"rm-count"),
            ("x", &x),
            ("y", &y),
            ("text-anchor", &"middle"),
            ("stroke", &"Canvas"),
            ("stroke-width", &4),
            ("paint-order", &"stroke"),
        ],
        text,
    );
}

fn title(layout: &Layout, line: &Line) -> String {
    let name = |position: Option<&usize>| {
        let bundle = position.and_then(|position| layout.view.bundles.get(*position));
        bundle.map_or_else(String::new, |bundle| elide(&bundle.name, NAME_LIMIT))
    };
    let end = |names: &std::collections::BTreeSet<usize>| match names.len() {
        1 => name(names.first()),
        several => format!("{several} bundles from {} to {}", name(names.first()), name(names.last())),
    };
    let kinds: Vec<String> = [(line.replaces, "replaces"), (line.skips, "skips"), (line.skip_range, "skipRange")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, kind)| if line.count == 1 { kind.to_owned() } else { format!("{number} by {kind}") })
        .collect();
    let edges = if line.count == 1 { String::new() } else { format!("{}: ", counted(line.count, "edge")) };
    let closed = if line.is_closed() { "; OLM v0 never takes it" } else { "" };
    format!("{edges}{} → {} ({}{closed})", end(&line.from), end(&line.to), kinds.join(", "))
}
