//! One GPU of a stage at one instant, as numbers, and what the allocator and the device add.

use crate::estimate::{Instant, InstantMemory, MemoryParts};
use crate::strategy::Zero;
use crate::units::Bytes;

use super::case::{Case, Engine};
use super::constants::{MEGATRON_DEEPSPEED_BUCKETS, MEGATRON_DEEPSPEED_STEP};
use super::instants::stored;
use super::parameters::Local;
use super::stages::Stage;
use super::states::States;
use super::windows::Windows;

/// Everything known about one GPU of a stage at its worst instant; bytes unless said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    pub(super) stage: Stage,
    pub(super) local: Local,
    pub(super) states: States,
    pub(super) windows: Windows,
    pub(super) instant: Instant,
    /// Tensors at that instant, without `runtime`.
    pub(super) parts: Parts,
    /// Context and communicators.
    pub(super) outside: f64,
    /// Cache of the allocator beyond its tensors.
    pub(super) slack: f64,
    /// The part of it in freed blocks that are too small for what comes next.
    pub(super) stranded: f64,
}

/// The tensors of an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub(super) weights: f64,
    pub(super) gradients: f64,
    pub(super) optimizer: f64,
    pub(super) activations: f64,
    pub(super) working: f64,
    pub(super) logits: f64,
    pub(super) buffers: f64,
}

impl Parts {
    pub(super) fn total(&self) -> f64 {
        self.weights
            + self.gradients
            + self.optimizer
            + self.activations
            + self.working
            + self.logits
            + self.buffers
    }
}

impl Figures {
    /// What the allocator holds at the peak.
    pub(super) fn allocated(&self) -> f64 {
        self.parts.total()
    }

    /// What the device reports.
    pub(super) fn device(&self) -> f64 {
        self.allocated() + self.slack + self.outside
    }

    /// The hard lower bound: without cache and without what can be given back.
    pub(super) fn needed(&self) -> f64 {
        self.allocated() + self.outside - self.reclaimable()
    }

    /// At one instant, with what the allocator keeps beside its tensors.
    pub(super) fn at(self, case: &Case<'_>, instant: Instant, parts: Parts) -> Self {
        let (rounding, stranded) = cache(case, &self, instant, &parts);
        Self { instant, parts, slack: rounding + stranded, stranded, ..self }
    }

    /// What the allocator took from the driver.
    pub(super) fn reserved(&self) -> f64 {
        self.parts.total() + self.slack
    }

    /// The part of the tensors that the framework gives back under pressure.
    pub(super) fn reclaimable(&self) -> f64 {
        match self.instant {
            Instant::FirstForward | Instant::Forward | Instant::Loss | Instant::Backward => {
                self.windows.reclaimable
            }
            _ => 0.0,
        }
    }

    pub(super) fn memory(&self) -> InstantMemory {
        InstantMemory {
            instant: self.instant,
            parts: self.memory_parts(),
            device: Bytes::new(self.device()),
            allocated: Bytes::new(self.needed()),
            reclaimable: Bytes::new(self.reclaimable()),
        }
    }

    pub(super) fn memory_parts(&self) -> MemoryParts {
        MemoryParts {
            weights: Bytes::new(self.parts.weights),
            gradients: Bytes::new(self.parts.gradients),
            optimizer: Bytes::new(self.parts.optimizer),
            activations: Bytes::new(self.parts.activations),
            working: Bytes::new(self.parts.working),
            logits: Bytes::new(self.parts.logits),
            buffers: Bytes::new(self.parts.buffers),
            runtime: Bytes::new(self.slack + self.outside),
        }
    }
}

/// What the allocator keeps beside its tensors: rounding, and stranded blocks.
pub(super) fn cache(
    case: &Case<'_>,
    figures: &Figures,
    instant: Instant,
    parts: &Parts,
) -> (f64, f64) {
    let mut tensors = parts.total();
    let stranded = match instant {
        // The first gathered layers do not fit into what the start leaves.
        Instant::Load if figures.windows.start_up > 0.0 => figures.windows.at_loss,
        Instant::Loss => case.shared.stranded,
        Instant::FirstForward if figures.stage.last => case.shared.stranded,
        Instant::Step => beside_step(case, figures),
        Instant::OverStep => {
            let step = MEGATRON_DEEPSPEED_STEP * figures.local.total() / case.shards;
            tensors -= step + MEGATRON_DEEPSPEED_BUCKETS;
            0.0
        }
        _ => 0.0,
    };
    (case.shared.rounding * tensors, stranded)
}

/// `DeepSpeed` flattens the gradients of a shard for the step: blocks that the loss left are too
/// small for that, up to the size of the flat copies.
fn beside_step(case: &Case<'_>, figures: &Figures) -> f64 {
    let flat = case.engine == Engine::DeepSpeed && case.layout.zero != Zero::Weights;
    if !flat || case.variant.expandable_segments {
        return 0.0;
    }
    let logits = if figures.stage.last { case.shared.logits } else { 0.0 };
    let left = stored(case, &figures.stage) + logits;
    left.min(figures.states.step)
}
