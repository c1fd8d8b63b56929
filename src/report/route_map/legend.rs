//! The legend: every shape that a map shows, with its meaning.
//!
//! Rule: the shapes are the ones that the map is drawn with; what it does not show is left out.
//! Cost: linear in the map.

use std::collections::BTreeSet;

use super::rails::CLOSED;
use super::stations::{circle, diamond, pill, pointed};
use super::svg::Svg;
use super::troubles::Trouble;

/// Width and height of a picture, and its middle.
const WIDTH: i32 = 44;
const HEIGHT: i32 = 24;
const MIDDLE: (i32, i32) = (WIDTH / 2, HEIGHT / 2);

/// One path of a picture.
struct Stroke {
    outline: String,
    fill: &'static str,
    width: i32,
    dashes: &'static str,
}

impl Stroke {
    fn full(outline: String) -> Self {
        Self { outline, fill: "currentColor", width: 2, dashes: "none" }
    }

    fn hollow(outline: String) -> Self {
        Self { outline, fill: "Canvas", width: 2, dashes: "none" }
    }

    fn broken(outline: String) -> Self {
        Self { outline, fill: "Canvas", width: 2, dashes: "3 2" }
    }

    fn rail(outline: &str, width: i32, dashes: &'static str) -> Self {
        Self { outline: outline.to_owned(), fill: "none", width, dashes }
    }
}

/// The legend of a drawn map as an HTML list; the pictures are SVG and hidden from readers of text.
pub(super) fn legend(map: &str) -> String {
    // A quotation mark in foreign text is escaped, so that this finds attributes alone.
    let shown: BTreeSet<&str> =
        map.split(" class=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)).collect();
    let mut list = Svg::default();
    list.open("ul", &[("class", &"rm-legend")]);
    for ((strokes, meaning), shows) in rows().into_iter().zip(SHOWS) {
        if shown.iter().any(|classes| shows.is_met_by(classes)) {
            list.open("li", &[]);
            picture(&mut list, &strokes);
            list.text("span", &[], meaning);
            list.close("li");
        }
    }
    list.close("ul");
    list.finish()
}

/// The classes of an element that a row of the legend explains: those it has, and those it has not.
struct Shows(&'static [&'static str], &'static [&'static str]);

impl Shows {
    fn is_met_by(&self, classes: &str) -> bool {
        let has = |class: &&str| classes.split(' ').any(|other| other == *class);
        self.0.iter().all(has) && !self.1.iter().any(has)
    }
}

/// What each of the [`rows`] explains.
const SHOWS: [Shows; 17] = [
    Shows(&["rm-station"], &["rm-deprecated", "rm-outside", "rm-visitor"]),
    Shows(&["rm-head"], &[]),
    Shows(&["rm-deprecated"], &["rm-lane", "rm-outside", "rm-visitor"]),
    Shows(&["rm-station", "rm-outside"], &[]),
    Shows(&["rm-visitor"], &["rm-outside"]),
    Shows(&["rm-fold"], &["rm-outside"]),
    Shows(&["rm-fold", "rm-outside"], &[]),
    Shows(&["rm-track"], &["rm-closed"]),
    Shows(&["rm-closed"], &[]),
    Shows(&["rm-express"], &[]),
    Shows(&["rm-dot"], &[]),
    Shows(&["rm-down"], &["rm-band"]),
    Shows(&["rm-band"], &[]),
    Shows(&["rm-interchange"], &[]),
    Shows(&["rm-dead-end"], &[]),
    Shows(&["rm-circle"], &[]),
    Shows(&["rm-descent"], &[]),
];

fn rows() -> [(Vec<Stroke>, &'static str); SHOWS.len()] {
    let (x, y) = MIDDLE;
    let mark = |trouble: Trouble| vec![Stroke::rail(&trouble.outline(MIDDLE), 2, "none")];
    let arrow = || Stroke::full("M36 20l-4 -7h8Z".to_owned());
    [
        (vec![Stroke::full(circle(x, y, 6))], "bundle of the channel"),
        (vec![Stroke::hollow(circle(x, y, 10)), Stroke::full(circle(x, y, 6))], "head of the channel"),
        (vec![Stroke::hollow(circle(x, y, 6))], "deprecated bundle"),
        (vec![Stroke::hollow(diamond(x, y))], "named by an edge, not in the catalog"),
        (vec![Stroke::broken(circle(x, y, 5))], "in another channel; may enter this one"),
        (vec![Stroke::full(pill(x, y))], "several bundles folded, with their number; ○ counts the deprecated"),
        (vec![Stroke::hollow(pointed(x, y))], "several names folded, none in the catalog"),
        (vec![Stroke::rail("M0 12H44", 4, "none")], "replaces: one step; it rises over bundles that it leaves out"),
        (vec![Stroke::rail("M0 12H44", 2, CLOSED)], "replaces, but OLM v0 never takes it: its target is skipped"),
        (vec![Stroke::rail("M6 20V12Q6 6 12 6H30Q36 6 36 12V16", 2, "none"), arrow()], "skips or skipRange: a jump"),
        (
            vec![
                Stroke::rail("M4 20V12Q4 6 10 6H30Q36 6 36 12V16", 2, "none"),
                Stroke::rail("M20 20V6", 1, "none"),
                Stroke::full(circle(20, 6, 2)),
                arrow(),
            ],
            "jumps into one bundle share a line: they start at each dot",
        ),
        (vec![Stroke::rail("M38 4V12Q38 18 32 18H14Q8 18 8 12V8", 2, "5 4")], "to an older bundle: a downgrade"),
        (vec![Stroke::rail("M6 12H38", 10, "none")], "further jumps or downgrades, too many to draw"),
        (vec![Stroke::rail("M22 0V24", 1, "1 3")], "the same version in several channels"),
        (mark(Trouble::DeadEnd), "dead end: OLM v0 stays, although there are newer bundles"),
        (mark(Trouble::Loop), "loop: OLM v0 comes back here again and again"),
        (mark(Trouble::Down), "OLM v0 goes on from here to a lower version"),
    ]
}

fn picture(list: &mut Svg, strokes: &[Stroke]) {
    list.open(
        "svg",
        &[
            ("class", &"rm-sample"),
            ("aria-hidden", &"true"),
            ("width", &WIDTH),
            ("height", &HEIGHT),
            ("viewBox", &format!("0 0 {WIDTH} {HEIGHT}")),
        ],
    );
    for stroke in strokes {
        let opacity = if stroke.width >= 10 { "0.3" } else { "1" };
        list.empty(
            "path",
            &[
                ("d", &stroke.outline),
                ("fill", &stroke.fill),
                ("stroke", &"currentColor"),
                ("stroke-width", &stroke.width),
                ("stroke-opacity", &opacity),
                ("stroke-dasharray", &stroke.dashes),
            ],
        );
    }
    list.close("svg");
}
