//! The one description that every reader yields and every estimate uses.
//! Widths are in elements, counts in parameters, all for the language model alone.

use serde::{Deserialize, Serialize};

/// A decoder-only language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Preset id or file name.
    pub name: String,
    /// `model_type` of the config.
    pub family: String,
    pub layers: u32,
    pub hidden: u32,
    pub vocab: u32,
    pub attention: Attention,
    /// The feed-forward block of dense layers.
    pub feed_forward: FeedForward,
    pub experts: Option<MixtureOfExperts>,
    pub window: Option<SlidingWindow>,
    /// Layers that keep a fixed state instead of attention; none in most models.
    pub linear: Option<LinearAttention>,
    pub norm: Norm,
    /// Input and output embedding share one matrix.
    pub tied: bool,
    /// Rows of a learned position table; 0 without one.
    pub learned_positions: u32,
    pub max_positions: u32,
    pub counts: ParamCounts,
    /// Fields that were not stated and the value taken, as `field=value`.
    pub assumptions: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attention {
    pub heads: u32,
    /// Equal to `heads` for multi-head and latent attention.
    pub kv_heads: u32,
    /// Width of one query and key head (latent attention: nope + rope).
    pub head_dim: u32,
    pub bias: AttentionBias,
    pub latent: Option<LatentAttention>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttentionBias {
    None,
    Qkv,
    All,
}

/// Multi-head latent attention of DeepSeek V2 and later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatentAttention {
    /// 0: queries are projected directly.
    pub q_rank: u32,
    pub kv_rank: u32,
    pub nope_dim: u32,
    pub rope_dim: u32,
    pub v_dim: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedForward {
    pub width: u32,
    /// Three matrices (gate, up, down) instead of two.
    pub gated: bool,
    pub bias: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixtureOfExperts {
    pub experts: u32,
    pub top_k: u32,
    /// Width of one routed expert.
    pub width: u32,
    /// Summed width of the shared experts; 0 without.
    pub shared_width: u32,
    /// How many of the layers have experts; the others are dense.
    pub moe_layers: u32,
    pub first_dense_layers: u32,
}

/// Some layers see only the last `size` tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlidingWindow {
    pub size: u32,
    /// Number of layers with the window.
    pub layers: u32,
}

/// Gated delta-rule layers of Qwen3-Next: a state of fixed size, no growing KV cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinearAttention {
    /// How many of the layers are of this kind; the others have attention.
    pub layers: u32,
    pub key_heads: u32,
    pub value_heads: u32,
    pub key_dim: u32,
    pub value_dim: u32,
    /// Width of the short convolution, in tokens.
    pub convolution: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Norm {
    Rms,
    Layer,
    LayerNoBias,
    /// Without weights.
    Plain,
}

/// Exact parameter counts. `total` is the sum that `samples/hf_configs/expected.json` holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParamCounts {
    pub total: u64,
    /// Everything a token meets, both embeddings included.
    pub active_all: u64,
    pub active_no_input_embedding: u64,
    pub active_layers_only: u64,
    /// Input embedding matrix.
    pub embedding: u64,
    /// Output head; 0 when tied.
    pub head: u64,
    /// Learned positions, final norm and what else belongs to no layer.
    pub outside_layers: u64,
    /// Attention with its biases and extra norms, one layer with attention.
    pub attention_per_layer: u64,
    /// One layer with linear attention; 0 without such layers.
    pub linear_attention_per_layer: u64,
    /// Layer norms of one layer.
    pub norms_per_layer: u64,
    /// Feed-forward block of one dense layer.
    pub dense_ffn_per_layer: u64,
    /// One routed expert.
    pub expert: u64,
    /// Router (and gate of the shared expert), one layer with experts.
    pub router_per_layer: u64,
    /// Shared experts, one layer with experts.
    pub shared_per_layer: u64,
}
