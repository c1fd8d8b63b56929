//! All pairs of one engine over one set of bundles: what it does from each, and what legal edges reach.
//!
//! Cost: one decision for each bundle, then a closure over bit sets.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Engine, Hop, Installed, Step};
use crate::graph::{Graph, Reachability};

/// The legal edges between bundles.
pub struct Survey {
    nodes: Vec<Installed>,
    position: BTreeMap<Arc<str>, usize>,
    steps: Vec<Vec<Step>>,
    graph: Graph,
}

impl Survey {
    /// Surveys these installed bundles; edges to any other are passed over.
    pub fn new(engine: &dyn Engine, nodes: Vec<Installed>) -> Self {
        let position: BTreeMap<Arc<str>, usize> =
            nodes.iter().enumerate().map(|(index, node)| (node.name.clone(), index)).collect();
        let steps: Vec<Vec<Step>> = nodes.iter().map(|node| engine.legal(Some(node))).collect();
        let mut graph = Graph::new(nodes.len());
        for (from, steps) in steps.iter().enumerate() {
            for to in steps.iter().filter_map(|step| position.get(&step.to.name)) {
                graph.add_edge(from, *to);
            }
        }
        Self { nodes, position, steps, graph }
    }

    /// The surveyed bundles.
    pub fn nodes(&self) -> &[Installed] {
        &self.nodes
    }

    /// What reaches what over legal edges.
    pub fn reachability(&self) -> Reachability {
        self.graph.reachability()
    }

    /// A path with the fewest legal hops; among equal ones the engine's preferred.
    pub fn shortest_path(&self, from: &str, to: &str) -> Option<Vec<Hop>> {
        let path = self.graph.shortest_path(*self.position.get(from)?, *self.position.get(to)?)?;
        path.windows(2)
            .map(|pair| {
                let [before, after] = pair else { return None };
                let target = self.nodes.get(*after)?;
                let step = self.steps.get(*before)?.iter().find(|step| step.to.name == target.name)?;
                Some(Hop { from: Some(self.nodes.get(*before)?.name.clone()), step: step.clone() })
            })
            .collect()
    }
}
