//! The gates a choice passes in order, and how many choices each stopped.

use serde::{Deserialize, Serialize};

/// Why a choice was cut. The order is the order of testing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The framework cannot run this job at all (precision, adapters, optimizer).
    FrameworkJob,
    TpDividesHeads,
    TpDividesKvHeads,
    TpDividesFeedForward,
    /// Widths in multiples of 16 and tokens in multiples of 8 on each rank.
    Fp8Alignment,
    /// Sequence over `2 × CP`, or over `CP × TP` for sequence parallelism.
    SequenceDivides,
    /// Fewer layers than pipeline stages.
    StagesNeedLayers,
    /// The framework cannot cut a model with tied embeddings.
    TiedPipeline,
    EpDividesExperts,
    /// `EP × expert TP` does not divide `DP × CP × TP`.
    EpDividesRanks,
    /// The global batch is not a multiple of `DP × micro-batch`.
    BatchDivides,
    /// Interleaving needs micro-batches in multiples of the stages.
    InterleavingRounds,
    /// Fewer micro-batches than stages, where the framework needs one for each.
    MicroBatchesFillStages,
    DeviceMemory,
    HostMemory,
    /// A lower bound on its time is above what was already found.
    Slower,
}

impl Gate {
    pub const ALL: [Self; 16] = [
        Self::FrameworkJob,
        Self::TpDividesHeads,
        Self::TpDividesKvHeads,
        Self::TpDividesFeedForward,
        Self::Fp8Alignment,
        Self::SequenceDivides,
        Self::StagesNeedLayers,
        Self::TiedPipeline,
        Self::EpDividesExperts,
        Self::EpDividesRanks,
        Self::BatchDivides,
        Self::InterleavingRounds,
        Self::MicroBatchesFillStages,
        Self::DeviceMemory,
        Self::HostMemory,
        Self::Slower,
    ];

    /// Message key: `gate-KEY`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::FrameworkJob => "framework-job",
            Self::TpDividesHeads => "tp-divides-heads",
            Self::TpDividesKvHeads => "tp-divides-kv-heads",
            Self::TpDividesFeedForward => "tp-divides-feed-forward",
            Self::Fp8Alignment => "fp8-alignment",
            Self::SequenceDivides => "sequence-divides",
            Self::StagesNeedLayers => "stages-need-layers",
            Self::TiedPipeline => "tied-pipeline",
            Self::EpDividesExperts => "ep-divides-experts",
            Self::EpDividesRanks => "ep-divides-ranks",
            Self::BatchDivides => "batch-divides",
            Self::InterleavingRounds => "interleaving-rounds",
            Self::MicroBatchesFillStages => "micro-batches-fill-stages",
            Self::DeviceMemory => "device-memory",
            Self::HostMemory => "host-memory",
            Self::Slower => "slower",
        }
    }
}

/// Choices stopped, by the first gate that each failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateCounts([u64; Gate::ALL.len()]);

impl GateCounts {
    pub fn add(&mut self, gate: Gate, choices: u64) {
        if let Some(count) = self.0.get_mut(gate as usize) {
            *count += choices;
        }
    }

    /// Gates that stopped something, in gate order.
    pub fn iter(&self) -> impl Iterator<Item = (Gate, u64)> {
        Gate::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}
