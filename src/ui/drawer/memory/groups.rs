//! Stages with the same numbers at an instant, taken together.

use planner::estimate::{Instant, InstantMemory, Memory, MemoryParts};
use planner::units::Bytes;

/// Consecutive stages with the same numbers, drawn once.
pub(super) struct Group<'a> {
    pub(super) first: u32,
    pub(super) last: u32,
    /// None where these stages do not have the instant, such as the loss before the last stage.
    pub(super) at: Option<&'a InstantMemory>,
}

impl Group<'_> {
    /// How many.
    pub(super) const fn stages(&self) -> u32 {
        self.last - self.first + 1
    }
}

/// All stages at one instant.
pub(super) fn groups(memory: &Memory, instant: Instant) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for stage in &memory.timeline {
        let at = stage.instants.iter().find(|at| at.instant == instant);
        match groups.last_mut() {
            Some(group) if group.at == at => group.last = stage.stage,
            _ => groups.push(Group { first: stage.stage, last: stage.stage, at }),
        }
    }
    groups
}

/// Instants that any stage has, in their order.
pub(super) fn instants(memory: &Memory) -> Vec<Instant> {
    let has = |instant: &Instant| all(memory).any(|at| at.instant == *instant);
    Instant::ALL.into_iter().filter(has).collect()
}

/// The fullest stage at an instant.
pub(super) fn fullest(memory: &Memory, instant: Instant) -> Option<&InstantMemory> {
    all(memory)
        .filter(|at| at.instant == instant)
        .max_by(|a, b| a.device.base().total_cmp(&b.device.base()))
}

/// Which parts any stage has at any instant, in the order of a bar: the columns stay while the
/// instant changes.
pub(super) fn parts_used(memory: &Memory) -> Vec<bool> {
    let mut used = vec![false; 8];
    for at in all(memory) {
        for (used, part) in used.iter_mut().zip(parts(&at.parts)) {
            *used |= part > Bytes::ZERO;
        }
    }
    used
}

fn all(memory: &Memory) -> impl Iterator<Item = &InstantMemory> {
    memory.timeline.iter().flat_map(|stage| &stage.instants)
}

const fn parts(parts: &MemoryParts) -> [Bytes; 8] {
    [
        parts.weights,
        parts.gradients,
        parts.optimizer,
        parts.activations,
        parts.working,
        parts.logits,
        parts.buffers,
        parts.runtime,
    ]
}
