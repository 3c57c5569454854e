//! Exact parameter counts. Each rule is one of `data/catalog/README.md`, "Counting rules";
//! they were checked there against the classes of transformers 5.24.

use super::bounds::PARAMETERS;
use super::shape::{OutputGate, QkNorm, Shape};
use super::{
    Attention, AttentionBias, FeedForward, LatentAttention, LinearAttention, MixtureOfExperts,
    Norm, ParamCounts,
};

/// The sum passes what any model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyParameters {
    pub(super) total: u128,
}

impl Shape {
    /// All counts of the model; an error above [`PARAMETERS`].
    pub(super) fn counts(&self) -> Result<ParamCounts, TooManyParameters> {
        let hidden = u64::from(self.hidden);
        let parts = ParamCounts {
            embedding: u64::from(self.vocab) * hidden,
            head: if self.tied { 0 } else { u64::from(self.vocab) * hidden },
            outside_layers: self.outside_layers(),
            attention_per_layer: self.attention_block(),
            linear_attention_per_layer: self
                .linear
                .map_or(0, |linear| linear_block(hidden, linear)),
            norms_per_layer: u64::from(self.norms_per_layer) * norm(self.norm, hidden),
            dense_ffn_per_layer: feed_forward(hidden, self.feed_forward),
            ..ParamCounts::default()
        };
        self.with_sums(self.with_experts(parts))
    }

    /// Learned positions, the norms outside of layers and the bias of the head.
    fn outside_layers(&self) -> u64 {
        let hidden = u64::from(self.hidden);
        let norms = 1 + u64::from(self.embedding_norm);
        u64::from(self.learned_positions) * hidden
            + norms * norm(self.norm, hidden)
            + if self.head_bias { u64::from(self.vocab) } else { 0 }
    }

    fn attention_block(&self) -> u64 {
        let hidden = u64::from(self.hidden);
        let attention = self.attention;
        let query = u64::from(attention.heads) * u64::from(attention.head_dim);
        let key = u64::from(attention.kv_heads) * u64::from(attention.head_dim);
        let projections = match attention.latent {
            Some(latent) => latent_projections(hidden, &attention, latent),
            None => plain_projections(hidden, &attention),
        };
        let gate = match self.extras.output_gate {
            OutputGate::None => 0,
            OutputGate::Fused if attention.bias != AttentionBias::None => hidden * query + query,
            OutputGate::Apart | OutputGate::Fused => hidden * query,
        };
        let qk_norm = match self.extras.qk_norm {
            QkNorm::None => 0,
            QkNorm::Head => 2 * u64::from(attention.head_dim),
            QkNorm::HeadBias => 4 * u64::from(attention.head_dim),
            QkNorm::Full => query + key,
        };
        let sinks = if self.extras.sinks { u64::from(attention.heads) } else { 0 };
        let output_bias = if self.extras.output_bias { hidden } else { 0 };
        projections + gate + qk_norm + sinks + output_bias + self.indexer_block()
    }

    /// The indexer reads the low-rank query, or the hidden state without one.
    fn indexer_block(&self) -> u64 {
        let Some(indexer) = self.extras.indexer else { return 0 };
        let hidden = u64::from(self.hidden);
        let heads = u64::from(indexer.heads);
        let width = u64::from(indexer.head_dim);
        let source = match self.attention.latent {
            Some(LatentAttention { q_rank, .. }) if q_rank > 0 => u64::from(q_rank),
            _ => hidden,
        };
        source * heads * width + hidden * width + 2 * width + hidden * heads
    }

    fn with_experts(&self, parts: ParamCounts) -> ParamCounts {
        let Some(experts) = self.experts else { return parts };
        let hidden = u64::from(self.hidden);
        let extras = self.expert_extras;
        let gated = self.feed_forward.gated;
        let one = FeedForward { width: experts.width, gated, bias: extras.expert_bias };
        let bias = self.feed_forward.bias && experts.shared_width > 0;
        let shared = FeedForward { width: experts.shared_width, gated, bias };
        ParamCounts {
            expert: feed_forward(hidden, one),
            router_per_layer: u64::from(experts.experts) * hidden
                + if extras.router_bias { u64::from(experts.experts) } else { 0 }
                + if extras.shared_gate { hidden } else { 0 },
            shared_per_layer: feed_forward(hidden, shared),
            ..parts
        }
    }

    /// Active counts follow the three conventions of `data/catalog/README.md`: everything a
    /// token meets, without the input embedding, layers only. A tied matrix is the output head.
    fn with_sums(&self, parts: ParamCounts) -> Result<ParamCounts, TooManyParameters> {
        let linear_layers = self.linear.map_or(0, |linear| u64::from(linear.layers));
        let layers = u64::from(self.layers);
        let moe_layers = self.experts.map_or(0, |experts| u64::from(experts.moe_layers));
        let MixtureOfExperts { experts, top_k, .. } = self.experts.unwrap_or(NO_EXPERTS);
        let common = u128::from(layers - linear_layers) * u128::from(parts.attention_per_layer)
            + u128::from(linear_layers) * u128::from(parts.linear_attention_per_layer)
            + u128::from(layers) * u128::from(parts.norms_per_layer)
            + u128::from(layers - moe_layers) * u128::from(parts.dense_ffn_per_layer)
            + u128::from(moe_layers) * u128::from(parts.router_per_layer + parts.shared_per_layer);
        let expert = u128::from(moe_layers) * u128::from(parts.expert);
        let ends = u128::from(parts.embedding + parts.head + parts.outside_layers);
        let total = common + u128::from(experts) * expert + ends;
        let active_layers = common + u128::from(top_k) * expert;
        let input = if self.tied { 0 } else { parts.embedding }
            + u64::from(self.learned_positions) * u64::from(self.hidden);
        let narrow = |count: u128| match u64::try_from(count) {
            Ok(count) if count <= PARAMETERS.most => Ok(count),
            _ => Err(TooManyParameters { total: count }),
        };
        Ok(ParamCounts {
            total: narrow(total)?,
            active_all: narrow(active_layers + ends)?,
            active_no_input_embedding: narrow(active_layers + ends - u128::from(input))?,
            active_layers_only: narrow(active_layers)?,
            ..parts
        })
    }
}

const NO_EXPERTS: MixtureOfExperts = MixtureOfExperts {
    experts: 0,
    top_k: 0,
    width: 0,
    shared_width: 0,
    moe_layers: 0,
    first_dense_layers: 0,
};

/// Query, key, value and output, with their biases.
fn plain_projections(hidden: u64, attention: &Attention) -> u64 {
    let query = u64::from(attention.heads) * u64::from(attention.head_dim);
    let key = u64::from(attention.kv_heads) * u64::from(attention.head_dim);
    let bias = match attention.bias {
        AttentionBias::None => 0,
        AttentionBias::Qkv => query + 2 * key,
        AttentionBias::All => query + 2 * key + hidden,
    };
    2 * hidden * query + 2 * hidden * key + bias
}

/// Low-rank query and key-value projections with their norms. The library puts biases on the
/// two down projections and the output only.
fn latent_projections(hidden: u64, attention: &Attention, latent: LatentAttention) -> u64 {
    let heads = u64::from(attention.heads);
    let q_rank = u64::from(latent.q_rank);
    let kv_rank = u64::from(latent.kv_rank);
    let nope = u64::from(latent.nope_dim);
    let rope = u64::from(latent.rope_dim);
    let value = u64::from(latent.v_dim);
    let query = if q_rank == 0 {
        hidden * heads * (nope + rope)
    } else {
        hidden * q_rank + q_rank + q_rank * heads * (nope + rope)
    };
    let key_value = hidden * (kv_rank + rope) + kv_rank + kv_rank * heads * (nope + value);
    let bias = match attention.bias {
        AttentionBias::None => 0,
        AttentionBias::Qkv => q_rank + kv_rank + rope,
        AttentionBias::All => q_rank + kv_rank + rope + hidden,
    };
    query + key_value + heads * value * hidden + bias
}

/// Gated delta rule: queries, keys, values and gate, two gates per value head, the short
/// convolution, decay and time bias per head, the norm of a head, the output.
fn linear_block(hidden: u64, linear: LinearAttention) -> u64 {
    let key = u64::from(linear.key_heads) * u64::from(linear.key_dim);
    let value = u64::from(linear.value_heads) * u64::from(linear.value_dim);
    let heads = u64::from(linear.value_heads);
    hidden * (2 * key + 2 * value)
        + 2 * hidden * heads
        + (2 * key + value) * u64::from(linear.convolution)
        + 2 * heads
        + u64::from(linear.value_dim)
        + value * hidden
}

fn feed_forward(hidden: u64, block: FeedForward) -> u64 {
    let width = u64::from(block.width);
    let inputs = if block.gated { 2 } else { 1 };
    let bias = if block.bias { inputs * width + hidden } else { 0 };
    (inputs + 1) * hidden * width + bias
}

const fn norm(norm: Norm, width: u64) -> u64 {
    match norm {
        Norm::Plain => 0,
        Norm::Rms | Norm::LayerNoBias => width,
        Norm::Layer => 2 * width,
    }
}
