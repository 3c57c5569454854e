//! Dense families in the manner of GPT: a plain feed-forward block, biases.

use super::super::Norm;
use super::super::family::{Family, KvHeads, Norms, Only, Positions, Switch, Width, Window};
use super::super::shape::QkNorm;
use super::bases::GPT2;

pub(super) static GPT_LIKE: &[Family] = &[
    GPT2,
    Family { names: &["gpt_bigcode"], size: (12, 768), kv_heads: KvHeads::MultiQuery, ..GPT2 },
    Family {
        names: &["gptj", "codegen"],
        size: (28, 4_096),
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
        size: (44, 6_144),
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
        size: (12, 768),
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
        size: (2, 64),
        vocab: 250_880,
        heads: 8,
        max_positions: 2_048,
        embedding_norm: true,
        positions: Positions::Computed,
        ..GPT2
    },
    // The library's class never has learned positions and always one key head per query head, and a
    // block four times as wide.
    Family {
        names: &["mpt"],
        size: (24, 2_048),
        vocab: 50_368,
        heads: 16,
        max_positions: 2_048,
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        norm: Norm::LayerNoBias,
        positions: Positions::Computed,
        only: &[
            ("no_bias", Only::Flag(true)),
            ("expansion_ratio", Only::Number(4)),
            ("attn_config.alibi", Only::Flag(true)),
            ("attn_config.attn_type", Only::Text("multihead_attention")),
            ("attn_config.qk_ln", Only::Flag(false)),
        ],
        ..GPT2
    },
    Family {
        names: &["falcon", "RefinedWeb", "RefinedWebModel"],
        size: (32, 4_544),
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
        size: (24, 2_048),
        vocab: 51_200,
        heads: 32,
        kv_heads: KvHeads::AsHeads,
        width: Width::Default(8_192),
        max_positions: 2_048,
        tied: false,
        head_bias: Switch::On,
        norms: Norms::Fixed(1),
        positions: Positions::Computed,
        qk_norm: QkNorm::HeadBias,
        qk_norm_on: Switch::Field("qk_layernorm", false),
        ..GPT2
    },
    Family {
        names: &["starcoder2"],
        size: (30, 3_072),
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
        size: (32, 6_144),
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
    Family {
        names: &["gpt_neo"],
        size: (24, 2_048),
        heads: 16,
        max_positions: 2_048,
        attention_bias: Switch::Off,
        output_bias: true,
        ..GPT2
    },
    Family {
        names: &["xglm"],
        size: (24, 1_024),
        vocab: 256_008,
        heads: 16,
        width: Width::Default(4_096),
        max_positions: 2_048,
        positions: Positions::Computed,
        ..GPT2
    },
    Family {
        names: &["biogpt"],
        size: (24, 1_024),
        vocab: 42_384,
        heads: 16,
        width: Width::Default(4_096),
        positions: Positions::Learned(2),
        ..GPT2
    },
    Family {
        names: &["persimmon"],
        size: (36, 4_096),
        vocab: 262_144,
        heads: 64,
        width: Width::Default(16_384),
        max_positions: 16_384,
        tied: false,
        qk_norm: QkNorm::HeadBias,
        qk_norm_on: Switch::Field("qk_layernorm", true),
        positions: Positions::Computed,
        ..GPT2
    },
];
