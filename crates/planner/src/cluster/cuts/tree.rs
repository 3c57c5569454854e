//! The graph of a sketch on petgraph, and its boxes as a tree with places in one order.

use std::collections::BTreeMap;

use petgraph::graph::{DiGraph, NodeIndex};

use super::super::index::{Index, usize_of};
use super::super::sketch::{Kind, Link, Medium, Share, Sketch};
use crate::units::BytesPerSecond;

/// A vertex of the graph: a device, or capacity that links share.
pub(super) type Vertex = u32;

/// A one-way link. Capacity in kB/s, so that flows are whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) medium: Medium,
    pub(super) capacity: u64,
    /// Seconds.
    pub(super) latency: f64,
    /// Place in the list of links; none inside a share.
    pub(super) link: Option<u32>,
}

/// A box or a device, as an item of the tree. Item 0 is the whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Place in the list of parts; none for the whole and for shares.
    pub(super) part: Option<u32>,
    pub(super) kind: Option<Kind>,
    pub(super) rail: Option<u16>,
    pub(super) plane: Option<u16>,
    pub(super) parent: u32,
    pub(super) depth: u32,
    /// Items below it, itself counted: they follow it in order.
    pub(super) size: u32,
}

/// Items stand in depth-first order; graph vertex `i` is item `i`, boxes have no arcs.
pub(super) struct Tree {
    pub(super) items: Vec<Item>,
    pub(super) graph: DiGraph<(), Arc, u32>,
}

impl Tree {
    /// Parts that lie in themselves are left out; [`super::super::sketch::flaws`] names them.
    pub(super) fn new(sketch: &Sketch) -> Self {
        let index = Index::new(&sketch.parts);
        let shares = Shares::new(sketch);
        let parents: Vec<Option<usize>> = sketch
            .parts
            .iter()
            .map(|part| part.within.and_then(|id| index.place(id)))
            .chain(shares.ends.iter().map(|(_, end)| {
                let part = index.place(*end).and_then(|at| sketch.parts.get(at));
                part.and_then(|part| part.within).and_then(|id| index.place(id))
            }))
            .collect();
        let (items, order) = ordered(sketch, &parents);
        let place = |part: usize| order.get(part).copied().filter(|at| *at > 0);
        let mut graph = DiGraph::with_capacity(items.len(), sketch.links.len());
        for _ in &items {
            graph.add_node(());
        }
        let add = |graph: &mut DiGraph<(), Arc, u32>, from: u32, to: u32, arc: Arc| {
            if from != to && arc.capacity > 0 {
                graph.add_edge(NodeIndex::new(usize_of(from)), NodeIndex::new(usize_of(to)), arc);
            }
        };
        for (number, link) in (0_u32..).zip(&sketch.links) {
            let ends =
                (index.place(link.from).and_then(place), index.place(link.to).and_then(place));
            let (Some(from), Some(to)) = ends else { continue };
            let arc = arc_of(link, number);
            match shares.of(link).and_then(|(share, leaves)| Some((place(share)?, leaves))) {
                Some((share, true)) => add(&mut graph, share, to, arc),
                Some((share, false)) => add(&mut graph, from, share, arc),
                None => add(&mut graph, from, to, arc),
            }
        }
        for (share, from, to, arc) in shares.arcs(sketch) {
            let (Some(share), Some(end)) =
                (place(share), index.place(from.or(to).unwrap_or(0)).and_then(place))
            else {
                continue;
            };
            if from.is_some() {
                add(&mut graph, end, share, arc);
            } else {
                add(&mut graph, share, end, arc);
            }
        }
        Self { items, graph }
    }

    pub(super) fn item(&self, at: u32) -> Option<&Item> {
        self.items.get(usize_of(at))
    }

    /// The boxes around an item, the whole first, itself last.
    pub(super) fn path(&self, mut at: u32) -> Vec<u32> {
        let mut path = vec![at];
        while at != 0
            && let Some(item) = self.item(at)
        {
            at = item.parent;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// Items directly below.
    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = u32> {
        let end = at + self.item(at).map_or(0, |item| item.size);
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let child = next;
            next += self.item(child)?.size;
            (child < end).then_some(child)
        })
    }

    pub(super) fn holds(&self, outer: u32, inner: u32) -> bool {
        let size = self.item(outer).map_or(0, |item| item.size);
        (outer..outer + size).contains(&inner)
    }
}

fn arc_of(link: &Link, number: u32) -> Arc {
    Arc {
        medium: link.medium,
        capacity: kilobytes(link.capacity()),
        latency: link.latency.as_seconds(),
        link: Some(number),
    }
}

/// Whole kB/s.
pub(super) fn kilobytes(rate: BytesPerSecond) -> u64 {
    let rate = libm::round(rate.base() / 1e3);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped here")]
    let rate = rate.clamp(0.0, 1e15) as u64;
    rate
}

/// Items in depth-first order, and where each part went; 0 for those not reached from the top.
fn ordered(sketch: &Sketch, parents: &[Option<usize>]) -> (Vec<Item>, Vec<u32>) {
    // Children of part p are in `below[first[p + 1]..first[p + 2]]`; those of the whole come first.
    let count = parents.len();
    let mut first = vec![0_usize; count + 2];
    let slot = |parent: &Option<usize>| parent.map_or(0, |at| at + 1);
    for parent in parents {
        if let Some(counter) = first.get_mut(slot(parent) + 1) {
            *counter += 1;
        }
    }
    let mut sum = 0;
    for counter in &mut first {
        sum += *counter;
        *counter = sum;
    }
    let mut below = vec![0_usize; count];
    let mut fill = first.clone();
    for (part, parent) in parents.iter().enumerate() {
        if let Some(next) = fill.get_mut(slot(parent)) {
            if let Some(place) = below.get_mut(*next) {
                *place = part;
            }
            *next += 1;
        }
    }
    let children = |slot: usize| {
        let range = first.get(slot).zip(first.get(slot + 1)).map(|(from, to)| *from..*to);
        range.and_then(|range| below.get(range)).unwrap_or(&[]).iter().rev().copied()
    };
    let whole =
        Item { part: None, kind: None, rail: None, plane: None, parent: 0, depth: 0, size: 1 };
    let (mut items, mut order) = (vec![whole], vec![0_u32; count]);
    let mut stack: Vec<(usize, u32, u32)> = children(0).map(|part| (part, 0, 1)).collect();
    while let Some((at, parent, depth)) = stack.pop() {
        let place = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let part = sketch.parts.get(at);
        items.push(Item {
            part: part.and(u32::try_from(at).ok()),
            kind: part.map(|part| part.kind),
            rail: part.and_then(|part| part.rail),
            plane: part.and_then(|part| part.plane),
            parent,
            depth,
            size: 1,
        });
        if let Some(order) = order.get_mut(at) {
            *order = place;
        }
        stack.extend(children(at + 1).map(|child| (child, place, depth + 1)));
    }
    for at in (1..items.len()).rev() {
        if let Some(Item { parent, size, .. }) = items.get(at).copied()
            && let Some(around) = items.get_mut(usize_of(parent))
        {
            around.size += size;
        }
    }
    (items, order)
}

/// Shares as vertices of their own, numbered after the parts: the links of one leave it (then it
/// stands behind the part that they all leave) or enter it.
struct Shares<'a> {
    numbers: BTreeMap<u32, (usize, bool)>,
    /// Whether the links leave the part, and the part.
    ends: Vec<(bool, u32)>,
    stated: Vec<&'a Share>,
}

impl<'a> Shares<'a> {
    fn new(sketch: &'a Sketch) -> Self {
        let mut drawn: BTreeMap<u32, (Option<u32>, Option<u32>)> = BTreeMap::new();
        for link in &sketch.links {
            let Some(share) = link.share else { continue };
            let (from, to) = drawn.entry(share).or_insert((Some(link.from), Some(link.to)));
            *from = from.filter(|id| *id == link.from);
            *to = to.filter(|id| *id == link.to);
        }
        let mut all = Self { numbers: BTreeMap::new(), ends: Vec::new(), stated: Vec::new() };
        for share in &sketch.shares {
            let end = match drawn.get(&share.id) {
                Some((Some(from), _)) => (true, *from),
                Some((None, Some(to))) => (false, *to),
                Some((None, None)) | None => continue,
            };
            let number = sketch.parts.len() + all.ends.len();
            all.numbers.insert(share.id, (number, end.0));
            all.ends.push(end);
            all.stated.push(share);
        }
        all
    }

    fn of(&self, link: &Link) -> Option<(usize, bool)> {
        self.numbers.get(&link.share?).copied()
    }

    /// The arc between each share and its part.
    fn arcs(
        &self,
        sketch: &Sketch,
    ) -> impl Iterator<Item = (usize, Option<u32>, Option<u32>, Arc)> {
        let number = sketch.parts.len();
        self.ends.iter().zip(&self.stated).enumerate().map(move |(at, ((leaves, end), share))| {
            let arc = Arc {
                medium: Medium::Pcie,
                capacity: kilobytes(share.rate),
                latency: 0.0,
                link: None,
            };
            let (from, to) = if *leaves { (Some(*end), None) } else { (None, Some(*end)) };
            (number + at, from, to, arc)
        })
    }
}
