//! The software of a run as far as it changes time or memory. A user can select each field;
//! [`Stack::of`] gives the defaults of a framework.

use serde::{Deserialize, Serialize};

use super::Framework;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stack {
    /// Release date in years, 2025.5 is mid-2025.
    pub release: f64,
    pub attention: AttentionKernel,
    pub loss: LossPath,
    /// Gradients are kept and reduced in fp32.
    pub fp32_gradients: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttentionKernel {
    /// Scores are written to memory.
    Unfused,
    /// Flash attention in Triton, 2022 and 2023.
    FlashTriton,
    /// FlashAttention 2 and PyTorch SDPA.
    Flash2,
    /// cuDNN and FlashAttention 3 or newer.
    Flash3,
}

/// How logits become a loss; sets the bytes per logit (STUDY_MEMORY.md 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossPath {
    VocabParallelFused,
    VocabParallelFp32,
    EagerFp32,
    Compiled,
    HuggingFaceFp32,
    HuggingFaceBf16,
    Bf16,
    /// In chunks of an eighth of the tokens.
    Chunked,
    /// Linear and cross-entropy in one kernel.
    FusedLinear,
}

impl Stack {
    /// Defaults of the framework, December 2026.
    pub const fn of(framework: Framework) -> Self {
        let (release, attention, loss, fp32_gradients) = match framework {
            Framework::MegatronCore => {
                (2026.5, AttentionKernel::Flash3, LossPath::VocabParallelFused, true)
            }
            Framework::DeepSpeed => (2026.5, AttentionKernel::Flash2, LossPath::Bf16, false),
            Framework::Torchtitan => (2026.5, AttentionKernel::Flash2, LossPath::Compiled, true),
            Framework::MegatronLegacy => {
                (2022.0, AttentionKernel::Unfused, LossPath::VocabParallelFp32, true)
            }
            Framework::MegatronDeepSpeed => {
                (2022.0, AttentionKernel::Unfused, LossPath::VocabParallelFp32, false)
            }
            Framework::FsdpEager => (2024.0, AttentionKernel::Flash2, LossPath::EagerFp32, true),
            Framework::HuggingFace => {
                (2024.0, AttentionKernel::Flash2, LossPath::HuggingFaceFp32, false)
            }
            Framework::FusedCuda => (2025.5, AttentionKernel::Flash3, LossPath::Chunked, false),
        };
        Self { release, attention, loss, fp32_gradients }
    }
}
