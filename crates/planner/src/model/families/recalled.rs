//! Families whose code lies beside their weights. Structure and defaults are recalled, not read;
//! the models that they count say so, and presets or published counts check them.

use super::super::AttentionBias;
use super::super::family::{
    DenseLayers, ExpertRule, ExpertWidth, Family, KvHeads, Only, Shared, Switch, Width,
};
use super::bases::{DEEPSEEK_V3, DEEPSEEK_V3_EXPERTS, LLAMA};

pub(super) static RECALLED: &[Family] = &[
    Family {
        names: &["internlm2"],
        vocab: 103_168,
        attention_bias: Switch::Field("bias", true),
        ffn_bias: Switch::Off,
        ..LLAMA
    },
    Family {
        names: &["baichuan"],
        vocab: 125_696,
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        max_positions: 4_096,
        ..LLAMA
    },
    // The first DeepSeek MoE, plain attention.
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
            dense: DenseLayers::First("first_k_dense_replace", 0),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..DEEPSEEK_V3
    },
    Family {
        names: &["internlm"],
        vocab: 103_168,
        attention_bias: Switch::Field("bias", true),
        ffn_bias: Switch::Off,
        ..LLAMA
    },
    // `intermediate_size` counts gate and up together.
    Family {
        names: &["qwen"],
        vocab: 151_936,
        kv_heads: KvHeads::Multi,
        head_dim: Some(128),
        width: Width::Both(22_016),
        max_positions: 8_192,
        bias_scope: AttentionBias::Qkv,
        attention_bias: Switch::On,
        ffn_bias: Switch::Off,
        only: &[("no_bias", Only::Flag(true))],
        ..LLAMA
    },
    // GLM-2 to GLM-4 as first published; the first GLM has other fields.
    Family {
        names: &["chatglm"],
        size: (28, 4_096),
        vocab: 65_024,
        kv_heads: KvHeads::Grouped(1),
        head_dim: Some(128),
        width: Width::Default(13_696),
        max_positions: 8_192,
        bias_scope: AttentionBias::Qkv,
        attention_bias: Switch::Field("add_qkv_bias", false),
        ffn_bias: Switch::Off,
        only: &[
            ("position_encoding_2d", Only::Absent),
            ("inner_hidden_size", Only::Absent),
            ("add_bias_linear", Only::Flag(false)),
            ("rmsnorm", Only::Flag(true)),
            ("post_layer_norm", Only::Flag(true)),
            ("apply_residual_connection_post_layernorm", Only::Flag(false)),
            ("pre_seq_len", Only::Absent),
        ],
        ..LLAMA
    },
    Family {
        names: &["minicpm"],
        tied: true,
        attention_bias: Switch::Field("attention_bias", false),
        ffn_bias: Switch::Off,
        only: &[("num_experts", Only::Number(0))],
        ..LLAMA
    },
];
