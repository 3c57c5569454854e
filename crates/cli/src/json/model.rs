//! The JSON of `meshwright model`.

use planner::model::{ConfigError, KvCache, KvFormat, Model, Outline, ParamCounts};
use serde::Serialize;

/// Counts first, then the description that was read.
#[derive(Serialize)]
pub(crate) struct ModelView<'a> {
    params_total: u64,
    params_active_all: u64,
    params_active_no_input_embedding: u64,
    params_active_layers_only: u64,
    parts: Parts,
    kv: KvView,
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

/// What one token leaves in the key-value cache.
#[derive(Serialize)]
struct KvView {
    bytes_per_token_16_bit: f64,
    bytes_per_token_fp8: f64,
    cache: KvCache,
}

impl KvView {
    fn of(cache: KvCache) -> Self {
        Self {
            bytes_per_token_16_bit: cache.bytes_per_token(KvFormat::Auto).base(),
            bytes_per_token_fp8: cache.bytes_per_token(KvFormat::Fp8).base(),
            cache,
        }
    }
}

/// What a file states that cannot be counted, and why it cannot.
#[derive(Serialize)]
pub(crate) struct OutlineView<'a> {
    refusal: String,
    kv: Option<KvView>,
    outline: &'a Outline,
}

impl<'a> OutlineView<'a> {
    pub(crate) fn of(outline: &'a Outline, refusal: &ConfigError) -> Self {
        let kv = outline.kv_cache().ok().map(KvView::of);
        Self { refusal: refusal.to_string(), kv, outline }
    }
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
            kv: KvView::of(model.kv_cache()),
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
