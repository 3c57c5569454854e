//! Families with experts, and with latent or linear attention.

use super::super::Norm;
use super::super::family::{
    DenseLayers, ExpertRule, ExpertWidth, Family, KvHeads, LatentRule, Only, Shared, Switch, Width,
    Window,
};
use super::super::shape::QkNorm;
use super::dense::{GLM, LLAMA, MISTRAL, QWEN2, QWEN3};

pub(super) static SPARSE: &[Family] = &[
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

const QWEN_EXPERTS: ExpertRule = ExpertRule {
    experts: 128,
    top_k: 8,
    width: ExpertWidth::Own(768),
    shared: Shared::None,
    dense: DenseLayers::SparseStep,
    router_bias: false,
    expert_bias: false,
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
