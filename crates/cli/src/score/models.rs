//! Model columns as the config.json that such a model would have, read by the planner's own
//! reader. Head size, gating, shared experts and dense first layers follow from the model's name
//! (SOURCES.md of the measured rows).

use planner::model::{Model, read_config};
use serde_json::{Value, json};

use super::row::{Configuration, Inexpressible, required, whole};

/// Names of models whose feed-forward block has two matrices.
const UNGATED: &[&str] =
    &["gpt", "mpt", "bloom", "megatron", "mt-nlg", "nemotron", "falcon", "phi", "opt", "stablelm"];

/// The model of a row; notes what it had to assume.
pub(super) fn model(
    row: &Configuration,
    assumed: &mut Vec<&'static str>,
) -> Result<Model, Inexpressible> {
    let widths = Widths::of(row, assumed)?;
    let text = config(&row.model.to_lowercase(), &widths).to_string();
    read_config(&row.model, &text)
        .map_err(|error| Inexpressible(format!("model {} cannot be read: {error}", row.model)))
}

struct Widths {
    layers: u32,
    hidden: u32,
    heads: u32,
    kv_heads: u32,
    ffn: u32,
    vocab: u32,
    sequence: u32,
    experts: Option<(u32, u32, u32)>,
}

impl Widths {
    fn of(row: &Configuration, assumed: &mut Vec<&'static str>) -> Result<Self, Inexpressible> {
        let hidden = required("hidden", &row.hidden)?;
        let mut or = |field: &'static str, value: Option<u32>, default: u32| {
            value.unwrap_or_else(|| {
                assumed.push(field);
                default
            })
        };
        let heads = or("heads", whole("heads", &row.heads)?, (hidden / 128).max(1));
        let kv_heads = or("kv_heads", whole("kv_heads", &row.kv_heads)?, heads);
        let ffn = or("ffn_hidden", whole("ffn_hidden", &row.ffn_hidden)?, hidden.saturating_mul(4));
        let experts = match whole("moe_experts", &row.moe_experts)? {
            Some(experts) if experts > 1 => Some((
                experts,
                or("moe_topk", whole("moe_topk", &row.moe_topk)?, 2),
                or("moe_ffn", whole("moe_ffn", &row.moe_ffn)?, ffn),
            )),
            Some(_) | None => None,
        };
        Ok(Self {
            layers: required("layers", &row.layers)?,
            hidden,
            heads,
            kv_heads,
            ffn,
            vocab: required("vocab", &row.vocab)?,
            sequence: required("seq_len", &row.seq_len)?,
            experts,
        })
    }

    fn common(&self, model_type: &str) -> Value {
        json!({
            "model_type": model_type,
            "num_hidden_layers": self.layers,
            "hidden_size": self.hidden,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "intermediate_size": self.ffn,
            "vocab_size": self.vocab,
            "max_position_embeddings": self.sequence,
            "tie_word_embeddings": false,
        })
    }

    /// DeepSeek's models keep the first layers dense; truncated ones keep one.
    fn first_dense(&self, usual: u32) -> u32 {
        if self.layers > 3 * usual { usual } else { 1 }
    }
}

fn config(name: &str, widths: &Widths) -> Value {
    let has = |word: &str| name.contains(word);
    match widths.experts {
        Some(experts) => with_experts(name, widths, experts),
        None if has("mpt") => json!({
            "model_type": "mpt",
            "n_layers": widths.layers,
            "d_model": widths.hidden,
            "n_heads": widths.heads,
            "expansion_ratio": widths.ffn / widths.hidden.max(1),
            "vocab_size": widths.vocab,
            "max_seq_len": widths.sequence,
        }),
        None if UNGATED.iter().any(|word| has(word)) => with(
            widths.common("nemotron"),
            json!({
                "head_dim": head(widths),
                "tie_word_embeddings": !has("nemotron") && !has("falcon"),
            }),
        ),
        None if has("qwen3") => with(widths.common("qwen3"), json!({"head_dim": 128})),
        None if has("qwen") => widths.common("qwen2"),
        None => with(
            widths.common("llama"),
            json!({"head_dim": head(widths), "tie_word_embeddings": has("llama-3.2")}),
        ),
    }
}

fn with_experts(name: &str, widths: &Widths, (experts, top_k, width): (u32, u32, u32)) -> Value {
    let has = |word: &str| name.contains(word);
    let routed = json!({
        "num_experts": experts,
        "num_local_experts": experts,
        "num_experts_per_tok": top_k,
        "moe_intermediate_size": width,
    });
    if has("deepseek") {
        let (kind, q_rank, dense, shared) =
            if has("v2") { ("deepseek_v2", 1536, 1, 2) } else { ("deepseek_v3", 1536, 3, 1) };
        let latent = json!({
            "n_routed_experts": experts,
            "num_experts_per_tok": top_k,
            "moe_intermediate_size": width,
            "n_shared_experts": shared,
            "first_k_dense_replace": widths.first_dense(dense),
            "q_lora_rank": q_rank,
            "kv_lora_rank": 512,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
        });
        with(widths.common(kind), latent)
    } else if has("oss") {
        let own = json!({"head_dim": 64, "intermediate_size": width, "sliding_window": 128});
        with(with(widths.common("gpt_oss"), routed), own)
    } else if has("qwen") {
        let own = json!({"head_dim": 128, "decoder_sparse_step": 1, "norm_topk_prob": true});
        with(with(widths.common("qwen3_moe"), routed), own)
    } else if has("maverick") || has("llama-4") {
        let own = json!({
            "head_dim": head(widths),
            "intermediate_size": width,
            "intermediate_size_mlp": widths.ffn,
            "interleave_moe_layer_step": 2,
        });
        with(with(widths.common("llama4_text"), routed), own)
    } else {
        let own = json!({
            "num_local_experts": experts,
            "num_experts_per_tok": top_k,
            "intermediate_size": width,
            "sliding_window": null,
        });
        with(widths.common("mixtral"), own)
    }
}

fn head(widths: &Widths) -> u32 {
    (widths.hidden / widths.heads.max(1)).max(1)
}

/// `base` with the fields of `more` put over it.
fn with(mut base: Value, more: Value) -> Value {
    if let (Some(fields), Value::Object(more)) = (base.as_object_mut(), more) {
        fields.extend(more);
    }
    base
}
