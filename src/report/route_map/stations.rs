//! Draws the stops of a lane: stations and folds.
//!
//! Rule: shape tells everything. A bundle is a full circle, a deprecated one hollow, a head has a ring and the word; a
//! name outside the catalog is a diamond, a visitor a small broken circle; a fold is a pill with the number of bundles,
//! with pointed ends where the catalog holds none of them. Below stand a word and marks for the troubles of OLM v0.
//! Cost: linear in the bundles of a stop.

use super::lanes::{Lane, Layout, Stop};
use super::notes;
use super::svg::{Svg, elide, positions};
use super::troubles::Trouble;
use crate::finding::counted;
use crate::report::schema::BundleView;

/// The most characters of a title's part that is foreign text.
pub(super) const TITLE_LIMIT: usize = 120;
/// Room at each side of a fold's column that stops may not use.
const FOLD_MARGIN: i32 = 6;

/// What a stop has to tell.
struct Facts<'view> {
    bundles: Vec<(usize, &'view BundleView)>,
    /// Entries of the lane, or visitors where there are none.
    shown: usize,
    deprecated: usize,
    is_fold: bool,
    is_head: bool,
    is_outside: bool,
    is_visitor: bool,
    /// Troubles of OLM v0, each with the number of bundles that have it.
    troubles: Vec<(Trouble, usize)>,
}

impl<'view> Facts<'view> {
    fn of(layout: &Layout<'view>, lane: &Lane, stop: &Stop) -> Self {
        let is_visitor = stop.entries.is_empty();
        let bundles: Vec<(usize, &BundleView)> = stop
            .entries
            .union(&stop.visitors)
            .filter_map(|name| layout.view.bundles.get(*name).map(|bundle| (*name, bundle)))
            .collect();
        let is_shown = |name: &usize| is_visitor || stop.entries.contains(name);
        let troubles = Trouble::ALL
            .map(|trouble| (trouble, lane.troubles.count(trouble, bundles.iter().map(|(name, _)| name))))
            .into_iter()
            .filter(|(_, count)| *count > 0);
        Self {
            troubles: troubles.collect(),
            shown: if is_visitor { stop.visitors.len() } else { stop.entries.len() },
            deprecated: bundles.iter().filter(|(name, bundle)| is_shown(name) && bundle.deprecated.is_some()).count(),
            is_fold: layout.axis.columns.get(stop.column).is_some_and(super::columns::Column::is_fold),
            is_head: !stop.heads.is_empty(),
            is_outside: bundles.iter().all(|(_, bundle)| !bundle.in_catalog),
            is_visitor,
            bundles,
        }
    }

    fn is_hollow(&self) -> bool {
        self.deprecated == self.shown
    }

    fn marks(&self) -> Vec<Trouble> {
        self.troubles.iter().map(|(trouble, _)| *trouble).collect()
    }

    fn class(&self) -> String {
        let mut class = if self.is_fold { "rm-fold" } else { "rm-station" }.to_owned();
        let states = [
            (self.is_head, " rm-head"),
            (self.is_hollow(), " rm-deprecated"),
            (self.is_outside, " rm-outside"),
            (self.is_visitor, " rm-visitor"),
        ];
        states.into_iter().filter(|(holds, _)| *holds).for_each(|(_, name)| class += name);
        class
    }
}

/// Draws one stop of a lane whose stations stand at `row`.
pub(super) fn draw(svg: &mut Svg, layout: &Layout, lane: &Lane, stop: &Stop, row: i32) {
    let facts = Facts::of(layout, lane, stop);
    let x = layout.axis.middle(stop.column);
    if facts.is_fold {
        draw_fold(svg, layout, lane, stop, &facts, (x, row));
    } else {
        draw_station(svg, lane, stop, &facts, (x, row));
    }
}

fn draw_station(svg: &mut Svg, lane: &Lane, stop: &Stop, facts: &Facts, (x, row): (i32, i32)) {
    let Some((name, bundle)) = facts.bundles.first() else { return };
    svg.open("g", &[("class", &facts.class()), ("data-name", name), ("data-x", &x)]);
    svg.title(&station_title(lane, facts, bundle));
    if facts.is_outside {
        shape(svg, &diamond(x, row), true, false);
    } else if facts.is_visitor {
        shape(svg, &circle(x, row, 5), true, true);
    } else {
        if facts.is_head {
            svg.empty(
                "path",
                &[
                    ("class", &"rm-ring"),
                    ("d", &circle(x, row, 10)),
                    ("fill", &"Canvas"),
                    ("stroke", &"currentColor"),
                    ("stroke-width", &2),
                ],
            );
        }
        shape(svg, &circle(x, row, 6), facts.is_hollow(), false);
    }
    if stop.inside > 0 {
        svg.text(
            "text",
            &[("class", &"rm-loop"), ("x", &(x + 9)), ("y", &(row - 6)), ("data-count", &stop.inside)],
            "↺",
        );
    }
    notes::draw(svg, lane, stop, (x, row), &facts.marks(), if facts.is_head { "head" } else { "" });
    svg.close("g");
}

fn draw_fold(svg: &mut Svg, layout: &Layout, lane: &Lane, stop: &Stop, facts: &Facts, (x, row): (i32, i32)) {
    let column = layout.axis.columns.get(stop.column);
    let (left, right) = column.map_or((x, x), |column| (column.left + FOLD_MARGIN, column.right - FOLD_MARGIN));
    svg.open(
        "g",
        &[
            ("class", &facts.class()),
            ("data-members", &positions(facts.bundles.iter().map(|(name, _)| *name))),
            ("data-inside", &stop.inside),
            ("data-x", &x),
            ("data-left", &left),
            ("data-right", &right),
        ],
    );
    svg.title(&fold_title(lane, stop, facts));
    let hollow = facts.is_hollow() || facts.is_outside || facts.is_visitor;
    let outline = if facts.is_outside { pointed(x, row) } else { pill(x, row) };
    shape(svg, &outline, hollow, facts.is_visitor && !facts.is_outside);
    svg.text(
        "text",
        &[
            ("class", &"rm-count"),
            ("x", &x),
            ("y", &(row + 4)),
            ("text-anchor", &"middle"),
            ("font-weight", &"bold"),
            ("fill", &if hollow { "CanvasText" } else { "Canvas" }),
        ],
        &facts.shown.to_string(),
    );
    let some_deprecated = facts.deprecated > 0 && !facts.is_hollow();
    let text = match (facts.is_head, some_deprecated) {
        (true, true) => format!("head · ○{}", facts.deprecated),
        (true, false) => "head".to_owned(),
        (false, true) => format!("○{}", facts.deprecated),
        (false, false) => String::new(),
    };
    notes::draw(svg, lane, stop, (x, row), &facts.marks(), &text);
    svg.close("g");
}

fn shape(svg: &mut Svg, outline: &str, hollow: bool, broken: bool) {
    svg.empty(
        "path",
        &[
            ("class", &"rm-mark"),
            ("d", &outline),
            ("fill", &if hollow { "Canvas" } else { "currentColor" }),
            ("stroke", &"currentColor"),
            ("stroke-width", &2),
            ("stroke-dasharray", &if broken { "3 2" } else { "none" }),
        ],
    );
}

pub(super) fn circle(x: i32, y: i32, radius: i32) -> String {
    let (left, across) = (x - radius, 2 * radius);
    format!("M{left} {y}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0Z")
}

pub(super) fn diamond(x: i32, y: i32) -> String {
    format!("M{} {y}l6 -6l6 6l-6 6Z", x - 6)
}

pub(super) fn pill(x: i32, y: i32) -> String {
    format!("M{} {}h16a9 9 0 0 1 0 18h-16a9 9 0 0 1 0 -18Z", x - 8, y - 9)
}

pub(super) fn pointed(x: i32, y: i32) -> String {
    format!("M{} {}h20l8 9l-8 9h-20l-8 -9Z", x - 10, y - 9)
}

fn station_title(lane: &Lane, facts: &Facts, bundle: &BundleView) -> String {
    let mut parts = vec![elide(&bundle.name, TITLE_LIMIT)];
    if let Some(version) = &bundle.version {
        parts.push(format!("version {}", elide(version, TITLE_LIMIT)));
    }
    if facts.is_head {
        parts.push(format!("head of {}", elide(&lane.channel.name, TITLE_LIMIT)));
    }
    if facts.is_outside {
        parts.push("not in the catalog".to_owned());
    } else if facts.is_visitor {
        parts.push(format!("no entry of {}", elide(&lane.channel.name, TITLE_LIMIT)));
    }
    if let Some(message) = &bundle.deprecated {
        parts.push(format!("deprecated: {}", elide(message, TITLE_LIMIT)));
    }
    parts.extend(facts.troubles.iter().map(|(trouble, _)| trouble.words().to_owned()));
    parts.join(", ")
}

fn fold_title(lane: &Lane, stop: &Stop, facts: &Facts) -> String {
    let name = |bundle: Option<&(usize, &BundleView)>| {
        bundle.map_or_else(String::new, |(_, bundle)| elide(&bundle.name, TITLE_LIMIT))
    };
    let mut parts = vec![format!(
        "{}: {} to {}",
        counted(facts.bundles.len(), "bundle"),
        name(facts.bundles.first()),
        name(facts.bundles.last())
    )];
    if facts.is_outside {
        parts.push("not in the catalog".to_owned());
    } else if !stop.visitors.is_empty() {
        parts.push(format!("{} no entry of {}", stop.visitors.len(), elide(&lane.channel.name, TITLE_LIMIT)));
    }
    if facts.is_head {
        parts.push(counted(stop.heads.len(), "head"));
    }
    if facts.deprecated > 0 {
        parts.push(format!("{} deprecated", facts.deprecated));
    }
    parts.extend(facts.troubles.iter().map(|(trouble, count)| format!("{count} of them: {}", trouble.words())));
    if stop.inside > 0 {
        parts.push(format!("{} between them", counted(stop.inside, "edge")));
    }
    parts.join(", ")
}
