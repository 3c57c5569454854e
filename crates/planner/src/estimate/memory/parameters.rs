//! Parameters that one GPU of a stage computes with (before any sharding over DP).

use crate::estimate::Setting;
use crate::model::Model;
use crate::strategy::Adapter;

use super::case::{Case, count};
use super::stages::Stage;
use super::variant::Variant;

/// Counts on one GPU, after TP, PP and EP.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Local {
    /// Layers without their routed experts.
    pub(super) layers: f64,
    /// Input embedding on the first stage, head on the last, tables outside of layers.
    pub(super) embeddings: f64,
    /// Of those, the matrix that makes the logits: the head, or the tied embedding.
    pub(super) head: f64,
    /// Routed experts.
    pub(super) experts: f64,
    /// The largest layer of the stage, its experts included.
    pub(super) largest_layer: f64,
    /// Share of the layers' parameters that is linear weights, not norms or routers.
    pub(super) linear_share: f64,
    /// Adapters of an adapter job, except those of routed experts.
    pub(super) adapters: f64,
    /// Adapters of routed experts.
    pub(super) expert_adapters: f64,
}

impl Local {
    /// Everything but routed experts.
    pub(super) fn dense(&self) -> f64 {
        self.layers + self.embeddings
    }

    pub(super) fn total(&self) -> f64 {
        self.dense() + self.experts
    }
}

/// Counts of one layer and of the tables beside the layers, on one GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PerLayer {
    dense: f64,
    /// A layer with experts, without those.
    moe: f64,
    experts: f64,
    norms: f64,
    /// Norms and router of a layer with experts.
    unsplit: f64,
    embedding: f64,
    head: f64,
    outside: f64,
    tied: bool,
    adapters_dense: f64,
    adapters_moe: f64,
    adapters_experts: f64,
}

/// Matrices are cut by TP; norms and routers are not.
pub(super) fn per_layer(case: &Case<'_>) -> PerLayer {
    let model = case.model();
    let counts = &model.counts;
    let share = 1.0 / case.t;
    let expert_share = 1.0 / (case.e * case.etp);
    let norms = count(counts.norms_per_layer);
    let attention = count(counts.attention_per_layer) * share;
    let unsplit = norms + count(counts.router_per_layer);
    let number = model.experts.map_or(0.0, |experts| f64::from(experts.experts));
    let embedding = count(counts.embedding) * share;
    let tied = counts.head == 0;
    let (adapters_dense, adapters_moe, adapters_experts) =
        if case.lora { adapters(case, share, number * expert_share) } else { (0.0, 0.0, 0.0) };
    PerLayer {
        dense: attention + norms + count(counts.dense_ffn_per_layer) * share,
        moe: attention + unsplit + count(counts.shared_per_layer) * share,
        experts: number * count(counts.expert) * expert_share,
        norms,
        unsplit,
        embedding,
        head: if tied { embedding } else { count(counts.head) * share },
        outside: count(counts.outside_layers) * share,
        tied,
        adapters_dense,
        adapters_moe,
        adapters_experts,
    }
}

/// Counts of `stage`. A tied embedding lies on the first and on the last stage when they differ
/// (STUDY_MEMORY.md 2).
pub(super) fn local(case: &Case<'_>, stage: &Stage) -> Local {
    let each = &case.shared.per_layer;
    let layers = stage.dense_layers * each.dense + stage.moe_layers * each.moe;
    let unsplit = stage.dense_layers * each.norms + stage.moe_layers * each.unsplit;
    let mut embeddings = 0.0;
    if stage.first {
        embeddings += each.embedding + each.outside;
    }
    if stage.last && !(each.tied && stage.first) {
        embeddings += each.head;
    }
    let largest_dense = if stage.dense_layers > 0.0 { each.dense } else { 0.0 };
    let largest_moe = if stage.moe_layers > 0.0 { each.moe + each.experts } else { 0.0 };
    Local {
        layers,
        embeddings,
        head: if stage.last { each.head } else { 0.0 },
        experts: stage.moe_layers * each.experts,
        largest_layer: largest_dense.max(largest_moe),
        linear_share: if layers > 0.0 { 1.0 - unsplit / layers } else { 0.0 },
        adapters: stage.dense_layers * each.adapters_dense + stage.moe_layers * each.adapters_moe,
        expert_adapters: stage.moe_layers * each.adapters_experts,
    }
}

/// Adapter parameters of the whole model at the job's rank, or as stated.
pub(super) fn adapter_total(setting: &Setting<'_>, variant: &Variant) -> f64 {
    let model = setting.model;
    let (dense, moe, expert) = adapters_per_layer(model, setting.job.adapter);
    let moe_layers = model.experts.map_or(0.0, |experts| f64::from(experts.moe_layers));
    let experts = model.experts.map_or(0.0, |experts| f64::from(experts.experts));
    let dense_layers = f64::from(model.layers) - moe_layers;
    let counted = dense_layers * dense + moe_layers * (moe + experts * expert);
    variant.adapter_parameters.unwrap_or(counted)
}

/// Adapters on this GPU of a dense layer, of a layer with experts, and of its routed experts. The
/// half of each adapter that is not cut by TP is small and counted as cut.
fn adapters(case: &Case<'_>, share: f64, experts_here: f64) -> (f64, f64, f64) {
    if let Some(stated) = case.variant.adapter_parameters {
        let each = stated * share / f64::from(case.model().layers.max(1));
        return (each, each, 0.0);
    }
    let (dense, moe, expert) = adapters_per_layer(case.model(), case.setting.job.adapter);
    (dense * share, moe * share, experts_here * expert)
}

/// Rank × (inputs + outputs) of all linears: of a dense layer, of a layer with experts except
/// the routed ones, of one routed expert.
fn adapters_per_layer(model: &Model, adapter: Adapter) -> (f64, f64, f64) {
    let rank = f64::from(adapter.rank);
    let h = f64::from(model.hidden);
    let head_dim = f64::from(model.attention.head_dim);
    let hq = f64::from(model.attention.heads) * head_dim;
    let hk = f64::from(model.attention.kv_heads) * head_dim;
    let attention = match model.attention.latent {
        None => 3.0 * h + 2.0 * hq + 2.0 * hk + h,
        Some(latent) => {
            let heads = f64::from(model.attention.heads);
            let (q_rank, kv_rank) = (f64::from(latent.q_rank), f64::from(latent.kv_rank));
            let (nope, rope) = (f64::from(latent.nope_dim), f64::from(latent.rope_dim));
            let values = heads * f64::from(latent.v_dim);
            let queries = if latent.q_rank == 0 { h + hq } else { h + 2.0 * q_rank + hq };
            queries + h + 2.0 * kv_rank + rope + heads * nope + 2.0 * values + h
        }
    };
    let matrices = if model.feed_forward.gated { 3.0 } else { 2.0 };
    let ffn = |width: f64| matrices * (h + width);
    let dense = attention + ffn(f64::from(model.feed_forward.width));
    let (shared, expert) = model.experts.map_or((0.0, 0.0), |experts| {
        let shared = f64::from(experts.shared_width);
        let shared = if shared > 0.0 { ffn(shared) } else { 0.0 };
        (shared, ffn(f64::from(experts.width)))
    });
    // DoRA's magnitudes: one for each output, about half of inputs and outputs.
    let each = rank + if adapter.dora { 0.5 } else { 0.0 };
    (each * dense, each * (attention + shared), each * expert)
}
