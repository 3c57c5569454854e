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
    /// Tokens to train on in total.
    pub tokens: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobKind {
    Pretrain,
    FullFineTune,
    /// Low-rank adapters on all linear layers over a frozen 16-bit base.
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
}
