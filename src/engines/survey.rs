//! All pairs of one engine over one set of bundles: what legal edges reach.
//!
//! Cost: one question for each bundle, then a closure over bit sets. Steps are asked for again where a path needs them: all
//! of them at once would be entries × entries.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Engine, Hop, Installed};
use crate::graph::{Graph, Reachability};

/// The legal edges between bundles.
pub struct Survey<'e> {
    engine: &'e dyn Engine,
    nodes: Vec<Installed>,
    position: BTreeMap<Arc<str>, usize>,
    graph: Graph,
}

impl<'e> Survey<'e> {
    /// Surveys these installed bundles; edges to any other are passed over.
    pub fn new(engine: &'e dyn Engine, nodes: Vec<Installed>) -> Self {
        let position: BTreeMap<Arc<str>, usize> =
            nodes.iter().enumerate().map(|(index, node)| (node.name.clone(), index)).collect();
        let mut graph = Graph::new(nodes.len());
        for (from, node) in nodes.iter().enumerate() {
            for to in engine.legal(Some(node)).iter().filter_map(|step| position.get(&step.to.name)) {
                graph.add_edge(from, *to);
            }
        }
        Self { engine, nodes, position, graph }
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
                let (before, after) = (self.nodes.get(*before)?, self.nodes.get(*after)?);
                let step = self.engine.legal(Some(before)).into_iter().find(|step| step.to.name == after.name)?;
                Some(Hop { from: Some(before.name.clone()), step })
            })
            .collect()
    }
}
