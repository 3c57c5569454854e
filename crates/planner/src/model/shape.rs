//! Everything that the parameter counts depend on: what both readers (config.json and the
//! presets) fill in. [`Shape::model`] turns it into the public description.

use super::counts::TooManyParameters;
use super::{
    Attention, FeedForward, LinearAttention, MixtureOfExperts, Model, Norm, SlidingWindow,
};

/// A decoder-only model with the details that only the counts need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) layers: u32,
    pub(super) hidden: u32,
    pub(super) vocab: u32,
    pub(super) attention: Attention,
    pub(super) extras: AttentionExtras,
    pub(super) linear: Option<LinearAttention>,
    pub(super) feed_forward: FeedForward,
    pub(super) experts: Option<MixtureOfExperts>,
    pub(super) expert_extras: ExpertExtras,
    pub(super) window: Option<SlidingWindow>,
    pub(super) norm: Norm,
    /// Norms of width `hidden` in one layer.
    pub(super) norms_per_layer: u32,
    /// A norm right after the input embedding.
    pub(super) embedding_norm: bool,
    pub(super) tied: bool,
    /// The output head adds one value per token of the vocabulary.
    pub(super) head_bias: bool,
    /// Rows of a learned position table.
    pub(super) learned_positions: u32,
    pub(super) max_positions: u32,
}

/// Small tensors inside one attention block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttentionExtras {
    pub(super) qk_norm: QkNorm,
    /// One learned sink per query head.
    pub(super) sinks: bool,
    pub(super) output_gate: OutputGate,
    /// The output projection has a bias where query, key and value have none.
    pub(super) output_bias: bool,
    pub(super) indexer: Option<Indexer>,
}

/// A gate as wide as all query heads, on what attention yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputGate {
    None,
    /// A projection of its own, without bias.
    Apart,
    /// Part of the query projection, with its bias.
    Fused,
}

/// Norms of queries and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QkNorm {
    None,
    /// One weight per element of a head, shared by all heads.
    Head,
    /// As [`Self::Head`], and as many biases.
    HeadBias,
    /// One weight per element of all query and key heads.
    Full,
}

/// The scorer of DeepSeek's sparse attention: it picks the tokens to attend to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indexer {
    pub(super) heads: u32,
    pub(super) head_dim: u32,
}

/// Small tensors of the layers with experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct ExpertExtras {
    /// The router has a trained bias. Selection biases that training sets by rule are buffers
    /// of the library and not counted.
    pub(super) router_bias: bool,
    pub(super) expert_bias: bool,
    /// A gate of one value for the shared experts.
    pub(super) shared_gate: bool,
}

impl ExpertExtras {
    pub(super) const NONE: Self =
        Self { router_bias: false, expert_bias: false, shared_gate: false };
}

impl Shape {
    /// The public description with its counts.
    pub(super) fn model(
        &self,
        name: &str,
        family: &str,
        assumptions: Vec<String>,
    ) -> Result<Model, TooManyParameters> {
        Ok(Model {
            name: name.to_owned(),
            family: family.to_owned(),
            layers: self.layers,
            hidden: self.hidden,
            vocab: self.vocab,
            attention: self.attention,
            feed_forward: self.feed_forward,
            experts: self.experts,
            window: self.window,
            linear: self.linear,
            norm: self.norm,
            tied: self.tied,
            learned_positions: self.learned_positions,
            max_positions: self.max_positions,
            counts: self.counts()?,
            assumptions,
        })
    }
}
