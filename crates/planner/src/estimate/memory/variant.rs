//! Bytes of what a job names, and ways to run it that change memory and that only measured runs
//! use, beside what job and layout say.

use crate::strategy::BaseFormat;

use super::constants::{EIGHT_BIT, GPTQ4, NF4};
use super::fitted::Constants;

/// Bytes per weight of a frozen linear layer.
pub(super) const fn base_bytes(base: BaseFormat) -> f64 {
    match base {
        BaseFormat::SixteenBit => 2.0,
        BaseFormat::EightBit => EIGHT_BIT,
        BaseFormat::Nf4 => NF4,
        BaseFormat::Gptq4 => GPTQ4,
    }
}

/// How the optimizer keeps what it remembers of past gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moments {
    /// Two in fp32.
    Fp32,
    /// Two in 16 bits, with stochastic rounding or beside a master copy.
    SixteenBit,
    /// Two in 8 bits.
    EightBit,
    /// None: plain SGD.
    None,
}

impl Moments {
    /// Bytes per parameter.
    pub(super) const fn bytes(self) -> f64 {
        match self {
            Self::Fp32 => 8.0,
            Self::SixteenBit => 4.0,
            Self::EightBit => 2.0,
            Self::None => 0.0,
        }
    }
}

/// The default is what the planner proposes; other values describe measured runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Variant {
    /// Trainable adapter parameters of the whole model; none: the job's rank on all linear layers.
    pub adapter_parameters: Option<f64>,
    /// Tokens of the fullest expert group over the mean; none: balanced.
    pub expert_imbalance: Option<f64>,
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
    /// The loader moves matrices through the GPU in as many threads as the process has cores.
    pub threaded_loader: bool,
    /// FP8 copies of weights and their transposes are kept beside 16-bit weights (Transformer
    /// Engine without primary FP8 weights). Recalled.
    pub fp8_copies: bool,
    /// GPUs over which states are cut where that is not all of DP × CP (hybrid sharding).
    pub shard_group: Option<u32>,
    /// The allocator grows its segments (`expandable_segments:True`), so that freed blocks of
    /// one size serve any other.
    pub expandable_segments: bool,
    /// Gathers of TP are fused with the matmuls that need them.
    pub async_tp: bool,
    /// Input and output embedding are units of their own under FSDP2, not part of the root unit
    /// that stays gathered.
    pub embeddings_apart: bool,
    /// Fitted constants; others than the default serve cross-validation.
    pub constants: Constants,
}
