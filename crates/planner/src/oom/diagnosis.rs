//! The message set against the plan.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::estimate::Setting;
use crate::estimate::memory::{Variant, peak_of};
use crate::strategy::Layout;
use crate::units::Bytes;

use super::fixes::{Fix, fixes};
use super::instants::{InstantMatch, closest};
use super::message::{Message, Place};
use super::tensors::{Tensor, tensors};

/// Matches that are kept.
const KEPT: usize = 5;
/// A size this close is the same, up to padding of flat tensors to the number of ranks.
const SAME: f64 = 0.003;
/// A size this close is worth naming, if the plan has such a tensor.
const NEAR: f64 = 0.03;

/// What a message means for a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    pub message: Message,
    /// Tensors by how close their size is to the failed allocation, closest first.
    pub matches: Vec<Match>,
    /// Where in a step the plan holds what the message says is allocated.
    pub instant: Option<InstantMatch>,
    pub fragmentation: Option<Fragmentation>,
    /// Changes that make the plan fit, re-run; the one against the named tensor first.
    pub fixes: Vec<Fix>,
}

/// One tensor beside the failed allocation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Match {
    pub tensor: Tensor,
    /// What the allocator asks the driver for.
    pub block: Bytes,
    /// Relative distance beyond the rounding of the message.
    pub distance: f64,
    /// The failed allocation over this one.
    pub ratio: f64,
    pub nearness: Nearness,
}

/// How well a size fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nearness {
    Same,
    Near,
    Far,
}

/// Memory that the allocator holds in pieces beside its tensors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fragmentation {
    pub unallocated: Bytes,
    /// It would have sufficed in one piece: expandable segments help.
    pub explains: bool,
}

/// What was being allocated, when, why it failed, and what helps.
pub fn explain(
    setting: &Setting<'_>,
    layout: &Layout,
    variant: &Variant,
    message: Message,
) -> Diagnosis {
    let peak = peak_of(setting, layout, variant);
    let matches = match message.tried {
        Some(tried) if message.place == Place::Device => {
            matches(setting, layout, variant, (tried, message.rounding))
        }
        _ => Vec::new(),
    };
    let lever = matches
        .first()
        .filter(|first| first.nearness != Nearness::Far)
        .map(|first| first.tensor.lever);
    let fragmentation = message.reserved_unallocated.map(|unallocated| Fragmentation {
        unallocated,
        explains: message.tried.is_some_and(|tried| unallocated >= tried),
    });
    Diagnosis {
        instant: closest(setting, layout, variant, &message),
        fixes: fixes(setting, layout, variant, (lever, message.place, peak.verdict)),
        matches,
        fragmentation,
        message,
    }
}

impl Diagnosis {
    /// The tensor that has the size, if one has.
    pub fn named(&self) -> Option<&Match> {
        self.matches.first().filter(|first| first.nearness != Nearness::Far)
    }
}

/// Tensors of the first and the last stage, whose embedding, head and loss differ.
fn matches(
    setting: &Setting<'_>,
    layout: &Layout,
    variant: &Variant,
    tried: (Bytes, Bytes),
) -> Vec<Match> {
    let last = layout.pp.max(1) - 1;
    let mut found = tensors(setting, layout, variant, last);
    if last > 0 {
        for tensor in tensors(setting, layout, variant, 0) {
            let known = found
                .iter()
                .any(|other| other.term.key == tensor.term.key && other.bytes == tensor.bytes);
            if !known {
                found.push(tensor);
            }
        }
    }
    let mut matches: Vec<Match> =
        found.into_iter().map(|tensor| Match::of(tensor, tried)).collect();
    matches.sort_by(Match::order);
    matches.truncate(KEPT);
    matches
}

impl Match {
    fn of(tensor: Tensor, (tried, rounding): (Bytes, Bytes)) -> Self {
        let block = block(tensor.bytes);
        let beyond = (block.base() - tried.base()).abs() - rounding.base();
        let distance = beyond.max(0.0) / tried.base().max(1.0);
        let nearness = if distance <= SAME {
            Nearness::Same
        } else if distance <= NEAR && tensor.planned {
            Nearness::Near
        } else {
            Nearness::Far
        };
        Self { tensor, block, distance, ratio: tried.ratio(block), nearness }
    }

    /// Same sizes first, of those the planned ones; then by distance.
    fn order(&self, other: &Self) -> Ordering {
        let planned = |one: &Self| !one.tensor.planned;
        let named = |one: &Self| one.nearness == Nearness::Far;
        self.nearness
            .cmp(&other.nearness)
            .then(if named(self) { Ordering::Equal } else { planned(self).cmp(&planned(other)) })
            .then(self.distance.total_cmp(&other.distance))
    }
}

/// What PyTorch's allocator asks the driver for: 2 MiB for small tensors, 20 MiB up to 10 MiB,
/// else whole multiples of 2 MiB (c10/cuda/CUDACachingAllocator.cpp, `get_allocation_size`).
fn block(bytes: Bytes) -> Bytes {
    const MIB: f64 = 1_048_576.0;
    let size = bytes.base();
    Bytes::new(if size <= MIB {
        2.0 * MIB
    } else if size < 10.0 * MIB {
        20.0 * MIB
    } else {
        (size / (2.0 * MIB)).ceil() * 2.0 * MIB
    })
}
