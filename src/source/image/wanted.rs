//! Which paths of an image somebody wants to read.
//!
//! Rule: a path is wanted where it is one of these or lies below one; borders are slashes, so that `configs` does not
//! want `configs-old`. Cost: one binary search for each question, however many paths there are.

use std::cmp::Ordering;

use crate::source::tar::plain_path;

/// Paths that are wanted with all that lies below them, in a fixed order and none below another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    paths: Vec<String>,
}

/// How a path of an image stands to what is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It is wanted.
    Inside,
    /// Something below it is wanted.
    Ancestor,
    /// Neither.
    Outside,
}

impl Wanted {
    /// Wants these paths; those that [`Wanted::add`] refuses are left out.
    ///
    /// ```
    /// use skipstone::source::image::Wanted;
    ///
    /// let wanted = Wanted::new(["/configs/"]);
    /// assert!(wanted.holds("configs/heron/catalog.yaml"));
    /// assert!(!wanted.holds("configs-old/catalog.yaml"));
    /// ```
    pub fn new<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Self {
        let mut wanted = Self::default();
        for path in paths {
            wanted.add(path.as_ref());
        }
        wanted
    }

    /// Wants one more path; the root wants everything. Says whether anything changed: a path with `..` is refused, and one
    /// that is wanted already needs nothing.
    pub fn add(&mut self, path: &str) -> bool {
        let Some(path) = plain_path(path).filter(|path| !self.holds(path)) else { return false };
        self.paths.retain(|other| !is_at_or_below(other, &path));
        let position = self.paths.partition_point(|other| compare(other, &path) == Ordering::Less);
        self.paths.insert(position, path);
        true
    }

    /// The paths, in a fixed order.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Whether a path without `/` at its ends is wanted.
    pub fn holds(&self, path: &str) -> bool {
        self.relation(path) == Relation::Inside
    }

    /// How a path stands to what is wanted. No wanted path lies below another, so that the last one that is not greater is
    /// the only one that can hold the path, and the next one the only one that need be looked at below it.
    pub(crate) fn relation(&self, path: &str) -> Relation {
        let greater = self.paths.partition_point(|other| compare(other, path) != Ordering::Greater);
        let last = greater.checked_sub(1).and_then(|position| self.paths.get(position));
        if last.is_some_and(|last| is_at_or_below(path, last)) {
            return Relation::Inside;
        }
        if self.paths.get(greater).is_some_and(|next| is_at_or_below(next, path)) {
            return Relation::Ancestor;
        }
        Relation::Outside
    }
}

/// Whether a path is another or lies below it; all lie below the root.
pub(crate) fn is_at_or_below(path: &str, top: &str) -> bool {
    top.is_empty() || path.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An order in which what lies below a path follows it at once: the slash comes before everything else.
fn compare(one: &str, other: &str) -> Ordering {
    weights(one).cmp(weights(other))
}

fn weights(path: &str) -> impl Iterator<Item = u8> {
    path.bytes().map(|byte| if byte == b'/' { 0 } else { byte })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn borders_are_slashes() {
        let wanted = Wanted::new(["/configs", "manifests/", "a/b"]);
        for path in ["configs", "configs/x", "manifests", "a/b", "a/b/c"] {
            assert!(wanted.holds(path), "{path}");
        }
        for path in ["", "a", "configs-b/x", "configsx", "config", "x/configs", "a/bc", "CONFIGS"] {
            assert!(!wanted.holds(path), "{path}");
        }
        assert_eq!(wanted.relation("a"), Relation::Ancestor);
        assert_eq!(wanted.relation(""), Relation::Ancestor);
        assert_eq!(wanted.relation("b"), Relation::Outside);
    }

    #[test]
    fn what_is_wanted_already_changes_nothing() {
        let mut wanted = Wanted::new(["configs"]);
        assert!(!wanted.add("configs/below"));
        assert!(!wanted.add("configs/../etc"));
        assert!(wanted.add("/"));
        assert_eq!(wanted.paths(), [""]);
        assert!(wanted.holds("anything"));
    }

    proptest! {
        /// Against looking at every path in turn.
        #[test]
        fn relations_are_those_of_a_plain_search(paths in prop::collection::vec("[ab.-]{1,2}(/[ab.-]{1,2}){0,2}", 0..6), path in "([ab.-]{1,2}(/[ab.-]{1,2}){0,3})?") {
            let paths: Vec<String> = paths.iter().filter_map(|path| plain_path(path)).collect();
            let wanted = Wanted::new(&paths);
            let expected = if paths.iter().any(|top| top.is_empty() || path == *top || path.starts_with(&format!("{top}/"))) {
                Relation::Inside
            } else if paths.iter().any(|top| path.is_empty() || top.starts_with(&format!("{path}/"))) {
                Relation::Ancestor
            } else {
                Relation::Outside
            };
            prop_assert_eq!(wanted.relation(&path), expected);
        }
    }
}
