//! Work of one model by the conventions that published utilisation figures use.
//! The time model has its own kernels; these are for MFU and for comparisons.

use super::Model;
use crate::units::Flop;

impl Model {
    /// Parameters that a token is multiplied with: active ones without the input embedding
    /// (`data/catalog/README.md`: "For FLOPs use no-input-embedding"). A tied matrix is
    /// counted once, as the output head. Norms and biases, below 0.1 %, are included as the
    /// convention has it.
    pub const fn matmul_params_active(&self) -> u64 {
        self.counts.active_no_input_embedding
    }

    /// Model FLOP of forward and backward for one token of a sequence of `sequence` tokens:
    /// `6 (N − input embedding) + 6 L h s` with causal attention halved, as Megatron-Bridge's
    /// performance pages count (12 L h s without the mask, halved by it). `h` is heads × head
    /// size, which is not the hidden size in every model. Recomputation is no model FLOP.
    pub fn flop_per_token(&self, sequence: u32) -> Flop {
        Flop::new(6.0 * count(self.matmul_params_active()))
            + self.forward_attention_flop(1.0, sequence) * 3.0
    }

    /// FLOP of the scores and of the weighted values, forward, for `tokens` tokens in
    /// sequences of `sequence`: 2 FLOP per element of query and of value and token attended
    /// to, which are half of the sequence on average behind a causal mask. A layer with a
    /// window attends to `w (1 − w / 2s)` tokens with `w = min(s, window)`. A linear layer
    /// updates and reads its state instead: three products with a matrix of key × value size
    /// per head (gated delta rule, arXiv 2412.06464).
    pub fn forward_attention_flop(&self, tokens: f64, sequence: u32) -> Flop {
        let windowed = self.window.map_or(0, |window| window.layers);
        let linear = self.linear.map_or(0, |linear| linear.layers);
        let full = self.layers.saturating_sub(windowed).saturating_sub(linear);
        let context = f64::from(full) * mean_context(sequence, sequence)
            + self.window.map_or(0.0, |window| {
                f64::from(window.layers) * mean_context(sequence, window.size)
            });
        let value_dim =
            self.attention.latent.map_or(self.attention.head_dim, |latent| latent.v_dim);
        let width = f64::from(self.attention.heads)
            * (f64::from(self.attention.head_dim) + f64::from(value_dim));
        let state = self.linear.map_or(0.0, |linear| {
            f64::from(linear.layers)
                * 3.0
                * f64::from(linear.value_heads)
                * f64::from(linear.key_dim)
                * f64::from(linear.value_dim)
        });
        Flop::new(2.0 * tokens * (width * context + state))
    }

    /// Whether the layer (from 0) has experts. Dense layers come first, or alternate evenly
    /// as in Llama 4, where each second layer has experts.
    pub fn has_experts(&self, layer: u32) -> bool {
        let Some(experts) = self.experts else { return false };
        let Some(place) = layer.checked_sub(experts.first_dense_layers) else { return false };
        let places = u64::from(self.layers.saturating_sub(experts.first_dense_layers)).max(1);
        let before = |layers: u64| layers * u64::from(experts.moe_layers) / places;
        before(u64::from(place) + 1) > before(u64::from(place))
    }
}

/// Tokens attended to on average: those before, at most `window` of them.
fn mean_context(sequence: u32, window: u32) -> f64 {
    let sequence = f64::from(sequence.max(1));
    let seen = f64::from(window).min(sequence);
    seen * (1.0 - seen / (2.0 * sequence))
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53, see bounds::PARAMETERS")]
const fn count(parameters: u64) -> f64 {
    parameters as f64
}
