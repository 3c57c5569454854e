//! One table of names: each choice has a word for files and a code for links.
//!
//! Words and codes that were once written must stay readable for ever: add, never change.

use planner::cluster::{Fabric, HostPath, IntraNode};
use planner::strategy::{
    BaseFormat, Framework, JobKind, Offload, Optimizer, Precision, Recompute, Zero,
};
use planner::units::Currency;

/// A choice among a few named values.
pub trait Word: Copy + PartialEq + 'static {
    /// Every value, in the order in which a form offers them.
    const ALL: &'static [Self];

    /// The word of the file form.
    fn word(self) -> &'static str;

    /// The number of the link form.
    fn code(self) -> u8;

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.word() == word)
    }

    fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.code() == code)
    }
}

macro_rules! words {
    ($name:ty { $([$($value:tt)+] $code:literal $word:literal,)+ }) => {
        impl Word for $name {
            const ALL: &'static [Self] = &[$($($value)+),+];

            fn word(self) -> &'static str {
                match self {
                    $($($value)+ => $word,)+
                }
            }

            fn code(self) -> u8 {
                match self {
                    $($($value)+ => $code,)+
                }
            }
        }
    };
}

words!(JobKind {
    [JobKind::Pretrain] 0 "pretrain",
    [JobKind::FullFineTune] 1 "full-fine-tune",
    [JobKind::Lora] 2 "lora",
});

words!(Precision {
    [Precision::Bf16Mixed] 0 "bf16-mixed",
    [Precision::Fp8Mixed] 1 "fp8-mixed",
    [Precision::PureBf16] 2 "pure-bf16",
});

words!(Optimizer {
    [Optimizer::AdamW] 0 "adamw",
    [Optimizer::AdamW8bit] 1 "adamw-8bit",
    [Optimizer::AdamWBf16] 2 "adamw-bf16",
    [Optimizer::Sgd] 3 "sgd",
});

words!(BaseFormat {
    [BaseFormat::SixteenBit] 0 "16-bit",
    [BaseFormat::EightBit] 1 "8-bit",
    [BaseFormat::Nf4] 2 "nf4",
    [BaseFormat::Gptq4] 3 "gptq4",
});

words!(IntraNode {
    [IntraNode::NvSwitch] 0 "nvswitch",
    [IntraNode::NvLinkPairs] 1 "nvlink-pairs",
    [IntraNode::Mesh] 2 "mesh",
    [IntraNode::Pcie(HostPath::PeerToPeer)] 3 "pcie-peer-to-peer",
    [IntraNode::Pcie(HostPath::ThroughHost)] 4 "pcie-through-host",
});

words!(Fabric {
    [Fabric::InfiniBand] 0 "infiniband",
    [Fabric::Roce] 1 "roce",
    [Fabric::Efa] 2 "efa",
    [Fabric::Tcpx] 3 "tcpx",
    [Fabric::Ethernet] 4 "ethernet",
});

words!(Framework {
    [Framework::MegatronCore] 0 "megatron-core",
    [Framework::DeepSpeed] 1 "deepspeed",
    [Framework::Torchtitan] 2 "torchtitan",
    [Framework::MegatronLegacy] 3 "megatron-legacy",
    [Framework::MegatronDeepSpeed] 4 "megatron-deepspeed",
    [Framework::FsdpEager] 5 "fsdp-eager",
    [Framework::HuggingFace] 6 "hugging-face",
    [Framework::FusedCuda] 7 "fused-cuda",
});

words!(Zero {
    [Zero::None] 0 "none",
    [Zero::Optimizer] 1 "optimizer",
    [Zero::Gradients] 2 "gradients",
    [Zero::Weights] 3 "weights",
});

words!(Recompute {
    [Recompute::None] 0 "none",
    [Recompute::Norms] 3 "layernorm",
    [Recompute::FeedForward] 4 "mlp",
    [Recompute::NormsAndFeedForward] 5 "layernorm-mlp",
    [Recompute::Selective] 1 "selective",
    [Recompute::Full] 2 "full",
});

words!(Offload {
    [Offload::None] 0 "none",
    [Offload::Optimizer] 1 "optimizer",
    [Offload::OptimizerAndWeights] 2 "optimizer-and-weights",
    [Offload::OptimizerNvme] 3 "optimizer-nvme",
    [Offload::OptimizerAndWeightsNvme] 4 "optimizer-and-weights-nvme",
});

words!(Currency {
    [Currency::Cny] 0 "CNY",
    [Currency::Usd] 1 "USD",
});
