//! One `[[model]]` as the file writes it, and the rules that it must keep. Fields:
//! `data/catalog/README.md`, "models.toml". Unknown fields are refused.

use serde::Deserialize;
use toml::{Table, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) family: String,
    pub(crate) year: u16,
    attention: AttentionKind,
    pub(crate) n_layers: u32,
    pub(crate) d_model: u32,
    pub(crate) n_heads: u32,
    pub(crate) n_kv_heads: u32,
    pub(crate) head_dim: u32,
    pub(crate) d_ff: u32,
    pub(crate) vocab: u32,
    pub(crate) mlp: Mlp,
    pub(crate) norm: Norm,
    pub(crate) pos: Positions,
    pub(crate) tied: bool,
    pub(crate) attn_bias: AttentionBias,
    pub(crate) mlp_bias: bool,
    pub(crate) max_pos: u32,
    pub(crate) params_published_b: f64,
    pub(crate) params_computed: u64,
    pub(crate) params_hf: Option<u64>,
    pub(crate) verified: String,
    pub(crate) deviation_pct: f64,
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) note: String,
    #[serde(default)]
    pub(crate) pos_extra: u32,
    /// Attention and feed-forward side by side: no effect on counts.
    #[serde(default)]
    parallel: bool,
    #[serde(default = "two")]
    pub(crate) norms_per_layer: u32,
    #[serde(default)]
    pub(crate) lm_head_bias: bool,
    #[serde(default)]
    pub(crate) embed_norm: bool,
    pub(crate) active_published_b: Option<f64>,
    pub(crate) active_computed_all: Option<u64>,
    pub(crate) active_computed_no_input_embedding: Option<u64>,
    pub(crate) active_computed_layers_only: Option<u64>,
    active_convention_nearest: Option<String>,
    active_deviation_pct: Option<f64>,
    pub(crate) n_experts: Option<u32>,
    pub(crate) top_k: Option<u32>,
    #[serde(default)]
    pub(crate) n_shared_experts: u32,
    pub(crate) moe_d_ff: Option<u32>,
    #[serde(default = "one")]
    pub(crate) moe_every: u32,
    #[serde(default)]
    pub(crate) first_dense_layers: u32,
    pub(crate) shared_d_ff: Option<u32>,
    #[serde(default)]
    pub(crate) shared_gate: bool,
    #[serde(default)]
    pub(crate) router_bias: bool,
    #[serde(default)]
    pub(crate) moe_bias: bool,
    /// Groups restrict the routing only.
    n_expert_groups: Option<u32>,
    topk_groups: Option<u32>,
    #[serde(default)]
    pub(crate) qk_norm: QkNorm,
    #[serde(default)]
    pub(crate) attn_sinks: bool,
    #[serde(default)]
    pub(crate) attn_out_gate: bool,
    pub(crate) sliding_window: Option<u32>,
    pub(crate) sliding_pattern: Option<String>,
    pub(crate) q_lora_rank: Option<u32>,
    pub(crate) kv_lora_rank: Option<u32>,
    pub(crate) qk_nope_head_dim: Option<u32>,
    pub(crate) qk_rope_head_dim: Option<u32>,
    pub(crate) v_head_dim: Option<u32>,
    pub(crate) index_n_heads: Option<u32>,
    pub(crate) index_head_dim: Option<u32>,
    pub(crate) index_topk: Option<u32>,
    #[serde(default)]
    pub(crate) mtp_layers: u32,
    pub(crate) full_attention_interval: Option<u32>,
    pub(crate) lin_k_heads: Option<u32>,
    pub(crate) lin_v_heads: Option<u32>,
    pub(crate) lin_k_dim: Option<u32>,
    pub(crate) lin_v_dim: Option<u32>,
    pub(crate) lin_conv: Option<u32>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum AttentionKind {
    Mha,
    Gqa,
    Mqa,
    Mla,
    Hybrid,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mlp {
    Gated,
    Gelu2,
    Relu2,
}

#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Norm {
    #[serde(rename = "rmsnorm")]
    Rms,
    #[serde(rename = "layernorm")]
    Layer,
    #[serde(rename = "layernorm_nobias")]
    LayerNoBias,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Positions {
    Learned,
    Rope,
    Alibi,
}

#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AttentionBias {
    None,
    Qkv,
    All,
}

#[derive(Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum QkNorm {
    #[default]
    None,
    Head,
    #[serde(alias = "perhead")]
    Full,
}

const fn one() -> u32 {
    1
}

const fn two() -> u32 {
    2
}

impl Row {
    /// All rows of the file.
    pub(crate) fn all(text: &str) -> Result<Vec<Self>, String> {
        let document: Table = text.parse().map_err(|error| format!("{error}"))?;
        if document.get("schema_version") != Some(&Value::Integer(1)) {
            return Err("field `schema_version` is not 1".to_owned());
        }
        let Some(Value::Array(models)) = document.get("model") else {
            return Err("no `[[model]]`".to_owned());
        };
        models.iter().enumerate().map(|(index, model)| Self::one(index, model)).collect()
    }

    fn one(index: usize, model: &Value) -> Result<Self, String> {
        let id = model.get("id").and_then(Value::as_str).unwrap_or("without id");
        let row: Result<Self, _> = model.clone().try_into();
        row.map_err(|error| format!("model `{id}` (number {}): {error}", index + 1))
    }

    /// The rules; the message names the field.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.check_sizes()?;
        self.check_attention()?;
        self.check_experts()?;
        self.check_latent()?;
        self.check_linear()?;
        self.check_figures()
    }

    fn check_sizes(&self) -> Result<(), String> {
        for (field, value) in [
            ("n_layers", self.n_layers),
            ("d_model", self.d_model),
            ("n_heads", self.n_heads),
            ("n_kv_heads", self.n_kv_heads),
            ("head_dim", self.head_dim),
            ("d_ff", self.d_ff),
            ("vocab", self.vocab),
            ("max_pos", self.max_pos),
            ("norms_per_layer", self.norms_per_layer),
            ("moe_every", self.moe_every),
        ] {
            if value == 0 {
                return Err(format!("field `{field}` is zero"));
            }
        }
        for (field, text) in [
            ("id", &self.id),
            ("name", &self.name),
            ("family", &self.family),
            ("verified", &self.verified),
            ("source", &self.source),
        ] {
            if text.trim().is_empty() {
                return Err(format!("field `{field}` is empty"));
            }
        }
        rule(self.pos == Positions::Learned || self.pos_extra == 0, "pos_extra")?;
        rule(!self.parallel || self.norms_per_layer <= 2, "parallel")
    }

    fn check_attention(&self) -> Result<(), String> {
        rule(self.n_heads.is_multiple_of(self.n_kv_heads), "n_kv_heads")?;
        let fits = match self.attention {
            AttentionKind::Mha => self.n_kv_heads == self.n_heads,
            AttentionKind::Mqa => self.n_kv_heads == 1,
            AttentionKind::Gqa => self.n_kv_heads < self.n_heads,
            AttentionKind::Mla => self.kv_lora_rank.is_some(),
            AttentionKind::Hybrid => self.full_attention_interval.is_some(),
        };
        rule(fits, "attention")?;
        rule(self.sliding_window.is_some() || self.sliding_pattern.is_none(), "sliding_window")?;
        rule(self.sliding_window != Some(0), "sliding_window")?;
        rule(self.sliding_pattern.is_none() || self.period().is_some(), "sliding_pattern")
    }

    fn check_experts(&self) -> Result<(), String> {
        let (Some(experts), Some(top_k), Some(width)) = (self.n_experts, self.top_k, self.moe_d_ff)
        else {
            let none = self.n_experts.or(self.top_k).or(self.moe_d_ff).or(self.shared_d_ff);
            return rule(none.is_none() && self.n_shared_experts == 0, "n_experts");
        };
        rule(experts > 0 && width > 0, "n_experts")?;
        rule(0 < top_k && top_k <= experts, "top_k")?;
        rule(self.first_dense_layers < self.n_layers, "first_dense_layers")?;
        rule(self.shared_d_ff.is_none() || self.n_shared_experts == 0, "shared_d_ff")?;
        rule(self.moe_every == 1 || self.first_dense_layers == 0, "moe_every")?;
        let groups = self.n_expert_groups.unwrap_or(1);
        rule(groups > 0 && experts.is_multiple_of(groups), "n_expert_groups")?;
        rule(self.topk_groups.unwrap_or(1) <= groups, "topk_groups")
    }

    fn check_latent(&self) -> Result<(), String> {
        let fields = [
            self.q_lora_rank,
            self.kv_lora_rank,
            self.qk_nope_head_dim,
            self.qk_rope_head_dim,
            self.v_head_dim,
        ];
        let given = fields.iter().flatten().count();
        rule(given == 0 || given == fields.len(), "kv_lora_rank")?;
        rule(given == 0 || self.n_kv_heads == self.n_heads, "n_kv_heads")?;
        let index = [self.index_n_heads, self.index_head_dim, self.index_topk];
        let given = index.iter().flatten().count();
        rule(given == 0 || given == index.len(), "index_n_heads")
    }

    fn check_linear(&self) -> Result<(), String> {
        let fields = [
            self.full_attention_interval,
            self.lin_k_heads,
            self.lin_v_heads,
            self.lin_k_dim,
            self.lin_v_dim,
            self.lin_conv,
        ];
        let given = fields.iter().flatten().filter(|value| **value > 0).count();
        rule(given == 0 || given == fields.len(), "full_attention_interval")
    }

    fn check_figures(&self) -> Result<(), String> {
        rule(
            self.params_published_b.is_finite() && self.params_published_b > 0.0,
            "params_published_b",
        )?;
        rule(self.params_computed > 0, "params_computed")?;
        rule(self.params_hf.is_none_or(|count| count <= self.params_computed), "params_hf")?;
        rule(self.deviation_pct.is_finite(), "deviation_pct")?;
        let published = self.active_published_b.is_some();
        rule(published == self.active_convention_nearest.is_some(), "active_convention_nearest")?;
        rule(published == self.active_deviation_pct.is_some(), "active_deviation_pct")?;
        let active = [
            self.active_computed_all,
            self.active_computed_no_input_embedding,
            self.active_computed_layers_only,
        ];
        rule(
            active.iter().all(|count| count.is_some() == self.n_experts.is_some()),
            "active_computed_all",
        )
    }

    /// Of `a:1` sliding to full layers, `a + 1`.
    pub(crate) fn period(&self) -> Option<u32> {
        let (sliding, full) = self.sliding_pattern.as_deref()?.split_once(':')?;
        match (sliding.parse::<u32>(), full) {
            (Ok(sliding), "1") if sliding > 0 => sliding.checked_add(1),
            _ => None,
        }
    }
}

fn rule(holds: bool, field: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("field `{field}` breaks its rule")) }
}
