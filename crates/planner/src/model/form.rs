//! A model of one's own as a form: named values that become Megatron arguments, whose words can
//! say each part apart, and back from a model or from what a file states.

use super::{AttentionBias, Model, Outline, Stated};

/// Fields that hold a number, in the order of the form. All but `first-dense-layers` are the
/// argument of that name; empty ones are left out.
pub const FORM_NUMBERS: [&str; 18] = [
    "num-layers",
    "hidden-size",
    "num-attention-heads",
    "num-query-groups",
    "kv-channels",
    "ffn-hidden-size",
    "padded-vocab-size",
    "max-position-embeddings",
    "num-experts",
    "moe-router-topk",
    "moe-ffn-hidden-size",
    "moe-shared-expert-intermediate-size",
    "first-dense-layers",
    "q-lora-rank",
    "kv-lora-rank",
    "qk-head-dim",
    "qk-pos-emb-head-dim",
    "v-head-dim",
];

/// Fields that are on (any text) or off (empty).
pub const FORM_FLAGS: [&str; 4] = ["swiglu", "tied", "add-qkv-bias", "qk-layernorm"];

/// Values of the form by field. Norms are RMS norms, positions are computed, and apart from
/// queries, keys and values nothing has a bias.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelForm(Vec<(String, String)>);

impl ModelForm {
    /// A form with these values; of two of one field the later holds, unknown ones are ignored.
    pub fn new(values: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(values.into_iter().collect())
    }

    /// The values, by field.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(field, value)| (field.as_str(), value.as_str()))
    }

    /// As near to a model as the form comes.
    pub fn of_model(model: &Model) -> Self {
        let attention = &model.attention;
        let latent = attention.latent;
        let plain = |value: u32| latent.is_none().then_some(value);
        let mut form = Self::default();
        form.number("num-layers", Some(model.layers));
        form.number("hidden-size", Some(model.hidden));
        form.number("num-attention-heads", Some(attention.heads));
        form.number("num-query-groups", plain(attention.kv_heads));
        form.number("kv-channels", plain(attention.head_dim));
        form.number("ffn-hidden-size", Some(model.feed_forward.width));
        form.number("padded-vocab-size", Some(model.vocab));
        form.number("max-position-embeddings", Some(model.max_positions));
        if let Some(experts) = model.experts {
            let shared = Some(experts.shared_width).filter(|width| *width > 0);
            form.number("num-experts", Some(experts.experts));
            form.number("moe-router-topk", Some(experts.top_k));
            form.number("moe-ffn-hidden-size", Some(experts.width));
            form.number("moe-shared-expert-intermediate-size", shared);
            form.number("first-dense-layers", Some(experts.first_dense_layers));
        }
        if let Some(latent) = latent {
            form.number("q-lora-rank", Some(latent.q_rank).filter(|rank| *rank > 0));
            form.number("kv-lora-rank", Some(latent.kv_rank));
            form.number("qk-head-dim", Some(latent.nope_dim));
            form.number("qk-pos-emb-head-dim", Some(latent.rope_dim));
            form.number("v-head-dim", Some(latent.v_dim));
        }
        form.flag("swiglu", model.feed_forward.gated);
        form.flag("tied", model.tied);
        form.flag("add-qkv-bias", attention.bias != AttentionBias::None);
        form
    }

    /// What a file states; the rest stays empty.
    pub fn of_outline(outline: &Outline) -> Self {
        let latent = outline.kv_rank.is_some();
        let mut form = Self::default();
        let mut put = |field, stated: &Option<Stated<u32>>| {
            form.number(field, stated.as_ref().map(|stated| stated.value));
        };
        put("num-layers", &outline.layers);
        put("hidden-size", &outline.hidden);
        put("num-attention-heads", &outline.heads);
        if !latent {
            put("num-query-groups", &outline.kv_heads);
            put("kv-channels", &outline.head_dim);
        }
        put("ffn-hidden-size", &outline.width);
        put("padded-vocab-size", &outline.vocab);
        put("max-position-embeddings", &outline.max_positions);
        put("num-experts", &outline.experts);
        put("moe-router-topk", &outline.top_k);
        put("moe-ffn-hidden-size", &outline.expert_width);
        put("q-lora-rank", &outline.q_rank);
        put("kv-lora-rank", &outline.kv_rank);
        put("qk-head-dim", &outline.nope_dim);
        put("qk-pos-emb-head-dim", &outline.rope_dim);
        put("v-head-dim", &outline.v_dim);
        form.flag("swiglu", true);
        form.flag("tied", outline.tied.as_ref().is_some_and(|tied| tied.value));
        form
    }

    /// The arguments that [`super::read_model`] reads as this form. They are written as typed;
    /// the reader says what is wrong with them.
    pub fn text(&self) -> String {
        let mut lines = vec![
            "--normalization RMSNorm".to_owned(),
            "--position-embedding-type rope".to_owned(),
            "--disable-bias-linear".to_owned(),
        ];
        let latent = self.typed("kv-lora-rank").is_some();
        let experts = self.typed("num-experts").is_some();
        for field in FORM_NUMBERS {
            let Some(value) = self.typed(field) else { continue };
            let line = match field {
                "num-query-groups" | "kv-channels" if latent => continue,
                "q-lora-rank" | "qk-head-dim" | "qk-pos-emb-head-dim" | "v-head-dim" if !latent => {
                    continue;
                }
                "moe-router-topk"
                | "moe-ffn-hidden-size"
                | "moe-shared-expert-intermediate-size"
                | "first-dense-layers"
                    if !experts =>
                {
                    continue;
                }
                "moe-shared-expert-intermediate-size" if value == "0" => continue,
                "num-query-groups" => format!("--group-query-attention\n--{field} {value}"),
                "first-dense-layers" => self.layer_pattern(&value),
                _ => format!("--{field} {value}"),
            };
            lines.push(line);
        }
        let flags = [
            ("--multi-latent-attention", latent),
            ("--qk-layernorm", latent || self.typed("qk-layernorm").is_some()),
            ("--add-qkv-bias", !latent && self.typed("add-qkv-bias").is_some()),
            ("--swiglu", self.typed("swiglu").is_some()),
            ("--untie-embeddings-and-output-weights", self.typed("tied").is_none()),
        ];
        lines.extend(flags.iter().filter(|(_, on)| *on).map(|(flag, _)| (*flag).to_owned()));
        lines.join("\n")
    }

    /// Dense layers first, experts in all others.
    fn layer_pattern(&self, dense: &str) -> String {
        let layers = self.typed("num-layers").and_then(|layers| layers.parse::<u32>().ok());
        let sparse = layers.zip(dense.parse().ok()).and_then(|(all, dense)| all.checked_sub(dense));
        match sparse {
            Some(sparse) => format!("--moe-layer-freq ([0]*{dense}+[1]*{sparse})"),
            // The reader refuses it by its length or as no list.
            None => format!("--moe-layer-freq ([0]*{dense})"),
        }
    }

    /// What was typed, as one word; none if empty.
    #[inline(never)]
    fn typed(&self, field: &str) -> Option<String> {
        let (_, value) = self.0.iter().rev().find(|(name, _)| name == field)?;
        let value: String = value.split_whitespace().collect();
        (!value.is_empty()).then_some(value)
    }

    #[inline(never)]
    fn number(&mut self, field: &str, value: Option<u32>) {
        if let Some(value) = value {
            self.0.push((field.to_owned(), value.to_string()));
        }
    }

    fn flag(&mut self, field: &str, on: bool) {
        if on {
            self.0.push((field.to_owned(), "on".to_owned()));
        }
    }
}
