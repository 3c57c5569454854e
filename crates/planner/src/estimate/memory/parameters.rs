//! Parameters that one GPU of a stage computes with (before any sharding over DP).

use crate::model::Model;
use crate::strategy::JobKind;

use super::case::{Case, count};
use super::constants::LORA_RANK;
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

/// Counts of `stage`. Matrices are cut by TP; norms and routers are not. A tied embedding
/// lies on the first and on the last stage when they differ (STUDY_MEMORY.md 2).
pub(super) fn local(case: &Case<'_>, stage: &Stage) -> Local {
    let model = case.model();
    let counts = &model.counts;
    let norms = count(counts.norms_per_layer);
    let attention = count(counts.attention_per_layer) / case.t;
    let dense_layer = attention + norms + count(counts.dense_ffn_per_layer) / case.t;
    let unsplit = norms + count(counts.router_per_layer);
    let moe_layer = attention + unsplit + count(counts.shared_per_layer) / case.t;
    let experts_per_layer = model.experts.map_or(0.0, |experts| {
        f64::from(experts.experts) * count(counts.expert) / (case.e * case.etp)
    });
    let layers = stage.dense_layers * dense_layer + stage.moe_layers * moe_layer;
    let unsplit = stage.dense_layers * norms + stage.moe_layers * unsplit;
    let embedding = count(counts.embedding) / case.t;
    let tied = counts.head == 0;
    let head = if tied { embedding } else { count(counts.head) / case.t };
    let mut embeddings = 0.0;
    if stage.first {
        embeddings += embedding + count(counts.outside_layers) / case.t;
    }
    if stage.last && !(tied && stage.first) {
        embeddings += head;
    }
    let largest_dense = if stage.dense_layers > 0.0 { dense_layer } else { 0.0 };
    let largest_moe = if stage.moe_layers > 0.0 { moe_layer + experts_per_layer } else { 0.0 };
    let (adapters, expert_adapters) = adapters(case, stage);
    Local {
        layers,
        embeddings,
        head: if stage.last { head } else { 0.0 },
        experts: stage.moe_layers * experts_per_layer,
        largest_layer: largest_dense.max(largest_moe),
        linear_share: if layers > 0.0 { 1.0 - unsplit / layers } else { 0.0 },
        adapters,
        expert_adapters,
    }
}

/// Adapter parameters of the whole model at the default rank, or as stated.
pub(super) fn adapter_total(model: &Model, variant: &Variant) -> f64 {
    let (dense, moe, expert) = adapters_per_layer(model);
    let moe_layers = model.experts.map_or(0.0, |experts| f64::from(experts.moe_layers));
    let experts = model.experts.map_or(0.0, |experts| f64::from(experts.experts));
    let dense_layers = f64::from(model.layers) - moe_layers;
    let counted = dense_layers * dense + moe_layers * (moe + experts * expert);
    variant.adapter_parameters.unwrap_or(counted)
}

/// Adapters on this GPU: of everything but routed experts, and of those. The half of each
/// adapter that is not cut by TP is small and counted as cut.
fn adapters(case: &Case<'_>, stage: &Stage) -> (f64, f64) {
    if case.setting.job.kind != JobKind::Lora {
        return (0.0, 0.0);
    }
    if let Some(stated) = case.variant.adapter_parameters {
        let layers = f64::from(case.model().layers.max(1));
        return (stated * stage.layers() / layers / case.t, 0.0);
    }
    let (dense, moe, expert) = adapters_per_layer(case.model());
    let experts = case.model().experts.map_or(0.0, |experts| f64::from(experts.experts));
    (
        (stage.dense_layers * dense + stage.moe_layers * moe) / case.t,
        stage.moe_layers * experts * expert / (case.e * case.etp),
    )
}

/// Rank × (inputs + outputs) of all linears: of a dense layer, of a layer with experts except
/// the routed ones, of one routed expert.
fn adapters_per_layer(model: &Model) -> (f64, f64, f64) {
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
    (LORA_RANK * dense, LORA_RANK * (attention + shared), LORA_RANK * expert)
}
