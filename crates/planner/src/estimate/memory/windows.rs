//! Gathered weights, gradients of the layer in flight, and buckets (STUDY_MEMORY.md 3.5).

use crate::strategy::{BaseFormat, Offload, Zero};

use super::case::{Case, Engine};
use super::constants::{MEGATRON_DEEPSPEED_BUCKETS, START_BROADCAST, ZERO_BUCKET, ZERO3_LIVE};
use super::parameters::Local;
use super::stages::Stage;
use super::states;
use super::variant::base_bytes;

/// What comes and goes beside states and activations, in bytes of one GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Windows {
    /// Gathered weights while the loss is computed.
    pub(super) at_loss: f64,
    /// Gathered weights while a layer is in the backward pass.
    pub(super) in_backward: f64,
    /// Unsharded gradients of the layer in the backward pass.
    pub(super) layer_gradients: f64,
    /// One matrix of a 4-bit base in 16 bits.
    pub(super) dequantized: f64,
    /// Reduce and all-gather buckets, alive all the time.
    pub(super) buckets: f64,
    /// Copies of the root unit while FSDP1 broadcasts and flattens it.
    pub(super) start_up: f64,
    /// The largest matrix gathered for a whole checkpoint.
    pub(super) at_save: f64,
    /// Weights copied ahead that the allocator gives back under pressure.
    pub(super) reclaimable: f64,
}

pub(super) fn windows(case: &Case<'_>, stage: &Stage, local: &Local) -> Windows {
    let (at_loss, in_backward, reclaimable) = gathered(case, stage, local);
    Windows {
        at_loss,
        in_backward,
        layer_gradients: layer_gradients(case, local),
        dequantized: dequantized(case),
        buckets: buckets(case, local),
        start_up: start_up(case, local),
        at_save: if case.gathers_weights() && !case.lora { 2.0 * local.head } else { 0.0 },
        reclaimable,
    }
}

fn gathered(case: &Case<'_>, stage: &Stage, local: &Local) -> (f64, f64, f64) {
    if !case.gathers_weights() {
        return (0.0, 0.0, 0.0);
    }
    let layer_adapters = (local.adapters + local.expert_adapters) / stage.layers().max(1.0);
    let matrices = local.largest_layer * local.linear_share;
    let gathered =
        if states::base_is_whole(case) { 0.0 } else { base_bytes(case.setting.job.base()) };
    let layer = matrices * gathered + 2.0 * (local.largest_layer - matrices);
    let layer = layer + 2.0 * layer_adapters;
    let root = 2.0 * local.embeddings;
    match case.engine {
        Engine::Fsdp2 if case.variant.embeddings_apart => {
            (2.0 * local.head + layer, (2.0 * local.head).max(layer) + layer, 0.0)
        }
        Engine::Fsdp2 => (root + layer, root + 2.0 * layer, 0.0),
        Engine::Fsdp1 => {
            let ahead = if case.layout.offload == Offload::None {
                0.0
            } else {
                case.variant.constants.offload_ahead * layer
            };
            let window = root + 2.0 * layer + 2.0 * layer_adapters;
            (window, window, ahead)
        }
        Engine::DeepSpeed => {
            let large = if local.embeddings > ZERO3_LIVE { local.embeddings } else { 0.0 };
            let live = 2.0 * local.total().min(ZERO3_LIVE + large);
            (live, live, 0.0)
        }
        Engine::Megatron => (2.0 * layer, 2.0 * layer, 0.0),
        Engine::MegatronDeepSpeed | Engine::Ddp | Engine::FusedCuda => (0.0, 0.0, 0.0),
    }
}

/// Where gradients are sharded or applied at once, those of a layer exist whole for a moment:
/// in 16 bits as computed, and in the width of the reduction.
fn layer_gradients(case: &Case<'_>, local: &Local) -> f64 {
    if case.lora {
        return 0.0;
    }
    let layer = local.largest_layer;
    match case.engine {
        Engine::Fsdp2 if case.gathers_weights() => (2.0 + states::gradient_width(case)) * layer,
        Engine::Fsdp1 if case.gathers_weights() => 4.0 * layer,
        Engine::DeepSpeed if case.layout.zero == Zero::Weights => 2.0 * (layer + local.head),
        Engine::Megatron if case.layout.zero >= Zero::Gradients => 2.0 * layer,
        Engine::Fsdp2 | Engine::Fsdp1 | Engine::Ddp => 2.0 * layer,
        Engine::Megatron | Engine::MegatronDeepSpeed | Engine::DeepSpeed | Engine::FusedCuda => 0.0,
    }
}

/// FSDP1 flattens the root unit last: its matrices as loaded, their flat copy, and two broadcasts,
/// beside what its loader left.
fn start_up(case: &Case<'_>, local: &Local) -> f64 {
    if case.engine == Engine::Fsdp1 && case.gathers_weights() {
        let matrix = 2.0 * case.h * f64::from(case.model().feed_forward.width) / case.t;
        2.0 * 2.0 * local.embeddings
            + 2.0 * START_BROADCAST
            + if case.variant.threaded_loader {
                case.variant.constants.load_threads * matrix
            } else {
                0.0
            }
    } else {
        0.0
    }
}

fn dequantized(case: &Case<'_>) -> f64 {
    let matrix = 2.0 * case.h * f64::from(case.model().feed_forward.width) / case.t;
    let base = if case.setting.job.base() == BaseFormat::SixteenBit { 0.0 } else { matrix };
    // The norm of each row is taken of the sum of base and adapter (peft `dora.py`, read).
    base + if case.setting.job.dora() { 2.0 * matrix } else { 0.0 }
}

fn buckets(case: &Case<'_>, local: &Local) -> f64 {
    match (case.engine, case.layout.zero) {
        (Engine::DeepSpeed, Zero::Optimizer | Zero::Gradients) => 2.0 * 2.0 * ZERO_BUCKET,
        (Engine::DeepSpeed, Zero::Weights) => 2.0 * 2.0 * case.h * case.h,
        (Engine::MegatronDeepSpeed, _) => MEGATRON_DEEPSPEED_BUCKETS,
        // Gradients are copied into buckets unless they are views of them.
        (Engine::Ddp, _) if case.shards > 1.0 => {
            let trained =
                if case.lora { local.adapters + local.expert_adapters } else { local.total() };
            trained * if case.pure { 2.0 } else { 4.0 }
        }
        _ => 0.0,
    }
}
