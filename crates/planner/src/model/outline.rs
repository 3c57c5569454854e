//! What a config.json says, where that does not suffice for an exact count: an unknown
//! `model_type` or none at all, or fields left out. [`outline`] takes what is stated, says from
//! where, and fills in only what follows from it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bounds::{
    Bound, EXPERTS, FFN_WIDTH, HEAD_DIM, HEADS, HIDDEN, KV_RANK, LAYERS, PERIOD, POSITIONS, Q_RANK,
    VOCAB, WINDOW,
};
use super::error::ConfigError;
use super::families::{family, nested_type};
use super::family::KvHeads;
use super::json::{Reader, parse, shortened};
use super::kv::{KvCache, KvFormat};
use super::names::{
    EXPERT_NAMES, HEAD_DIM_NAMES, HEAD_NAMES, HIDDEN_NAMES, KV_HEAD_NAMES, LAYER_NAMES,
    POSITION_NAMES, TOP_K_NAMES, VOCAB_NAMES, WIDTH_NAMES,
};
use super::nested::TextModel;
use crate::units::Bytes;

/// A value with where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated<T> {
    pub value: T,
    /// Path of the field, such as `text_config.num_hidden_layers`; of a value that follows from
    /// others, the rule, such as `hidden_size / num_attention_heads`; of a default of the
    /// library, `field (model_type)`.
    pub from: String,
}

/// The stated part of a language model. Widths are in elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Path of the object that was read, such as `text_config`; empty at the top of the file.
    pub place: String,
    pub model_type: Option<Stated<String>>,
    pub layers: Option<Stated<u32>>,
    pub hidden: Option<Stated<u32>>,
    pub heads: Option<Stated<u32>>,
    /// As many as query heads where the file names none.
    pub kv_heads: Option<Stated<u32>>,
    /// None with latent attention unless the file states both of its parts.
    pub head_dim: Option<Stated<u32>>,
    /// Latent attention: width of the cached vector (`kv_lora_rank`).
    pub kv_rank: Option<Stated<u32>>,
    /// Latent attention: width of the rotary key (`qk_rope_head_dim`).
    pub rope_dim: Option<Stated<u32>>,
    pub q_rank: Option<Stated<u32>>,
    pub nope_dim: Option<Stated<u32>>,
    pub v_dim: Option<Stated<u32>>,
    pub width: Option<Stated<u32>>,
    pub vocab: Option<Stated<u32>>,
    pub tied: Option<Stated<bool>>,
    pub max_positions: Option<Stated<u32>>,
    pub experts: Option<Stated<u32>>,
    pub top_k: Option<Stated<u32>>,
    pub expert_width: Option<Stated<u32>>,
    /// Size of the sliding window, in tokens.
    pub window: Option<Stated<u32>>,
    /// Layers with the window, where the file lists the kinds of its layers.
    pub windowed_layers: Option<Stated<u32>>,
    /// Layers without a growing cache, where the file says so.
    pub linear_layers: Option<Stated<u32>>,
    /// `quant_method` of the weights; it says nothing of the cache.
    pub quantization: Option<Stated<String>>,
}

/// Reads what a config.json states of its language model, for any `model_type`.
///
/// # Errors
/// A file that is no JSON object, a value of the wrong kind or out of bounds, heads that do not
/// divide, and a file without any field of a model.
pub fn outline(text: &str) -> Result<Outline, ConfigError> {
    let value = parse(text)?;
    let found = TextModel::find(&value)?;
    let fields = Fields { reader: found.reader()?, outward: found.outward()? };
    let mut outline = Outline { place: found.place.clone(), ..fields.stated()? };
    fields.fill_in(&mut outline)?;
    if outline.layers.is_none() && outline.hidden.is_none() && outline.heads.is_none() {
        return Err(fields.reader.missing(LAYER_NAMES));
    }
    Ok(outline)
}

impl Outline {
    /// What one token leaves in the cache.
    ///
    /// # Errors
    /// The missing field by name.
    pub fn kv_cache(&self) -> Result<KvCache, ConfigError> {
        let layers = self.require(self.layers.as_ref(), LAYER_NAMES)?;
        let elements_per_layer = if let Some(rank) = &self.kv_rank {
            rank.value + self.require(self.rope_dim.as_ref(), &["qk_rope_head_dim"])?
        } else {
            2 * self.require(self.kv_heads.as_ref(), KV_HEAD_NAMES)?
                * self.require(self.head_dim.as_ref(), HEAD_DIM_NAMES)?
        };
        let windowed_layers = value_or_none(self.windowed_layers.as_ref());
        let window = if windowed_layers > 0 { value_or_none(self.window.as_ref()) } else { 0 };
        let growing_layers = layers.saturating_sub(value_or_none(self.linear_layers.as_ref()));
        Ok(KvCache { elements_per_layer, growing_layers, windowed_layers, window })
    }

    /// Bytes that one token adds to the cache, all layers together.
    ///
    /// # Errors
    /// The missing field by name.
    pub fn kv_bytes_per_token(&self, format: KvFormat) -> Result<Bytes, ConfigError> {
        Ok(self.kv_cache()?.bytes_per_token(format))
    }

    fn require(&self, field: Option<&Stated<u32>>, names: &[&str]) -> Result<u32, ConfigError> {
        field.map(|field| field.value).ok_or_else(|| {
            let prefix = if self.place.is_empty() { "" } else { "." };
            ConfigError::MissingField {
                field: format!("{}{prefix}{}", self.place, names.first().unwrap_or(&"")),
                also: names.get(1..).unwrap_or_default().join(", "),
            }
        })
    }
}

fn value_or_none(field: Option<&Stated<u32>>) -> u32 {
    field.map_or(0, |field| field.value)
}

/// The object of the language model and those around it.
struct Fields<'a> {
    reader: Reader<'a>,
    outward: Vec<Reader<'a>>,
}

impl Fields<'_> {
    fn stated(&self) -> Result<Outline, ConfigError> {
        Ok(Outline {
            place: String::new(),
            model_type: self.model_type()?,
            layers: self.number(LAYER_NAMES, LAYERS)?,
            hidden: self.number(HIDDEN_NAMES, HIDDEN)?,
            heads: self.number(HEAD_NAMES, HEADS)?,
            kv_heads: self.number(KV_HEAD_NAMES, HEADS)?,
            head_dim: self.number(HEAD_DIM_NAMES, HEAD_DIM)?,
            kv_rank: self.number(&["kv_lora_rank"], KV_RANK)?,
            rope_dim: self.number(&["qk_rope_head_dim"], HEAD_DIM)?,
            q_rank: self.number(&["q_lora_rank"], Q_RANK)?,
            nope_dim: self.number(&["qk_nope_head_dim"], HEAD_DIM)?,
            v_dim: self.number(&["v_head_dim"], HEAD_DIM)?,
            width: self.number(WIDTH_NAMES, FFN_WIDTH)?,
            vocab: self.number(VOCAB_NAMES, VOCAB)?,
            tied: self.flag("tie_word_embeddings")?,
            max_positions: self.number(POSITION_NAMES, POSITIONS)?,
            experts: self.number(EXPERT_NAMES, EXPERTS)?,
            top_k: self.number(TOP_K_NAMES, EXPERTS)?,
            expert_width: self.number(&["moe_intermediate_size"], FFN_WIDTH)?,
            window: self.number(&["sliding_window", "attention_chunk_size"], WINDOW)?,
            windowed_layers: self.layers_of(&["sliding_attention", "chunked_attention"])?,
            linear_layers: self.layers_of(&["linear_attention"])?,
            quantization: self
                .text(&["quantization_config.quant_method", "compression_config.quant_method"])?,
        })
    }

    /// What follows from the stated fields, and defaults of a family that is known.
    fn fill_in(&self, outline: &mut Outline) -> Result<(), ConfigError> {
        self.take_defaults(outline);
        if outline.kv_heads.is_none() {
            outline.kv_heads = self.kv_heads(outline.heads.as_ref())?;
        }
        if let (Some(heads), Some(kv_heads)) = (&outline.heads, &outline.kv_heads) {
            if kv_heads.value > heads.value {
                return Err(ConfigError::TooLarge {
                    field: kv_heads.from.clone(),
                    value: u64::from(kv_heads.value),
                    other: "num_attention_heads",
                    limit: u64::from(heads.value),
                });
            }
            divides(heads, kv_heads, "num_key_value_heads")?;
        }
        if outline.head_dim.is_none() {
            outline.head_dim = self.head_dim(outline)?;
        }
        if outline.linear_layers.is_none()
            && let Some(layers) = &outline.layers
            && let Some(interval) = self.number(&["full_attention_interval"], PERIOD)?
        {
            let value = layers.value - layers.value / interval.value;
            outline.linear_layers = Some(Stated { value, from: interval.from });
        }
        Ok(())
    }

    /// Defaults of a family that is known. A file of its own states its size; a nested text model
    /// only what differs from the defaults.
    fn take_defaults(&self, outline: &mut Outline) {
        let Some(name) = outline.model_type.as_ref().map(|name| name.value.as_str()) else {
            return;
        };
        let Some(family) = family(name) else { return };
        let default = |names: &[&str], value: u32| {
            let field = names.first().copied().unwrap_or_default();
            Some(Stated { value, from: format!("{field} ({name})") })
        };
        if let Some(latent) = family.latent {
            let kv_rank = outline.kv_rank.take();
            let kv_rank = kv_rank.or_else(|| default(&["kv_lora_rank"], latent.kv_rank));
            let rope_dim = outline.rope_dim.take();
            let rope_dim = rope_dim.or_else(|| default(&["qk_rope_head_dim"], latent.rope_dim));
            (outline.kv_rank, outline.rope_dim) = (kv_rank, rope_dim);
        }
        if self.outward.is_empty() {
            return;
        }
        let (layers, hidden) = family.size;
        let layers = outline.layers.take().or_else(|| default(LAYER_NAMES, layers));
        let hidden = outline.hidden.take().or_else(|| default(HIDDEN_NAMES, hidden));
        let heads = outline.heads.take().or_else(|| default(HEAD_NAMES, family.heads));
        (outline.layers, outline.hidden, outline.heads) = (layers, hidden, heads);
        if let (KvHeads::Default(number), None) = (family.kv_heads, &outline.kv_heads) {
            outline.kv_heads = default(KV_HEAD_NAMES, number);
        }
    }

    /// The type of the text model itself, or what the library takes inside of the outer type.
    fn model_type(&self) -> Result<Option<Stated<String>>, ConfigError> {
        let mut found = self.text(&["model_type"])?;
        if let Some(outer) = &mut found
            && self.reader.text("model_type")?.is_none()
            && let Some(inner) = nested_type(&outer.value)
        {
            inner.clone_into(&mut outer.value);
        }
        Ok(found)
    }

    fn kv_heads(&self, heads: Option<&Stated<u32>>) -> Result<Option<Stated<u32>>, ConfigError> {
        let grouped = self.reader.flag("new_decoder_architecture")?.unwrap_or(false);
        Ok(match self.flag("multi_query")? {
            Some(flag) if flag.value && !grouped => Some(Stated { value: 1, from: flag.from }),
            _ => heads.cloned(),
        })
    }

    fn head_dim(&self, outline: &Outline) -> Result<Option<Stated<u32>>, ConfigError> {
        if outline.kv_rank.is_some() {
            let (Some(nope), Some(rope)) = (&outline.nope_dim, &outline.rope_dim) else {
                return Ok(None);
            };
            let from = format!("{} + {}", nope.from, rope.from);
            return Ok(Some(Stated { value: nope.value + rope.value, from }));
        }
        let known = outline.model_type.as_ref().and_then(|name| family(&name.value));
        if let Some(value) = known.and_then(|family| family.head_dim) {
            let name = outline.model_type.as_ref().map_or("", |name| name.value.as_str());
            return Ok(Some(Stated { value, from: format!("head_dim ({name})") }));
        }
        let (Some(hidden), Some(heads)) = (&outline.hidden, &outline.heads) else {
            return Ok(None);
        };
        divides(hidden, heads, "num_attention_heads")?;
        let from = format!("{} / {}", hidden.from, heads.from);
        Ok(Some(Stated { value: hidden.value / heads.value, from }))
    }

    #[inline(never)]
    fn number(&self, names: &[&str], bound: Bound) -> Result<Option<Stated<u32>>, ConfigError> {
        let Some((name, _)) = self.reader.find(names).value() else { return Ok(None) };
        let value = self.reader.number(names, bound)?.value();
        Ok(value.map(|value| Stated { value, from: self.reader.place(name) }))
    }

    /// A text of the object, else of the nearest around it.
    #[inline(never)]
    fn text(&self, names: &[&'static str]) -> Result<Option<Stated<String>>, ConfigError> {
        for reader in std::iter::once(&self.reader).chain(&self.outward) {
            for name in names {
                if let Some(text) = reader.text(name)? {
                    return Ok(Some(Stated { value: shortened(text), from: reader.place(name) }));
                }
            }
        }
        Ok(None)
    }

    /// A truth value of the object, else of the nearest around it.
    fn flag(&self, name: &str) -> Result<Option<Stated<bool>>, ConfigError> {
        for reader in std::iter::once(&self.reader).chain(&self.outward) {
            if let Some(value) = reader.flag(name)? {
                return Ok(Some(Stated { value, from: reader.place(name) }));
            }
        }
        Ok(None)
    }

    /// How many layers of the listed kinds there are; none without a list.
    fn layers_of(&self, kinds: &[&str]) -> Result<Option<Stated<u32>>, ConfigError> {
        let Some(items) = self.reader.list("layer_types")? else { return Ok(None) };
        let of_kind = |item: &&Value| item.as_str().is_some_and(|kind| kinds.contains(&kind));
        let number = items.iter().filter(of_kind).count();
        let value = u32::try_from(number).unwrap_or(u32::MAX);
        Ok(Some(Stated { value, from: self.reader.place("layer_types") }))
    }
}

fn divides(
    field: &Stated<u32>,
    divisor: &Stated<u32>,
    other: &'static str,
) -> Result<(), ConfigError> {
    if field.value.is_multiple_of(divisor.value) {
        return Ok(());
    }
    Err(ConfigError::NotDivisible {
        field: field.from.clone(),
        value: u64::from(field.value),
        other,
        divisor: u64::from(divisor.value),
    })
}
