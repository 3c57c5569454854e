//! One row as a Rust literal of `ModelPreset`.

use super::row::{AttentionBias, Mlp, Norm, Positions, QkNorm, Row};

/// The literal with a trailing comma.
pub(crate) fn preset(row: &Row) -> String {
    format!(
        "ModelPreset {{ id: {:?}, name: {:?}, family: {:?}, year: {}, \
         params_published_b: {:?}, active_published_b: {:?}, params_computed: {}, \
         params_library: {:?}, active_computed: {:?}, \
         selection_biases: {}, mtp_layers: {}, index_topk: {:?}, deviation_pct: {:?}, \
         verified: {:?}, source: {:?}, note: {:?}, shape: {} }},\n",
        row.id,
        row.name,
        row.family,
        row.year,
        row.params_published_b,
        row.active_published_b,
        row.params_computed,
        row.params_hf,
        active(row),
        selection_biases(row),
        row.mtp_layers,
        row.index_topk,
        row.deviation_pct,
        row.verified,
        row.source,
        row.note,
        shape(row),
    )
}

fn active(row: &Row) -> Option<[u64; 3]> {
    Some([
        row.active_computed_all?,
        row.active_computed_no_input_embedding?,
        row.active_computed_layers_only?,
    ])
}

/// `router_bias` marks selection biases, which the file counts and the library keeps as buffers.
fn selection_biases(row: &Row) -> u32 {
    match (row.n_experts, row.router_bias) {
        (Some(experts), true) => moe_layers(row) * experts,
        _ => 0,
    }
}

fn moe_layers(row: &Row) -> u32 {
    (row.n_layers - row.first_dense_layers) / row.moe_every
}

fn shape(row: &Row) -> String {
    format!(
        "Shape {{ layers: {}, hidden: {}, vocab: {}, attention: {}, extras: {}, linear: {}, \
         feed_forward: FeedForward {{ width: {}, gated: {}, bias: {} }}, experts: {}, \
         expert_extras: ExpertExtras {{ router_bias: {}, expert_bias: {}, shared_gate: {} }}, \
         window: {}, norm: Norm::{}, norms_per_layer: {}, embedding_norm: {}, tied: {}, \
         head_bias: {}, learned_positions: {}, max_positions: {} }}",
        row.n_layers,
        row.d_model,
        row.vocab,
        attention(row),
        extras(row),
        linear(row),
        row.d_ff,
        row.mlp == Mlp::Gated,
        row.mlp_bias,
        experts(row),
        row.moe_bias,
        row.moe_bias,
        row.shared_gate,
        window(row),
        norm(row.norm),
        row.norms_per_layer,
        row.embed_norm,
        row.tied,
        row.lm_head_bias,
        if row.pos == Positions::Learned { row.max_pos + row.pos_extra } else { 0 },
        row.max_pos,
    )
}

fn attention(row: &Row) -> String {
    let latent = latent(row);
    let head_dim = match (row.qk_nope_head_dim, row.qk_rope_head_dim) {
        (Some(nope), Some(rope)) => nope + rope,
        _ => row.head_dim,
    };
    format!(
        "Attention {{ heads: {}, kv_heads: {}, head_dim: {head_dim}, bias: AttentionBias::{}, \
         latent: {latent} }}",
        row.n_heads,
        row.n_kv_heads,
        match row.attn_bias {
            AttentionBias::None => "None",
            AttentionBias::Qkv => "Qkv",
            AttentionBias::All => "All",
        },
    )
}

fn latent(row: &Row) -> String {
    let parts = (
        row.q_lora_rank,
        row.kv_lora_rank,
        row.qk_nope_head_dim,
        row.qk_rope_head_dim,
        row.v_head_dim,
    );
    match parts {
        (Some(q_rank), Some(kv_rank), Some(nope), Some(rope), Some(value)) => format!(
            "Some(LatentAttention {{ q_rank: {q_rank}, kv_rank: {kv_rank}, nope_dim: {nope}, \
             rope_dim: {rope}, v_dim: {value} }})"
        ),
        _ => "None".to_owned(),
    }
}

fn extras(row: &Row) -> String {
    let qk_norm = match row.qk_norm {
        QkNorm::None => "None",
        QkNorm::Head => "Head",
        QkNorm::Full => "Full",
    };
    let indexer = match (row.index_n_heads, row.index_head_dim) {
        (Some(heads), Some(head_dim)) => {
            format!("Some(Indexer {{ heads: {heads}, head_dim: {head_dim} }})")
        }
        _ => "None".to_owned(),
    };
    format!(
        "AttentionExtras {{ qk_norm: QkNorm::{qk_norm}, sinks: {}, output_gate: {}, \
         output_bias: false, indexer: {indexer} }}",
        row.attn_sinks,
        if row.attn_out_gate { "OutputGate::Fused" } else { "OutputGate::None" },
    )
}

fn linear(row: &Row) -> String {
    let parts = (
        row.full_attention_interval,
        row.lin_k_heads.zip(row.lin_v_heads),
        row.lin_k_dim.zip(row.lin_v_dim),
        row.lin_conv,
    );
    match parts {
        (
            Some(interval),
            Some((key_heads, value_heads)),
            Some((key_dim, value_dim)),
            Some(convolution),
        ) => format!(
            "Some(LinearAttention {{ layers: {}, key_heads: {key_heads}, \
             value_heads: {value_heads}, key_dim: {key_dim}, value_dim: {value_dim}, \
             convolution: {convolution} }})",
            row.n_layers - row.n_layers / interval,
        ),
        _ => "None".to_owned(),
    }
}

fn experts(row: &Row) -> String {
    match (row.n_experts, row.top_k, row.moe_d_ff) {
        (Some(experts), Some(top_k), Some(width)) => format!(
            "Some(MixtureOfExperts {{ experts: {experts}, top_k: {top_k}, width: {width}, \
             shared_width: {}, moe_layers: {}, first_dense_layers: {} }})",
            row.shared_d_ff.unwrap_or(row.n_shared_experts * width),
            moe_layers(row),
            row.first_dense_layers,
        ),
        _ => "None".to_owned(),
    }
}

fn window(row: &Row) -> String {
    let Some(size) = row.sliding_window else { return "None".to_owned() };
    let layers = match row.period() {
        Some(period) => row.n_layers - row.n_layers / period,
        None => row.n_layers,
    };
    format!("Some(SlidingWindow {{ size: {size}, layers: {layers} }})")
}

const fn norm(norm: Norm) -> &'static str {
    match norm {
        Norm::Rms => "Rms",
        Norm::Layer => "Layer",
        Norm::LayerNoBias => "LayerNoBias",
    }
}
