//! The shared axis: which names stand in which column, and where the column stands.
//!
//! Rule: a column holds names that follow one another in version order, so columns are in version order too. Up to
//! [`UNFOLDED`] columns each known name has its own. Above that names of one minor fold, then of one major, then runs of
//! equal length; the coarsest always fits. Heads stay out of the folds by minor and major, and a fold never mixes names
//! that the catalog holds with others, except in the coarsest.
//! Cost: linear in the names.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::report::schema::{BundleView, PackageView};

/// The greatest number of columns that needs no folding.
pub(super) const UNFOLDED: usize = 40;
/// The greatest number of columns of a folded map.
const FOLDED: usize = 80;
/// The greatest number of heads that stay out of the folds; above it those of the default channel do, if they are fewer.
const KEPT_HEADS: usize = 40;
/// The greatest number of names in a row, all outside the catalog, that each have a column.
const OUTSIDE_UNFOLDED: usize = 3;
/// Where the first column begins.
const LEFT: i32 = 12;
/// Width of a column of one name.
const SINGLE: i32 = 34;
/// The zone of names of unknown version that the catalog does not hold.
const OUTSIDE: &str = "outside the catalog";
/// Width of a column of several names, or of unknown version.
const WIDE: i32 = 58;

/// One place on the axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// The names that stand here: positions in the view's list.
    pub(super) members: Range<usize>,
    /// The part of the axis that it belongs to, such as `1.4`; null where versions of the catalog are unknown.
    pub(super) zone: Option<String>,
    /// Its left border.
    pub(super) left: i32,
    /// Its right border.
    pub(super) right: i32,
}

impl Column {
    /// Where its stations stand.
    pub(super) fn middle(&self) -> i32 {
        i32::midpoint(self.left, self.right)
    }

    /// Whether it holds several names.
    pub(super) fn is_fold(&self) -> bool {
        self.members.len() > 1
    }
}

/// Least width of the zone of names outside the catalog, which its title takes.
const OUTSIDE_ZONE: i32 = 140;

/// The whole axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Axis {
    /// The columns from left to right.
    pub(super) columns: Vec<Column>,
    /// The column of each name.
    column_of: Vec<usize>,
}

impl Axis {
    /// The column that a name stands in, null for a position beyond the view's names.
    pub(super) fn column_of(&self, name: usize) -> Option<usize> {
        self.column_of.get(name).copied()
    }

    /// Where a column's stations stand.
    pub(super) fn middle(&self, column: usize) -> i32 {
        self.columns.get(column).map_or(LEFT, Column::middle)
    }

    /// Whether any column holds several names.
    pub(super) fn is_folded(&self) -> bool {
        self.columns.iter().any(Column::is_fold)
    }

    /// Where the last column ends.
    pub(super) fn right(&self) -> i32 {
        self.columns.last().map_or(LEFT, |last| last.right)
    }
}

/// How coarsely names fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coarseness {
    Single,
    Minor,
    Major,
    Block,
}

/// Lays out the axis of a view; `heads` are the positions of all heads, `main_heads` those of the default channel.
pub(super) fn axis(view: &PackageView, heads: &BTreeSet<usize>, main_heads: &BTreeSet<usize>) -> Axis {
    let none = BTreeSet::new();
    let kept = [heads, main_heads].into_iter().find(|heads| heads.len() <= KEPT_HEADS).unwrap_or(&none);
    let groups = [(Coarseness::Single, UNFOLDED), (Coarseness::Minor, FOLDED), (Coarseness::Major, FOLDED)]
        .into_iter()
        .map(|(coarseness, limit)| (runs(view, kept, coarseness), limit))
        .find(|(groups, limit)| groups.len() <= *limit)
        .map_or_else(|| blocks(view), |(groups, _)| groups);
    place(groups, view)
}

/// A group of names that becomes one column, with its zone.
type Group = (Range<usize>, Option<String>);

fn place(groups: Vec<Group>, view: &PackageView) -> Axis {
    let outside_width = outside_width(&groups, view);
    let mut columns = Vec::with_capacity(groups.len());
    let mut column_of = Vec::with_capacity(view.bundles.len());
    let mut left = LEFT;
    for (members, zone) in groups {
        let width = match &zone {
            None if is_outside(&members, view) => outside_width,
            None => WIDE,
            Some(_) if members.len() > 1 => WIDE,
            Some(_) => SINGLE,
        };
        column_of.extend(members.clone().map(|_| columns.len()));
        columns.push(Column {
            zone: zone.or_else(|| is_outside(&members, view).then(|| OUTSIDE.to_owned())),
            members,
            left,
            right: left + width,
        });
        left += width;
    }
    Axis { columns, column_of }
}

/// Width of each column of names outside the catalog, so that the title of their zone has room.
fn outside_width(groups: &[Group], view: &PackageView) -> i32 {
    let outside = groups.iter().filter(|(members, zone)| zone.is_none() && is_outside(members, view)).count();
    i32::try_from(outside).map_or(WIDE, |outside| WIDE.max(OUTSIDE_ZONE / outside.max(1)))
}

fn is_outside(members: &Range<usize>, view: &PackageView) -> bool {
    view.bundles.get(members.clone()).is_some_and(|bundles| bundles.iter().all(|bundle| !bundle.in_catalog))
}

/// What names of one run have in common.
#[derive(PartialEq, Eq)]
struct Common {
    zone: Option<String>,
    in_catalog: bool,
    /// A kept name is alone in its run.
    kept: Option<usize>,
}

fn runs(view: &PackageView, kept: &BTreeSet<usize>, coarseness: Coarseness) -> Vec<Group> {
    let mut runs: Vec<(Range<usize>, Common)> = Vec::new();
    for (name, bundle) in view.bundles.iter().enumerate() {
        let zone = zone(bundle, coarseness);
        let common = Common { zone, in_catalog: bundle.in_catalog, kept: kept.contains(&name).then_some(name) };
        match runs.last_mut() {
            Some((members, before)) if *before == common => members.end = name + 1,
            _ => runs.push((name..name + 1, common)),
        }
    }
    let folds_known = coarseness != Coarseness::Single;
    runs.into_iter()
        .flat_map(|(members, common)| {
            let folds = if common.in_catalog { folds_known } else { members.len() > OUTSIDE_UNFOLDED };
            let size = if folds { members.len() } else { 1 };
            chunks(members, size, common.zone)
        })
        .collect()
}

fn blocks(view: &PackageView) -> Vec<Group> {
    let count = view.bundles.len();
    let size = count.div_ceil(FOLDED / 2);
    let unknown = view.bundles.iter().take_while(|bundle| zone(bundle, Coarseness::Block).is_none()).count();
    let all = zone_name(Coarseness::Block, "", "");
    chunks(0..unknown, size, None).into_iter().chain(chunks(unknown..count, size, Some(all))).collect()
}

fn chunks(members: Range<usize>, size: usize, zone: Option<String>) -> Vec<Group> {
    let end = members.end;
    members.step_by(size.max(1)).map(|first| (first..(first + size).min(end), zone.clone())).collect()
}

/// The part of the axis that a bundle belongs to, null where its version is unknown or no version.
fn zone(bundle: &BundleView, coarseness: Coarseness) -> Option<String> {
    let version = bundle.version.as_deref()?;
    let core = version.split(['-', '+']).next()?;
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = core.split('.');
    let major = parts.next().filter(is_number)?;
    let minor = parts.next().filter(is_number)?;
    Some(zone_name(coarseness, major, minor))
}

fn zone_name(coarseness: Coarseness, major: &str, minor: &str) -> String {
    match coarseness {
        Coarseness::Single | Coarseness::Minor => format!("{major}.{minor}"),
        Coarseness::Major => format!("{major}.x"),
        Coarseness::Block => "all versions".to_owned(),
    }
}
