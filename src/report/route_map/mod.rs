//! The route map of a package: its channels as lines, its bundles as stations, its edges as track and express lines.
//!
//! The map is a pure function of a [`PackageView`] and is drawn as SVG without any library. Channels are horizontal
//! lanes, the default channel first, the others by name with its numbers as numbers. Bundles stand in version order on one axis that all lanes share, so the same
//! bundle in several channels stands in one vertical. Every edge of the view is in the drawing exactly once:
//!
//! | edge | drawn as |
//! |---|---|
//! | `replaces` between neighbours of a lane | solid track on the lane |
//! | `replaces` that passes other stations | solid track that rises over them |
//! | `replaces` that OLM v0 never takes | thin dotted track |
//! | only `skips` or `skipRange` | express line above the lane, one for all edges into the same target |
//! | into an older bundle | dashed line below the lane, one for all edges into the same target |
//! | from a bundle to itself | a mark on its station |
//! | any but `replaces` and those into heads, where they are too many to tell apart | counted in a broad band, one above and one below |
//! | between two bundles of one fold | counted at the fold |
//!
//! Rule: an entry's `replaces`, `skips` and `skipRange` are the only sources of edges, and they lead from the installed
//! bundle to the entry (operator-registry, alpha/model and alpha/declcfg, `Channel` entries). An edge or entry that
//! names a channel or bundle which the view does not list is not drawn; the view promises that there is none.
//!
//! Cost: linear in the entries and edges of the view. The drawing has a fixed greatest number of columns, and of lines
//! for each lane, so its size follows the number of channels, not the number of edges.
//!
//! # Folding
//!
//! Up to forty names, every bundle has its own station. Above that the bundles of one minor fold into one station that
//! shows their number; heads stay out of the folds. Where that leaves too many columns, majors fold, and at last
//! runs of equal length. More than three names in a row that the catalog does not hold always fold.
//!
//! # Contract for style sheet and script
//!
//! The map works without either: shapes tell what colours tell, and the folded picture is true. [`RouteMap::labels`]
//! goes left of a box that scrolls sideways and holds [`RouteMap::svg`]; both have equal height and a fixed scale:
//! neither may be stretched. A small map is drawn at 1.3 times its own units, in which all attributes are given. The newest bundles are at the right end, so the box should start there. All shapes take
//! `currentColor`, and `Canvas` where they are hollow. There are no `id` and no `style` attributes.
//!
//! Classes, of which several may stand on one element:
//!
//! | class | on | meaning |
//! |---|---|---|
//! | `rm-map`, `rm-labels` | `svg` | the map; the lanes' names |
//! | `rm-folded` | `svg.rm-map` | at least one station stands for several bundles |
//! | `rm-zone`, `rm-zone-odd` | `rect` | the band behind one minor; every second one |
//! | `rm-zone-label`, `rm-axis-label` | `text` | the minor; the version of a column |
//! | `rm-interchange` | `path` | one bundle in several lanes |
//! | `rm-lane` | `g` | one channel, with everything on it |
//! | `rm-line-0` … `rm-line-11` | `g.rm-lane`, `g.rm-label` | the lane's colour: set a variable here and use it inside |
//! | `rm-default` | `g.rm-lane`, `g.rm-label` | the default channel |
//! | `rm-deprecated` | `g.rm-lane`, `g.rm-label`, stations | deprecated; a fold only where all of it is |
//! | `rm-bed` | `path` | the faint line under a lane, not an edge |
//! | `rm-track` | `g` | a `replaces` edge; with `rm-bypass` where it rises over other stations |
//! | `rm-closed` | `g.rm-track` | OLM v0 never takes it, mostly because the target is skipped |
//! | `rm-express` | `g` | edges by `skips` or `skipRange` into one target |
//! | `rm-down` | `g` | edges into one older target |
//! | `rm-band` | `g` | all edges for which there was no room; with `rm-down` below the lane |
//! | `rm-rail`, `rm-arrow`, `rm-board`, `rm-dot`, `rm-count` | inside a `g` above | its line, its arrowhead, risers from further sources, where they board, the number of its edges |
//! | `rm-station` | `g` | one bundle in one lane |
//! | `rm-fold` | `g` | several bundles in one lane |
//! | `rm-head` | stations, folds | a head of the lane, or a fold that holds one |
//! | `rm-outside` | stations, folds | the catalog does not hold it |
//! | `rm-visitor` | stations, folds | no entry of this channel, only the start of an edge of it |
//! | `rm-mark`, `rm-ring`, `rm-loop`, `rm-note` | inside those | its shape, the outer ring of a head, an edge to itself, the word below |
//! | `rm-dead-end`, `rm-circle`, `rm-descent` | `path` inside those | OLM v0 stays, goes round, goes down from here |
//! | `rm-label`, `rm-name`, `rm-note` | in `svg.rm-labels` | a lane's label, its name, its second line |
//! | `rm-overlay` | `g` | empty, above all else: the script draws a chosen path here, as `rm-path` |
//! | `rm-legend`, `rm-sample` | `ul`, `svg` | the legend and its pictures |
//!
//! Attributes. Names are positions in [`PackageView::names`]; a set of them is written like `3,5-9`.
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `data-channel` | `rm-lane`, `rm-label` | the channel's name |
//! | `data-y` | `rm-lane` | where the lane's stations stand |
//! | `data-name`, `data-x` | `rm-station` | the bundle; where it stands |
//! | `data-members`, `data-x`, `data-left`, `data-right` | `rm-fold` | its bundles; its middle; the room that stops may use |
//! | `data-inside` | `rm-fold` | number of edges between its bundles |
//! | `data-count` | `rm-loop` | number of edges from the bundle to itself |
//! | `data-count`, `data-from`, `data-to` | `rm-track`, `rm-express`, `rm-down`, `rm-band` | number of edges; their sources; their targets |
//!
//! A hop of a path goes from the station or fold that holds its `from` to the one that holds its `to`, both in the lane
//! of its channel. The script spreads the stops inside one fold evenly from `data-left` to `data-right`, in version
//! order, draws a station for each, and joins the stops in `rm-overlay`. It marks the map with `rm-has-path`, and the
//! stations and folds that the path touches with `rm-on-path`.

mod background;
mod columns;
mod draw;
mod labels;
mod lanes;
mod legend;
mod lines;
mod notes;
mod rails;
mod stations;
mod svg;
#[cfg(test)]
mod tests;
mod troubles;

use super::schema::PackageView;

pub(in crate::report) use lanes::natural_order;

/// A drawn map, in two parts that stand side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteMap {
    /// The map: an `svg` element with title and description.
    pub svg: String,
    /// The names of its lanes: an `svg` element of the same height, which stays where it is while the map scrolls.
    pub labels: String,
    /// What its shapes mean: an HTML list.
    pub legend: String,
    /// Whether at least one station stands for several bundles.
    pub folded: bool,
    /// Width of the map in CSS pixels.
    pub width: i32,
    /// Height of both parts in CSS pixels.
    pub height: i32,
}

/// Draws the route map of a package. The module tells how to read and to style it.
pub fn draw(view: &PackageView) -> RouteMap {
    draw::route_map(&lanes::layout(view))
}
