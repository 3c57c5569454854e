//! Rows that other rows differ from by a few fields.

use super::super::family::{
    DenseLayers, ExpertRule, ExpertWidth, Family, KvHeads, LatentRule, Norms, Only, Positions,
    Shared, Switch, Width, Window,
};
use super::super::shape::{OutputGate, QkNorm};
use super::super::{AttentionBias, Norm};

pub(super) const LLAMA: Family = Family {
    names: &["llama", "Yi"],
    size: (32, 4_096),
    vocab: 32_000,
    heads: 32,
    kv_heads: KvHeads::AsHeads,
    head_dim: None,
    width: Width::Default(11_008),
    max_positions: 2_048,
    tied: false,
    gated: true,
    bias_scope: AttentionBias::All,
    attention_bias: Switch::Field("attention_bias", false),
    ffn_bias: Switch::Field("mlp_bias", false),
    head_bias: Switch::Off,
    qk_norm: QkNorm::None,
    qk_norm_on: Switch::On,
    norm: Norm::Rms,
    norms: Norms::Fixed(2),
    embedding_norm: false,
    positions: Positions::Computed,
    window: Window::None,
    experts: None,
    latent: None,
    linear: false,
    output_gate: OutputGate::None,
    output_bias: false,
    sinks: false,
    only: &[],
};

pub(super) const QWEN2: Family = Family {
    names: &["qwen2"],
    vocab: 151_936,
    kv_heads: KvHeads::Default(32),
    width: Width::Default(22_016),
    max_positions: 32_768,
    bias_scope: AttentionBias::Qkv,
    attention_bias: Switch::On,
    ffn_bias: Switch::Off,
    window: Window::QwenUpper,
    ..LLAMA
};

pub(super) const QWEN3: Family = Family {
    names: &["qwen3"],
    head_dim: Some(128),
    bias_scope: AttentionBias::All,
    attention_bias: Switch::Field("attention_bias", false),
    qk_norm: QkNorm::Head,
    ..QWEN2
};

pub(super) const MISTRAL: Family = Family {
    names: &["mistral"],
    kv_heads: KvHeads::Default(8),
    width: Width::Default(14_336),
    max_positions: 131_072,
    attention_bias: Switch::Off,
    ffn_bias: Switch::Off,
    window: Window::All(4_096),
    ..LLAMA
};

pub(super) const GEMMA: Family = Family {
    names: &["gemma"],
    size: (28, 3_072),
    vocab: 256_000,
    heads: 16,
    kv_heads: KvHeads::Default(16),
    head_dim: Some(256),
    width: Width::Default(24_576),
    max_positions: 8_192,
    tied: true,
    ffn_bias: Switch::Off,
    ..LLAMA
};

pub(super) const GLM: Family = Family {
    names: &["glm"],
    size: (40, 4_096),
    vocab: 151_552,
    kv_heads: KvHeads::Default(2),
    head_dim: Some(128),
    width: Width::Default(13_696),
    max_positions: 131_072,
    bias_scope: AttentionBias::Qkv,
    attention_bias: Switch::Field("attention_bias", true),
    ffn_bias: Switch::Off,
    ..LLAMA
};

pub(super) const GPT2: Family = Family {
    names: &["gpt2"],
    size: (12, 768),
    vocab: 50_257,
    heads: 12,
    kv_heads: KvHeads::Multi,
    width: Width::FourHidden,
    max_positions: 1_024,
    tied: true,
    gated: false,
    attention_bias: Switch::On,
    ffn_bias: Switch::On,
    norm: Norm::Layer,
    positions: Positions::Learned(0),
    only: &[("add_cross_attention", Only::Flag(false))],
    ..LLAMA
};

pub(super) const QWEN_EXPERTS: ExpertRule = ExpertRule {
    experts: 128,
    top_k: 8,
    width: ExpertWidth::Own(768),
    shared: Shared::None,
    dense: DenseLayers::SparseStep,
    router_bias: false,
    expert_bias: false,
};

pub(super) const MIXTRAL_EXPERTS: ExpertRule = ExpertRule {
    experts: 8,
    top_k: 2,
    width: ExpertWidth::Intermediate(14_336),
    shared: Shared::None,
    dense: DenseLayers::None,
    router_bias: false,
    expert_bias: false,
};

pub(super) const DEEPSEEK_V3_LATENT: LatentRule = LatentRule {
    q_rank: 1_536,
    kv_rank: 512,
    nope_dim: 128,
    rope_dim: 64,
    v_dim: 128,
    indexer: None,
};

pub(super) const DEEPSEEK_V3_EXPERTS: ExpertRule = ExpertRule {
    experts: 256,
    top_k: 8,
    width: ExpertWidth::Own(2_048),
    shared: Shared::Count(1),
    dense: DenseLayers::First("first_k_dense_replace", 3),
    router_bias: false,
    expert_bias: false,
};

pub(super) const DEEPSEEK_V3: Family = Family {
    names: &["deepseek_v3", "kimi_k2"],
    size: (61, 7_168),
    vocab: 129_280,
    heads: 128,
    width: Width::Default(18_432),
    max_positions: 4_096,
    ffn_bias: Switch::Off,
    experts: Some(DEEPSEEK_V3_EXPERTS),
    latent: Some(DEEPSEEK_V3_LATENT),
    only: &[
        ("mlp_bias", Only::Flag(false)),
        ("moe_layer_freq", Only::Number(1)),
        // DeepSeek-VL2 turns latent attention off so.
        ("use_mla", Only::Flag(true)),
    ],
    ..LLAMA
};
