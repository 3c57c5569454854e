//! Bytes that one token leaves in one layer on one GPU (STUDY_MEMORY.md 3.2).

use crate::strategy::{BaseFormat, Framework, JobKind, Recompute};

use super::case::{Case, Engine};
use super::constants::{
    BACKWARD_FFN, BACKWARD_HIDDEN, DROPOUT_MASKS, FOUR_BIT_INPUTS, GATED_EAGER, GATED_FUSED,
    MEGATRON_DEEPSPEED_WORKING, NORMS, PERMUTED, PLAIN_EAGER, PLAIN_FUSED, SCORE_STORED,
    SCORE_WORKING, TORCH_BACKWARD_FFN, TORCH_BACKWARD_HIDDEN,
};

/// One layer, per token of a micro-batch of this rank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PerToken {
    /// Kept for the backward pass.
    pub(super) stored: f64,
    /// Recomputed before its backward pass, beyond what is stored.
    pub(super) recomputed: f64,
    /// Gradients of activations alive beside it.
    pub(super) transient: f64,
    /// Blocks of the feed-forward block that its forward pass frees: what of gate, up and product
    /// is not stored.
    pub(super) freed: f64,
}

impl PerToken {
    /// Working set of the layer in its backward pass.
    pub(super) fn working(&self) -> f64 {
        self.recomputed + self.transient
    }
}

/// Both kinds of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LayerBytes {
    pub(super) dense: PerToken,
    pub(super) moe: PerToken,
}

pub(super) fn layer_bytes(case: &Case<'_>) -> LayerBytes {
    let width = f64::from(case.model().feed_forward.width);
    let dense =
        Block { attention: attention(case), ffn: feed_forward(case, width), width, permuted: 0.0 };
    let moe = case.model().experts.map_or(dense, |experts| {
        let routed = f64::from(experts.top_k) * case.variant.expert_imbalance.unwrap_or(1.0);
        let (shared, expert) = (f64::from(experts.shared_width), f64::from(experts.width));
        // Each rank computes `k·T·etp/t` expert tokens of width `fe/etp`; `1/t` is applied to
        // all below, hence the factor on the permuted input alone.
        let permuted = routed * PERMUTED * case.h * case.etp;
        Block {
            attention: attention(case),
            ffn: feed_forward(case, shared) + routed * feed_forward(case, expert) + permuted,
            width: shared + routed * expert,
            permuted,
        }
    });
    LayerBytes { dense: per_token(case, &dense), moe: per_token(case, &moe) }
}

/// Uncut bytes of the parts of a layer.
#[derive(Clone, Copy)]
struct Block {
    attention: f64,
    ffn: f64,
    /// Feed-forward width that a token meets.
    width: f64,
    /// Inputs of the routed experts, part of `ffn`.
    permuted: f64,
}

fn per_token(case: &Case<'_>, block: &Block) -> PerToken {
    if case.engine == Engine::MegatronDeepSpeed && case.layout.recompute == Recompute::Full {
        return PerToken {
            stored: checkpoint(case),
            recomputed: MEGATRON_DEEPSPEED_WORKING * case.h,
            transient: 0.0,
            freed: 0.0,
        };
    }
    let residual = residual(case);
    let all = residual + (block.attention + block.ffn) / case.t + scores(case, SCORE_STORED);
    let (ffn, hidden) = if case.engine == Engine::Megatron {
        (BACKWARD_FFN, BACKWARD_HIDDEN)
    } else {
        (TORCH_BACKWARD_FFN, TORCH_BACKWARD_HIDDEN)
    };
    let transient = (ffn * block.width + block.permuted) / case.t + hidden * case.h;
    let stored = match case.layout.recompute {
        Recompute::None
        | Recompute::Norms
        | Recompute::FeedForward
        | Recompute::NormsAndFeedForward => {
            all + uncheckpointed_adapters(case) - modules(case, block)
        }
        Recompute::Selective => selective(case, all, block),
        Recompute::Full => checkpoint(case),
    };
    let unfused = if megatron(case) { 0.0 } else { scores(case, SCORE_WORKING) };
    let recomputed = (all - stored).max(0.0);
    let matrices = if case.model().feed_forward.gated { GATED_FUSED } else { PLAIN_FUSED };
    PerToken {
        stored,
        recomputed: recomputed + unfused,
        transient,
        freed: (matrices * block.width / case.t).min(recomputed),
    }
}

/// What recomputing single modules frees: outputs of norms, and all of the feed-forward block
/// (`--recompute-modules layernorm mlp moe_act` of Megatron-Core).
fn modules(case: &Case<'_>, block: &Block) -> f64 {
    let recompute = case.layout.recompute;
    let outputs = NORMS / 2.0 * case.h / if case.layout.sp { case.t } else { 1.0 };
    let norms = if recompute.norms() { outputs } else { 0.0 };
    norms + if recompute.feed_forward() { block.ffn / case.t } else { 0.0 }
}

/// Norms and residual stream; only sequence parallelism divides them by TP.
fn residual(case: &Case<'_>) -> f64 {
    let old = case.layout.framework == Framework::MegatronLegacy
        || case.layout.framework == Framework::MegatronDeepSpeed;
    let norms = NORMS
        + if case.eager() { case.variant.constants.eager_norm } else { 0.0 }
        + if old { DROPOUT_MASKS } else { 0.0 };
    norms * case.h / if case.layout.sp { case.t } else { 1.0 }
}

/// Query, key, value and output, uncut; the mean over layers where some keep a state instead.
fn attention(case: &Case<'_>) -> f64 {
    let Some(linear) = case.model().linear else { return softmax_attention(case) };
    let share = f64::from(linear.layers) / f64::from(case.model().layers.max(1));
    let keys = f64::from(linear.key_heads) * f64::from(linear.key_dim);
    let values = f64::from(linear.value_heads) * f64::from(linear.value_dim);
    // Queries, keys and values before and after the convolution, gate, output and its norm.
    // Counted; no row.
    let kept = 8.0 * keys + 10.0 * values;
    share * kept + (1.0 - share) * softmax_attention(case)
}

fn softmax_attention(case: &Case<'_>) -> f64 {
    let heads = f64::from(case.model().attention.heads);
    let Some(latent) = case.model().attention.latent else {
        let kept = 4.0 * case.hq + 4.0 * case.hk;
        return kept + if keeps_fused_qkv(case) { 2.0 * (case.hq + case.hk) } else { 0.0 };
    };
    let (nope, rope) = (f64::from(latent.nope_dim), f64::from(latent.rope_dim));
    let values = f64::from(latent.v_dim);
    // Compressed queries and keys with their norms, query and key, value and output, and the
    // projection that holds keys and values together.
    4.0 * f64::from(latent.q_rank)
        + 4.0 * (f64::from(latent.kv_rank) + rope)
        + 4.0 * heads * (nope + rope)
        + 4.0 * heads * values
        + 2.0 * heads * (nope + values)
}

/// Megatron's fused projection stays alive because the value is a view of it, while rotary
/// queries and keys are new tensors. All-to-all CP copies and releases it.
fn keeps_fused_qkv(case: &Case<'_>) -> bool {
    let rotary = case.model().learned_positions == 0;
    megatron(case) && rotary && case.layout.cp <= 1
}

fn feed_forward(case: &Case<'_>, width: f64) -> f64 {
    let per_element = match (case.model().feed_forward.gated, case.eager()) {
        (true, false) => GATED_FUSED,
        (true, true) => GATED_EAGER,
        (false, false) => PLAIN_FUSED,
        (false, true) => PLAIN_EAGER,
    };
    per_element * width
}

/// Attention scores per token without flash attention.
fn scores(case: &Case<'_>, bytes: f64) -> f64 {
    if case.flash() {
        return 0.0;
    }
    let heads = f64::from(case.model().attention.heads);
    let keys = f64::from(case.setting.job.sequence);
    bytes * heads * keys / case.t
}

/// Input of a layer that is computed again.
fn checkpoint(case: &Case<'_>) -> f64 {
    2.0 * case.h / if case.layout.sp { case.t } else { 1.0 }
}

/// Megatron recomputes core attention, which flash attention never stores. FSDP2 recipes keep
/// every second matmul: 15.5 h on Llama-3-8B.
fn selective(case: &Case<'_>, all: f64, block: &Block) -> f64 {
    if case.engine == Engine::Fsdp2 {
        let kept =
            4.0 * case.h + 4.0 * case.hq + 2.0 * case.hk + 2.0 * block.width + block.permuted;
        let kept =
            kept + if case.eager() { case.variant.constants.eager_norm * case.h } else { 0.0 };
        (kept / if case.layout.sp { case.t } else { 1.0 }).min(all)
    } else {
        all - scores(case, SCORE_STORED)
    }
}

/// Adapters need fewer inputs of frozen linears; 4-bit layers keep copies of them.
fn uncheckpointed_adapters(case: &Case<'_>) -> f64 {
    if case.setting.job.kind != JobKind::Lora {
        return 0.0;
    }
    let base = match case.setting.job.base() {
        BaseFormat::SixteenBit | BaseFormat::EightBit => -2.0 * case.h,
        BaseFormat::Nf4 | BaseFormat::Gptq4 => FOUR_BIT_INPUTS * case.h,
    };
    // The output before its magnitude is kept for the gradient of that magnitude.
    let outputs = 2.0 * case.h + case.hq + 2.0 * case.hk;
    let width = f64::from(case.model().feed_forward.width);
    let magnitudes = if case.setting.job.dora() { 2.0 * (outputs + 2.0 * width) } else { 0.0 };
    (base + magnitudes) / case.t
}

fn megatron(case: &Case<'_>) -> bool {
    matches!(case.engine, Engine::Megatron | Engine::MegatronDeepSpeed)
}
