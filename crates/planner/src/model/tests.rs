//! Counts against the samples and presets, refusals, work, and texts that are no config.json.

use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

mod bad;
mod form;
mod fuzz;
mod library;
mod megatron;
mod outline;

fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/hf_configs")
}

fn sample(file: &str) -> String {
    std::fs::read_to_string(samples().join(file)).unwrap()
}

fn thousands(count: u64) -> f64 {
    f64::from(u32::try_from(count / 1000).unwrap())
}

#[test]
fn every_sample_counts_exactly() {
    let expected: Value = serde_json::from_str(&sample("expected.json")).unwrap();
    let rows = expected.as_object().unwrap();
    assert_eq!(rows.len(), 29);
    for (file, row) in rows {
        let counts = read_config(file, &sample(file)).unwrap().counts;
        assert_eq!(Some(counts.total), row["text_params"].as_u64(), "{file}");
        for (field, found) in [
            ("active_params_all", counts.active_all),
            ("active_params_no_input_embedding", counts.active_no_input_embedding),
        ] {
            let Some(wanted) = row[field].as_u64() else { continue };
            let tolerance = row["active_tolerance_rel"].as_f64().unwrap();
            let error = (thousands(found) / thousands(wanted) - 1.0).abs();
            assert!(error <= tolerance, "{file} {field}: {found} for {wanted}");
        }
    }
}

/// Selection biases are in `params_computed` but are buffers of the library
/// (`data/catalog/README.md`, "Counting rules"), so they are added before comparing.
#[test]
fn every_preset_counts_exactly() {
    assert_eq!(presets().len(), 101);
    for preset in presets() {
        let counts = preset.model().unwrap().counts;
        let biases = u64::from(preset.selection_biases);
        assert_eq!(counts.total + biases, preset.params_computed, "{}", preset.id);
        if let Some(library) = preset.params_library {
            assert_eq!(counts.total, library, "{}", preset.id);
        }
        // The catalog takes the bias of the head away together with the input embedding.
        let head_bias = if preset.shape.head_bias { u64::from(preset.shape.vocab) } else { 0 };
        if let Some(active) = preset.active_computed {
            let found = [
                counts.active_all + biases,
                counts.active_no_input_embedding + biases - head_bias,
                counts.active_layers_only + biases,
            ];
            assert_eq!(found, active, "{}", preset.id);
        }
    }
}

/// The parts of the counts add up to the sum, for every preset.
#[test]
fn the_parts_add_up() {
    for preset in presets() {
        let model = preset.model().unwrap();
        let counts = model.counts;
        let linear = model.linear.map_or(0, |linear| u64::from(linear.layers));
        let moe = (0..model.layers).filter(|layer| model.has_experts(*layer)).count();
        let moe = u64::try_from(moe).unwrap();
        let layers = u64::from(model.layers);
        let experts = model.experts.map_or(0, |experts| u64::from(experts.experts));
        assert_eq!(moe, model.experts.map_or(0, |experts| u64::from(experts.moe_layers)));
        let sum = counts.embedding
            + counts.head
            + counts.outside_layers
            + (layers - linear) * counts.attention_per_layer
            + linear * counts.linear_attention_per_layer
            + layers * counts.norms_per_layer
            + (layers - moe) * counts.dense_ffn_per_layer
            + moe * (experts * counts.expert + counts.router_per_layer + counts.shared_per_layer);
        assert_eq!(sum, counts.total, "{}", preset.id);
    }
}

#[test]
fn a_sample_and_its_preset_are_the_same_model() {
    let expected: Value = serde_json::from_str(&sample("expected.json")).unwrap();
    for (file, row) in expected.as_object().unwrap() {
        let from_file = read_config(file, &sample(file)).unwrap();
        let from_preset = preset(row["preset"].as_str().unwrap()).unwrap();
        assert_eq!(from_file.counts, from_preset.counts, "{file}");
        assert_eq!(from_file.attention.head_dim, from_preset.attention.head_dim, "{file}");
        assert_eq!(from_file.experts, from_preset.experts, "{file}");
    }
}

#[track_caller]
fn read(value: &Value) -> Result<Model, ConfigError> {
    read_config("test", &value.to_string())
}

/// A Llama file with the fields of `changes` set; null removes a field.
#[track_caller]
fn llama(changes: Value) -> Result<Model, ConfigError> {
    let mut config: Value =
        serde_json::from_str(&sample("meta-llama__Llama-2-7b-hf.json")).unwrap();
    let fields = config.as_object_mut().unwrap();
    for (field, value) in changes.as_object().unwrap() {
        if value.is_null() {
            fields.remove(field);
        } else {
            fields.insert(field.clone(), value.clone());
        }
    }
    read(&config)
}

#[track_caller]
fn refused(found: Result<Model, ConfigError>, key: &str, words: &str) {
    let error = found.unwrap_err();
    assert_eq!(error.key(), key, "{error}");
    assert!(error.to_string().contains(words), "{error}");
    assert!(!error.args().is_empty(), "{error:?}");
}

#[test]
fn a_broken_file_is_refused_with_its_place() {
    let syntax = |text: &str| read_config("test", text);
    refused(syntax("{\n  \"a\": 1,\n}"), "config-syntax", "line 3, column 1: a comma before");
    refused(syntax(""), "config-syntax", "line 1, column 0");
    refused(syntax("[1]"), "config-wrong-type", "an object");
    refused(syntax(&"[".repeat(99)), "config-too-deep", "column 33");
    refused(syntax(&" ".repeat(2 << 20)), "config-too-long", "2097152");
    assert!(read_config("test", &format!("\u{feff}{}", sample("mosaicml__mpt-7b.json"))).is_ok());
}

#[test]
fn a_wrong_field_is_refused_by_name() {
    let cases = [
        (json!({"hidden_size": null}), "config-missing-field", "`hidden_size` (or n_embd"),
        (json!({"model_type": null}), "config-missing-field", "`model_type`"),
        (json!({"vocab_size": "32k"}), "config-wrong-type", "`vocab_size`"),
        (json!({"num_hidden_layers": 1.5}), "config-wrong-type", "whole number"),
        (json!({"mlp_bias": 1}), "config-wrong-type", "true or false"),
        (json!({"num_hidden_layers": 0}), "config-out-of-bounds", "outside 1 to"),
        (json!({"hidden_size": -4096}), "config-out-of-bounds", "-4096"),
        (json!({"vocab_size": 1e30}), "config-out-of-bounds", "1e+30"),
        (json!({"num_attention_heads": 33}), "config-not-divisible", "`num_key_value_heads`"),
        (json!({"hidden_size": 4100}), "config-not-divisible", "`hidden_size`"),
        (json!({"num_key_value_heads": 64}), "config-too-large", "more than"),
        (
            json!({"hidden_size": 262_144, "num_attention_heads": 1, "num_key_value_heads": 1}),
            "config-out-of-bounds",
            "`head_dim` is 262144",
        ),
        (json!({"model_type": "mamba"}), "config-unsupported-family", "mamba"),
        (json!({"is_encoder_decoder": true}), "config-unsupported-field", "is_encoder_decoder"),
        (json!({"layer_types": ["full_attention"]}), "config-out-of-bounds", "layer_types"),
    ];
    for (changes, key, words) in cases {
        refused(llama(changes), key, words);
    }
}

#[test]
fn what_a_family_cannot_express_is_refused() {
    let mut mpt: Value = serde_json::from_str(&sample("mosaicml__mpt-7b.json")).unwrap();
    mpt["attn_config"]["qk_ln"] = json!(true);
    refused(read(&mpt), "config-unsupported-field", "`attn_config.qk_ln` = true");
    let mut opt: Value = serde_json::from_str(&sample("facebook__opt-6.7b.json")).unwrap();
    opt["word_embed_proj_dim"] = json!(512);
    refused(read(&opt), "config-unsupported-field", "supported is 4096");
    let mut deepseek: Value =
        serde_json::from_str(&sample("deepseek-ai__DeepSeek-V3.json")).unwrap();
    deepseek["use_mla"] = json!(false);
    refused(read(&deepseek), "config-unsupported-field", "`use_mla` = false");
    let mut scout: Value =
        serde_json::from_str(&sample("meta-llama__Llama-4-Scout-17B-16E-Instruct.json")).unwrap();
    scout["text_config"]["hidden_size"] = json!(0);
    refused(read(&scout), "config-out-of-bounds", "text_config.hidden_size");
}

#[test]
fn left_out_fields_take_the_defaults_of_the_library() {
    let stated = llama(json!({})).unwrap();
    assert_eq!(stated.assumptions, Vec::<String>::new());
    let short = llama(json!({"num_key_value_heads": null, "tie_word_embeddings": null})).unwrap();
    assert_eq!(short.counts, stated.counts);
    assert_eq!(short.assumptions, ["num_key_value_heads=32", "tie_word_embeddings=false"]);
    let gemma = read_config("", &sample("google__gemma-2-9b.json")).unwrap();
    assert!(gemma.tied);
    assert_eq!(gemma.window, Some(SlidingWindow { size: 4096, layers: 21 }));
    let scout = sample("meta-llama__Llama-4-Scout-17B-16E-Instruct.json");
    let scout = read_config("", &scout).unwrap();
    assert_eq!(scout.window, Some(SlidingWindow { size: 8192, layers: 36 }));
}

/// Counts that the models' own pages state, for rows whose code was not read: Qwen-7B and the
/// three of GLM by the sum of their published weight files, MiniCPM-2B by its report.
#[test]
fn recalled_families_agree_with_published_counts() {
    let glm = |layers: u32, vocab: u32| {
        json!({"model_type": "chatglm", "num_layers": layers, "hidden_size": 4096,
            "num_attention_heads": 32, "kv_channels": 128, "ffn_hidden_size": 13696,
            "padded_vocab_size": vocab, "multi_query_attention": true,
            "multi_query_group_num": 2, "add_qkv_bias": true, "add_bias_linear": false,
            "rmsnorm": true, "post_layer_norm": true})
    };
    let cases = [
        (
            7_721_324_544,
            json!({"model_type": "qwen", "vocab_size": 151_936, "hidden_size": 4096,
            "num_hidden_layers": 32, "num_attention_heads": 32, "kv_channels": 128,
            "intermediate_size": 22_016, "no_bias": true, "tie_word_embeddings": false}),
        ),
        (6_243_584_000, glm(28, 65_024)),
        (9_399_951_360, glm(40, 151_552)),
        (
            2_724_880_896,
            json!({"model_type": "minicpm", "vocab_size": 122_753,
            "hidden_size": 2304, "num_hidden_layers": 40, "num_attention_heads": 36,
            "num_key_value_heads": 36, "intermediate_size": 5760}),
        ),
    ];
    for (total, config) in cases {
        let model = read(&config).unwrap();
        assert_eq!(model.counts.total, total, "{config}");
        assert!(model.assumptions.iter().any(|field| field == "structure=recalled"));
    }
}

/// Configurations in the form of released files, each equal to a preset that the catalog
/// counted on its own.
#[test]
fn families_without_a_sample_agree_with_their_presets() {
    let cases = [
        (
            "phi-2",
            json!({"model_type": "phi", "hidden_size": 2560, "num_hidden_layers": 32,
                "num_attention_heads": 32, "intermediate_size": 10240, "vocab_size": 51200}),
        ),
        (
            "gpt-j-6b",
            json!({"model_type": "gptj", "n_embd": 4096, "n_layer": 28, "n_head": 16,
                "vocab_size": 50400}),
        ),
        (
            "falcon-7b",
            json!({"model_type": "RefinedWebModel", "hidden_size": 4544, "n_layer": 32,
                "n_head": 71, "multi_query": true, "parallel_attn": true, "bias": false,
                "vocab_size": 65024}),
        ),
        (
            "gemma3-12b",
            json!({"model_type": "gemma3", "vision_config": {}, "text_config": {
                "model_type": "gemma3_text", "hidden_size": 3840, "num_hidden_layers": 48,
                "intermediate_size": 15360, "num_attention_heads": 16, "num_key_value_heads": 8,
                "sliding_window": 1024}}),
        ),
        (
            "llama4-maverick",
            json!({"model_type": "llama4_text", "hidden_size": 5120, "num_hidden_layers": 48,
                "num_attention_heads": 40, "intermediate_size": 8192,
                "intermediate_size_mlp": 16384, "interleave_moe_layer_step": 2,
                "num_local_experts": 128, "num_experts_per_tok": 1, "vocab_size": 202048}),
        ),
        (
            "dbrx",
            json!({"model_type": "dbrx", "d_model": 6144, "n_layers": 40, "n_heads": 48,
                "vocab_size": 100352, "attn_config": {"kv_n_heads": 8}, "ffn_config":
                {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4}}),
        ),
        (
            "qwen3-next-80b-a3b",
            json!({"model_type": "qwen3_next", "hidden_size": 2048, "num_hidden_layers": 48,
                "num_attention_heads": 16, "intermediate_size": 5120, "vocab_size": 151936,
                "num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 512}),
        ),
        (
            "deepseek-v3.2",
            json!({"model_type": "deepseek_v32", "hidden_size": 7168, "num_hidden_layers": 61,
                "num_attention_heads": 128, "intermediate_size": 18432, "vocab_size": 129280,
                "n_routed_experts": 256, "num_experts_per_tok": 8,
                "moe_intermediate_size": 2048}),
        ),
        (
            "phi-3.5-moe",
            json!({"model_type": "phimoe", "hidden_size": 4096, "num_hidden_layers": 32,
                "num_attention_heads": 32, "intermediate_size": 6400, "vocab_size": 32064,
                "num_local_experts": 16, "num_experts_per_tok": 2, "attention_bias": true,
                "lm_head_bias": true}),
        ),
        (
            "command-r-plus",
            json!({"model_type": "cohere", "hidden_size": 12288, "num_hidden_layers": 64,
                "num_attention_heads": 96, "num_key_value_heads": 8, "intermediate_size": 33792,
                "vocab_size": 256000, "use_qk_norm": true}),
        ),
        (
            "olmo2-32b",
            json!({"model_type": "olmo2", "hidden_size": 5120, "num_hidden_layers": 64,
                "num_attention_heads": 40, "num_key_value_heads": 8, "intermediate_size": 27648,
                "vocab_size": 100352}),
        ),
        (
            "minimax-m2",
            json!({"model_type": "minimax_m2", "hidden_size": 3072, "num_hidden_layers": 62,
                "num_attention_heads": 48, "intermediate_size": 1536, "vocab_size": 200064,
                "num_local_experts": 256, "num_experts_per_tok": 8}),
        ),
        (
            "nemotron-4-340b",
            json!({"model_type": "nemotron", "hidden_size": 18432, "num_hidden_layers": 96,
                "num_attention_heads": 96, "num_key_value_heads": 8, "intermediate_size": 73728,
                "vocab_size": 256000}),
        ),
        (
            "internlm2-7b",
            json!({"model_type": "internlm2", "hidden_size": 4096, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
                "vocab_size": 92544, "bias": false}),
        ),
        (
            "baichuan2-7b",
            json!({"model_type": "baichuan", "hidden_size": 4096, "num_hidden_layers": 32,
                "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 125696}),
        ),
        (
            "deepseek-moe-16b",
            json!({"model_type": "deepseek", "hidden_size": 2048, "num_hidden_layers": 28,
                "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 10944,
                "vocab_size": 102400, "n_routed_experts": 64, "n_shared_experts": 2,
                "num_experts_per_tok": 6, "moe_intermediate_size": 1408, "moe_layer_freq": 1,
                "first_k_dense_replace": 1}),
        ),
        (
            "glm-5",
            json!({"model_type": "glm_moe_dsa", "hidden_size": 6144, "num_hidden_layers": 78,
                "num_attention_heads": 64, "intermediate_size": 12288, "vocab_size": 154880,
                "n_routed_experts": 256, "num_experts_per_tok": 8,
                "moe_intermediate_size": 2048}),
        ),
    ];
    for (id, config) in cases {
        let (read, preset) = (read(&config).unwrap(), preset(id).unwrap());
        assert_eq!(read.counts, preset.counts, "{id}");
        assert_eq!(read.linear, preset.linear, "{id}");
    }
}

/// STUDY_TIME.md 10, column torchtitan-002: 7.0369e13 FLOP before the causal half, for two
/// sequences of 8192 tokens.
#[test]
fn attention_work_is_half_of_the_square() {
    let model = preset("llama3-8b").unwrap();
    let halved = model.forward_attention_flop(16_384.0, 8192).base();
    assert!((halved * 2.0 / 7.0369e13 - 1.0).abs() < 1e-4, "{halved}");
}

/// 6 (8,030,261,248 − 525,336,576) + 6 × 32 × 4096 × 8192.
#[test]
fn model_flop_follows_the_published_convention() {
    let flop = preset("llama3-8b").unwrap().flop_per_token(8192).base();
    assert!((flop / 51_471_998_976.0 - 1.0).abs() < 1e-9, "{flop}");
}

#[test]
fn a_window_saves_work_only_beyond_its_size() {
    let windowed = preset("mistral-7b").unwrap();
    let full = Model { window: None, ..windowed.clone() };
    let work = |model: &Model, sequence| model.forward_attention_flop(1.0, sequence).base();
    assert!((work(&windowed, 4096) - work(&full, 4096)).abs() < 1.0);
    let saved = work(&windowed, 32_768) / work(&full, 32_768);
    assert!((saved - 0.234_375).abs() < 1e-9, "{saved}");
}

#[test]
fn experts_stand_where_the_family_puts_them() {
    let places = |id: &str| {
        let model = preset(id).unwrap();
        (0..5).map(|layer| model.has_experts(layer)).collect::<Vec<_>>()
    };
    assert_eq!(places("deepseek-v3"), [false, false, false, true, true]);
    assert_eq!(places("llama4-maverick"), [false, true, false, true, false]);
    assert_eq!(places("mixtral-8x7b"), [true; 5]);
    assert_eq!(places("llama3-8b"), [false; 5]);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_u32..70_000).prop_map(Value::from),
        "[a-z_0-9]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,12}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn sample_files() -> Vec<String> {
    let expected: Value = serde_json::from_str(&sample("expected.json")).unwrap();
    expected.as_object().unwrap().keys().cloned().collect()
}

fn sample_texts() -> Vec<String> {
    sample_files().iter().map(|file| sample(file)).collect()
}

/// What every model that was read must hold.
fn sane(model: &Model) -> bool {
    let counts = model.counts;
    counts.active_layers_only <= counts.active_no_input_embedding
        && counts.active_no_input_embedding <= counts.active_all
        && counts.active_all <= counts.total
        && model.flop_per_token(4096).base().is_finite()
        && model.linear.is_none_or(|linear| linear.layers <= model.layers)
        && model.window.is_none_or(|window| window.layers <= model.layers)
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        prop_assert!(read_config("any", &text).is_err_and(|error| !error.key().is_empty()));
    }

    #[test]
    fn a_changed_sample_is_read_or_refused(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any_json()), 1..4),
    ) {
        let texts = sample_texts();
        let mut config: Value = serde_json::from_str(which.get::<String>(&texts)).unwrap();
        let target = if config["text_config"].is_object() {
            &mut config["text_config"]
        } else {
            &mut config
        };
        let fields = target.as_object_mut().unwrap();
        let names: Vec<String> = fields.keys().cloned().collect();
        for (place, value) in edits {
            fields.insert(place.get(&names).clone(), value);
        }
        match read(&config) {
            Ok(model) => prop_assert!(sane(&model)),
            Err(error) => prop_assert!(!error.args().is_empty()),
        }
    }

    #[test]
    fn a_cut_sample_is_refused_with_its_place(
        which in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let texts = sample_texts();
        let text = which.get::<String>(&texts).trim_end();
        let end = cut.index(text.len());
        let found = read_config("cut", text.get(..end).unwrap_or_default());
        prop_assert_eq!(found.map_err(|error| error.key()), Err("config-syntax"));
    }
}
