//! Host memory of one node, and the size of a checkpoint (STUDY_MEMORY.md 4, "Host memory").

use crate::estimate::{HostMemory, Setting};
use crate::strategy::{JobKind, Offload, Optimizer, Precision, Zero};
use crate::units::Bytes;

use super::case::{Case, Engine, count};
use super::constants::{GIB, HOST_FACTOR, HOST_PROCESS_GIB};
use super::instants::Figures;
use super::parameters::adapter_total;
use super::variant::Variant;

/// Bytes of a full checkpoint: 16-bit weights, fp32 master copy and moments (14 per trained
/// parameter; 8 with 8-bit moments; pure bf16 6 and 4). An adapter job saves its adapters.
pub fn checkpoint_bytes(setting: &Setting<'_>) -> Bytes {
    let eight_bit = setting.job.optimizer == Optimizer::AdamW8bit;
    let width = match (setting.job.precision, eight_bit) {
        (Precision::PureBf16, false) => 6.0,
        (Precision::PureBf16, true) => 4.0,
        (Precision::Bf16Mixed | Precision::Fp8Mixed, false) => 14.0,
        (Precision::Bf16Mixed | Precision::Fp8Mixed, true) => 8.0,
    };
    Bytes::new(width * trained(setting, &Variant::default()))
}

/// Host memory of the fullest node.
pub(super) fn host(case: &Case<'_>, worst: &Figures) -> HostMemory {
    let gpus = f64::from(case.layout.gpus());
    let per_node = f64::from(case.setting.cluster.gpus_per_node.max(1)).min(gpus.max(1.0));
    let nodes = (gpus / per_node).max(1.0);
    let activations = if case.variant.activation_offload {
        let bytes = &case.shared.bytes;
        let stage = &worst.stage;
        let per_token =
            stage.dense_layers * bytes.dense.stored + stage.moe_layers * bytes.moe.stored;
        per_node * stage.in_flight * per_token * case.tokens
    } else {
        0.0
    };
    let states = offloaded(case) / nodes;
    HostMemory {
        processes: Bytes::new(HOST_PROCESS_GIB * GIB * per_node),
        loading: Bytes::new(loading(case, worst, per_node)),
        states: Bytes::new(states),
        pinned: Bytes::new((HOST_FACTOR - 1.0) * states),
        activations: Bytes::new(activations),
    }
}

/// States of the whole job that live in host memory: fp32 master copy,
/// moments and fp32 gradients (16 bytes per trained parameter), and 16-bit weights where those
/// are offloaded too and are not the master copy.
fn offloaded(case: &Case<'_>) -> f64 {
    let trained = trained(case.setting, case.variant);
    let frozen = if case.lora { count(case.model().counts.total) } else { 0.0 };
    let eight_bit = case.setting.job.optimizer == Optimizer::AdamW8bit;
    let (optimizer, weights) = match (case.pure, eight_bit) {
        (true, true) => (2.0, 4.0),
        (true, false) => (4.0, 4.0),
        (false, true) => (10.0, 2.0),
        (false, false) => (16.0, 2.0),
    };
    let one_copy = !case.pure && matches!(case.engine, Engine::Fsdp2 | Engine::Fsdp1);
    let weights = if one_copy { 0.0 } else { weights };
    match case.layout.offload {
        Offload::None => 0.0,
        Offload::Optimizer => optimizer * trained,
        Offload::OptimizerAndWeights => (optimizer + weights) * trained + 2.0 * frozen,
    }
}

/// While loading. DeepSpeed and the Trainer build the weights in each process, fp32 for a new
/// model and 16-bit for a checkpoint; with ZeRO 3 one layer at a time, by its estimator. FSDP1
/// loads in one process of a node; the others start on the GPU.
fn loading(case: &Case<'_>, worst: &Figures, per_node: f64) -> f64 {
    let width = if case.setting.job.kind == JobKind::Pretrain { 4.0 } else { 2.0 };
    let whole = width * count(case.model().counts.total);
    match case.engine {
        Engine::DeepSpeed if case.layout.zero == Zero::Weights => {
            HOST_FACTOR * 4.0 * worst.local.largest_layer.max(worst.local.head) * per_node
        }
        Engine::DeepSpeed | Engine::Ddp => whole * per_node,
        Engine::Fsdp1 => whole,
        Engine::Megatron | Engine::MegatronDeepSpeed | Engine::Fsdp2 | Engine::FusedCuda => 0.0,
    }
}

fn trained(setting: &Setting<'_>, variant: &Variant) -> f64 {
    if setting.job.kind == JobKind::Lora {
        adapter_total(setting.model, variant)
    } else {
        count(setting.model.counts.total)
    }
}
