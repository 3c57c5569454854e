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

/// Judges layouts. `memory` may not fall when only the micro-batch grows, and `floor` may not
/// exceed `step`: the pruning rests on both, and property tests hold the real one to them.
pub trait Estimator {
    fn memory(&mut self, layout: &Layout) -> Fit;
    /// A cheap lower bound on the step time.
    fn floor(&mut self, layout: &Layout) -> Seconds;
    fn step(&mut self, layout: &Layout) -> StepParts;
}
