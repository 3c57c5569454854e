//! What is to be trained.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    pub kind: JobKind,
    /// Tokens of one sequence.
    pub sequence: u32,
    /// Sequences of one optimizer step over the whole cluster.
    pub global_batch: u32,
    pub precision: Precision,
    pub optimizer: Optimizer,
    /// Asked only when `kind` is [`JobKind::Lora`].
    pub adapter: Adapter,
    /// Tokens to train on in total.
    pub tokens: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobKind {
    Pretrain,
    FullFineTune,
    /// Low-rank adapters on all linear layers over a frozen base.
    Lora,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// 16-bit weights and matmuls, fp32 master weights and moments.
    Bf16Mixed,
    /// The same with fp8 matmuls.
    Fp8Mixed,
    /// Everything in bf16, no master copy.
    PureBf16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Optimizer {
    AdamW,
    AdamW8bit,
    /// `AdamW` with both moments in bf16 beside a master copy.
    AdamWBf16,
    /// Plain stochastic gradient descent: no momentum, nothing remembered.
    Sgd,
}

/// Low-rank adapters and the frozen base that they stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adapter {
    pub rank: u32,
    /// QLoRA (arXiv 2305.14314) is [`BaseFormat::Nf4`].
    pub base: BaseFormat,
    /// Adapters carry a magnitude for each output (`DoRA`, arXiv 2402.09353).
    pub dora: bool,
}

impl Default for Adapter {
    /// Rank 16 over 16-bit weights, as the recipes of the field use most.
    fn default() -> Self {
        Self { rank: 16, base: BaseFormat::SixteenBit, dora: false }
    }
}

/// How the frozen base of an adapter job is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BaseFormat {
    SixteenBit,
    /// 8-bit integers with a scale for each row; embeddings stay 16-bit.
    EightBit,
    /// 4-bit NormalFloat without double quantisation; embeddings stay 16-bit.
    Nf4,
    /// 4-bit GPTQ; embeddings stay 16-bit.
    Gptq4,
}

impl Job {
    /// How weights are kept that an adapter job freezes; 16-bit in any other job.
    pub const fn base(&self) -> BaseFormat {
        match self.kind {
            JobKind::Lora => self.adapter.base,
            JobKind::Pretrain | JobKind::FullFineTune => BaseFormat::SixteenBit,
        }
    }

    /// Whether adapters carry magnitudes.
    pub const fn dora(&self) -> bool {
        matches!(self.kind, JobKind::Lora) && self.adapter.dora
    }
}
