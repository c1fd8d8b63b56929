//! Draws what stands below a stop: marks of trouble, and a word below those.
//!
//! Rule: where lines run below the stop, its note stands below them, so that it covers none.
//! Cost: linear in the lines below the lane.

use super::lanes::{Lane, Stop};
use super::rails::{FIRST_BELOW, LEVEL};
use super::svg::Svg;
use super::troubles::Trouble;

/// From the stations to the foot of a note that has no line above it.
const FOOT: i32 = 22;
/// Height that a lane with marks needs for them.
pub(super) const MARKS: i32 = 12;
/// Width of a mark, with the room beside it.
const MARK: i32 = 13;

/// Draws the note of a stop at `x` of a lane whose stations stand at `row`.
pub(super) fn draw(svg: &mut Svg, lane: &Lane, stop: &Stop, (x, row): (i32, i32), marks: &[Trouble], text: &str) {
    let y = foot(lane, stop, row);
    let others = i32::try_from(marks.len()).unwrap_or(0) - 1;
    let mut middle = x - MARK * others / 2;
    for mark in marks {
        svg.empty(
            "path",
            &[
                ("class", &mark.class()),
                ("d", &mark.outline((middle, y - 3))),
                ("fill", &"none"),
                ("stroke", &"currentColor"),
                ("stroke-width", &2),
            ],
        );
        middle += MARK;
    }
    if !text.is_empty() {
        svg.text(
            "text",
            &[
                ("class", &"rm-note"),
                ("x", &x),
                ("y", &(if marks.is_empty() { y } else { y + MARKS })),
                ("text-anchor", &"middle"),
                ("stroke", &"Canvas"),
                ("stroke-width", &3),
                ("paint-order", &"stroke"),
            ],
            text,
        );
    }
}

fn foot(lane: &Lane, stop: &Stop, row: i32) -> i32 {
    let lines = &lane.lines;
    let is_passed = lines.below.iter().chain(&lines.band_below).any(|line| {
        let (first, last) = line.span();
        (first..=last).contains(&stop.column)
    });
    let levels = i32::try_from(lines.levels_below()).unwrap_or(i32::MAX / LEVEL / 2);
    row + if is_passed { FIRST_BELOW + LEVEL * levels } else { FOOT }
}
