//! Speed of the closure over legal edges: a channel in which each entry covers a stretch of earlier ones, with and without
//! circles.

#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use skipstone::graph::Graph;

/// Each node leads to the next `reach` ones, as older bundles lead to newer ones whose ranges cover them.
fn stretches(nodes: usize, reach: usize) -> Graph {
    let mut graph = Graph::new(nodes);
    for from in 0..nodes {
        for to in from + 1..=from + reach {
            graph.add_edge(from, to);
        }
    }
    graph
}

/// The same with a way back from every tenth node, as wide ranges of broken catalogs make.
fn circles(nodes: usize, reach: usize) -> Graph {
    let mut graph = stretches(nodes, reach);
    for from in (0..nodes).step_by(10) {
        graph.add_edge(from, from / 2);
    }
    graph
}

fn closure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("graph");
    for nodes in [50, 500] {
        for (name, graph) in [("stretches", stretches(nodes, 20)), ("circles", circles(nodes, 20))] {
            let reachability = BenchmarkId::new(format!("reachability of {name}"), nodes);
            group.bench_function(reachability, |bench| bench.iter(|| black_box(&graph).reachability()));
        }
        let graph = stretches(nodes, 2);
        let path = BenchmarkId::new("shortest path", nodes);
        group.bench_function(path, |bench| bench.iter(|| black_box(&graph).shortest_path(0, nodes - 1)));
    }
    group.finish();
}

criterion_group!(benches, closure);
criterion_main!(benches);
