//! Whether an engine that serves a model has room: weights, what it needs to run, and the pool
//! that is left for keys and values. Speed is not estimated.
//!
//! The engine takes a share of each GPU (`gpu_memory_utilization` of vLLM, `mem_fraction_static`
//! of SGLang), loads its part of the weights, runs the largest batch once, and gives the rest to
//! the cache (vLLM worker `determine_available_memory`).

mod cache;
mod weights;

use serde::{Deserialize, Serialize};

use crate::catalog::Accelerator;
use crate::estimate::Verdict;
use crate::estimate::memory::usable;
use crate::explain::{Code, Evidence, Finding, Quantity, Remedy, RemedyStep, Severity, Subject};
use crate::model::Model;
use crate::units::Bytes;

pub use cache::{capacity, sequence_bytes, tp_share};
pub use weights::{WeightFormat, weights};

/// Tokens that an engine runs at once at most (`max_num_batched_tokens` of vLLM since 0.8).
const BATCHED_TOKENS: f64 = 8_192.0;
/// Sequences whose logits exist at once (`max_num_seqs` of vLLM).
const SEQUENCES: f64 = 256.0;
/// Context, communicators and captured graphs in GiB. Recalled; 1 to 2 in published start logs.
const RUNTIME_GIB: f64 = 1.5;
/// Room over what one sequence needs, below which a plan only just fits.
const ROOM: f64 = 1.1;
/// Up to how many GPUs more are looked for.
const MOST_GPUS: u32 = 4_096;

/// How a model is served.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Serving {
    pub format: WeightFormat,
    pub tp: u32,
    pub pp: u32,
    /// Share of a GPU that the engine takes.
    pub utilization: f64,
}

/// Memory of one GPU of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Room {
    pub weights: Bytes,
    /// Context, communicators and the activations of the largest batch.
    pub running: Bytes,
    /// What the engine takes of the GPU.
    pub taken: Bytes,
    /// Left for keys and values; zero where nothing is.
    pub pool: Bytes,
    /// What one sequence needs there.
    pub sequence: Bytes,
    pub verdict: Verdict,
}

/// The room on one GPU, of which one sequence needs `sequence` for its keys and values.
pub fn room(model: &Model, part: &Accelerator, serving: &Serving, sequence: Bytes) -> Room {
    let gpus = f64::from(serving.tp.max(1)) * f64::from(serving.pp.max(1));
    let weights = weights(model, serving.format) / gpus;
    let running = running(model, serving);
    let taken = usable(part) * serving.utilization;
    let left = taken - weights - running;
    let pool = left.max(Bytes::ZERO);
    let verdict = if left <= Bytes::ZERO || pool < sequence {
        Verdict::DoesNotFit
    } else if pool < sequence * ROOM {
        Verdict::Tight
    } else {
        Verdict::Fits
    };
    Room { weights, running, taken, pool, sequence, verdict }
}

/// The fewest GPUs that hold the weights, split by TP inside of nodes of `per_node` GPUs and by
/// stages over nodes; none below 4,096 GPUs.
pub fn fewest_gpus(
    model: &Model,
    part: &Accelerator,
    serving: &Serving,
    per_node: u32,
) -> Option<u32> {
    let inside =
        (1..=per_node.clamp(1, MOST_GPUS)).filter(|tp| model.attention.heads.is_multiple_of(*tp));
    let widest = inside.clone().max().unwrap_or(1);
    let across = (2..=MOST_GPUS / widest).map(|pp| (widest, pp));
    inside.map(|tp| (tp, 1)).chain(across).find_map(|(tp, pp)| {
        let tried = Serving { tp, pp, ..*serving };
        let fits = room(model, part, &tried, Bytes::ZERO).verdict != Verdict::DoesNotFit;
        (fits && pp <= model.layers).then_some(tp * pp)
    })
}

/// What is wrong with too little room: what is needed, what there is, and how many GPUs hold it.
pub fn finding(room: &Room, gpus: u32, fewest: Option<u32>) -> Option<Finding> {
    let (code, severity) = match room.verdict {
        Verdict::Fits | Verdict::Invalid => return None,
        Verdict::Tight => (Code::TightMemory, Severity::Warn),
        Verdict::DoesNotFit => (Code::OutOfMemory, Severity::Block),
    };
    let more = fewest.filter(|fewest| *fewest > gpus).map(|fewest| Remedy {
        steps: vec![RemedyStep {
            field: "gpus".into(),
            from: gpus.to_string(),
            to: fewest.to_string(),
        }],
        time_cost: None,
        alters_training: false,
        proof: Vec::new(),
    });
    Some(Finding {
        code,
        severity,
        subject: Subject::Plan,
        evidence: vec![
            Evidence::new("needed", Quantity::Bytes(room.weights + room.running + room.sequence)),
            Evidence::new("available", Quantity::Bytes(room.taken)),
        ],
        remedies: more.into_iter().collect(),
    })
}

/// The largest batch that runs at once: hidden states, one feed-forward block and the logits of
/// all sequences, in the widths of the eager code.
fn running(model: &Model, serving: &Serving) -> Bytes {
    let tp = f64::from(serving.tp.max(1));
    let hidden = 4.0 * f64::from(model.hidden);
    let width = model.experts.map_or(f64::from(model.feed_forward.width), |experts| {
        f64::from(experts.width) * f64::from(experts.top_k) + f64::from(experts.shared_width)
    });
    let tokens = 2.0 * BATCHED_TOKENS * (hidden + 3.0 * width / tp);
    let logits = 4.0 * SEQUENCES * f64::from(model.vocab);
    Bytes::gib(RUNTIME_GIB) + Bytes::new(tokens + logits)
}

#[cfg(test)]
mod tests;
