//! Ways to run a job that change memory and that measured runs use, beside what a layout says.

use super::constants::{GPTQ4, NF4};
use super::fitted::Constants;

/// How the frozen base of an adapter job is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseFormat {
    #[default]
    SixteenBit,
    /// 4-bit NormalFloat without double quantisation; embeddings stay 16-bit.
    Nf4,
    /// 4-bit GPTQ; embeddings stay 16-bit.
    Gptq4,
}

impl BaseFormat {
    /// Bytes per weight of a linear layer.
    pub(super) const fn bytes(self) -> f64 {
        match self {
            Self::SixteenBit => 2.0,
            Self::Nf4 => NF4,
            Self::Gptq4 => GPTQ4,
        }
    }
}

/// The default is what the planner proposes; other values describe measured runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Variant {
    pub base: BaseFormat,
    /// Trainable adapter parameters of the whole model; none: rank 16 on all linear layers.
    pub adapter_parameters: Option<f64>,
    /// One micro-batch a step on one GPU, whose gradients are freed before the next loss. The
    /// planner does not count on it, so that memory never falls when a micro-batch grows.
    pub gradients_freed: bool,
    /// Gradients accumulate whole on each GPU and are sharded once a step (FSDP's `no_sync`).
    pub gradients_unsharded: bool,
    /// Each gradient is applied and freed in the backward pass.
    pub optimizer_in_backward: bool,
    /// Each process puts the whole model on its GPU before it is cut: no partitioned or meta
    /// initialisation.
    pub loads_whole: bool,
    /// Matrices that a loader moves through the GPU at the same time.
    pub load_threads: u32,
    /// The allocator grows its segments (`expandable_segments:True`), so that freed blocks of
    /// one size serve any other.
    pub expandable_segments: bool,
    /// Gathers of TP are fused with the matmuls that need them.
    pub async_tp: bool,
    /// Input and output embedding are units of their own under FSDP2, not part of the root unit
    /// that stays gathered.
    pub embeddings_apart: bool,
    /// Stored activations wait in host memory.
    pub activation_offload: bool,
    /// Fitted constants; others than the default serve cross-validation.
    pub constants: Constants,
}
