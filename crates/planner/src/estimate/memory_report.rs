//! What an estimate of memory says: by stage, by instant and by part, on the device and on the
//! host. The search uses [`StageMemory`] of the worst stage alone; the timeline is filled in for
//! the layouts that are shown.

use serde::{Deserialize, Serialize};

use crate::units::Bytes;

use super::{Band, Verdict, memory};

/// The moments of a run at which the peak can lie, in their order.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Instant {
    /// Weights and what the framework allocates beside them before the first step.
    Load,
    /// The forward pass of the first step: no moments and, in most frameworks, no gradients yet.
    FirstForward,
    /// The last layer of the forward pass, as many micro-batches stored as the schedule keeps.
    Forward,
    /// Logits and their gradient; last stage only.
    Loss,
    /// The most demanding layer in its backward pass.
    #[default]
    Backward,
    /// All gradients, no activations.
    EndOfBackward,
    /// The optimizer step with its temporaries.
    Step,
    /// A checkpoint is written.
    Save,
    /// The sum over a step, as Megatron-DeepSpeed of 2021 and 2022 shows it.
    OverStep,
}

impl Instant {
    pub const ALL: [Self; 9] = [
        Self::Load,
        Self::FirstForward,
        Self::Forward,
        Self::Loss,
        Self::Backward,
        Self::EndOfBackward,
        Self::Step,
        Self::Save,
        Self::OverStep,
    ];

    /// The word of documents; the message `term-memory-KEY` names the instant.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Load => "at-load",
            Self::FirstForward => "in-first-forward",
            Self::Forward => "in-forward",
            Self::Loss => "at-loss",
            Self::Backward => "in-backward",
            Self::EndOfBackward => "after-backward",
            Self::Step => "at-step",
            Self::Save => "at-save",
            Self::OverStep => "over-step",
        }
    }
}

/// Memory of the GPUs of one pipeline stage at one instant, by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryParts {
    pub weights: Bytes,
    pub gradients: Bytes,
    pub optimizer: Bytes,
    /// Stored for the backward pass.
    pub activations: Bytes,
    /// Working set of the layer being computed.
    pub working: Bytes,
    /// Logits and loss.
    pub logits: Bytes,
    /// Gathered weights, reduce and all-gather buckets, step temporaries.
    pub buffers: Bytes,
    /// Context, communicators, allocator slack.
    pub runtime: Bytes,
}

impl MemoryParts {
    pub fn total(&self) -> Bytes {
        self.weights
            + self.gradients
            + self.optimizer
            + self.activations
            + self.working
            + self.logits
            + self.buffers
            + self.runtime
    }
}

/// One pipeline stage at its worst instant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageMemory {
    pub stage: u32,
    /// Where the peak lies.
    pub instant: Instant,
    pub parts: MemoryParts,
    /// What the device reports at the peak, allocator slack included.
    pub device: Bytes,
    /// The hard lower bound: allocated plus context.
    pub allocated: Bytes,
}

/// One GPU of a stage at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstantMemory {
    pub instant: Instant,
    pub parts: MemoryParts,
    /// What the device reports then, allocator slack included.
    pub device: Bytes,
    /// The hard lower bound: allocated plus context, without what is `reclaimable`.
    pub allocated: Bytes,
    /// Tensors that the framework gives back under pressure; part of `parts.buffers`.
    pub reclaimable: Bytes,
}

/// One pipeline stage from loading to saving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageTimeline {
    pub stage: u32,
    /// Layers of the stage.
    pub layers: u32,
    /// Micro-batches whose activations are stored at once.
    pub in_flight: f64,
    /// In their order; instants that the stage does not have are left out.
    pub instants: Vec<InstantMemory>,
}

/// Host memory of the fullest node, by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostMemory {
    /// Interpreters, libraries and data loaders of all processes of the node; all the time.
    pub processes: Bytes,
    /// Weights that the processes hold while they load; given back afterwards.
    pub loading: Bytes,
    /// Weights, gradients and optimizer states that live in host memory.
    pub states: Bytes,
    /// Pinned buffers and rounding beside those.
    pub pinned: Bytes,
    /// Activations that wait for their backward pass.
    pub activations: Bytes,
    /// States on the drives of the node; no part of its memory.
    pub nvme: Bytes,
}

impl HostMemory {
    /// While the weights are loaded.
    pub fn at_load(&self) -> Bytes {
        self.processes + self.loading
    }

    /// During training.
    pub fn steady(&self) -> Bytes {
        self.processes + self.states + self.pinned + self.activations
    }

    /// The larger of the two.
    pub fn peak(&self) -> Bytes {
        if self.at_load() > self.steady() { self.at_load() } else { self.steady() }
    }
}

/// Memory of a layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    pub verdict: Verdict,
    /// Usable memory of one GPU.
    pub capacity: Bytes,
    /// The worst stage at its worst instant.
    pub worst: StageMemory,
    /// Every stage at its own worst instant, in order.
    pub stages: Vec<StageMemory>,
    /// Every stage at every instant, in order.
    pub timeline: Vec<StageTimeline>,
    /// Host memory of one node.
    pub host: HostMemory,
    pub host_capacity: Bytes,
    /// Relative band of the device peak.
    pub band: Band,
}

impl Memory {
    /// Share of the capacity that the worst stage leaves; negative when it does not fit.
    pub fn margin(&self) -> f64 {
        1.0 - self.worst.device.ratio(self.capacity)
    }

    /// The same of the host.
    pub fn host_margin(&self) -> f64 {
        1.0 - self.host.peak().ratio(self.host_capacity)
    }

    /// The verdict of the device alone at one instant of the timeline.
    pub fn verdict_at(&self, at: &InstantMemory) -> Verdict {
        let [needed, device, capacity] = [at.allocated, at.device, self.capacity].map(Bytes::base);
        memory::verdict(needed, device, capacity, self.band.p90, true)
    }
}
