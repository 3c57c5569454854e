//! A shape for a model of which only a size is known: one of the catalog of the named family, or
//! a Llama-like one made to that size. What was not stated is noted.
//!
//! Depth and width follow published models: hidden ≈ 128 × layers (Kaplan et al., arXiv
//! 2001.08361, figure 5: loss hardly depends on it; Llama 7B to 405B lie at 102 to 130),
//! heads of 128, a gated block of 8/3 hidden. The width of that block takes up what is left, so
//! that the count is met.

use planner::model::{Model, ModelPreset, presets, read_config};
use serde_json::{Value, json};

use super::super::row::Inexpressible;
use super::fields::Fields;

/// Hidden size over layers.
const ASPECT: f64 = 128.0;
/// The same of published mixtures, which are shallower: 7168 of 61 layers, 4096 of 94.
const MIXTURE_ASPECT: f64 = 80.0;
const HEAD: u32 = 128;
/// Rows of an embedding where none is stated.
const VOCAB: u32 = 32_000;
/// Routed experts and experts per token where only an active count is stated, as DeepSeek-V3 and
/// Qwen3 have 128 to 256 and 8.
const EXPERTS: u32 = 128;
const TOP_K: u32 = 8;
/// A model of the catalog whose total differs by less is the one meant.
const SAME_SIZE: f64 = 0.01;

/// The model of what is stated.
pub(super) fn derived(stated: &Fields) -> Result<Model, Inexpressible> {
    let params = stated.number("params")?;
    if let (Some(family), Some(params)) = (stated.word("family")?, params)
        && let Some(model) = of_family(family, params)
    {
        stated.assume(format!("shape of {}", model.name));
        return Ok(model);
    }
    let shape = Shape::of(stated, params)?;
    if let (Some(experts), Some(width)) = (stated.whole("experts")?, stated.whole("moe_ffn")?) {
        let top_k = stated.whole("top_k")?.unwrap_or_else(|| {
            stated.assume(format!("{TOP_K} experts a token"));
            TOP_K
        });
        let heads = (shape.heads, shape.kv_heads);
        let config = mixture((shape.hidden, shape.layers), heads, (experts, top_k, width), &shape);
        return read_config("stated", &config.to_string())
            .map_err(|error| Inexpressible(format!("no such model: {error}")));
    }
    let active = stated.number("active")?.filter(|active| params.is_some_and(|all| *active < all));
    let config = match (active, params) {
        (Some(active), Some(params)) => shape.with_experts(params, active, stated),
        (_, Some(params)) => shape.filled(params, stated)?,
        _ => shape.plain(stated)?,
    };
    read_config("derived", &config.to_string())
        .map_err(|error| Inexpressible(format!("no model of that size: {error}")))
}

/// The catalog's model of that size whose id shares the most words with the named family.
fn of_family(family: &str, params: f64) -> Option<Model> {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(['-', '_', '.', ' '])
            .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned())
            .filter(|word| !word.is_empty())
            .collect()
    };
    let wanted = words(family);
    let shared = |preset: &ModelPreset| {
        let own = words(preset.id);
        wanted.iter().filter(|word| own.contains(word)).count()
    };
    presets()
        .iter()
        .filter(|preset| shared(preset) > 0)
        .filter_map(|preset| Some((shared(preset), preset.model()?)))
        .filter(|(_, model)| (size(model) / params - 1.0).abs() < SAME_SIZE)
        .max_by_key(|(shared, _)| *shared)
        .map(|(_, model)| model)
}

/// The widths beside the feed-forward block.
struct Shape {
    hidden: u32,
    layers: u32,
    heads: u32,
    kv_heads: u32,
    vocab: u32,
    tied: bool,
}

impl Shape {
    fn of(stated: &Fields, params: Option<f64>) -> Result<Self, Inexpressible> {
        let known = |name: &str| stated.whole(name);
        let sizes = (known("hidden")?, known("layers")?);
        let (hidden, layers) = match (sizes, params) {
            ((Some(hidden), Some(layers)), _) => (hidden, layers),
            ((Some(hidden), None), _) => (hidden, rounded(f64::from(hidden) / ASPECT, 1)),
            ((None, Some(layers)), _) => (rounded(f64::from(layers) * ASPECT, HEAD), layers),
            ((None, None), Some(params)) => proportions(params),
            ((None, None), None) => {
                return Err(Inexpressible("nothing of the model is stated".to_owned()));
            }
        };
        if sizes.0.is_none() || sizes.1.is_none() {
            stated.assume(format!("shape: {layers} layers of {hidden}"));
        }
        let heads = known("heads")?.unwrap_or_else(|| {
            stated.assume("heads of 128");
            (hidden / HEAD).max(1)
        });
        let vocab = known("vocab")?.unwrap_or_else(|| {
            stated.assume(format!("vocab {VOCAB}"));
            VOCAB
        });
        Ok(Self {
            hidden,
            layers,
            heads,
            kv_heads: known("kv_heads")?.unwrap_or(heads),
            vocab,
            tied: stated.flag("tied")?.unwrap_or(false),
        })
    }

    /// With the width of the gated block that is stated, or 8/3 of hidden.
    fn plain(&self, stated: &Fields) -> Result<Value, Inexpressible> {
        let usual = rounded(f64::from(self.hidden) * 8.0 / 3.0, HEAD);
        let ffn = stated.whole("ffn")?.unwrap_or_else(|| {
            stated.assume(format!("gated block of {usual}"));
            usual
        });
        Ok(self.config("llama", ffn))
    }

    /// With the width of the gated block that meets the count.
    fn filled(&self, params: f64, stated: &Fields) -> Result<Value, Inexpressible> {
        if stated.has("ffn") {
            return self.plain(stated);
        }
        let left = params - self.embeddings() - f64::from(self.layers) * self.attention();
        let per_width = 3.0 * f64::from(self.hidden) * f64::from(self.layers);
        let width = rounded(left / per_width, 1);
        if left < per_width {
            return Err(Inexpressible(format!(
                "{params} parameters are too few for {} layers of {}",
                self.layers, self.hidden
            )));
        }
        stated.assume(format!("gated block of {width}"));
        Ok(self.config("llama", width))
    }

    /// Experts that meet the total and active counts: `E·x` and `k·x` of the same rest.
    fn with_experts(&self, params: f64, active: f64, stated: &Fields) -> Value {
        let (experts, top_k) = (f64::from(EXPERTS), f64::from(TOP_K));
        let all_experts = (params - active) * experts / (experts - top_k);
        let rest = (params - all_experts - self.embeddings()).max(0.0);
        // Half of the heads' width for keys and values, as grouped queries have less.
        let hidden = rounded((rest * MIXTURE_ASPECT / 2.5).cbrt(), HEAD);
        let layers = rounded(rest / (2.5 * f64::from(hidden) * f64::from(hidden)), 1);
        let width =
            rounded(all_experts / (3.0 * f64::from(hidden) * f64::from(layers) * experts), 1);
        stated.assume(format!("{EXPERTS} experts of {width}, {TOP_K} a token"));
        stated.assume(format!("shape: {layers} layers of {hidden}"));
        let heads = (hidden / HEAD).max(1);
        let heads = (heads, (heads / 4).max(1));
        mixture((hidden, layers), heads, (EXPERTS, TOP_K, width), self)
    }

    fn config(&self, family: &str, width: u32) -> Value {
        json!({
            "model_type": family,
            "hidden_size": self.hidden,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "intermediate_size": width,
            "vocab_size": self.vocab,
            "tie_word_embeddings": self.tied,
        })
    }

    fn embeddings(&self) -> f64 {
        let matrices = if self.tied { 1.0 } else { 2.0 };
        matrices * f64::from(self.vocab) * f64::from(self.hidden)
    }

    /// Query, key, value and output of one layer, with its two norms.
    fn attention(&self) -> f64 {
        let hidden = f64::from(self.hidden);
        let keys = f64::from(self.kv_heads) / f64::from(self.heads.max(1));
        2.0 * hidden * hidden * (1.0 + keys) + 2.0 * hidden
    }
}

/// A mixture with heads of 128.
fn mixture(
    (hidden, layers): (u32, u32),
    (heads, kv_heads): (u32, u32),
    (experts, top_k, width): (u32, u32, u32),
    shape: &Shape,
) -> Value {
    json!({
        "model_type": "qwen3_moe",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": HEAD,
        "intermediate_size": width,
        "moe_intermediate_size": width,
        "num_experts": experts,
        "num_experts_per_tok": top_k,
        "decoder_sparse_step": 1,
        "vocab_size": shape.vocab,
        "tie_word_embeddings": shape.tied,
    })
}

/// Hidden size and layers of a dense model: 12 h² a layer and `h = 128 L`.
fn proportions(params: f64) -> (u32, u32) {
    let hidden = rounded((params * ASPECT / 12.0).cbrt(), HEAD);
    (hidden, rounded(f64::from(hidden) / ASPECT, 1))
}

/// The nearest multiple of `step`, at least one.
fn rounded(value: f64, step: u32) -> u32 {
    let steps = (value / f64::from(step)).round().clamp(1.0, 1e6);
    super::fields::whole(steps).unwrap_or(1).saturating_mul(step)
}

#[expect(clippy::cast_precision_loss, reason = "a relative comparison")]
fn size(model: &Model) -> f64 {
    model.counts.total as f64
}
