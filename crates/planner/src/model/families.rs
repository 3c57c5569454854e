//! What each `model_type` of the Hugging Face library means: structure and the defaults of
//! fields that a file does not state.
//!
//! Source of every row: `models/NAME/configuration_NAME.py` and `modeling_NAME.py` of the
//! transformers 5.24 package. Rows marked "recalled" belong to code that lives beside the
//! weights; their structure is checked by the presets of `data/catalog/models.toml`.

use super::family::{
    DenseLayers, ExpertRule, ExpertWidth, Family, KvHeads, LatentRule, Norms, Only, Positions,
    Shared, Switch, Width, Window,
};
use super::shape::QkNorm;
use super::{AttentionBias, Norm};

/// The first row whose names hold `model_type`.
pub(super) fn family(model_type: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.names.contains(&model_type))
}

/// All names of the table, for the hint of a refusal.
pub(super) fn supported() -> String {
    let names: Vec<&str> = FAMILIES.iter().flat_map(|family| family.names).copied().collect();
    names.join(", ")
}

const LLAMA: Family = Family {
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

const QWEN2: Family = Family {
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

const QWEN3: Family = Family {
    names: &["qwen3"],
    head_dim: Some(128),
    bias_scope: AttentionBias::All,
    attention_bias: Switch::Field("attention_bias", false),
    qk_norm: QkNorm::Head,
    ..QWEN2
};

const QWEN_EXPERTS: ExpertRule = ExpertRule {
    experts: 128,
    top_k: 8,
    width: ExpertWidth::Own(768),
    shared: Shared::None,
    dense: DenseLayers::SparseStep,
    router_bias: false,
    expert_bias: false,
};

const MISTRAL: Family = Family {
    names: &["mistral"],
    kv_heads: KvHeads::Default(8),
    width: Width::Default(14_336),
    max_positions: 131_072,
    attention_bias: Switch::Off,
    ffn_bias: Switch::Off,
    window: Window::All(4_096),
    ..LLAMA
};

const MIXTRAL_EXPERTS: ExpertRule = ExpertRule {
    experts: 8,
    top_k: 2,
    width: ExpertWidth::Intermediate(14_336),
    shared: Shared::None,
    dense: DenseLayers::None,
    router_bias: false,
    expert_bias: false,
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

const GLM: Family = Family {
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

const DEEPSEEK_V3_LATENT: LatentRule = LatentRule {
    q_rank: 1_536,
    kv_rank: 512,
    nope_dim: 128,
    rope_dim: 64,
    v_dim: 128,
    indexer: None,
};

const DEEPSEEK_V3_EXPERTS: ExpertRule = ExpertRule {
    experts: 256,
    top_k: 8,
    width: ExpertWidth::Own(2_048),
    shared: Shared::Count(1),
    dense: DenseLayers::First(3),
    router_bias: false,
    expert_bias: false,
};

const DEEPSEEK_V3: Family = Family {
    names: &["deepseek_v3", "kimi_k2"],
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
        ("mlp_layer_types", Only::Absent),
    ],
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

static FAMILIES: &[Family] = &[
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
    // Experts.
    Family {
        names: &["mixtral"],
        width: Width::None,
        window: Window::All(0),
        experts: Some(MIXTRAL_EXPERTS),
        ..MISTRAL
    },
    Family {
        names: &["qwen2_moe"],
        heads: 16,
        kv_heads: KvHeads::Default(16),
        width: Width::Default(5_632),
        attention_bias: Switch::Field("qkv_bias", true),
        window: Window::QwenLower,
        experts: Some(ExpertRule {
            experts: 60,
            top_k: 4,
            width: ExpertWidth::Own(1_408),
            shared: Shared::Gated(5_632),
            ..QWEN_EXPERTS
        }),
        ..QWEN2
    },
    Family {
        names: &["qwen3_moe"],
        kv_heads: KvHeads::Default(4),
        head_dim: None,
        width: Width::Default(6_144),
        window: Window::QwenAll,
        experts: Some(QWEN_EXPERTS),
        ..QWEN3
    },
    Family {
        names: &["qwen3_next"],
        heads: 16,
        kv_heads: KvHeads::Default(2),
        head_dim: Some(256),
        width: Width::Default(5_632),
        window: Window::None,
        linear: true,
        experts: Some(ExpertRule {
            experts: 512,
            top_k: 10,
            width: ExpertWidth::Own(512),
            shared: Shared::Gated(512),
            ..QWEN_EXPERTS
        }),
        ..QWEN3
    },
    Family {
        names: &["gpt_oss"],
        vocab: 201_088,
        heads: 64,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(64),
        width: Width::None,
        max_positions: 131_072,
        attention_bias: Switch::Field("attention_bias", true),
        ffn_bias: Switch::Off,
        sinks: true,
        window: Window::Period(128, 2),
        experts: Some(ExpertRule {
            experts: 128,
            top_k: 4,
            width: ExpertWidth::Intermediate(2_880),
            router_bias: true,
            expert_bias: true,
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["phimoe"],
        vocab: 32_064,
        kv_heads: KvHeads::Default(8),
        width: Width::None,
        max_positions: 131_072,
        ffn_bias: Switch::Off,
        head_bias: Switch::Field("lm_head_bias", false),
        norm: Norm::Layer,
        window: Window::All(0),
        experts: Some(ExpertRule {
            experts: 16,
            width: ExpertWidth::Intermediate(6_400),
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["olmoe"],
        vocab: 50_304,
        heads: 16,
        width: Width::None,
        max_positions: 4_096,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Full,
        experts: Some(ExpertRule {
            experts: 64,
            top_k: 8,
            width: ExpertWidth::Intermediate(2_048),
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["granitemoe"],
        width: Width::None,
        ffn_bias: Switch::Off,
        experts: Some(ExpertRule { width: ExpertWidth::Intermediate(11_008), ..MIXTRAL_EXPERTS }),
        ..LLAMA
    },
    Family {
        names: &["minimax_m2"],
        vocab: 200_064,
        heads: 48,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(128),
        width: Width::None,
        max_positions: 196_608,
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Full,
        experts: Some(ExpertRule {
            experts: 256,
            top_k: 8,
            width: ExpertWidth::Intermediate(1_536),
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["dbrx"],
        heads: 16,
        kv_heads: KvHeads::Default(1),
        width: Width::None,
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        norm: Norm::LayerNoBias,
        experts: Some(ExpertRule {
            experts: 4,
            top_k: 1,
            width: ExpertWidth::Intermediate(3_584),
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["glm4_moe"],
        heads: 96,
        kv_heads: KvHeads::Default(8),
        head_dim: None,
        width: Width::Default(10_944),
        attention_bias: Switch::Field("attention_bias", false),
        qk_norm: QkNorm::Head,
        qk_norm_on: Switch::Field("use_qk_norm", false),
        experts: Some(ExpertRule {
            experts: 128,
            width: ExpertWidth::Own(1_408),
            dense: DenseLayers::First(1),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..GLM
    },
    Family {
        names: &["llama4_text"],
        vocab: 202_048,
        heads: 40,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(128),
        width: Width::Default(16_384),
        max_positions: 131_072,
        ffn_bias: Switch::Off,
        window: Window::Chunks,
        experts: Some(ExpertRule {
            experts: 16,
            top_k: 1,
            width: ExpertWidth::Intermediate(8_192),
            shared: Shared::One,
            dense: DenseLayers::Interleaved,
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    // Recalled: the first DeepSeek MoE, plain attention.
    Family {
        names: &["deepseek"],
        vocab: 102_400,
        latent: None,
        width: Width::Default(11_008),
        heads: 32,
        max_positions: 2_048,
        experts: Some(ExpertRule {
            experts: 64,
            top_k: 6,
            width: ExpertWidth::Own(1_408),
            shared: Shared::Count(2),
            dense: DenseLayers::First(0),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..DEEPSEEK_V3
    },
    Family {
        names: &["deepseek_v2"],
        vocab: 102_400,
        heads: 32,
        width: Width::Default(11_008),
        max_positions: 2_048,
        experts: Some(ExpertRule {
            experts: 64,
            top_k: 6,
            width: ExpertWidth::Own(1_407),
            shared: Shared::Count(2),
            dense: DenseLayers::First(0),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..DEEPSEEK_V3
    },
    DEEPSEEK_V3,
    Family {
        names: &["deepseek_v32"],
        max_positions: 163_840,
        latent: Some(LatentRule { indexer: Some((64, 128)), ..DEEPSEEK_V3_LATENT }),
        ..DEEPSEEK_V3
    },
    Family {
        names: &["glm_moe_dsa"],
        vocab: 154_880,
        heads: 64,
        width: Width::Default(12_288),
        max_positions: 202_752,
        latent: Some(LatentRule {
            q_rank: 2_048,
            nope_dim: 192,
            v_dim: 256,
            indexer: Some((32, 128)),
            ..DEEPSEEK_V3_LATENT
        }),
        only: &[
            ("mlp_bias", Only::Flag(false)),
            ("mlp_layer_types", Only::Absent),
            ("indexer_types", Only::Absent),
            ("index_topk_pattern", Only::Absent),
            ("index_topk_freq", Only::Number(1)),
        ],
        ..DEEPSEEK_V3
    },
];
