//! Reads the model of Megatron-LM arguments, with the defaults of Megatron's own parser.
//!
//! Source: `megatron/training/arguments.py` and `megatron/core/transformer` of Megatron-Core
//! (0.16.1 read for the structure, defaults of the parser recalled).

use super::arguments::{Arguments, missing};
use super::bounds::{
    EXPERTS, FFN_WIDTH, HEAD_DIM, HEADS, HIDDEN, KV_RANK, LAYERS, PARAMETERS, PERIOD, POSITIONS,
    Q_RANK, SHARED_WIDTH, VOCAB, WINDOW,
};
use super::config::within_head_dim;
use super::error::ConfigError;
use super::json::shortened;
use super::pattern::places;
use super::shape::{AttentionExtras, ExpertExtras, OutputGate, QkNorm, Shape};
use super::{
    Attention, AttentionBias, FeedForward, LatentAttention, MixtureOfExperts, Model, Norm,
    SlidingWindow,
};

const FAMILY: &str = "megatron";
/// Models of other classes than the GPT that is counted here.
const REFUSED: &[&str] = &[
    "heterogeneous-layers-config-path",
    "hybrid-layer-pattern",
    "hybrid-override-pattern",
    "is-hybrid-model",
    "experimental-attention-variant",
    "linear-attention-freq",
    "attention-output-gate",
    "encoder-seq-length",
];

/// Whether a text holds Megatron arguments.
pub(super) fn is_megatron(text: &str) -> bool {
    [
        "--num-layers",
        "--num_layers",
        "--num-attention-heads",
        "--hidden-size",
        "--disable-bias-linear",
    ]
    .iter()
    .any(|option| text.contains(option))
}

/// Reads the model of Megatron arguments, alone or in a launch script.
///
/// # Errors
/// A missing or wrong argument, by name.
pub(super) fn read(name: &str, text: &str) -> Result<Model, ConfigError> {
    let mut arguments = Arguments::read(text)?;
    let shape = shape(&mut arguments)?;
    let assumptions = arguments.into_assumptions();
    shape.model(name, FAMILY, assumptions).map_err(|error| ConfigError::OutOfBounds {
        field: "(parameters)".to_owned(),
        value: error.total.to_string(),
        least: PARAMETERS.least,
        most: PARAMETERS.most,
    })
}

fn shape(arguments: &mut Arguments<'_>) -> Result<Shape, ConfigError> {
    for name in REFUSED {
        if arguments.has(name) {
            let value = arguments.text(name).unwrap_or("true").to_owned();
            return Err(unsupported(name, &value, ""));
        }
    }
    let layers = arguments.required("num-layers", LAYERS)?;
    let hidden = arguments.required("hidden-size", HIDDEN)?;
    let linear_bias = !arguments.has("disable-bias-linear");
    let norm = norm(arguments)?;
    let (attention, extras) = attention(arguments, hidden, norm)?;
    let feed_forward = feed_forward(arguments, hidden, linear_bias)?;
    let (experts, expert_extras) = experts(arguments, layers, feed_forward)?;
    let max_positions = arguments.number("max-position-embeddings", POSITIONS)?;
    let learned = learned_positions(arguments)?;
    if learned && max_positions.is_none() {
        return Err(missing("max-position-embeddings"));
    }
    let max_positions = match max_positions {
        Some(positions) => Some(positions),
        None => arguments.number("seq-length", POSITIONS)?,
    };
    let max_positions = max_positions.ok_or_else(|| ConfigError::MissingField {
        field: "--max-position-embeddings".to_owned(),
        also: "--seq-length".to_owned(),
    })?;
    if arguments.has("mtp-num-layers") {
        arguments.assume("mtp-num-layers", 0);
    }
    Ok(Shape {
        layers,
        hidden,
        vocab: vocab(arguments)?,
        attention,
        extras,
        linear: None,
        feed_forward,
        experts,
        expert_extras,
        window: window(arguments, layers)?,
        norm,
        norms_per_layer: 2,
        embedding_norm: false,
        tied: !arguments.has("untie-embeddings-and-output-weights"),
        head_bias: false,
        learned_positions: if learned { max_positions } else { 0 },
        max_positions,
    })
}

fn attention(
    arguments: &mut Arguments<'_>,
    hidden: u32,
    norm: Norm,
) -> Result<(Attention, AttentionExtras), ConfigError> {
    let heads = arguments.required("num-attention-heads", HEADS)?;
    let qk_norm = arguments.has("qk-layernorm");
    let mut extras = AttentionExtras {
        qk_norm: QkNorm::None,
        sinks: arguments.text("softmax-type") == Some("learnable"),
        output_gate: OutputGate::None,
        output_bias: false,
        indexer: None,
    };
    if arguments.has("multi-latent-attention") {
        let latent = latent(arguments, norm)?;
        let head_dim = latent.nope_dim + latent.rope_dim;
        let bias = AttentionBias::None;
        let latent = Some(latent);
        return Ok((Attention { heads, kv_heads: heads, head_dim, bias, latent }, extras));
    }
    let kv_heads = if arguments.has("group-query-attention") {
        arguments.number_or("num-query-groups", HEADS, 1)?
    } else {
        heads
    };
    divides("num-attention-heads", heads, "num-query-groups", kv_heads)?;
    let head_dim = match arguments.number("kv-channels", HEAD_DIM)? {
        Some(channels) => channels,
        None => {
            divides("hidden-size", hidden, "num-attention-heads", heads)?;
            within_head_dim("--kv-channels", hidden / heads)?
        }
    };
    let bias = match (arguments.has("disable-bias-linear"), arguments.has("add-qkv-bias")) {
        (false, _) => AttentionBias::All,
        (true, true) => AttentionBias::Qkv,
        (true, false) => AttentionBias::None,
    };
    extras.qk_norm = match (qk_norm, norm) {
        (false, _) => QkNorm::None,
        (true, Norm::Layer) => QkNorm::HeadBias,
        (true, Norm::Rms | Norm::LayerNoBias | Norm::Plain) => QkNorm::Head,
    };
    Ok((Attention { heads, kv_heads, head_dim, bias, latent: None }, extras))
}

/// Only as DeepSeek has it: with norms of both latents and without biases.
fn latent(arguments: &mut Arguments<'_>, norm: Norm) -> Result<LatentAttention, ConfigError> {
    for name in ["disable-bias-linear", "qk-layernorm"] {
        if !arguments.has(name) {
            return Err(unsupported(name, "false", "true"));
        }
    }
    if norm != Norm::Rms {
        return Err(unsupported("normalization", "LayerNorm", "RMSNorm"));
    }
    Ok(LatentAttention {
        q_rank: arguments.number("q-lora-rank", Q_RANK)?.unwrap_or(0),
        kv_rank: arguments.required("kv-lora-rank", KV_RANK)?,
        nope_dim: arguments.number_or("qk-head-dim", HEAD_DIM, 128)?,
        rope_dim: arguments.number_or("qk-pos-emb-head-dim", HEAD_DIM, 64)?,
        v_dim: arguments.number_or("v-head-dim", HEAD_DIM, 128)?,
    })
}

fn feed_forward(
    arguments: &mut Arguments<'_>,
    hidden: u32,
    bias: bool,
) -> Result<FeedForward, ConfigError> {
    let gated = arguments.has("swiglu") || arguments.has("quick-geglu");
    // A gated block without a stated width keeps the parameters of a plain one, in 64s.
    let default = if arguments.has("swiglu") { hidden * 8 / 3 / 64 * 64 } else { 4 * hidden };
    let default = default.max(1);
    Ok(FeedForward {
        width: arguments.number_or("ffn-hidden-size", FFN_WIDTH, default)?,
        gated,
        bias,
    })
}

fn experts(
    arguments: &mut Arguments<'_>,
    layers: u32,
    dense: FeedForward,
) -> Result<(Option<MixtureOfExperts>, ExpertExtras), ConfigError> {
    let Some(experts) = arguments.number("num-experts", EXPERTS)? else {
        return Ok((None, ExpertExtras::NONE));
    };
    let top_k = arguments.number_or("moe-router-topk", EXPERTS, 2)?;
    if top_k > experts {
        return Err(ConfigError::TooLarge {
            field: "--moe-router-topk".to_owned(),
            value: u64::from(top_k),
            other: "--num-experts",
            limit: u64::from(experts),
        });
    }
    let width = arguments.number_or("moe-ffn-hidden-size", FFN_WIDTH, dense.width)?;
    let shared_width =
        arguments.number("moe-shared-expert-intermediate-size", SHARED_WIDTH)?.unwrap_or(0);
    if shared_width > 0 && dense.bias {
        return Err(unsupported("disable-bias-linear", "false", "true"));
    }
    let (moe_layers, first_dense_layers) = match arguments.text("moe-layer-freq") {
        None => (layers, 0),
        Some(pattern) => places("--moe-layer-freq", pattern, layers)?,
    };
    let extras = ExpertExtras {
        router_bias: false,
        expert_bias: dense.bias,
        shared_gate: shared_width > 0 && arguments.has("moe-shared-expert-gate"),
    };
    let experts =
        MixtureOfExperts { experts, top_k, width, shared_width, moe_layers, first_dense_layers };
    Ok(((moe_layers > 0).then_some(experts), extras))
}

/// The padded vocabulary: stated, or rounded up as each tensor-parallel rank needs.
fn vocab(arguments: &mut Arguments<'_>) -> Result<u32, ConfigError> {
    if let Some(padded) = arguments.number("padded-vocab-size", VOCAB)? {
        return Ok(padded);
    }
    let stated = arguments.required("vocab-size", VOCAB)?;
    // This tokenizer adds the end of a document to the stated size.
    let null = arguments.text("tokenizer-type") == Some("NullTokenizer");
    let multiple = arguments.number("make-vocab-size-divisible-by", VOCAB)?.unwrap_or(128);
    let tp = arguments.number("tensor-model-parallel-size", HEADS)?.unwrap_or(1);
    let multiple = u64::from(multiple) * u64::from(tp);
    let padded = (u64::from(stated) + u64::from(null)).next_multiple_of(multiple);
    let padded = u32::try_from(padded).ok().filter(|padded| VOCAB.holds(u64::from(*padded)));
    let padded = padded.ok_or_else(|| ConfigError::OutOfBounds {
        field: "--vocab-size".to_owned(),
        value: stated.to_string(),
        least: VOCAB.least,
        most: VOCAB.most,
    })?;
    arguments.assume("padded-vocab-size", padded);
    Ok(padded)
}

fn norm(arguments: &mut Arguments<'_>) -> Result<Norm, ConfigError> {
    match arguments.text("normalization") {
        None => {
            arguments.assume("normalization", "LayerNorm");
            Ok(Norm::Layer)
        }
        Some("LayerNorm") => Ok(Norm::Layer),
        Some("RMSNorm") => Ok(Norm::Rms),
        Some(other) => Err(unsupported("normalization", other, "LayerNorm, RMSNorm")),
    }
}

fn learned_positions(arguments: &mut Arguments<'_>) -> Result<bool, ConfigError> {
    if arguments.has("no-position-embedding") || arguments.has("use-rotary-position-embeddings") {
        return Ok(false);
    }
    match arguments.text("position-embedding-type") {
        None => {
            arguments.assume("position-embedding-type", "learned_absolute");
            Ok(true)
        }
        Some("learned_absolute") => Ok(true),
        Some("rope" | "mrope" | "yarn" | "none") => Ok(false),
        Some(other) => Err(unsupported(
            "position-embedding-type",
            other,
            "learned_absolute, rope, mrope, yarn, none",
        )),
    }
}

/// `--window-size LEFT,RIGHT` in all layers, or in all but every n-th.
fn window(arguments: &Arguments<'_>, layers: u32) -> Result<Option<SlidingWindow>, ConfigError> {
    let Some(stated) = arguments.text("window-size") else { return Ok(None) };
    let left = stated.trim_start_matches('(').split(',').next().unwrap_or_default();
    let Some(size) = left.parse().ok().filter(|size| WINDOW.holds(u64::from(*size))) else {
        return Err(unsupported("window-size", stated, "LEFT,0"));
    };
    let windowed = match arguments.number("window-attn-skip-freq", PERIOD)? {
        Some(every) => layers - layers / every,
        None => layers,
    };
    Ok((windowed > 0).then_some(SlidingWindow { size, layers: windowed }))
}

fn divides(field: &str, value: u32, other: &'static str, divisor: u32) -> Result<(), ConfigError> {
    if value.is_multiple_of(divisor) {
        return Ok(());
    }
    Err(ConfigError::NotDivisible {
        field: format!("--{field}"),
        value: u64::from(value),
        other,
        divisor: u64::from(divisor),
    })
}

#[inline(never)]
fn unsupported(name: &str, value: &str, supported: &str) -> ConfigError {
    ConfigError::UnsupportedField {
        model_type: FAMILY.to_owned(),
        field: format!("--{name}"),
        value: shortened(value),
        supported: supported.to_owned(),
    }
}
