//! What an estimate says, in plain parts. The search uses these numbers, the explanation tree
//! is built from them afterwards for the layouts that are shown.

use serde::{Deserialize, Serialize};

use crate::units::{Bytes, Flop, Seconds};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Fits,
    Tight,
    DoesNotFit,
    /// No legal layout under the pins.
    Invalid,
}

/// A middle value with the range that holds 80 % of measured runs of this kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Band {
    pub p10: f64,
    pub p50: f64,
    pub p90: f64,
}

/// One optimizer step, by part; `total` is what they add up to after overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepParts {
    pub matmul: Seconds,
    pub attention: Seconds,
    /// Norms, activations, loss, permutations, gradient accumulation.
    pub memory_bound: Seconds,
    /// Host and launch time that the GPU waits for.
    pub launch: Seconds,
    pub tp_exposed: Seconds,
    pub cp_exposed: Seconds,
    pub ep_exposed: Seconds,
    pub dp_exposed: Seconds,
    pub pp_exposed: Seconds,
    /// Idle in the pipeline, imbalance of the stages included.
    pub bubble: Seconds,
    pub optimizer: Seconds,
    pub offload: Seconds,
    /// Stragglers and everything constant.
    pub jitter: Seconds,
    pub total: Seconds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrafficAxis {
    Tp,
    Cp,
    Ep,
    Dp,
    Pp,
}

/// One collective of a step, as its GPU sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// `all_reduce`, `all_gather`, `reduce_scatter`, `all_to_all`, `send_recv`.
    pub collective: String,
    pub axis: TrafficAxis,
    /// Ranks of one group.
    pub ranks: u32,
    /// Calls in one step.
    pub calls: u32,
    /// Bytes that one GPU sends in one step.
    pub bytes: Bytes,
    /// Time of the collectives of one step, overlapped or not.
    pub time: Seconds,
    /// The part that the GPU waits for.
    pub exposed: Seconds,
    /// Bytes of one step by kind of link: `nvlink`, `pcie`, `nic`, `spine`, summed over the
    /// links of one node.
    pub links: Vec<(String, Bytes)>,
}

/// Step time of a layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub parts: StepParts,
    /// Seconds.
    pub band: Band,
    /// Model work of the step over all GPUs, without recomputation.
    pub model_flop: Flop,
    /// Model FLOP/s over the dense peak of the 16-bit (or fp8) rate.
    pub mfu: f64,
    pub traffic: Vec<Traffic>,
}
