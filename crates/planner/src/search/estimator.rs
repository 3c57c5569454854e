//! What the search asks of an estimate.

use crate::estimate::{MemoryParts, StepParts, Verdict};
use crate::strategy::Layout;
use crate::units::{Bytes, Seconds};

/// Memory of a layout as far as the search needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    pub verdict: Verdict,
    /// Device memory of the worst GPU at its peak.
    pub device: Bytes,
    pub parts: MemoryParts,
    /// It is the host that has too little memory.
    pub host_exceeded: bool,
}

/// Judges layouts. `memory` may not fall when only the micro-batch grows, and neither floor may
/// exceed `step`: the pruning rests on that, and property tests hold the real one to it.
pub trait Estimator {
    fn memory(&mut self, layout: &Layout) -> Fit;
    /// A cheap lower bound on the step time.
    fn floor(&mut self, layout: &Layout) -> Seconds;
    /// A lower bound on the step time of every smaller micro-batch of the same family too.
    fn family_floor(&mut self, largest: &Layout) -> Seconds;
    fn step(&mut self, layout: &Layout) -> StepParts;
}
