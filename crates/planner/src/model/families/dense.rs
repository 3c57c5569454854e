//! Families without experts.

use super::super::family::{Family, KvHeads, Norms, Only, Positions, Switch, Width, Window};
use super::super::shape::QkNorm;
use super::super::{AttentionBias, Norm};

pub(super) static DENSE: &[Family] = &[
    LLAMA,
    // Llama-like, dense.
    Family { names: &["granite"], ..LLAMA },
    Family {
        names: &["smollm3"],
        vocab: 128_256,
        heads: 16,
        kv_heads: KvHeads::Default(4),
        max_positions: 32_768,
        tied: true,
        only: &[("use_sliding_window", Only::Flag(false))],
        ..LLAMA
    },
    Family {
        names: &["seed_oss"],
        vocab: 155_136,
        heads: 80,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(128),
        width: Width::Default(27_648),
        max_positions: 524_288,
        bias_scope: AttentionBias::Qkv,
        attention_bias: Switch::Field("attention_bias", true),
        only: &[("attention_out_bias", Only::Flag(false))],
        ..LLAMA
    },
    Family {
        names: &["ernie4_5"],
        vocab: 103_424,
        heads: 16,
        kv_heads: KvHeads::Default(2),
        head_dim: Some(128),
        width: Width::Default(3_072),
        max_positions: 131_072,
        tied: true,
        attention_bias: Switch::Field("use_bias", false),
        ffn_bias: Switch::Field("use_bias", false),
        ..LLAMA
    },
    // Recalled.
    Family {
        names: &["internlm2"],
        vocab: 103_168,
        attention_bias: Switch::Field("bias", true),
        ffn_bias: Switch::Off,
        ..LLAMA
    },
    // Recalled.
    Family {
        names: &["baichuan"],
        vocab: 125_696,
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        max_positions: 4_096,
        ..LLAMA
    },
    MISTRAL,
    QWEN2,
    QWEN3,
    GEMMA,
    Family {
        names: &["gemma2"],
        heads: 8,
        kv_heads: KvHeads::Default(4),
        width: Width::Default(9_216),
        norms: Norms::Fixed(4),
        window: Window::Period(4_096, 2),
        ..GEMMA
    },
    Family {
        names: &["gemma3_text"],
        vocab: 262_208,
        heads: 8,
        kv_heads: KvHeads::Default(4),
        width: Width::Default(9_216),
        max_positions: 131_072,
        qk_norm: QkNorm::Head,
        norms: Norms::Fixed(4),
        window: Window::Period(4_096, 6),
        ..GEMMA
    },
    GLM,
    Family { names: &["glm4"], norms: Norms::Fixed(4), ..GLM },
    Family {
        names: &["phi3"],
        vocab: 32_064,
        width: Width::Default(8_192),
        max_positions: 4_096,
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        window: Window::All(0),
        ..LLAMA
    },
    Family {
        names: &["olmo2"],
        vocab: 50_304,
        qk_norm: QkNorm::Full,
        ffn_bias: Switch::Off,
        ..LLAMA
    },
    Family {
        names: &["cohere"],
        vocab: 256_000,
        heads: 64,
        width: Width::Default(22_528),
        max_positions: 8_192,
        tied: true,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Full,
        qk_norm_on: Switch::Field("use_qk_norm", false),
        norm: Norm::LayerNoBias,
        norms: Norms::Fixed(1),
        ..LLAMA
    },
    STABLELM,
    // GPT-like, dense.
    GPT2,
    Family { names: &["gpt_bigcode"], kv_heads: KvHeads::MultiQuery, ..GPT2 },
    Family {
        names: &["gptj"],
        vocab: 50_400,
        heads: 16,
        max_positions: 2_048,
        tied: false,
        attention_bias: Switch::Off,
        head_bias: Switch::On,
        norms: Norms::Fixed(1),
        positions: Positions::Computed,
        ..GPT2
    },
    Family {
        names: &["gpt_neox"],
        vocab: 50_432,
        heads: 64,
        width: Width::Default(24_576),
        max_positions: 2_048,
        tied: false,
        attention_bias: Switch::Field("attention_bias", true),
        positions: Positions::Computed,
        ..GPT2
    },
    Family {
        names: &["opt"],
        vocab: 50_272,
        width: Width::Default(3_072),
        max_positions: 2_048,
        attention_bias: Switch::Field("enable_bias", true),
        ffn_bias: Switch::Field("enable_bias", true),
        positions: Positions::Learned(2),
        only: &[
            ("word_embed_proj_dim", Only::Hidden),
            ("do_layer_norm_before", Only::Flag(true)),
            ("_remove_final_layer_norm", Only::Flag(false)),
            ("layer_norm_elementwise_affine", Only::Flag(true)),
        ],
        ..GPT2
    },
    Family {
        names: &["bloom"],
        vocab: 250_880,
        heads: 8,
        max_positions: 2_048,
        embedding_norm: true,
        positions: Positions::Computed,
        ..GPT2
    },
    // The library's class never has learned positions and always one key head per query head.
    Family {
        names: &["mpt"],
        vocab: 50_368,
        heads: 16,
        width: Width::Ratio(4),
        max_positions: 2_048,
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        norm: Norm::LayerNoBias,
        positions: Positions::Computed,
        only: &[
            ("no_bias", Only::Flag(true)),
            ("attn_config.alibi", Only::Flag(true)),
            ("attn_config.attn_type", Only::Text("multihead_attention")),
            ("attn_config.qk_ln", Only::Flag(false)),
        ],
        ..GPT2
    },
    Family {
        names: &["falcon", "RefinedWeb", "RefinedWebModel"],
        vocab: 65_024,
        heads: 71,
        kv_heads: KvHeads::Falcon,
        max_positions: 2_048,
        attention_bias: Switch::Field("bias", false),
        ffn_bias: Switch::Field("bias", false),
        norms: Norms::Falcon,
        positions: Positions::Computed,
        ..GPT2
    },
    Family {
        names: &["phi"],
        vocab: 51_200,
        heads: 32,
        kv_heads: KvHeads::AsHeads,
        width: Width::Default(8_192),
        max_positions: 2_048,
        tied: false,
        head_bias: Switch::On,
        norms: Norms::Fixed(1),
        positions: Positions::Computed,
        only: &[("qk_layernorm", Only::Flag(false))],
        ..GPT2
    },
    Family {
        names: &["starcoder2"],
        vocab: 49_152,
        heads: 24,
        kv_heads: KvHeads::Default(2),
        width: Width::Default(12_288),
        max_positions: 4_096,
        attention_bias: Switch::Field("use_bias", true),
        ffn_bias: Switch::Field("use_bias", true),
        positions: Positions::Computed,
        window: Window::All(0),
        ..GPT2
    },
    Family {
        names: &["nemotron"],
        vocab: 256_000,
        heads: 48,
        kv_heads: KvHeads::AsHeads,
        width: Width::Default(24_576),
        max_positions: 4_096,
        tied: false,
        attention_bias: Switch::Field("attention_bias", false),
        ffn_bias: Switch::Field("mlp_bias", false),
        positions: Positions::Computed,
        ..GPT2
    },
];

pub(super) const LLAMA: Family = Family {
    names: &["llama", "Yi"],
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

const GEMMA: Family = Family {
    names: &["gemma"],
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

const GPT2: Family = Family {
    names: &["gpt2"],
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

const STABLELM: Family = Family {
    names: &["stablelm"],
    vocab: 50_304,
    kv_heads: KvHeads::Default(32),
    width: Width::Default(6_912),
    max_positions: 4_096,
    bias_scope: AttentionBias::Qkv,
    attention_bias: Switch::Field("use_qkv_bias", false),
    ffn_bias: Switch::Off,
    norm: Norm::Layer,
    norms: Norms::Parallel("use_parallel_residual", false),
    only: &[("qk_layernorm", Only::Flag(false))],
    ..LLAMA
};
