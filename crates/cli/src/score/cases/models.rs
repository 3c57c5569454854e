//! The model of a situation: by Hub id from the table of shapes or the catalog, by a config
//! inside of the input, or by what is stated of its shape.

use planner::model::{Model, preset, presets, read_config};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::ScoreError;
use super::super::row::Inexpressible;
use super::fields::Fields;
use super::shapes;

/// Families of dense models that differ in biases and norms; the exact total tells which it is.
const DENSE: [&str; 4] = ["llama", "qwen2", "qwen3", "nemotron"];
/// Totals of the catalog and of the table agree this well: router biases are buffers to some.
const SAME_TOTAL: f64 = 1e-6;
/// Words of a Hub id that do not change the language model's shape.
const NOT_SHAPE: [&str; 22] = [
    "instruct", "chat", "base", "fp8", "gptq", "awq", "int4", "int8", "bf16", "nf4", "vl", "hf",
    "meta", "it", "coder", "math", "4k", "8k", "32k", "128k", "1m", "preview",
];
/// Models with the shape of an earlier one (model cards).
const SAME_SHAPE: [(&str, &str); 10] = [
    ("llama3.1", "llama3"),
    ("llama3.3", "llama3"),
    ("deepseekr1distillllama", "llama3"),
    ("deepseekr1distillqwen", "qwen2.5"),
    ("deepseekr1", "deepseekv3"),
    ("deepseekv3.1", "deepseekv3"),
    ("qwq", "qwen2.5"),
    ("kimik2.5", "kimik2"),
    ("vicuna", "llama"),
    ("alpaca", "llama"),
];

/// Shapes by Hub id.
#[derive(Clone, Debug)]
pub(super) struct Models(Vec<Row>);

/// One line of the table of shapes.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    model: String,
    hidden: u32,
    ffn_or_moe_ffn: u32,
    layers: u32,
    heads: u32,
    kv_heads: u32,
    head_dim: u32,
    vocab: u32,
    tied: u32,
    params_total: u64,
    params_active: u64,
}

impl Models {
    pub(super) fn read(text: &str) -> Result<Self, ScoreError> {
        let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let rows = reader.deserialize().map(|row| {
            row.map_err(|error: csv::Error| ScoreError::ModelsCsv {
                line: error.position().map_or(0, csv::Position::line),
                cause: error.to_string(),
            })
        });
        Ok(Self(rows.collect::<Result<_, _>>()?))
    }

    /// The model that a situation names.
    pub(super) fn of(&self, fields: &Fields) -> Result<Model, Inexpressible> {
        let name = fields.value("model").is_some_and(Value::is_string);
        let named = if name {
            self.named(fields.word("model")?.unwrap_or_default())
        } else {
            Err(Inexpressible("no model is named".to_owned()))
        };
        if let (Err(_), Some(config)) = (&named, fields.value("config")) {
            return read_config("config", &config.to_string())
                .map_err(|error| Inexpressible(format!("config cannot be read: {error}")));
        }
        if name {
            return named;
        }
        // Without a `model`, the shape may stand beside the other fields.
        let stated = fields.inside("model").unwrap_or_else(|| fields.clone());
        shapes::derived(&stated)
    }

    fn named(&self, id: &str) -> Result<Model, Inexpressible> {
        let wanted = id.to_lowercase();
        let base = wanted.rsplit('/').next().unwrap_or_default();
        let row = self.0.iter().find(|row| {
            let cell = row.model.to_lowercase();
            match cell.split_once(" (") {
                Some((name, also)) => name == wanted || also_named(also, base),
                None => cell == wanted,
            }
        });
        match row {
            Some(row) if row.params_active == row.params_total => row.dense(),
            Some(row) => row.with_experts(),
            None => by_name(base),
        }
        .ok_or_else(|| Inexpressible(format!("the model {id} is in no table")))
    }
}

impl Row {
    /// The dense family whose count is the stated total.
    fn dense(&self) -> Option<Model> {
        DENSE.iter().find_map(|family| {
            let config = json!({
                "model_type": family,
                "hidden_size": self.hidden,
                "intermediate_size": self.ffn_or_moe_ffn,
                "num_hidden_layers": self.layers,
                "num_attention_heads": self.heads,
                "num_key_value_heads": self.kv_heads,
                "head_dim": self.head_dim,
                "vocab_size": self.vocab,
                "tie_word_embeddings": self.tied != 0,
            });
            let model = read_config(&self.model, &config.to_string()).ok()?;
            (model.counts.total == self.params_total).then_some(model)
        })
    }

    /// The table does not state experts and latent widths: those of the catalog's model with
    /// the same widths and total.
    fn with_experts(&self) -> Option<Model> {
        presets().iter().filter_map(planner::model::ModelPreset::model).find(|model| {
            let width = model.experts.map(|experts| experts.width);
            (model.hidden, model.layers, model.vocab) == (self.hidden, self.layers, self.vocab)
                && width == Some(self.ffn_or_moe_ffn)
                && close(model.counts.total, self.params_total)
        })
    }
}

/// A model of the catalog whose name is that of a Hub id without words about its format.
fn by_name(base: &str) -> Option<Model> {
    let squeezed = |text: &str| -> String {
        text.split(['-', '_', ' '])
            .filter(|word| !NOT_SHAPE.contains(word) && !is_version(word))
            .collect()
    };
    let wanted = squeezed(base);
    let older = SAME_SHAPE
        .iter()
        .find_map(|(name, as_older)| Some(format!("{as_older}{}", wanted.strip_prefix(name)?)));
    [Some(wanted), older]
        .into_iter()
        .flatten()
        .find_map(|wanted| presets().iter().find(|preset| squeezed(preset.id) == wanted))
        .and_then(|row| preset(row.id))
}

/// Another name in brackets: a whole id, or the last part of one (`R1` of `DeepSeek-R1`).
fn also_named(brackets: &str, base: &str) -> bool {
    const NO_NAMES: [&str; 3] = ["also", "same", ""];
    let family = |word: &str| base.strip_suffix(word).is_some_and(|rest| rest.ends_with('-'));
    brackets
        .split(|c: char| c.is_whitespace() || matches!(c, ')' | ',' | '('))
        .filter(|word| !NO_NAMES.contains(word))
        .any(|word| word == base || family(word))
}

/// `v0.1`, but not the `v3` of a name such as DeepSeek's.
fn is_version(word: &str) -> bool {
    word.strip_prefix('v').is_some_and(|rest| {
        rest.contains('.') && rest.chars().all(|c| c.is_ascii_digit() || c == '.')
    })
}

#[expect(clippy::cast_precision_loss, reason = "a relative comparison")]
fn close(one: u64, other: u64) -> bool {
    (one as f64 / other as f64 - 1.0).abs() < SAME_TOTAL
}
