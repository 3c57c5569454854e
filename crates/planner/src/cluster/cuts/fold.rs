//! The cluster around one set, with all twins folded into one of each.

use std::collections::BTreeMap;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::super::index::usize_of;
use super::super::sketch::{Kind, Medium};
use super::tree::{Tree, Vertex};
use super::twins::Class;

/// What a device is to the question asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// One of the set.
    Inside,
    /// One of those to be reached.
    Outside,
    Between,
    /// Not part of this network.
    Absent,
}

/// All links of one sort between two folded vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    pub(super) medium: Medium,
    /// kB/s, of all of them.
    pub(super) capacity: u64,
    pub(super) latency: f64,
    /// One of the links, and how many there are.
    pub(super) link: Option<u32>,
    pub(super) links: u64,
}

/// The folded graph; its first vertex is the set, its second the rest.
pub(super) struct Folded {
    pub(super) graph: DiGraph<(), Bundle, u32>,
    /// Devices of the set and of the rest.
    pub(super) set: u64,
    pub(super) rest: u64,
}

impl Folded {
    pub(super) fn set_vertex() -> NodeIndex<u32> {
        NodeIndex::new(0)
    }

    pub(super) fn rest_vertex() -> NodeIndex<u32> {
        NodeIndex::new(1)
    }
}

pub(super) struct Fold<'a> {
    pub(super) tree: &'a Tree,
    pub(super) classes: &'a [Class],
}

impl Fold<'_> {
    /// Folds around the item at the end of `path`.
    pub(super) fn around(&self, path: &[u32], role: impl Fn(Vertex) -> Role) -> Folded {
        let mut kept = Vec::new();
        self.visit(0, 1, path, &mut kept);
        let mut folded = Folded { graph: DiGraph::default(), set: 0, rest: 0 };
        folded.graph.add_node(());
        folded.graph.add_node(());
        let mut vertices: BTreeMap<Vertex, NodeIndex<u32>> = BTreeMap::new();
        for (vertex, copies) in &kept {
            let vertex_in_fold = match role(*vertex) {
                Role::Inside => {
                    folded.set += copies;
                    Folded::set_vertex()
                }
                Role::Outside => {
                    folded.rest += copies;
                    Folded::rest_vertex()
                }
                Role::Between => folded.graph.add_node(()),
                Role::Absent => continue,
            };
            vertices.insert(*vertex, vertex_in_fold);
        }
        let mut bundles: BTreeMap<(NodeIndex<u32>, NodeIndex<u32>, Medium, u64), Bundle> =
            BTreeMap::new();
        for (vertex, copies) in kept {
            let Some(from) = vertices.get(&vertex) else { continue };
            for edge in self.tree.graph.edges(NodeIndex::new(usize_of(vertex))) {
                let to = u32::try_from(edge.target().index()).unwrap_or(u32::MAX);
                let Some(to) = vertices.get(&self.canonical(to, path)) else { continue };
                if from == to {
                    continue;
                }
                let arc = edge.weight();
                let bundle = bundles
                    .entry((*from, *to, arc.medium, arc.latency.to_bits()))
                    .or_insert(Bundle {
                        medium: arc.medium,
                        capacity: 0,
                        latency: arc.latency,
                        link: arc.link,
                        links: 0,
                    });
                bundle.capacity += arc.capacity * copies;
                bundle.links += copies;
            }
        }
        for ((from, to, ..), bundle) in bundles {
            folded.graph.add_edge(from, to, bundle);
        }
        folded
    }

    /// One item of each class below `at`, with the number that it stands for.
    pub(super) fn kinds_below(&self, at: u32) -> impl Iterator<Item = (u32, u32)> {
        self.tree.children(at).filter_map(|child| {
            let class = self.class(child);
            (class.first == child).then_some((child, class.count))
        })
    }

    fn class(&self, at: u32) -> Class {
        let alone = Class { first: at, second: at, count: 1 };
        self.classes.get(usize_of(at)).copied().unwrap_or(alone)
    }

    /// Devices that stand for all others, items of `path` for themselves only.
    fn visit(&self, at: u32, copies: u64, path: &[u32], kept: &mut Vec<(Vertex, u64)>) {
        let Some(item) = self.tree.item(at) else { return };
        if at != 0 && !item.kind.is_some_and(Kind::holds_others) {
            kept.push((at, copies));
        }
        let next = path.get(usize_of(item.depth) + 1).filter(|_| on(path, at, item.depth)).copied();
        if let Some(next) = next {
            self.visit(next, 1, path, kept);
        }
        for (first, count) in self.kinds_below(at) {
            let class = self.class(first);
            let split = next.is_some_and(|next| self.class(next).first == first);
            let left = if split { count - 1 } else { count };
            let stands = if next == Some(first) { class.second } else { first };
            if left > 0 {
                self.visit(stands, copies * u64::from(left), path, kept);
            }
        }
    }

    /// The device that stands for this one.
    fn canonical(&self, mut vertex: Vertex, path: &[u32]) -> Vertex {
        let mut around = 0;
        let mut depth = 0;
        while vertex != around {
            let Some(child) = self.ancestor(vertex, depth + 1) else { return vertex };
            let mut stands = child;
            if !on(path, child, depth + 1) {
                let class = self.class(child);
                stands = if on(path, class.first, depth + 1) { class.second } else { class.first };
            }
            vertex = vertex - child + stands;
            around = stands;
            depth += 1;
        }
        vertex
    }

    fn ancestor(&self, mut at: u32, depth: u32) -> Option<u32> {
        loop {
            let item = self.tree.item(at)?;
            if item.depth <= depth {
                return (item.depth == depth).then_some(at);
            }
            at = item.parent;
        }
    }
}

fn on(path: &[u32], at: u32, depth: u32) -> bool {
    path.get(usize_of(depth)) == Some(&at)
}
