//! Ways to run a job that change memory and that measured runs use, beside what a layout says.

use super::constants::{EIGHT_BIT, GPTQ4, NF4};
use super::fitted::Constants;

/// How the frozen base of an adapter job is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseFormat {
    #[default]
    SixteenBit,
    /// 8-bit integers with a scale for each row; embeddings stay 16-bit.
    EightBit,
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
            Self::EightBit => EIGHT_BIT,
            Self::Nf4 => NF4,
            Self::Gptq4 => GPTQ4,
        }
    }
}

/// How the optimizer keeps what it remembers of past gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moments {
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

/// Parts of a layer that are computed again beside what the layout says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecomputedModules {
    /// Outputs of both norms.
    pub norms: bool,
    /// The feed-forward block from its input on, experts included.
    pub feed_forward: bool,
}

/// The default is what the planner proposes; other values describe measured runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Variant {
    pub base: BaseFormat,
    /// Trainable adapter parameters of the whole model; none: rank 16 on all linear layers.
    pub adapter_parameters: Option<f64>,
    /// Rank of the adapters; none: 16.
    pub adapter_rank: Option<u32>,
    /// Adapters carry a magnitude for each output (`DoRA`, arXiv 2402.09353).
    pub dora: bool,
    /// Moments that differ from those of the job's optimizer.
    pub moments: Option<Moments>,
    pub recomputed: RecomputedModules,
    /// What is offloaded lies on NVMe drives instead of host memory.
    pub nvme: bool,
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
    /// Stored activations wait in host memory.
    pub activation_offload: bool,
    /// Fitted constants; others than the default serve cross-validation.
    pub constants: Constants,
}
