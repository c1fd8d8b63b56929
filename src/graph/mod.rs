//! Directed graphs over dense node numbers: reachability of all pairs, shortest paths, circles.
//!
//! petgraph finds the strongly connected components and stays inside; bit sets hold the closure. Broken catalogs have
//! circles, so nothing here assumes that there are none. Cost: reachability is edges × targets / 64 words, at most a few
//! hundred targets for a package; a shortest path is linear in the edges.

use std::collections::{BTreeSet, VecDeque};

use fixedbitset::FixedBitSet;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// A directed graph; nodes are `0..len`, successors keep the order in which they were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    successors: Vec<Vec<usize>>,
}

impl Graph {
    /// A graph of so many nodes without edges.
    pub fn new(nodes: usize) -> Self {
        Self { successors: vec![Vec::new(); nodes] }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Adds an edge; nodes outside the graph are passed over.
    pub fn add_edge(&mut self, from: usize, to: usize) {
        if to < self.len()
            && let Some(successors) = self.successors.get_mut(from)
        {
            successors.push(to);
        }
    }

    /// Where a node leads to, in the order of the edges.
    pub fn successors(&self, node: usize) -> &[usize] {
        self.successors.get(node).map_or(&[], Vec::as_slice)
    }

    /// For every node the nodes that one or more edges lead to; itself only where it lies on a circle.
    pub fn reachability(&self) -> Reachability {
        let targets: Vec<usize> =
            self.successors.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let mut columns: Vec<Option<usize>> = vec![None; self.len()];
        for (column, target) in targets.iter().enumerate() {
            if let Some(slot) = columns.get_mut(*target) {
                *slot = Some(column);
            }
        }
        let column_of = |node: usize| columns.get(node).copied().flatten();
        let mut reached = vec![FixedBitSet::new(); self.len()];
        for component in self.components_from_the_sinks() {
            let mut closure = FixedBitSet::with_capacity(targets.len());
            for &node in &component {
                for &next in self.successors(node) {
                    closure.extend(column_of(next));
                    if let Some(behind) = reached.get(next) {
                        closure.union_with(behind);
                    }
                }
            }
            if component.len() > 1 {
                closure.extend(component.iter().filter_map(|node| column_of(*node)));
            }
            for &node in &component {
                if let Some(slot) = reached.get_mut(node) {
                    slot.clone_from(&closure);
                }
            }
        }
        Reachability { targets, columns, reached }
    }

    /// Strongly connected components, each after all that it leads to.
    fn components_from_the_sinks(&self) -> Vec<Vec<usize>> {
        let mut graph = DiGraph::<(), ()>::with_capacity(self.len(), 0);
        for _ in 0..self.len() {
            graph.add_node(());
        }
        for (from, successors) in self.successors.iter().enumerate() {
            for &to in successors {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            }
        }
        let components = tarjan_scc(&graph);
        components.into_iter().map(|nodes| nodes.into_iter().map(NodeIndex::index).collect()).collect()
    }

    /// A path with the fewest edges, both ends included; among equal ones the first by the order of successors.
    pub fn shortest_path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut before: Vec<Option<usize>> = vec![None; self.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if node == to && node != from {
                break;
            }
            for &next in self.successors(node) {
                if next != from
                    && let Some(slot @ None) = before.get_mut(next)
                {
                    *slot = Some(node);
                    queue.push_back(next);
                }
            }
        }
        let mut path = vec![to];
        let mut node = to;
        while node != from {
            node = before.get(node).copied().flatten()?;
            path.push(node);
        }
        path.reverse();
        Some(path)
    }
}

/// Which nodes lead to which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reachability {
    /// The nodes that an edge leads to, ascending: the columns of the bit sets. A catalog names far more than it holds.
    targets: Vec<usize>,
    columns: Vec<Option<usize>>,
    reached: Vec<FixedBitSet>,
}

impl Reachability {
    /// Whether one or more edges lead from one node to the other.
    pub fn leads(&self, from: usize, to: usize) -> bool {
        let column = self.columns.get(to).copied().flatten();
        self.reached.get(from).zip(column).is_some_and(|(reached, column)| reached.contains(column))
    }

    /// The nodes that a node leads to, ascending.
    pub fn from(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let columns = self.reached.get(node).into_iter().flat_map(FixedBitSet::ones);
        columns.filter_map(|column| self.targets.get(column).copied())
    }

    /// Number of ordered pairs of different nodes of which the first leads to the second.
    pub fn pairs(&self) -> usize {
        let rows = self.reached.iter().enumerate();
        rows.map(|(node, reached)| reached.count_ones(..) - usize::from(self.leads(node, node))).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new(nodes);
        for &(from, to) in edges {
            graph.add_edge(from, to);
        }
        graph
    }

    #[test]
    fn a_line_leads_forward_only() {
        let reachability = graph(3, &[(0, 1), (1, 2)]).reachability();
        assert!(reachability.leads(0, 2));
        assert!(!reachability.leads(2, 0));
        assert!(!reachability.leads(0, 0));
        assert_eq!(reachability.pairs(), 3);
    }

    #[test]
    fn a_circle_leads_to_itself() {
        let reachability = graph(3, &[(0, 1), (1, 0), (1, 2)]).reachability();
        assert!(reachability.leads(0, 0));
        assert_eq!(reachability.from(1).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(reachability.pairs(), 4);
    }

    #[test]
    fn a_hundred_thousand_sources_of_one_target_take_no_square_of_room() {
        let mut wide = Graph::new(100_001);
        for from in 1..=100_000 {
            wide.add_edge(from, 0);
        }
        let reachability = wide.reachability();
        assert_eq!(reachability.pairs(), 100_000);
        assert_eq!(reachability.from(70_000).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn the_shortest_path_prefers_fewer_hops_and_then_the_order_of_edges() {
        let graph = graph(5, &[(0, 1), (1, 4), (0, 2), (2, 4), (0, 3)]);
        assert_eq!(graph.shortest_path(0, 4), Some(vec![0, 1, 4]));
        assert_eq!(graph.shortest_path(3, 4), None);
        assert_eq!(graph.shortest_path(2, 2), Some(vec![2]));
    }

    /// The obvious second version: repeat until nothing changes.
    fn slow_closure(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
        let mut reached = vec![vec![false; nodes]; nodes];
        for _ in 0..=nodes {
            for &(from, to) in edges {
                let behind = reached[to].clone();
                for (slot, further) in reached[from].iter_mut().zip(behind) {
                    *slot |= further;
                }
                reached[from][to] = true;
            }
        }
        reached
    }

    proptest! {
        #[test]
        fn reachability_agrees_with_the_slow_version(edges in proptest::collection::vec((0usize..9, 0usize..9), 0..25)) {
            let graph = graph(9, &edges);
            let reachability = graph.reachability();
            let slow = slow_closure(9, &edges);
            for (from, row) in slow.iter().enumerate() {
                for (to, &leads) in row.iter().enumerate() {
                    prop_assert_eq!(reachability.leads(from, to), leads);
                    let path = graph.shortest_path(from, to);
                    prop_assert_eq!(path.is_some(), leads || from == to);
                    for pair in path.unwrap_or_default().windows(2) {
                        prop_assert!(graph.successors(pair[0]).contains(&pair[1]));
                    }
                }
            }
        }

        #[test]
        fn removing_an_edge_never_makes_a_node_reachable(
            edges in proptest::collection::vec((0usize..7, 0usize..7), 1..20), which in 0usize..20,
        ) {
            let whole = graph(7, &edges).reachability();
            let mut fewer = edges.clone();
            fewer.remove(which % edges.len());
            let less = graph(7, &fewer).reachability();
            for from in 0..7 {
                for to in less.from(from) {
                    prop_assert!(whole.leads(from, to));
                }
            }
        }
    }
}
