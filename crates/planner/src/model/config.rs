//! Reads a Hugging Face config.json. What the library would build from the file is what
//! counts; fields that it fills in itself are filled in alike and listed as assumptions.

use serde_json::Value;

use super::bounds::{
    Bound, CONVOLUTION, FFN_WIDTH, HEAD_DIM, HEADS, HIDDEN, KV_RANK, LAYER_INDEX, LAYERS,
    PARAMETERS, PERIOD, POSITIONS, Q_RANK, VOCAB,
};
use super::error::ConfigError;
use super::families::{family, is_recalled, names, nested_type};
use super::family::{Family, KvHeads, LatentRule, Norms, Only, Positions, Switch, Width};
use super::json::{Given, Reader, parse, shortened, shown};
use super::layers::{expert_layers, linear_layers, window};
use super::names::{
    DENSE_WIDTH_NAMES, HEAD_DIM_NAMES, HEAD_NAMES, HIDDEN_NAMES, KV_HEAD_NAMES, LAYER_NAMES,
    POSITION_NAMES, VOCAB_NAMES, WIDTH_NAMES,
};
use super::nested::TextModel;
use super::shape::{AttentionExtras, ExpertExtras, Indexer, QkNorm, Shape};
use super::{Attention, AttentionBias, FeedForward, LatentAttention, LinearAttention, Model};
use crate::explain::nearest;

/// Reads the language model that a config.json describes. `name` is kept as the model's name.
///
/// Multimodal files are read through their nested text model. Weights of a quantised
/// checkpoint count as what they stand for. Modules for multi-token prediction and other
/// towers are not counted.
///
/// # Errors
/// Whatever cannot be expressed exactly is refused with the place in the file.
pub fn read_config(name: &str, text: &str) -> Result<Model, ConfigError> {
    let value = parse(text)?;
    let found = TextModel::find(&value)?;
    let (mut reader, nested) = (found.reader()?, found.is_nested());
    let outward = found.outward()?;
    let model_type = model_type(&mut reader, &outward)?;
    let family = family(model_type).ok_or_else(|| ConfigError::UnsupportedFamily {
        model_type: shortened(model_type),
        nearest: nearest(model_type, names()),
    })?;
    if is_recalled(model_type) {
        reader.assume("structure", "recalled");
    }
    let mut outer_tied = None;
    for around in &outward {
        for tower in ["vision_config", "audio_config"] {
            if around.find(&[tower]).value().is_some() {
                reader.assume(tower, "ignored");
            }
        }
        outer_tied = outer_tied.or(around.flag("tie_word_embeddings")?);
    }
    let mut config = Config { reader, family, model_type, nested };
    let shape = config.shape(outer_tied)?;
    let assumptions = config.reader.into_assumptions();
    shape.model(name, model_type, assumptions).map_err(|error| ConfigError::OutOfBounds {
        field: "(parameters)".to_owned(),
        value: error.total.to_string(),
        least: PARAMETERS.least,
        most: PARAMETERS.most,
    })
}

/// The `model_type` of the text model, or what the library takes where only the file around it
/// has one.
fn model_type<'a>(reader: &mut Reader<'a>, outward: &[Reader<'a>]) -> Result<&'a str, ConfigError> {
    if let Some(model_type) = reader.text("model_type")? {
        return Ok(model_type);
    }
    for around in outward {
        let Some(outer) = around.text("model_type")? else { continue };
        let Some(inner) = nested_type(outer) else { return Ok(outer) };
        reader.assume("model_type", inner);
        return Ok(inner);
    }
    Err(reader.missing(&["model_type"]))
}

/// One file with the row of its family.
pub(super) struct Config<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) family: &'static Family,
    pub(super) model_type: &'a str,
    /// A nested text model states only what differs from the library's defaults.
    nested: bool,
}

impl Config<'_> {
    fn shape(&mut self, outer_tied: Option<bool>) -> Result<Shape, ConfigError> {
        let family = self.family;
        let layers = self.stated(LAYER_NAMES, LAYERS, family.size.0)?;
        let hidden = self.stated(HIDDEN_NAMES, HIDDEN, family.size.1)?;
        self.check_only(hidden)?;
        let vocab = self.stated(VOCAB_NAMES, VOCAB, family.vocab)?;
        let (attention, extras) = self.attention(hidden)?;
        let max_positions =
            self.reader.number_or(POSITION_NAMES, POSITIONS, family.max_positions)?;
        let (experts, expert_extras) = expert_layers(self, layers)?;
        let width = match experts {
            Some(experts) if matches!(family.width, Width::None) => experts.width,
            _ => self.dense_width(hidden)?,
        };
        let bias = self.switch(family.ffn_bias)?;
        let feed_forward = FeedForward { width, gated: family.gated, bias };
        let linear = if family.linear { self.linear(layers)? } else { None };
        let window = window(self, layers)?;
        let tied = match self.reader.flag("tie_word_embeddings")?.or(outer_tied) {
            Some(tied) => tied,
            None => self.reader.flag_or("tie_word_embeddings", family.tied)?,
        };
        let mtp =
            self.reader.number(&["num_nextn_predict_layers", "num_mtp_layers"], LAYER_INDEX)?;
        if mtp.value().is_some_and(|layers| layers > 0) {
            self.reader.assume("num_nextn_predict_layers", 0);
        }
        Ok(Shape {
            layers,
            hidden,
            vocab,
            attention,
            extras,
            linear,
            feed_forward,
            experts,
            expert_extras: if experts.is_some() { expert_extras } else { ExpertExtras::NONE },
            window,
            norm: family.norm,
            norms_per_layer: self.norms()?,
            embedding_norm: family.embedding_norm,
            tied,
            head_bias: self.switch(family.head_bias)?,
            learned_positions: match family.positions {
                Positions::Computed => 0,
                Positions::Learned(extra) => max_positions + extra,
            },
            max_positions,
        })
    }

    /// A number that a file of its own must state, a nested text model may leave out.
    #[inline(never)]
    pub(super) fn stated(
        &mut self,
        names: &[&str],
        bound: Bound,
        default: u32,
    ) -> Result<u32, ConfigError> {
        if self.nested {
            self.reader.number_or(names, bound, default)
        } else {
            self.reader.required(names, bound)
        }
    }

    /// The refusal of a field's value.
    #[inline(never)]
    pub(super) fn unsupported(
        &self,
        field: &str,
        value: &str,
        supported: impl std::fmt::Display,
    ) -> ConfigError {
        ConfigError::UnsupportedField {
            model_type: self.model_type.to_owned(),
            field: self.reader.place(field),
            value: shortened(value),
            supported: supported.to_string(),
        }
    }

    #[inline(never)]
    fn switch(&mut self, switch: Switch) -> Result<bool, ConfigError> {
        match switch {
            Switch::On => Ok(true),
            Switch::Off => Ok(false),
            Switch::Field(name, default) => self.reader.flag_or(name, default),
        }
    }

    /// Refuses what the row of the family cannot express.
    fn check_only(&self, hidden: u32) -> Result<(), ConfigError> {
        let general = [("is_encoder_decoder", Only::Flag(false))];
        for (field, only) in general.iter().chain(self.family.only) {
            let Given::Value((_, value)) = self.reader.find(&[field]) else { continue };
            let supported = match only {
                Only::Flag(flag) => Value::from(*flag),
                Only::Text(text) => Value::from(*text),
                Only::Number(number) => Value::from(*number),
                Only::Hidden => Value::from(hidden),
                Only::Absent => Value::Null,
            };
            if *value != supported {
                let wanted = match supported {
                    Value::Null => String::new(),
                    other => shown(&other),
                };
                return Err(self.unsupported(field, &shown(value), wanted));
            }
        }
        Ok(())
    }

    fn attention(&mut self, hidden: u32) -> Result<(Attention, AttentionExtras), ConfigError> {
        let family = self.family;
        let heads = self.stated(HEAD_NAMES, HEADS, family.heads)?;
        let bias = match self.switch(family.attention_bias)? {
            true => family.bias_scope,
            false => AttentionBias::None,
        };
        let (latent, indexer) = match family.latent {
            Some(rule) => {
                let (latent, indexer) = self.latent(rule, (hidden, heads))?;
                (Some(latent), indexer)
            }
            None => (None, None),
        };
        let (kv_heads, head_dim) = match latent {
            Some(latent) => (heads, latent.nope_dim + latent.rope_dim),
            None => (self.kv_heads(heads)?, self.head_dim(hidden, heads)?),
        };
        let qk_norm = match family.qk_norm {
            QkNorm::None => QkNorm::None,
            kind if self.switch(family.qk_norm_on)? => kind,
            QkNorm::Head | QkNorm::HeadBias | QkNorm::Full => QkNorm::None,
        };
        Ok((
            Attention { heads, kv_heads, head_dim, bias, latent },
            AttentionExtras {
                qk_norm,
                sinks: family.sinks,
                output_gate: family.output_gate,
                output_bias: family.output_bias,
                indexer,
            },
        ))
    }

    fn kv_heads(&mut self, heads: u32) -> Result<u32, ConfigError> {
        let rule = match self.family.kv_heads {
            KvHeads::Falcon if self.reader.flag_or("new_decoder_architecture", false)? => {
                KvHeads::AsHeads
            }
            KvHeads::Falcon => KvHeads::MultiQuery,
            other => other,
        };
        let default = match rule {
            KvHeads::Multi => return Ok(heads),
            KvHeads::MultiQuery | KvHeads::Falcon => {
                return Ok(if self.reader.flag_or("multi_query", true)? { 1 } else { heads });
            }
            KvHeads::Grouped(_) if !self.reader.flag_or("multi_query_attention", false)? => {
                return Ok(heads);
            }
            KvHeads::AsHeads => heads,
            KvHeads::Default(number) | KvHeads::Grouped(number) => number,
        };
        let kv_heads = match self.reader.number(KV_HEAD_NAMES, HEADS)? {
            Given::Value(number) => number,
            Given::Null => heads,
            Given::Absent => self.reader.number_or(KV_HEAD_NAMES, HEADS, default)?,
        };
        if kv_heads > heads {
            return Err(ConfigError::TooLarge {
                field: self.reader.place("num_key_value_heads"),
                value: u64::from(kv_heads),
                other: "num_attention_heads",
                limit: u64::from(heads),
            });
        }
        not_divisible(
            self.reader.place("num_attention_heads"),
            heads,
            "num_key_value_heads",
            kv_heads,
        )?;
        Ok(kv_heads)
    }

    fn head_dim(&mut self, hidden: u32, heads: u32) -> Result<u32, ConfigError> {
        match (self.reader.number(HEAD_DIM_NAMES, HEAD_DIM)?, self.family.head_dim) {
            (Given::Value(head_dim), _) => Ok(head_dim),
            (Given::Absent, Some(default)) => {
                self.reader.number_or(HEAD_DIM_NAMES, HEAD_DIM, default)
            }
            _ => over_heads(self.reader.place("hidden_size"), hidden, heads),
        }
    }

    fn latent(
        &mut self,
        rule: LatentRule,
        (hidden, heads): (u32, u32),
    ) -> Result<(LatentAttention, Option<Indexer>), ConfigError> {
        let reader = &mut self.reader;
        let q_rank = match reader.number(&["q_lora_rank"], Q_RANK)? {
            Given::Value(rank) => rank,
            Given::Null => 0,
            Given::Absent => reader.number_or(&["q_lora_rank"], Q_RANK, rule.q_rank)?,
        };
        let v_dim = match reader.number(&["v_head_dim"], HEAD_DIM)?.value() {
            None if rule.v_dim == 0 => {
                let derived = over_heads(reader.place("hidden_size"), hidden, heads)?;
                reader.assume("v_head_dim", derived);
                derived
            }
            None => reader.number_or(&["v_head_dim"], HEAD_DIM, rule.v_dim)?,
            Some(stated) => stated,
        };
        let latent = LatentAttention {
            q_rank,
            kv_rank: reader.number_or(&["kv_lora_rank"], KV_RANK, rule.kv_rank)?,
            nope_dim: reader.number_or(&["qk_nope_head_dim"], HEAD_DIM, rule.nope_dim)?,
            rope_dim: reader.number_or(&["qk_rope_head_dim"], HEAD_DIM, rule.rope_dim)?,
            v_dim,
        };
        let Some((heads, head_dim)) = rule.indexer else { return Ok((latent, None)) };
        // The time of attention is counted over the whole context.
        reader.assume("index_topk", "none");
        let indexer = Indexer {
            heads: reader.number_or(&["index_n_heads"], HEADS, heads)?,
            head_dim: reader.number_or(&["index_head_dim"], HEAD_DIM, head_dim)?,
        };
        Ok((latent, Some(indexer)))
    }

    fn dense_width(&mut self, hidden: u32) -> Result<u32, ConfigError> {
        let names = match self.family.names {
            [name, ..] if *name == "llama4_text" => DENSE_WIDTH_NAMES,
            _ => WIDTH_NAMES,
        };
        match self.family.width {
            Width::Default(default) => self.stated(names, FFN_WIDTH, default),
            Width::Both(default) => {
                Ok(self.stated(names, Bound { least: 2, ..FFN_WIDTH }, default)? / 2)
            }
            Width::None => self.reader.required(names, FFN_WIDTH),
            Width::FourHidden => match self.reader.number(names, FFN_WIDTH)? {
                Given::Value(width) => Ok(width),
                Given::Null => Ok(4 * hidden),
                Given::Absent => self.reader.number_or(names, FFN_WIDTH, 4 * hidden),
            },
        }
    }

    fn linear(&mut self, layers: u32) -> Result<Option<LinearAttention>, ConfigError> {
        let count = linear_layers(self, layers)?;
        let reader = &mut self.reader;
        // Defaults: models/qwen3_next/configuration_qwen3_next.py of transformers 5.24.
        let linear = LinearAttention {
            layers: count,
            key_heads: reader.number_or(&["linear_num_key_heads"], HEADS, 16)?,
            value_heads: reader.number_or(&["linear_num_value_heads"], HEADS, 32)?,
            key_dim: reader.number_or(&["linear_key_head_dim"], HEAD_DIM, 128)?,
            value_dim: reader.number_or(&["linear_value_head_dim"], HEAD_DIM, 128)?,
            convolution: reader.number_or(&["linear_conv_kernel_dim"], CONVOLUTION, 4)?,
        };
        Ok((count > 0).then_some(linear))
    }

    fn norms(&mut self) -> Result<u32, ConfigError> {
        match self.family.norms {
            Norms::Fixed(number) => Ok(number),
            Norms::Parallel(name, default) => {
                Ok(if self.reader.flag_or(name, default)? { 1 } else { 2 })
            }
            Norms::Falcon => {
                if !self.reader.flag_or("parallel_attn", true)? {
                    return Ok(2);
                }
                let new = self.reader.flag("new_decoder_architecture")?.unwrap_or(false);
                match self.reader.number(&["num_ln_in_parallel_attn"], PERIOD)? {
                    Given::Value(2) => Ok(2),
                    Given::Value(_) => Ok(1),
                    Given::Absent | Given::Null => Ok(if new { 2 } else { 1 }),
                }
            }
        }
    }
}

/// The head size that follows from the hidden size.
fn over_heads(field: String, hidden: u32, heads: u32) -> Result<u32, ConfigError> {
    not_divisible(field, hidden, "num_attention_heads", heads)?;
    within_head_dim("head_dim", hidden / heads)
}

/// A head size that no field states is bounded as a stated one.
pub(super) fn within_head_dim(field: &str, value: u32) -> Result<u32, ConfigError> {
    if HEAD_DIM.holds(u64::from(value)) {
        return Ok(value);
    }
    Err(ConfigError::OutOfBounds {
        field: field.to_owned(),
        value: value.to_string(),
        least: HEAD_DIM.least,
        most: HEAD_DIM.most,
    })
}

#[inline(never)]
fn not_divisible(
    field: String,
    value: u32,
    other: &'static str,
    divisor: u32,
) -> Result<(), ConfigError> {
    if value.is_multiple_of(divisor) {
        return Ok(());
    }
    Err(ConfigError::NotDivisible {
        field,
        value: u64::from(value),
        other,
        divisor: u64::from(divisor),
    })
}
