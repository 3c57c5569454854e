//! What all stages and instants of one layout share, worked out once.

use super::activations::{LayerBytes, layer_bytes};
use super::case::{Case, Engine};
use super::communicators::communicator_gib;
use super::constants::{GIB, SEQUENCE_GATHERS};
use super::loss;
use super::parameters::{PerLayer, per_layer};
use super::stages::{Cut, cut};
use super::states::{self, Early, Rates};

/// Figures of a layout that no stage changes; bytes unless said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shared {
    pub(super) bytes: LayerBytes,
    pub(super) trained: Rates,
    pub(super) trained_experts: Rates,
    pub(super) early: Early,
    pub(super) per_layer: PerLayer,
    pub(super) cut: Cut,
    /// Logits and their gradient, where they are computed.
    pub(super) logits: f64,
    /// Hidden states alive beside them.
    pub(super) hidden: f64,
    /// Gradients of the head alive beside them, bytes per parameter of the head.
    pub(super) head_at_loss: f64,
    /// The same in the backward pass.
    pub(super) head_in_backward: f64,
    /// Gradients of an earlier micro-batch are alive when the loss is computed.
    pub(super) gradients_at_loss: bool,
    /// Freed blocks that are too small for the logits.
    pub(super) stranded: f64,
    /// What the allocator takes for each byte of tensors, beside those.
    pub(super) rounding: f64,
    /// Context and communicators.
    pub(super) outside: f64,
}

impl Shared {
    pub(super) fn of(case: &Case<'_>) -> Self {
        let bytes = layer_bytes(case);
        let gradients_at_loss = case.gradients_at_loss();
        let width = states::gradient_width(case);
        let constants = &case.variant.constants;
        let finished = gradients_at_loss || case.lora || case.variant.optimizer_in_backward;
        let megatron = matches!(case.engine, Engine::Megatron | Engine::MegatronDeepSpeed);
        let reserved =
            if megatron || case.pp > 1 { constants.reserved_pipeline } else { constants.reserved };
        Self {
            bytes,
            trained: states::rates(case, case.shards),
            trained_experts: states::rates(case, case.expert_shards),
            early: states::early(case),
            per_layer: per_layer(case),
            cut: cut(case),
            logits: loss::logits(case),
            hidden: loss::hidden(case),
            head_at_loss: loss::head_gradients(case) * width,
            head_in_backward: if finished { 0.0 } else { width / states::gradient_shards(case) },
            gradients_at_loss,
            stranded: stranded(case, &bytes),
            rounding: reserved - 1.0,
            outside: (constants.context_gib + communicator_gib(case)) * GIB,
        }
    }
}

/// Freed blocks that are too small for the logits which come next: the working set of a layer's
/// forward pass, and the 16-bit logits before their fp32 copies.
fn stranded(case: &Case<'_>, bytes: &LayerBytes) -> f64 {
    if case.variant.expandable_segments {
        return 0.0;
    }
    let logits = loss::stranded_per_logit(case) * case.vocab / case.t;
    let gathers = if case.layout.sp && case.t > 1.0 && !case.variant.async_tp {
        SEQUENCE_GATHERS * 2.0 * case.h
    } else {
        0.0
    };
    (logits + bytes.dense.freed.max(bytes.moe.freed) + gathers) * case.tokens
}
