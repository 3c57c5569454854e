//! The names that files use for one field, most usual first.

pub(super) const LAYER_NAMES: &[&str] = &["num_hidden_layers", "n_layer", "n_layers", "num_layers"];
pub(super) const HIDDEN_NAMES: &[&str] = &["hidden_size", "n_embd", "n_embed", "d_model"];
pub(super) const HEAD_NAMES: &[&str] =
    &["num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"];
pub(super) const KV_HEAD_NAMES: &[&str] = &[
    "num_key_value_heads",
    "num_kv_heads",
    "n_head_kv",
    "attn_config.kv_n_heads",
    "multi_query_group_num",
];
pub(super) const HEAD_DIM_NAMES: &[&str] = &["head_dim", "kv_channels"];
pub(super) const WIDTH_NAMES: &[&str] =
    &["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "ffn_config.ffn_hidden_size"];
/// Llama 4 names its dense layers apart, as `intermediate_size` is the width of its experts.
pub(super) const DENSE_WIDTH_NAMES: &[&str] = &["intermediate_size_mlp"];
pub(super) const VOCAB_NAMES: &[&str] = &["vocab_size", "padded_vocab_size"];
pub(super) const POSITION_NAMES: &[&str] =
    &["max_position_embeddings", "n_positions", "max_seq_len", "n_ctx", "seq_length"];
pub(super) const EXPERT_NAMES: &[&str] = &[
    "num_local_experts",
    "n_routed_experts",
    "num_experts",
    "moe_num_experts",
    "ffn_config.moe_num_experts",
];
pub(super) const TOP_K_NAMES: &[&str] = &[
    "num_experts_per_tok",
    "experts_per_token",
    "num_experts_per_token",
    "moe_k",
    "moe_topk",
    "ffn_config.moe_top_k",
];
pub(super) const SHARED_NAMES: &[&str] =
    &["n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"];
pub(super) const EXPERT_WIDTH_NAMES: &[&str] = &["intermediate_size", "ffn_config.ffn_hidden_size"];
