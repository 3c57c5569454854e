//! Families with experts and plain or linear attention.

use super::super::family::{
    DenseLayers, ExpertRule, ExpertWidth, Family, KvHeads, Norms, Shared, Switch, Width, Window,
};
use super::super::shape::{OutputGate, QkNorm};
use super::super::{AttentionBias, Norm};
use super::bases::{
    DEEPSEEK_V3_EXPERTS, GLM, LLAMA, MISTRAL, MIXTRAL_EXPERTS, QWEN_EXPERTS, QWEN2, QWEN3,
};

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
        size: (24, 2_048),
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
        size: (24, 2_048),
        kv_heads: KvHeads::Default(4),
        head_dim: None,
        width: Width::Default(6_144),
        window: Window::QwenAll,
        experts: Some(QWEN_EXPERTS),
        ..QWEN3
    },
    Family {
        names: &["qwen3_next"],
        size: (48, 2_048),
        heads: 16,
        kv_heads: KvHeads::Default(2),
        head_dim: Some(256),
        width: Width::Default(5_632),
        window: Window::None,
        linear: true,
        output_gate: OutputGate::Fused,
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
        size: (36, 2_880),
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
        size: (16, 2_048),
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
        size: (62, 3_072),
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
        size: (24, 2_048),
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
        size: (46, 4_096),
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
            dense: DenseLayers::First("first_k_dense_replace", 1),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..GLM
    },
    Family {
        names: &["llama4_text"],
        size: (48, 5_120),
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
    Family {
        names: &["qwen3_vl_moe_text"],
        size: (24, 2_048),
        heads: 16,
        kv_heads: KvHeads::Default(16),
        head_dim: None,
        width: Width::Default(5_632),
        max_positions: 128_000,
        window: Window::None,
        experts: Some(ExpertRule {
            experts: 60,
            top_k: 4,
            width: ExpertWidth::Own(1_408),
            ..QWEN_EXPERTS
        }),
        ..QWEN3
    },
    Family {
        names: &["qwen3_5_moe_text"],
        size: (40, 2_048),
        vocab: 248_320,
        heads: 16,
        kv_heads: KvHeads::Default(2),
        head_dim: Some(256),
        width: Width::None,
        window: Window::None,
        linear: true,
        output_gate: OutputGate::Fused,
        experts: Some(ExpertRule {
            experts: 256,
            width: ExpertWidth::Own(512),
            shared: Shared::Gated(512),
            dense: DenseLayers::None,
            ..QWEN_EXPERTS
        }),
        ..QWEN3
    },
    Family {
        names: &["flex_olmo"],
        vocab: 100_352,
        max_positions: 4_096,
        width: Width::None,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Full,
        experts: Some(ExpertRule {
            experts: 7,
            top_k: 5,
            width: ExpertWidth::Intermediate(11_008),
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["granitemoeshared"],
        width: Width::None,
        ffn_bias: Switch::Off,
        experts: Some(ExpertRule {
            width: ExpertWidth::Intermediate(11_008),
            shared: Shared::Width(0),
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["hunyuan_v1_moe"],
        vocab: 290_943,
        width: Width::None,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Head,
        experts: Some(ExpertRule {
            experts: 1,
            top_k: 1,
            width: ExpertWidth::Intermediate(11_008),
            shared: Shared::One,
            ..MIXTRAL_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["hy_v3"],
        size: (80, 4_096),
        vocab: 120_832,
        heads: 64,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(128),
        width: Width::Default(13_312),
        max_positions: 131_072,
        qk_norm: QkNorm::Head,
        experts: Some(ExpertRule {
            experts: 192,
            width: ExpertWidth::Own(1_536),
            dense: DenseLayers::First("first_k_dense_replace", 1),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["dots1"],
        size: (62, 4_608),
        vocab: 152_064,
        width: Width::Default(10_944),
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Head,
        window: Window::Listed,
        experts: Some(ExpertRule {
            width: ExpertWidth::Own(1_408),
            shared: Shared::Count(0),
            dense: DenseLayers::First("first_k_dense_replace", 0),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["ernie4_5_moe"],
        size: (28, 2_560),
        vocab: 103_424,
        heads: 20,
        kv_heads: KvHeads::Default(4),
        width: Width::Default(12_288),
        max_positions: 131_072,
        tied: true,
        attention_bias: Switch::Field("use_bias", false),
        ffn_bias: Switch::Field("use_bias", false),
        head_bias: Switch::Field("use_bias", false),
        experts: Some(ExpertRule {
            experts: 64,
            top_k: 6,
            width: ExpertWidth::Own(1_536),
            shared: Shared::Count(2),
            dense: DenseLayers::Range,
            router_bias: true,
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["exaone_moe"],
        vocab: 102_400,
        kv_heads: KvHeads::Default(32),
        width: Width::Default(16_384),
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Head,
        window: Window::Period(4_096, 4),
        experts: Some(ExpertRule {
            experts: 64,
            width: ExpertWidth::Own(1_024),
            dense: DenseLayers::First("first_k_dense_replace", 1),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["afmoe"],
        size: (32, 2_048),
        vocab: 200_192,
        heads: 16,
        head_dim: Some(128),
        width: Width::Default(6_144),
        max_positions: 16_384,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Head,
        norms: Norms::Fixed(4),
        window: Window::Period(1_024, 4),
        output_gate: OutputGate::Apart,
        experts: Some(ExpertRule {
            experts: 64,
            top_k: 6,
            width: ExpertWidth::Own(1_408),
            shared: Shared::Count(2),
            dense: DenseLayers::First("num_dense_layers", 1),
            router_bias: true,
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["solar_open"],
        size: (48, 4_096),
        vocab: 196_608,
        heads: 64,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(128),
        width: Width::None,
        max_positions: 131_072,
        bias_scope: AttentionBias::Qkv,
        ffn_bias: Switch::Off,
        experts: Some(ExpertRule {
            experts: 128,
            width: ExpertWidth::Own(1_280),
            dense: DenseLayers::None,
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..LLAMA
    },
    Family {
        names: &["mellum"],
        size: (28, 2_304),
        vocab: 98_304,
        kv_heads: KvHeads::Default(4),
        head_dim: Some(128),
        width: Width::Default(7_168),
        max_positions: 131_072,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Head,
        window: Window::Listed,
        experts: Some(ExpertRule {
            experts: 64,
            width: ExpertWidth::Own(896),
            shared: Shared::None,
            dense: DenseLayers::First("first_k_dense_replace", 0),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..LLAMA
    },
];
