//! The JSON of `meshwright model`.

use planner::model::{Model, ParamCounts};
use serde::Serialize;

/// Counts first, then the description that was read.
#[derive(Serialize)]
pub(crate) struct ModelView<'a> {
    params_total: u64,
    params_active_all: u64,
    params_active_no_input_embedding: u64,
    params_active_layers_only: u64,
    parts: Parts,
    assumptions: &'a [String],
    description: &'a Model,
}

/// Parameters of the parts; those of layers are for one layer.
#[derive(Serialize)]
struct Parts {
    embedding: u64,
    head: u64,
    outside_layers: u64,
    attention_per_layer: u64,
    linear_attention_per_layer: u64,
    norms_per_layer: u64,
    dense_ffn_per_layer: u64,
    expert: u64,
    router_per_layer: u64,
    shared_per_layer: u64,
}

impl<'a> ModelView<'a> {
    pub(crate) fn of(model: &'a Model) -> Self {
        let counts = &model.counts;
        Self {
            params_total: counts.total,
            params_active_all: counts.active_all,
            params_active_no_input_embedding: counts.active_no_input_embedding,
            params_active_layers_only: counts.active_layers_only,
            parts: Parts::of(counts),
            assumptions: &model.assumptions,
            description: model,
        }
    }
}

impl Parts {
    const fn of(counts: &ParamCounts) -> Self {
        Self {
            embedding: counts.embedding,
            head: counts.head,
            outside_layers: counts.outside_layers,
            attention_per_layer: counts.attention_per_layer,
            linear_attention_per_layer: counts.linear_attention_per_layer,
            norms_per_layer: counts.norms_per_layer,
            dense_ffn_per_layer: counts.dense_ffn_per_layer,
            expert: counts.expert,
            router_per_layer: counts.router_per_layer,
            shared_per_layer: counts.shared_per_layer,
        }
    }
}
