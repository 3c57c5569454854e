//! Boxes and devices that can be exchanged without changing the graph.
//!
//! Two siblings are twins when they look alike inside and reach the same parts outside from the
//! same places. Both are hashed, 64 bits each: among a million items a wrong match has a chance
//! below 10⁻²⁶.

use petgraph::visit::EdgeRef;

use super::super::index::usize_of;
use super::tree::{Item, Tree};

/// Class of an item among its siblings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    pub(super) first: u32,
    /// The next one; the first itself where it is alone.
    pub(super) second: u32,
    pub(super) count: u32,
}

/// The class of every item.
pub(super) fn classes(tree: &Tree) -> Vec<Class> {
    let keys = keys(tree);
    let mut classes: Vec<Class> = (0_u32..)
        .zip(&tree.items)
        .map(|(at, _)| Class { first: at, second: at, count: 1 })
        .collect();
    let mut row: Vec<((u64, u64), u32)> = Vec::new();
    for (parent, item) in (0_u32..).zip(&tree.items) {
        if item.size == 1 {
            continue;
        }
        row.clear();
        row.extend(tree.children(parent).filter_map(|c| Some((*keys.get(usize_of(c))?, c))));
        row.sort_unstable();
        for alike in row.chunk_by(|one, other| one.0 == other.0) {
            let [(_, first), (_, second), ..] = alike else { continue };
            let count = u32::try_from(alike.len()).unwrap_or(u32::MAX);
            for (_, at) in alike {
                if let Some(class) = classes.get_mut(usize_of(*at)) {
                    *class = Class { first: *first, second: *second, count };
                }
            }
        }
    }
    classes
}

/// What an item is inside, and what it reaches.
fn keys(tree: &Tree) -> Vec<(u64, u64)> {
    let mut keys: Vec<(u64, u64)> = tree.items.iter().map(|item| (label(item), 0)).collect();
    // Neighbours in the list are mostly alike.
    let mut last = ((0, 0, 0), hash(&[0, 0, 0]));
    for edge in tree.graph.edge_references() {
        let (from, to) = (of(edge.source().index()), of(edge.target().index()));
        let arc = edge.weight();
        let said = (arc.medium as u64, arc.capacity, arc.latency.to_bits());
        if last.0 != said {
            last = (said, hash(&[said.0, said.1, said.2]));
        }
        let attributes = last.1;
        let common = outside(tree, &mut keys, (from, to), hash(&[attributes, 1, u64::from(to)]));
        outside(tree, &mut keys, (to, from), hash(&[attributes, 2, u64::from(from)]));
        let inside = hash(&[attributes, u64::from(from - common), u64::from(to - common)]);
        if let Some((inner, _)) = keys.get_mut(usize_of(common)) {
            *inner = inner.wrapping_add(inside);
        }
    }
    for at in (1..of(tree.items.len())).rev() {
        let Some(item) = tree.item(at) else { continue };
        let inner = keys.get(usize_of(at)).map_or(0, |(inner, _)| *inner);
        if let Some((around, _)) = keys.get_mut(usize_of(item.parent)) {
            *around = around.wrapping_add(hash(&[inner, u64::from(at - item.parent)]));
        }
    }
    keys
}

/// Adds a link to all boxes around `from` that do not hold `to`; returns the first that does.
fn outside(tree: &Tree, keys: &mut [(u64, u64)], (from, to): (u32, u32), link: u64) -> u32 {
    let mut at = from;
    while at != 0 && !tree.holds(at, to) {
        if let Some((_, outer)) = keys.get_mut(usize_of(at)) {
            *outer = outer.wrapping_add(mix(link ^ u64::from(from - at)));
        }
        at = tree.item(at).map_or(0, |item| item.parent);
    }
    at
}

fn label(item: &Item) -> u64 {
    let kind = item.kind.map_or(0, |kind| kind as u64 + 1);
    let number = |value: Option<u16>| value.map_or(0, |value| u64::from(value) + 1);
    hash(&[kind, number(item.rail), number(item.plane)])
}

fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, word| mix(hash.rotate_left(5) ^ *word))
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014).
const fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
