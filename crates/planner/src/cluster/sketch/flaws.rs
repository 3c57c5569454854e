//! What is wrong with a drawn cluster, each with the element named.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;
use thiserror::Error;

use super::{Id, Kind, Link, Sketch};
use crate::cluster::index::Index;
use crate::units::{BytesPerSecond, Seconds};

/// Parts that a sketch may have.
pub const MOST_PARTS: usize = 1_000_000;

/// Links that a sketch may have, each way counted.
pub const MOST_LINKS: usize = 4_000_000;

/// Flaws listed; a broken file repeats one fault in every line.
const LISTED: usize = 100;

/// A fault of a sketch. `link` is a place in its list of links.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Flaw {
    #[error("{parts} parts and {links} links are more than {MOST_PARTS} and {MOST_LINKS}")]
    TooLarge { parts: usize, links: usize },
    #[error("no part is a GPU")]
    NoGpu,
    #[error("more than one part has the id {id}")]
    DoubleId { id: Id },
    #[error("part {id} lies in {within}, which does not exist")]
    UnknownBox { id: Id, within: Id },
    #[error("part {id} lies in {within}, which is a device")]
    InsideDevice { id: Id, within: Id },
    #[error("part {id} lies in itself, through {through} boxes")]
    InsideItself { id: Id, through: usize },
    #[error("link {link} ends at {id}, which does not exist")]
    UnknownEnd { link: usize, id: Id },
    #[error("link {link} ends at the box {id}, not at a device")]
    EndsAtBox { link: usize, id: Id },
    #[error("link {link} joins {id} to itself")]
    ToItself { link: usize, id: Id },
    #[error("link {link} from {from} to {to} has no positive finite capacity")]
    NoCapacity { link: usize, from: Id, to: Id },
    #[error("link {link} from {from} to {to} has no finite latency of 0 or more")]
    BadLatency { link: usize, from: Id, to: Id },
    #[error("share {share} of link {link} does not exist or has no positive finite capacity")]
    BadShare { link: usize, share: u32 },
    #[error("the links of share {share} neither leave one part nor enter one")]
    ScatteredShare { share: u32 },
    #[error("part {id} and {others} more are not joined to the rest")]
    Island { id: Id, others: usize },
}

impl Flaw {
    /// The message that words this flaw.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "sketch-too-large",
            Self::NoGpu => "sketch-no-gpu",
            Self::DoubleId { .. } => "sketch-double-id",
            Self::UnknownBox { .. } => "sketch-unknown-box",
            Self::InsideDevice { .. } => "sketch-inside-device",
            Self::InsideItself { .. } => "sketch-inside-itself",
            Self::UnknownEnd { .. } => "sketch-unknown-end",
            Self::EndsAtBox { .. } => "sketch-ends-at-box",
            Self::ToItself { .. } => "sketch-to-itself",
            Self::NoCapacity { .. } => "sketch-no-capacity",
            Self::BadLatency { .. } => "sketch-bad-latency",
            Self::BadShare { .. } => "sketch-bad-share",
            Self::ScatteredShare { .. } => "sketch-scattered-share",
            Self::Island { .. } => "sketch-island",
        }
    }
}

/// All that is wrong, at most a hundred; empty for a sound sketch.
pub fn flaws(sketch: &Sketch) -> Vec<Flaw> {
    let (parts, links) = (sketch.parts.len(), sketch.links.len());
    if parts > MOST_PARTS || links > MOST_LINKS {
        return vec![Flaw::TooLarge { parts, links }];
    }
    let index = Index::new(&sketch.parts);
    let mut found: Vec<Flaw> = Vec::new();
    if sketch.count(Kind::Gpu) == 0 {
        found.push(Flaw::NoGpu);
    }
    found.extend(index.doubles().map(|id| Flaw::DoubleId { id }).take(LISTED));
    found.extend(boxes(sketch, &index));
    found.extend(nested(sketch, &index));
    let ends = sketch.links.iter().enumerate();
    found.extend(ends.flat_map(|(at, link)| faults(sketch, &index, (at, link))).take(LISTED));
    found.extend(unstated(sketch));
    found.extend(shares(sketch));
    found.extend(islands(sketch, &index));
    found.truncate(LISTED);
    found
}

fn boxes(sketch: &Sketch, index: &Index) -> Vec<Flaw> {
    let inside = sketch.parts.iter().filter_map(|part| Some((part.id, part.within?)));
    inside
        .filter_map(|(id, within)| match index.place(within).and_then(|at| sketch.parts.get(at)) {
            None => Some(Flaw::UnknownBox { id, within }),
            Some(around) if !around.kind.holds_others() => Some(Flaw::InsideDevice { id, within }),
            Some(_) => None,
        })
        .take(LISTED)
        .collect()
}

/// Cycles of containment: each walk upwards marks its way, so that every part is passed once.
fn nested(sketch: &Sketch, index: &Index) -> Vec<Flaw> {
    let mut seen: Vec<usize> = vec![0; sketch.parts.len()];
    let mut found = Vec::new();
    for walk in 0..sketch.parts.len() {
        let (mut at, mut through) = (Some(walk), 0);
        while let Some(place) = at {
            let (Some(mark), Some(part)) = (seen.get_mut(place), sketch.parts.get(place)) else {
                break;
            };
            if *mark == walk + 1 {
                found.push(Flaw::InsideItself { id: part.id, through });
            }
            if *mark != 0 || found.len() == LISTED {
                break;
            }
            *mark = walk + 1;
            through += 1;
            at = part.within.and_then(|within| index.place(within));
        }
    }
    found
}

fn faults(sketch: &Sketch, index: &Index, (at, link): (usize, &Link)) -> Vec<Flaw> {
    let mut found = Vec::new();
    let (from, to) = (link.from, link.to);
    for id in [from, to] {
        match index.place(id).and_then(|place| sketch.parts.get(place)) {
            None => found.push(Flaw::UnknownEnd { link: at, id }),
            Some(part) if part.kind.holds_others() => {
                found.push(Flaw::EndsAtBox { link: at, id });
            }
            Some(_) => {}
        }
    }
    if from == to {
        found.push(Flaw::ToItself { link: at, id: from });
    }
    let stated = positive(link.rate) && link.measured.is_none_or(positive) && link.count > 0;
    if !stated {
        found.push(Flaw::NoCapacity { link: at, from, to });
    }
    if !(link.latency >= Seconds::default() && link.latency.base().is_finite()) {
        found.push(Flaw::BadLatency { link: at, from, to });
    }
    found
}

fn unstated(sketch: &Sketch) -> Vec<Flaw> {
    let stated: BTreeSet<u32> =
        sketch.shares.iter().filter(|share| positive(share.rate)).map(|share| share.id).collect();
    let drawn = sketch.links.iter().enumerate().filter_map(|(at, link)| Some((at, link.share?)));
    let missing = drawn.filter(|(_, share)| !stated.contains(share));
    missing.map(|(link, share)| Flaw::BadShare { link, share }).take(LISTED).collect()
}

fn positive(rate: BytesPerSecond) -> bool {
    rate.base() > 0.0 && rate.base().is_finite()
}

fn shares(sketch: &Sketch) -> Vec<Flaw> {
    let mut ends: BTreeMap<u32, (Option<Id>, Option<Id>)> = BTreeMap::new();
    for link in &sketch.links {
        let Some(share) = link.share else { continue };
        let (from, to) = ends.entry(share).or_insert((Some(link.from), Some(link.to)));
        *from = from.filter(|id| *id == link.from);
        *to = to.filter(|id| *id == link.to);
    }
    let scattered = ends.into_iter().filter(|(_, ends)| *ends == (None, None));
    scattered.map(|(share, _)| Flaw::ScatteredShare { share }).take(LISTED).collect()
}

/// Devices that no chain of links joins to the largest island.
fn islands(sketch: &Sketch, index: &Index) -> Vec<Flaw> {
    let mut union: UnionFind<usize> = UnionFind::new(sketch.parts.len());
    for link in &sketch.links {
        if let (Some(from), Some(to)) = (index.place(link.from), index.place(link.to)) {
            union.union(from, to);
        }
    }
    let mut sizes: Vec<(usize, Option<Id>)> = vec![(0, None); sketch.parts.len()];
    for (at, part) in sketch.parts.iter().enumerate() {
        if part.kind.holds_others() {
            continue;
        }
        if let Some((size, first)) = sizes.get_mut(union.find_mut(at)) {
            *size += 1;
            first.get_or_insert(part.id);
        }
    }
    let mut found: Vec<(usize, Id)> =
        sizes.into_iter().filter_map(|(size, first)| Some((size, first?))).collect();
    found.sort_unstable_by_key(|(size, first)| (std::cmp::Reverse(*size), *first));
    let small = found.into_iter().skip(1).take(LISTED);
    small.map(|(size, id)| Flaw::Island { id, others: size - 1 }).collect()
}
