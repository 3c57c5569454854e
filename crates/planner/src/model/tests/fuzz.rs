//! Mutated configs and arguments: nothing panics, hangs or is accepted out of bounds.
//!
//! `MESHWRIGHT_FUZZ` sets the number of texts; a run of 10^6 wants `--release`.

use std::time::{Duration, Instant};

use serde_json::{Map, Number, Value, json};

use super::super::bounds::{
    Bound, EXPERTS, FFN_WIDTH, HEAD_DIM, HEADS, HIDDEN, KV_RANK, LAYERS, PARAMETERS, POSITIONS,
    Q_RANK, VOCAB, WINDOW,
};
use super::super::*;
use super::sample_texts;

/// In CI, where the tests are not optimised.
const FEW: u64 = 10_000;

/// SplitMix64 (Steele, Lea and Flood 2014): the same texts in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, number: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(number.max(1)).unwrap()).unwrap()
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A value that a field may wrongly hold.
fn value(draw: &mut Draw) -> Value {
    match draw.below(16) {
        0 => Value::Null,
        1 => Value::Bool(draw.below(2) == 0),
        2 => json!(-1),
        3 => json!(0),
        4 => json!(1_000_000_000),
        5 => json!(u64::MAX),
        6 => json!(0.5),
        7 => json!(1e300),
        8 => json!(4096.0),
        9 => json!("4096"),
        10 => json!([1, 2, 3]),
        11 => json!({"hidden_size": 64}),
        12 => Value::Number(Number::from(draw.next() % 70_000)),
        13 => Value::Number(Number::from(1_u64 << draw.below(32))),
        14 => json!(["full_attention", "sliding_attention", "linear_attention"]),
        _ => json!(draw.below(300)),
    }
}

/// All paths of objects, the file itself first.
fn object<'a>(file: &'a mut Value, draw: &mut Draw) -> &'a mut Map<String, Value> {
    let nested = ["text_config", "llm_config", "model", "attn_config", "quantization_config"];
    let inner = *draw.one(&nested);
    if draw.below(3) > 0 && file.get(inner).is_some_and(Value::is_object) {
        return file[inner].as_object_mut().unwrap();
    }
    file.as_object_mut().unwrap()
}

fn change(file: &mut Value, types: &[String], draw: &mut Draw) {
    if draw.below(12) == 0 {
        let place = *draw.one(&["text_config", "llm_config", "model", "language_config"]);
        *file = json!({ place: file.take() });
        return;
    }
    let fields = object(file, draw);
    let names: Vec<String> = fields.keys().cloned().collect();
    if names.is_empty() {
        return;
    }
    let name = draw.one(&names).clone();
    match draw.below(6) {
        0 => drop(fields.remove(&name)),
        1 => {
            let other = draw.one(&names).clone();
            let (one, two) = (fields[&name].clone(), fields[&other].clone());
            fields.insert(name, two);
            fields.insert(other, one);
        }
        2 => {
            let moved = fields.remove(&name).unwrap();
            fields.insert(draw.one(FIELDS).to_string(), moved);
        }
        3 => drop(fields.insert("model_type".to_owned(), json!(draw.one(types)))),
        4 => drop(fields.insert(draw.one(FIELDS).to_string(), value(draw))),
        _ => drop(fields.insert(name, value(draw))),
    }
}

/// Fields that the readers know.
const FIELDS: &[&str] = &[
    "num_hidden_layers",
    "n_layer",
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "intermediate_size",
    "vocab_size",
    "kv_lora_rank",
    "q_lora_rank",
    "v_head_dim",
    "qk_rope_head_dim",
    "qk_nope_head_dim",
    "num_experts",
    "num_local_experts",
    "n_routed_experts",
    "num_experts_per_tok",
    "moe_intermediate_size",
    "n_shared_experts",
    "first_k_dense_replace",
    "decoder_sparse_step",
    "mlp_only_layers",
    "mlp_layer_types",
    "layer_types",
    "sliding_window",
    "max_window_layers",
    "full_attention_interval",
    "no_rope_layers",
    "moe_layers",
    "max_position_embeddings",
    "tie_word_embeddings",
    "moe_layer_interval",
    "linear_num_key_heads",
    "linear_key_head_dim",
    "text_config",
];

fn broken(text: &str, draw: &mut Draw) -> String {
    let mut bytes = text.as_bytes().to_vec();
    match draw.below(4) {
        0 => bytes.truncate(draw.below(bytes.len())),
        1 => {
            for _ in 0..=draw.below(4) {
                let place = draw.below(bytes.len());
                bytes[place] ^= 1 << draw.below(8);
            }
        }
        2 => {
            let (from, length) = (draw.below(bytes.len()), draw.below(200));
            let part: Vec<u8> = bytes.iter().skip(from).take(length).copied().collect();
            let place = draw.below(bytes.len());
            bytes.splice(place..place, part);
        }
        _ => {
            let place = draw.below(bytes.len());
            let junk = *draw.one(&["-", "e9", "[[[[", "{\"a\":", "\u{0}", "999999999", "\"", "*"]);
            bytes.splice(place..place, junk.bytes());
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

const ARGUMENTS: &str = "LAYERS=61\n--num-layers $LAYERS --hidden-size 7168 --ffn-hidden-size \
    18432 --num-attention-heads 128 --max-position-embeddings 4096 --multi-latent-attention \
    --q-lora-rank 1536 --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 \
    --v-head-dim 128 --qk-layernorm --normalization RMSNorm --swiglu --disable-bias-linear \
    --position-embedding-type rope --untie-embeddings-and-output-weights --num-experts 256 \
    --moe-ffn-hidden-size 2048 --moe-router-topk 8 --moe-shared-expert-intermediate-size 2048 \
    --moe-layer-freq ([0]*3+[1]*58) --vocab-size 129280 --make-vocab-size-divisible-by 128 \
    --tensor-model-parallel-size 8 --group-query-attention --num-query-groups 8 \
    --kv-channels 128 --window-size 128,0 --window-attn-skip-freq 2 --add-qkv-bias";

fn arguments(draw: &mut Draw) -> String {
    let mut words: Vec<String> = ARGUMENTS.split_whitespace().map(ToOwned::to_owned).collect();
    for _ in 0..=draw.below(4) {
        let place = draw.below(words.len());
        match draw.below(4) {
            0 => drop(words.remove(place)),
            1 => {
                let other = draw.below(words.len());
                words.swap(place, other);
            }
            2 => words[place] = value(draw).to_string(),
            _ => {
                let word = words[place].clone();
                words.insert(draw.below(words.len()), word);
            }
        }
    }
    words.join(" ")
}

fn text(samples: &[Value], types: &[String], draw: &mut Draw) -> String {
    if draw.below(8) == 0 {
        let text = arguments(draw);
        return if draw.below(4) == 0 { broken(&text, draw) } else { text };
    }
    let mut file = draw.one(samples).clone();
    for _ in 0..draw.below(5) {
        change(&mut file, types, draw);
    }
    let text = file.to_string();
    if draw.below(4) == 0 { broken(&text, draw) } else { text }
}

#[track_caller]
fn within(bound: Bound, value: u32, text: &str) {
    assert!(bound.holds(u64::from(value)), "{value} outside {bound:?}: {text}");
}

/// What every accepted model must hold.
fn check(model: &Model, text: &str) {
    let counts = model.counts;
    assert!(PARAMETERS.holds(counts.total), "{}: {text}", counts.total);
    assert!(counts.active_layers_only <= counts.active_no_input_embedding, "{text}");
    assert!(counts.active_all <= counts.total, "{text}");
    within(LAYERS, model.layers, text);
    within(HIDDEN, model.hidden, text);
    within(VOCAB, model.vocab, text);
    within(HEADS, model.attention.heads, text);
    within(HEADS, model.attention.kv_heads, text);
    within(FFN_WIDTH, model.feed_forward.width, text);
    within(POSITIONS, model.max_positions, text);
    match model.attention.latent {
        None => within(HEAD_DIM, model.attention.head_dim, text),
        Some(latent) => {
            within(Q_RANK, latent.q_rank, text);
            within(KV_RANK, latent.kv_rank, text);
            within(HEAD_DIM, latent.v_dim, text);
        }
    }
    assert!(model.attention.heads.is_multiple_of(model.attention.kv_heads), "{text}");
    if let Some(experts) = model.experts {
        within(EXPERTS, experts.experts, text);
        assert!((1..=experts.experts).contains(&experts.top_k), "{text}");
        assert!(experts.moe_layers + experts.first_dense_layers <= model.layers, "{text}");
    }
    if let Some(window) = model.window {
        within(WINDOW, window.size, text);
        assert!((1..=model.layers).contains(&window.layers), "{text}");
    }
    assert!(model.linear.is_none_or(|linear| linear.layers <= model.layers), "{text}");
    assert!(model.flop_per_token(4096).base().is_finite(), "{text}");
    assert!(model.kv_bytes_per_token(KvFormat::Auto).base() >= 0.0, "{text}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the bound on the time is part of the test")]
fn mutated_texts_are_read_within_bounds_or_refused() {
    let number = std::env::var("MESHWRIGHT_FUZZ").ok().and_then(|number| number.parse().ok());
    let number = number.unwrap_or(FEW);
    let samples: Vec<Value> =
        sample_texts().iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let types: Vec<String> = super::super::families::names().map(ToOwned::to_owned).collect();
    let (mut draw, mut accepted, mut slowest) = (Draw(2026), 0, Duration::ZERO);
    for _ in 0..number {
        let text = text(&samples, &types, &mut draw);
        let start = Instant::now();
        match read_model("fuzz", &text) {
            Ok(model) => {
                check(&model, &text);
                accepted += 1;
            }
            Err(error) => assert!(!error.to_string().is_empty() && !error.key().is_empty()),
        }
        if let Ok(outline) = outline(&text)
            && let Ok(bytes) = outline.kv_bytes_per_token(KvFormat::Auto)
        {
            assert!(bytes.base().is_finite(), "{text}");
        }
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(1), "{taken:?}: {text}");
        slowest = slowest.max(taken);
    }
    // Both ways must be walked, or the mutations are too tame or too wild.
    assert!(accepted * 20 > number && accepted * 20 < 19 * number, "{accepted} of {number}");
    println!("{number} texts, {accepted} accepted, slowest {slowest:?}");
}
