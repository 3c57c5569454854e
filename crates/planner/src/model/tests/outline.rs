//! What a file says although it does not suffice for a count.

use serde_json::{Value, json};

use super::super::*;
use super::{refused, sample, sample_files};

#[track_caller]
fn read(config: &Value) -> Outline {
    outline(&config.to_string()).unwrap()
}

#[track_caller]
fn bytes(config: &Value, format: KvFormat) -> f64 {
    read(config).kv_bytes_per_token(format).unwrap().base()
}

#[track_caller]
fn same(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 0.5, "{found} for {wanted}");
}

fn stated(value: u32, from: &str) -> Option<Stated<u32>> {
    Some(Stated { value, from: from.to_owned() })
}

#[test]
fn a_nested_text_model_is_read_and_a_vision_tower_never() {
    let found = read(&json!({"model_type": "kimi_k25", "text_config": {"hidden_size": 7168,
        "num_hidden_layers": 61, "num_attention_heads": 64, "vocab_size": 163_840}}));
    assert_eq!(found.place, "text_config");
    assert_eq!(found.layers, stated(61, "text_config.num_hidden_layers"));
    assert_eq!(found.hidden, stated(7168, "text_config.hidden_size"));
    assert_eq!(found.kv_rank, stated(512, "kv_lora_rank (deepseek_v3)"));
    let found = read(&json!({
        "vision_config": {"num_attention_heads": 25, "num_hidden_layers": 45},
        "text_config": {"num_attention_heads": 64, "num_key_value_heads": 8,
            "num_hidden_layers": 80, "hidden_size": 8192}}));
    assert_eq!(found.heads, stated(64, "text_config.num_attention_heads"));
    assert_eq!(found.model_type, None);
    let only_vision = json!({"vision_config": {"num_attention_heads": 16}});
    let error = outline(&only_vision.to_string()).unwrap_err();
    assert_eq!(error.key(), "config-missing-field");
}

#[test]
fn the_order_is_llm_text_language_root_and_wrappers() {
    let model = |layers: u32| json!({"num_hidden_layers": layers});
    let mut file = json!({"num_hidden_layers": 4, "language_config": model(3),
        "text_config": model(2), "llm_config": model(1), "model": model(5)});
    for (layers, place) in
        [(1, "llm_config"), (2, "text_config"), (3, "language_config"), (4, ""), (5, "model")]
    {
        let found = read(&file);
        assert_eq!((found.layers.unwrap().value, found.place.as_str()), (layers, place));
        let name = if place.is_empty() { "num_hidden_layers" } else { place };
        file.as_object_mut().unwrap().remove(name);
    }
    let deep = json!({"model": {"model": {"text_config": {"text_config": model(7)}}}});
    let found = read(&deep);
    assert_eq!(found.layers, stated(7, "model.model.text_config.text_config.num_hidden_layers"));
    let too_deep = (0..12).fold(model(7), |inner, _| json!({"model": inner}));
    assert!(outline(&too_deep.to_string()).is_err());
}

#[test]
fn a_head_size_apart_from_hidden_over_heads_is_taken() {
    let found = json!({"hidden_size": 2048, "num_attention_heads": 32, "num_key_value_heads": 4,
        "head_dim": 128, "num_hidden_layers": 48});
    same(bytes(&found, KvFormat::Auto), 98_304.0);
    assert_eq!(read(&found).head_dim, stated(128, "head_dim"));
    let bad = json!({"hidden_size": 2000, "num_attention_heads": 48, "num_hidden_layers": 10});
    let error = outline(&bad.to_string()).unwrap_err();
    assert_eq!(error.key(), "config-not-divisible");
    assert!(error.to_string().contains("hidden_size") && error.to_string().contains("48"));
    let derived = json!({"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 2});
    assert_eq!(read(&derived).head_dim, stated(128, "hidden_size / num_attention_heads"));
}

/// The latent and the rotary key are cached: 61 × (512 + 64) × 2.
#[test]
fn latent_attention_caches_its_latent() {
    let found = json!({"hidden_size": 7168, "num_attention_heads": 128,
        "num_key_value_heads": 128, "num_hidden_layers": 61, "kv_lora_rank": 512,
        "qk_rope_head_dim": 64});
    same(bytes(&found, KvFormat::Bf16), 70_272.0);
    assert_eq!(read(&found).head_dim, None);
    same(preset("deepseek-v3").unwrap().kv_bytes_per_token(KvFormat::Bf16).base(), 70_272.0);
}

#[test]
fn the_cache_has_its_own_format() {
    let found = json!({"num_hidden_layers": 64, "num_attention_heads": 64,
        "num_key_value_heads": 8, "head_dim": 128, "hidden_size": 5120,
        "quantization_config": {"quant_method": "fp8"}});
    same(bytes(&found, KvFormat::Auto), 262_144.0);
    same(bytes(&found, KvFormat::Fp8), 131_072.0);
    let quantization = read(&found).quantization.unwrap();
    assert_eq!(quantization.value, "fp8");
    assert_eq!(quantization.from, "quantization_config.quant_method");
    assert_eq!(KvFormat::named("fp8_e4m3"), Some(KvFormat::Fp8));
    assert_eq!(KvFormat::named("int3"), None);
}

/// 2 × 32 layers × 32 heads × 128 × 2 bytes.
#[test]
fn a_preset_has_a_cache() {
    let llama = preset("llama2-7b").unwrap();
    same(llama.kv_bytes_per_token(KvFormat::Fp16).base(), 524_288.0);
}

#[test]
fn layers_with_a_fixed_state_do_not_grow() {
    let types = ["linear_attention", "linear_attention", "sliding_attention", "full_attention"];
    let found = json!({"num_hidden_layers": 4, "num_attention_heads": 8, "hidden_size": 512,
        "sliding_window": 128, "layer_types": types});
    let cache = read(&found).kv_cache().unwrap();
    assert_eq!((cache.growing_layers, cache.windowed_layers, cache.window), (2, 1, 128));
}

#[test]
fn what_is_not_stated_is_named() {
    let found = read(&json!({"num_hidden_layers": 4}));
    let error = found.kv_bytes_per_token(KvFormat::Auto).unwrap_err();
    assert!(error.to_string().contains("num_key_value_heads"), "{error}");
    refused(read_config("", "{\"num_hidden_layers\": -4}"), "config-missing-field", "model_type");
    let error = outline("{\"num_hidden_layers\": -4}").unwrap_err();
    assert_eq!(error.key(), "config-out-of-bounds");
}

/// The outline of a file that counts agrees with the count's own description.
#[test]
fn outlines_agree_with_models() {
    for file in sample_files() {
        let model = read_config(&file, &sample(&file)).unwrap();
        let outline = outline(&sample(&file)).unwrap();
        assert_eq!(outline.layers.as_ref().unwrap().value, model.layers, "{file}");
        assert_eq!(outline.hidden.as_ref().unwrap().value, model.hidden, "{file}");
        let cache = outline.kv_cache().unwrap();
        assert_eq!(cache.elements_per_layer, model.kv_cache().elements_per_layer, "{file}");
        assert_eq!(cache.growing_layers, model.kv_cache().growing_layers, "{file}");
    }
}

#[test]
fn a_nested_model_that_states_only_its_type_takes_the_defaults() {
    let found = read(&json!({"model_type": "llava", "vision_config": {}, "text_config": {
        "model_type": "llama", "vocab_size": 32_064}}));
    assert_eq!(found.layers, stated(32, "num_hidden_layers (llama)"));
    assert_eq!(found.hidden, stated(4096, "hidden_size (llama)"));
    let model = read_config(
        "",
        &json!({"model_type": "llava", "text_config": {
        "model_type": "llama", "vocab_size": 32_064}})
        .to_string(),
    );
    assert_eq!(model.unwrap().layers, 32);
}
