//! Dense families in the manner of Llama: gated feed-forward, norms without bias.

use super::super::AttentionBias;
use super::super::Norm;
use super::super::family::{Family, KvHeads, Norms, Only, Switch, Width, Window};
use super::super::shape::{OutputGate, QkNorm};
use super::bases::{GEMMA, GLM, LLAMA, MISTRAL, QWEN2, QWEN3};

pub(super) static LLAMA_LIKE: &[Family] = &[
    LLAMA,
    // Llama-like, dense.
    Family { names: &["granite"], ..LLAMA },
    Family {
        names: &["smollm3"],
        size: (36, 2_048),
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
        size: (64, 4_096),
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
        size: (18, 1_024),
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
    MISTRAL,
    QWEN2,
    QWEN3,
    GEMMA,
    Family {
        names: &["gemma2"],
        size: (26, 2_304),
        heads: 8,
        kv_heads: KvHeads::Default(4),
        width: Width::Default(9_216),
        norms: Norms::Fixed(4),
        window: Window::Period(4_096, 2),
        ..GEMMA
    },
    Family {
        names: &["gemma3_text"],
        size: (26, 2_304),
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
        size: (32, 3_072),
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
    COHERE,
    STABLELM,
    Family {
        names: &["qwen2_vl_text", "qwen2_5_vl_text", "qwen2_vl", "qwen2_5_vl"],
        size: (80, 8_192),
        vocab: 152_064,
        heads: 64,
        kv_heads: KvHeads::Default(8),
        width: Width::Default(29_568),
        ..QWEN2
    },
    Family {
        names: &["qwen3_vl_text"],
        size: (32, 4_096),
        max_positions: 128_000,
        window: Window::None,
        ..QWEN3
    },
    Family {
        names: &["qwen3_5_text"],
        size: (32, 4_096),
        vocab: 248_320,
        heads: 16,
        kv_heads: KvHeads::Default(4),
        head_dim: Some(256),
        width: Width::Default(12_288),
        window: Window::None,
        linear: true,
        output_gate: OutputGate::Fused,
        ..QWEN3
    },
    Family {
        names: &["internlm3"],
        size: (48, 4_096),
        vocab: 128_512,
        kv_heads: KvHeads::Default(2),
        head_dim: Some(128),
        width: Width::Default(10_240),
        max_positions: 32_768,
        attention_bias: Switch::Field("qkv_bias", false),
        ffn_bias: Switch::Field("bias", false),
        only: &[("attention_bias", Only::Flag(false)), ("mlp_bias", Only::Flag(false))],
        ..LLAMA
    },
    Family {
        names: &["exaone"],
        vocab: 102_400,
        kv_heads: KvHeads::Default(8),
        width: Width::Default(14_336),
        max_positions: 4_096,
        ..LLAMA
    },
    Family {
        names: &["exaone4"],
        vocab: 102_400,
        kv_heads: KvHeads::Default(32),
        width: Width::Default(16_384),
        attention_bias: Switch::Off,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Head,
        window: Window::Period(4_096, 4),
        ..LLAMA
    },
    Family {
        names: &["arcee"],
        size: (32, 2_560),
        width: Width::Default(18_432),
        max_positions: 4_096,
        gated: false,
        ..LLAMA
    },
    Family {
        names: &["cwm"],
        size: (64, 6_144),
        vocab: 128_256,
        heads: 48,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(128),
        width: Width::Default(21_504),
        max_positions: 131_072,
        attention_bias: Switch::Off,
        window: Window::AfterFirst(8_192, 4),
        ..LLAMA
    },
    Family {
        names: &["hunyuan_v1_dense"],
        vocab: 290_943,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Head,
        ..LLAMA
    },
    Family {
        names: &["granite_swa"],
        size: (24, 2_560),
        vocab: 100_352,
        heads: 20,
        kv_heads: KvHeads::Default(4),
        width: Width::Default(8_192),
        max_positions: 8_192,
        tied: true,
        sinks: true,
        window: Window::AfterFirst(128, 4),
        ..LLAMA
    },
    Family {
        names: &["iquestcoder"],
        size: (80, 5_120),
        vocab: 76_800,
        heads: 40,
        kv_heads: KvHeads::Default(8),
        head_dim: Some(128),
        width: Width::Default(27_648),
        max_positions: 131_072,
        ..LLAMA
    },
    Family {
        names: &["jais2"],
        size: (32, 3_328),
        vocab: 150_272,
        heads: 26,
        width: Width::Default(26_624),
        max_positions: 8_192,
        gated: false,
        attention_bias: Switch::Field("attention_bias", true),
        ffn_bias: Switch::Field("mlp_bias", true),
        norm: Norm::Layer,
        ..LLAMA
    },
    Family { names: &["ministral"], ..MISTRAL },
    Family {
        names: &["ministral3"],
        size: (34, 4_096),
        vocab: 131_072,
        head_dim: Some(128),
        max_positions: 262_144,
        window: Window::All(0),
        ..MISTRAL
    },
    Family {
        names: &["vaultgemma"],
        size: (26, 2_304),
        heads: 8,
        kv_heads: KvHeads::Default(4),
        width: Width::Default(9_216),
        window: Window::Period(4_096, 2),
        ..GEMMA
    },
    Family { names: &["olmo"], vocab: 50_304, ffn_bias: Switch::Off, norm: Norm::Plain, ..LLAMA },
    Family {
        names: &["olmo3"],
        vocab: 50_304,
        ffn_bias: Switch::Off,
        qk_norm: QkNorm::Full,
        window: Window::Period(4_096, 4),
        ..LLAMA
    },
    Family {
        names: &["nanochat"],
        size: (12, 768),
        vocab: 50_304,
        heads: 6,
        width: Width::Default(8_192),
        gated: false,
        ffn_bias: Switch::Off,
        norm: Norm::Plain,
        ..LLAMA
    },
    Family {
        names: &["cohere2"],
        size: (40, 8_192),
        qk_norm: QkNorm::None,
        window: Window::Period(4_096, 4),
        ..COHERE
    },
    Family {
        names: &["glm4v_text"],
        size: (40, 4_096),
        head_dim: None,
        norms: Norms::Fixed(4),
        attention_bias: Switch::Field("attention_bias", true),
        ..GLM
    },
];

const STABLELM: Family = Family {
    names: &["stablelm"],
    size: (32, 2_560),
    vocab: 50_304,
    kv_heads: KvHeads::Default(32),
    width: Width::Default(6_912),
    max_positions: 4_096,
    bias_scope: AttentionBias::Qkv,
    attention_bias: Switch::Field("use_qkv_bias", false),
    ffn_bias: Switch::Off,
    norm: Norm::Layer,
    norms: Norms::Parallel("use_parallel_residual", false),
    qk_norm: QkNorm::Full,
    qk_norm_on: Switch::Field("qk_layernorm", false),
    ..LLAMA
};

const COHERE: Family = Family {
    names: &["cohere"],
    size: (40, 8_192),
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
};
