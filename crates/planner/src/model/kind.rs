//! Files that lie beside a config.json and are taken for it.

use std::fmt;

use serde_json::Value;

use super::nested::TextModel;

/// What a file is instead of a model's config.json.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Tokenizer,
    Generation,
    Adapter,
    Processor,
    /// Which weight lies in which file.
    WeightIndex,
    DeepSpeed,
    /// A pipeline of the diffusers library.
    Diffusers,
    Readme,
    WebPage,
    /// The stand-in of Git LFS for a file that was not fetched.
    LfsPointer,
}

impl FileKind {
    /// The kind of a JSON object that describes no model.
    pub(super) fn of_object(file: &Value) -> Option<Self> {
        let describes =
            TextModel::find(file).is_ok_and(|found| found.is_nested() || found.describes_a_model());
        if describes || file.get("model_type").is_some() {
            return None;
        }
        let any = |names: &[&str]| names.iter().any(|name| file.get(name).is_some());
        SIGNS.iter().find(|(names, _)| any(names)).map(|(_, kind)| *kind)
    }

    /// The kind of a text that is no JSON object.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let start = text.trim_start();
        if start.starts_with("version https://git-lfs") {
            return Some(Self::LfsPointer);
        }
        if start.starts_with("#version") {
            return Some(Self::Tokenizer);
        }
        if start.starts_with("# ") || start.starts_with("## ") || start.starts_with("---") {
            return Some(Self::Readme);
        }
        let page = ["<!doctype", "<!DOCTYPE", "<html", "<HTML"];
        page.iter().any(|sign| start.starts_with(sign)).then_some(Self::WebPage)
    }

    /// The kind of a file that is too long to be parsed, from its first words.
    pub(super) fn of_start(text: &str) -> Option<Self> {
        let end = (0..=2048.min(text.len())).rev().find(|end| text.is_char_boundary(*end))?;
        let start = text.get(..end)?;
        let holds = |name: &str| start.contains(&format!("\"{name}\""));
        let signs = [("added_tokens", Self::Tokenizer), ("weight_map", Self::WeightIndex)];
        signs
            .iter()
            .find(|(name, _)| holds(name))
            .map(|(_, kind)| *kind)
            .or_else(|| Self::of_text(start))
    }

    /// Key of the message.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Tokenizer => "config-kind-tokenizer",
            Self::Generation => "config-kind-generation",
            Self::Adapter => "config-kind-adapter",
            Self::Processor => "config-kind-processor",
            Self::WeightIndex => "config-kind-weight-index",
            Self::DeepSpeed => "config-kind-deepspeed",
            Self::Diffusers => "config-kind-diffusers",
            Self::Readme => "config-kind-readme",
            Self::WebPage => "config-kind-web-page",
            Self::LfsPointer => "config-kind-lfs-pointer",
        }
    }
}

/// Fields that only one kind has, the most telling first.
const SIGNS: [(&[&str], FileKind); 8] = [
    (&["weight_map"], FileKind::WeightIndex),
    (&["peft_type", "base_model_name_or_path"], FileKind::Adapter),
    (&["_diffusers_version", "_class_name"], FileKind::Diffusers),
    (&["zero_optimization", "train_micro_batch_size_per_gpu"], FileKind::DeepSpeed),
    (
        &["image_processor_type", "feature_extractor_type", "image_mean", "processor_class"],
        FileKind::Processor,
    ),
    (
        &[
            "tokenizer_class",
            "added_tokens_decoder",
            "added_tokens",
            "pre_tokenizer",
            "chat_template",
        ],
        FileKind::Tokenizer,
    ),
    (
        &["do_sample", "temperature", "top_p", "max_new_tokens", "_from_model_config"],
        FileKind::Generation,
    ),
    (&["additional_special_tokens", "bos_token", "unk_token", "pad_token"], FileKind::Tokenizer),
];

impl fmt::Display for FileKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Tokenizer => "a tokenizer's file",
            Self::Generation => "the settings of text generation",
            Self::Adapter => "an adapter's config, which has no layers of its own",
            Self::Processor => "the settings of an image or sound processor",
            Self::WeightIndex => "the index of the weight files",
            Self::DeepSpeed => "a DeepSpeed config",
            Self::Diffusers => "a config of an image model",
            Self::Readme => "a text for readers",
            Self::WebPage => "a web page",
            Self::LfsPointer => "a Git LFS pointer without its file",
        })
    }
}
