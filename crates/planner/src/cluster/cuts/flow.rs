//! The least cut of a folded graph.

use petgraph::Direction;
use petgraph::algo::{dijkstra, dinics};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::fold::{Bundle, Folded};

/// A maximum flow and the bundles that limit it.
pub(super) struct Least {
    /// kB/s.
    pub(super) most: u64,
    pub(super) bundles: Vec<Bundle>,
}

/// What the set can send to the rest, or receive from it (Dinic on whole numbers).
pub(super) fn least_cut(folded: &Folded, direction: Direction) -> Least {
    let (source, sink) = match direction {
        Direction::Outgoing => (Folded::set_vertex(), Folded::rest_vertex()),
        Direction::Incoming => (Folded::rest_vertex(), Folded::set_vertex()),
    };
    let network: DiGraph<(), u64, u32> = folded.graph.map(|_, _| (), |_, bundle| bundle.capacity);
    let (most, flows) = dinics(&network, source, sink);
    let reached = residual(&network, &flows, source);
    let is_reached = |at: NodeIndex<u32>| reached.get(at.index()).copied().unwrap_or(false);
    let bundles = folded
        .graph
        .edge_references()
        .filter(|edge| is_reached(edge.source()) && !is_reached(edge.target()))
        .map(|edge| *edge.weight())
        .collect();
    Least { most, bundles }
}

/// Vertices that the source still reaches over what the flow has left.
fn residual(network: &DiGraph<(), u64, u32>, flows: &[u64], source: NodeIndex<u32>) -> Vec<bool> {
    let mut reached = vec![false; network.node_count()];
    let mut stack = vec![source];
    while let Some(at) = stack.pop() {
        match reached.get_mut(at.index()) {
            Some(mark) if !*mark => *mark = true,
            _ => continue,
        }
        let flow = |edge: usize| flows.get(edge).copied().unwrap_or(0);
        for edge in network.edges(at) {
            if flow(edge.id().index()) < *edge.weight() {
                stack.push(edge.target());
            }
        }
        for edge in network.edges_directed(at, Direction::Incoming) {
            if flow(edge.id().index()) > 0 {
                stack.push(edge.source());
            }
        }
    }
    reached
}

/// Seconds from the set to the nearest of the rest.
pub(super) fn nearest(folded: &Folded) -> Option<f64> {
    let (set, rest) = (Folded::set_vertex(), Folded::rest_vertex());
    let costs = dijkstra(&folded.graph, set, Some(rest), |edge| edge.weight().latency);
    costs.get(&rest).copied()
}
