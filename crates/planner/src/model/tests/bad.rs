//! Files that are no config.json, and texts that are meant to hurt.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::*;
use super::refused;

#[track_caller]
fn kind(text: &str, words: &str) {
    refused(read_model("", text), "config-other-file", words);
    assert!(outline(text).is_err());
}

#[test]
fn files_that_lie_beside_are_named() {
    kind(r#"{"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>"}"#, "tokenizer");
    kind(r#"{"version": "1.0", "added_tokens": [], "model": {"vocab": {}}}"#, "tokenizer");
    kind(r#"{"bos_token": "<s>", "eos_token": "</s>"}"#, "tokenizer");
    kind("#version: 0.2\n\u{120} t", "tokenizer");
    kind(r#"{"_from_model_config": true, "eos_token_id": 2}"#, "generation");
    kind(r#"{"peft_type": "LORA", "r": 8, "base_model_name_or_path": "x"}"#, "adapter");
    kind(r#"{"image_processor_type": "CLIPImageProcessor", "size": 224}"#, "processor");
    kind(r#"{"metadata": {}, "weight_map": {"lm_head.weight": "a"}}"#, "index");
    kind(r#"{"zero_optimization": {"stage": 3}, "bf16": {}}"#, "DeepSpeed");
    kind("---\nlicense: mit\n---\n# Model", "readers");
    kind("# Llama 2\n\nA model.", "readers");
    kind("<!DOCTYPE html><html>", "web page");
    kind("version https://git-lfs.github.com/spec/v1\noid sha256:0", "LFS");
    let long = format!(r#"{{"version": "1.0", "added_tokens": [{}]}}"#, "1,".repeat(1 << 20));
    kind(&long, "tokenizer");
}

/// A config.json may state what other files do, too.
#[test]
fn a_config_with_foreign_fields_stays_one() {
    let mut config: Value =
        serde_json::from_str(&super::sample("meta-llama__Llama-2-7b-hf.json")).unwrap();
    for field in ["tokenizer_class", "temperature", "weight_map", "peft_type"] {
        config[field] = json!("x");
    }
    assert!(read_model("", &config.to_string()).is_ok());
}

#[test]
fn an_unknown_family_names_the_nearest() {
    let of_type = |name: &str| read_model("", &json!({"model_type": name}).to_string());
    refused(of_type("qwen33"), "config-unsupported-family-nearest", "did you mean qwen3?");
    refused(of_type("Llama"), "config-unsupported-family-nearest", "did you mean llama?");
    refused(of_type("mamba"), "config-unsupported-family", "mamba are not supported");
    let long = "x".repeat(100_000);
    refused(of_type(&long), "config-unsupported-family", "xxx…");
}

/// A text model inside of a text model inside of …; the message names the whole place.
#[test]
fn a_deep_place_is_named() {
    let broken = json!({"num_hidden_layers": "many", "model_type": "llama"});
    let file = json!({"model": {"model": {"text_config": {"text_config": broken}}}});
    let place = "model.model.text_config.text_config.num_hidden_layers";
    refused(read_model("", &file.to_string()), "config-wrong-type", place);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the bound on the time is what is tested")]
fn nothing_takes_longer_than_a_blink() {
    const HUGE: usize = 200 << 20;
    let texts: [fn() -> String; 8] = [
        || "[".repeat(HUGE),
        || " ".repeat(HUGE),
        || format!("{{\"a\": \"{}", "x".repeat(HUGE)),
        || "--num-layers 1 ".repeat(HUGE / 15),
        || "{\"text_config\":".repeat(1 << 16),
        || format!("{{{}", "\"a\": 1,".repeat(1 << 16)),
        || "a=1 ".repeat(1 << 17) + &"--b $c --num-layers $c ".repeat(1 << 14),
        || "--moe-layer-freq ([1]*4096)*4096 ".repeat(1 << 14),
    ];
    let most = Duration::from_millis(if cfg!(debug_assertions) { 2_000 } else { 100 });
    for make in texts {
        let text = make();
        let start = Instant::now();
        assert!(read_model("", &text).is_err());
        assert!(start.elapsed() < most, "{:?}", start.elapsed());
        assert!(outline(&text).is_err());
    }
}
