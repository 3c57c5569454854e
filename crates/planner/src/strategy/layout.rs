//! One full parallel layout.

use serde::{Deserialize, Serialize};

/// How a job is cut. `tp × pp × cp × dp` GPUs; EP folds into `dp × cp` (and TP when experts
/// are not cut), so it never multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Layout {
    pub framework: Framework,
    pub tp: u32,
    pub pp: u32,
    /// Virtual stages per rank; 1 is plain 1F1B.
    pub vpp: u32,
    pub cp: u32,
    pub dp: u32,
    pub ep: u32,
    /// Expert tensor parallelism: `tp` or 1.
    pub etp: u32,
    pub zero: Zero,
    /// Sequence parallelism beside TP.
    pub sp: bool,
    pub micro_batch: u32,
    pub recompute: Recompute,
    pub schedule: Schedule,
    pub offload: Offload,
    /// Stored activations wait in host memory.
    pub activation_offload: bool,
}

impl Layout {
    /// GPUs used.
    pub const fn gpus(&self) -> u32 {
        self.tp * self.pp * self.cp * self.dp
    }

    /// Micro-batches of one step per pipeline, rounded up.
    pub const fn micro_batches(&self, global_batch: u32) -> u32 {
        let per_micro_step = self.micro_batch * self.dp;
        if per_micro_step == 0 { 0 } else { global_batch.div_ceil(per_micro_step) }
    }
}

/// Software stack. The first three are searched; the others describe measured runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Framework {
    MegatronCore,
    DeepSpeed,
    /// FSDP2 with torch.compile, as torchtitan.
    Torchtitan,
    /// Megatron-LM of 2021 to 2023.
    MegatronLegacy,
    /// The DeepSpeed engine under Megatron.
    MegatronDeepSpeed,
    /// FSDP without compilation.
    FsdpEager,
    /// Hugging Face Trainer and its relatives.
    HuggingFace,
    /// Hand-fused CUDA programs.
    FusedCuda,
}

impl Framework {
    /// The word of documents and message keys.
    pub const fn key(self) -> &'static str {
        match self {
            Self::MegatronCore => "megatron-core",
            Self::DeepSpeed => "deep-speed",
            Self::Torchtitan => "torchtitan",
            Self::MegatronLegacy => "megatron-legacy",
            Self::MegatronDeepSpeed => "megatron-deep-speed",
            Self::FsdpEager => "fsdp-eager",
            Self::HuggingFace => "hugging-face",
            Self::FusedCuda => "fused-cuda",
        }
    }
}

/// What is sharded over the data-parallel ranks: nothing, optimizer states, gradients, weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zero {
    None,
    Optimizer,
    Gradients,
    Weights,
}

impl Zero {
    /// The word of documents and message keys.
    pub const fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Optimizer => "optimizer",
            Self::Gradients => "gradients",
            Self::Weights => "weights",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recompute {
    None,
    /// Outputs of both norms (`layernorm` of Megatron-Core's `--recompute-modules`).
    Norms,
    /// The feed-forward block from its input on, experts included (`mlp`, `moe`).
    FeedForward,
    NormsAndFeedForward,
    /// The attention core, or what the framework calls selective.
    Selective,
    Full,
}

impl Recompute {
    /// The word of documents and message keys.
    pub const fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Norms => "layernorm",
            Self::FeedForward => "mlp",
            Self::NormsAndFeedForward => "layernorm-mlp",
            Self::Selective => "selective",
            Self::Full => "full",
        }
    }

    pub const fn norms(self) -> bool {
        matches!(self, Self::Norms | Self::NormsAndFeedForward)
    }

    pub const fn feed_forward(self) -> bool {
        matches!(self, Self::FeedForward | Self::NormsAndFeedForward)
    }

    /// Single modules of a layer are computed again.
    pub const fn by_module(self) -> bool {
        matches!(self, Self::Norms | Self::FeedForward | Self::NormsAndFeedForward)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// No pipeline.
    Single,
    OneFOneB,
    Interleaved,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offload {
    None,
    Optimizer,
    OptimizerAndWeights,
    /// To drives of the node instead of its memory (ZeRO-Infinity, arXiv 2104.07857).
    OptimizerNvme,
    OptimizerAndWeightsNvme,
}

impl Offload {
    /// The word of documents and message keys.
    pub const fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Optimizer => "optimizer",
            Self::OptimizerAndWeights => "optimizer-and-weights",
            Self::OptimizerNvme => "optimizer-nvme",
            Self::OptimizerAndWeightsNvme => "optimizer-and-weights-nvme",
        }
    }

    /// Optimizer states leave the GPU.
    pub const fn optimizer(self) -> bool {
        !matches!(self, Self::None)
    }

    pub const fn weights(self) -> bool {
        matches!(self, Self::OptimizerAndWeights | Self::OptimizerAndWeightsNvme)
    }

    /// What leaves the GPU lies on drives.
    pub const fn nvme(self) -> bool {
        matches!(self, Self::OptimizerNvme | Self::OptimizerAndWeightsNvme)
    }
}
