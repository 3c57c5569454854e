//! Host memory of one node, and the size of a checkpoint (STUDY_MEMORY.md 4, "Host memory").

use crate::estimate::{HostMemory, Setting};
use crate::strategy::{JobKind, Offload, Precision, Zero};
use crate::units::Bytes;

use super::case::{Case, Engine, count};
use super::constants::{
    GIB, HOST_FACTOR, HOST_PROCESS_GIB, NVME_STATE_BUFFERS, NVME_WEIGHT_BUFFER,
    NVME_WEIGHT_BUFFERS, ZERO3_SUB_GROUP,
};
use super::figures::Figures;
use super::parameters::adapter_total;
use super::states::moments;
use super::variant::Variant;

/// Bytes of a full checkpoint: 16-bit weights, the fp32 master copy where there is one, and the
/// moments. An adapter job saves its adapters.
pub fn checkpoint_bytes(setting: &Setting<'_>) -> Bytes {
    let moments = moments(setting.job).bytes();
    let width = match setting.job.precision {
        Precision::PureBf16 => 2.0 + moments,
        Precision::Bf16Mixed | Precision::Fp8Mixed => 6.0 + moments,
    };
    Bytes::new(width * trained(setting, &Variant::default()))
}

/// Host memory of the fullest node.
pub(super) fn host(case: &Case<'_>, worst: &Figures) -> HostMemory {
    let gpus = f64::from(case.layout.gpus());
    let per_node = f64::from(case.setting.cluster.gpus_per_node.max(1)).min(gpus.max(1.0));
    let nodes = (gpus / per_node).max(1.0);
    let activations = if case.layout.activation_offload {
        let bytes = &case.shared.bytes;
        let stage = &worst.stage;
        let per_token =
            stage.dense_layers * bytes.dense.stored + stage.moe_layers * bytes.moe.stored;
        per_node * stage.in_flight * per_token * case.tokens
    } else {
        0.0
    };
    let states = offloaded(case) / nodes;
    let nvme = case.layout.offload.nvme();
    let (kept, streamed) = if nvme { (0.0, states) } else { (states, 0.0) };
    let pinned = if nvme { per_node * nvme_buffers(case) } else { (HOST_FACTOR - 1.0) * states };
    HostMemory {
        processes: Bytes::new(HOST_PROCESS_GIB * GIB * per_node),
        loading: Bytes::new(loading(case, worst, per_node)),
        states: Bytes::new(kept),
        pinned: Bytes::new(pinned),
        activations: Bytes::new(activations),
        nvme: Bytes::new(streamed),
    }
}

/// Pinned buffers of one process that streams from drives.
fn nvme_buffers(case: &Case<'_>) -> f64 {
    let shard = trained(case.setting, case.variant) / case.shards;
    let states = NVME_STATE_BUFFERS * 4.0 * shard.min(ZERO3_SUB_GROUP);
    let weights = NVME_WEIGHT_BUFFERS * 2.0 * NVME_WEIGHT_BUFFER;
    states + if case.layout.offload.weights() { weights } else { 0.0 }
}

/// States of the whole job that live in host memory: fp32 master copy,
/// moments and fp32 gradients (16 bytes per trained parameter), and 16-bit weights where those
/// are offloaded too and are not the master copy.
fn offloaded(case: &Case<'_>) -> f64 {
    let trained = trained(case.setting, case.variant);
    let frozen = if case.lora { count(case.model().counts.total) } else { 0.0 };
    let moments = moments(case.setting.job).bytes();
    let (optimizer, weights) = if case.pure { (moments, 4.0) } else { (8.0 + moments, 2.0) };
    let one_copy = !case.pure && matches!(case.engine, Engine::Fsdp2 | Engine::Fsdp1);
    let weights = if one_copy { 0.0 } else { weights };
    match case.layout.offload {
        Offload::None => 0.0,
        Offload::Optimizer | Offload::OptimizerNvme => optimizer * trained,
        Offload::OptimizerAndWeights | Offload::OptimizerAndWeightsNvme => {
            (optimizer + weights) * trained + 2.0 * frozen
        }
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
        adapter_total(setting, variant)
    } else {
        count(setting.model.counts.total)
    }
}
