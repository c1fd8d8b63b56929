//! Walks drawn together: bundles that one walk passes share its row.
//!
//! Rule: an engine decides anew after each hop, so the walk from a bundle is its next bundle followed by the walk from
//! there (operator-lifecycle-manager, pkg/controller/registry/resolver; operator-controller, internal/operator-controller/
//! resolve). Walks therefore make a forest, which falls into routes: a route takes in bundle after bundle until it meets
//! one that another route has. Bundles that follow one another in a circle are a route of their own, taken first, so that
//! no bundle of a circle hides behind one that leads into it.
//! Cost: linear in the bundles, times the logarithm of their number.

use std::collections::{BTreeMap, BTreeSet};

/// The walk from each bundle: the bundles that follow it, hop after hop.
pub(super) type Forest<'view> = BTreeMap<usize, &'view [u32]>;

/// Bundles that follow one another; the walk from the last goes on over bundles of other routes, or ends.
pub(super) type Route = Vec<usize>;

/// Every bundle of the forest in exactly one route: circles first, then the longest walk.
pub(super) fn routes(forest: &Forest<'_>) -> Vec<Route> {
    let mut starts: Vec<usize> = forest.keys().copied().collect();
    let length = |start: &usize| forest.get(start).map_or(0, |path| path.len());
    starts.sort_by_key(|start| (!in_circle(*start, forest), std::cmp::Reverse(length(start)), *start));
    let mut taken = BTreeSet::new();
    starts.into_iter().map(|start| route(start, forest, &mut taken)).filter(|route| !route.is_empty()).collect()
}

/// Whether the walk from a bundle comes back to it.
pub(super) fn in_circle(bundle: usize, forest: &Forest<'_>) -> bool {
    let last = forest.get(&bundle).and_then(|path| path.last());
    last.and_then(|last| next(*last as usize, forest)) == Some(bundle)
}

fn next(bundle: usize, forest: &Forest<'_>) -> Option<usize> {
    forest.get(&bundle)?.first().map(|next| *next as usize)
}

fn route(start: usize, forest: &Forest<'_>, taken: &mut BTreeSet<usize>) -> Route {
    let mut route = Route::new();
    let mut here = Some(start);
    while let Some(bundle) = here.filter(|bundle| forest.contains_key(bundle) && taken.insert(*bundle)) {
        route.push(bundle);
        here = next(bundle, forest);
    }
    route
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_is_one_route_and_a_side_branch_another() {
        // 0 → 1 → 2 → 3, and 4 → 2.
        let forest = Forest::from([(0, &[1, 2, 3][..]), (1, &[2, 3]), (2, &[3]), (3, &[]), (4, &[2, 3])]);
        assert_eq!(routes(&forest), [vec![0, 1, 2, 3], vec![4]]);
    }

    #[test]
    fn a_circle_is_one_route() {
        let forest = Forest::from([(0, &[1][..]), (1, &[0])]);
        assert_eq!(routes(&forest), [vec![0, 1]]);
    }

    #[test]
    fn what_leads_into_a_circle_is_not_in_it() {
        // 0 → 1 → 2 → 1.
        let forest = Forest::from([(0, &[1, 2][..]), (1, &[2]), (2, &[1])]);
        assert_eq!(routes(&forest), [vec![1, 2], vec![0]]);
        assert_eq!([0, 1, 2].map(|bundle| in_circle(bundle, &forest)), [false, true, true]);
    }

    #[test]
    fn a_walk_that_leaves_the_forest_ends_its_route() {
        assert_eq!(routes(&Forest::from([(0, &[7, 8][..])])), [vec![0]]);
    }

    proptest! {
        #[test]
        fn every_bundle_is_in_one_route_and_followed_by_its_next(nexts in proptest::collection::vec(1usize..9, 1..40)) {
            let follow = |from: usize| from + nexts[from];
            let paths: Vec<Vec<u32>> = (0..nexts.len())
                .map(|from| {
                    let stops = std::iter::successors(Some(from), |here| Some(follow(*here)).filter(|next| *next < nexts.len()));
                    stops.skip(1).map(|stop| u32::try_from(stop).unwrap()).collect()
                })
                .collect();
            let forest: Forest = paths.iter().enumerate().map(|(from, path)| (from, path.as_slice())).collect();
            let routes = routes(&forest);
            let mut all: Vec<usize> = routes.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..nexts.len()).collect::<Vec<_>>());
            for pair in routes.iter().flat_map(|route| route.windows(2)) {
                prop_assert_eq!(follow(pair[0]), pair[1]);
            }
        }
    }
}
