//! Finds the row of a `model_type`.

use super::super::family::Family;
use super::gpt_like::GPT_LIKE;
use super::latent::LATENT;
use super::llama_like::LLAMA_LIKE;
use super::recalled::RECALLED;
use super::sparse::SPARSE;

/// The first row whose names hold `model_type`.
pub(in crate::model) fn family(model_type: &str) -> Option<&'static Family> {
    rows().find(|family| family.names.contains(&model_type))
}

/// Whether the structure of the family is recalled, not read.
pub(in crate::model) fn is_recalled(model_type: &str) -> bool {
    RECALLED.iter().any(|family| family.names.contains(&model_type))
}

/// The text model that the library builds inside of a multimodal `model_type` whose file names
/// none. Source: `configuration_NAME.py` of each, transformers 5.24.
pub(in crate::model) fn nested_type(model_type: &str) -> Option<&'static str> {
    NESTED.iter().find(|(outer, _)| *outer == model_type).map(|(_, inner)| *inner)
}

/// All names of the table.
pub(in crate::model) fn names() -> impl Iterator<Item = &'static str> {
    rows().flat_map(|family| family.names).copied()
}

fn rows() -> impl Iterator<Item = &'static Family> {
    [LLAMA_LIKE, GPT_LIKE, SPARSE, LATENT, RECALLED].into_iter().flatten()
}

static NESTED: &[(&str, &str)] = &[
    ("aya_vision", "cohere2"),
    ("gemma3", "gemma3_text"),
    ("glm4v", "glm4v_text"),
    ("glm4v_moe", "glm4v_moe_text"),
    ("idefics2", "mistral"),
    ("idefics3", "llama"),
    ("internvl", "qwen2"),
    ("kimi_k25", "deepseek_v3"),
    ("llama4", "llama4_text"),
    ("llava", "llama"),
    ("llava_next", "llama"),
    ("llava_onevision", "qwen2"),
    ("mistral3", "mistral"),
    ("paligemma", "gemma"),
    ("qwen2_5_vl", "qwen2_5_vl_text"),
    ("qwen2_vl", "qwen2_vl_text"),
    ("qwen3_5", "qwen3_5_text"),
    ("qwen3_5_moe", "qwen3_5_moe_text"),
    ("qwen3_vl", "qwen3_vl_text"),
    ("qwen3_vl_moe", "qwen3_vl_moe_text"),
    ("smolvlm", "llama"),
    ("video_llava", "llama"),
    ("vipllava", "llama"),
];
