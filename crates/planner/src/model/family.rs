//! The vocabulary of the family table: how a structure follows from the fields of a file.

use super::shape::{OutputGate, QkNorm};
use super::{AttentionBias, Norm};

/// One row: structure and defaults of a family.
#[derive(Clone, Copy)]
pub(super) struct Family {
    pub(super) names: &'static [&'static str],
    /// Layers and hidden size of a nested text model that states neither.
    pub(super) size: (u32, u32),
    pub(super) vocab: u32,
    pub(super) heads: u32,
    pub(super) kv_heads: KvHeads,
    /// None: `hidden / heads`.
    pub(super) head_dim: Option<u32>,
    pub(super) width: Width,
    pub(super) max_positions: u32,
    pub(super) tied: bool,
    pub(super) gated: bool,
    /// Which projections have a bias where `attention_bias` is on.
    pub(super) bias_scope: AttentionBias,
    pub(super) attention_bias: Switch,
    pub(super) ffn_bias: Switch,
    pub(super) head_bias: Switch,
    pub(super) qk_norm: QkNorm,
    pub(super) qk_norm_on: Switch,
    pub(super) norm: Norm,
    pub(super) norms: Norms,
    pub(super) embedding_norm: bool,
    pub(super) positions: Positions,
    pub(super) window: Window,
    pub(super) experts: Option<ExpertRule>,
    pub(super) latent: Option<LatentRule>,
    pub(super) linear: bool,
    pub(super) output_gate: OutputGate,
    /// The output projection has a bias where query, key and value have none.
    pub(super) output_bias: bool,
    pub(super) sinks: bool,
    /// Fields that may only hold this value, if given.
    pub(super) only: &'static [(&'static str, Only)],
}

/// How the number of key and value heads follows.
#[derive(Clone, Copy)]
pub(super) enum KvHeads {
    /// The family has no such field: as many as query heads.
    Multi,
    /// As many as query heads, if not stated.
    AsHeads,
    Default(u32),
    /// One while `multi_query` holds (its default), else as many as query heads.
    MultiQuery,
    /// The stated groups while `multi_query_attention` holds, else as many as query heads.
    Grouped(u32),
    /// As [`Self::MultiQuery`], but the stated number with `new_decoder_architecture`.
    Falcon,
}

/// How the width of the dense feed-forward block follows.
#[derive(Clone, Copy)]
pub(super) enum Width {
    Default(u32),
    /// Four times the hidden size.
    FourHidden,
    /// The field counts both matrices of the gated block.
    Both(u32),
    /// There are no dense layers.
    None,
}

/// A property that is fixed or follows a field.
#[derive(Clone, Copy)]
pub(super) enum Switch {
    On,
    Off,
    /// On where the field is true; the default of the library.
    Field(&'static str, bool),
}

#[derive(Clone, Copy)]
pub(super) enum Norms {
    Fixed(u32),
    /// One with a parallel residual (the field and its default), else two.
    Parallel(&'static str, bool),
    Falcon,
}

#[derive(Clone, Copy)]
pub(super) enum Positions {
    Computed,
    /// A table with this many rows above the stated length.
    Learned(u32),
}

/// Which layers see a window of the last tokens.
#[derive(Clone, Copy)]
pub(super) enum Window {
    None,
    /// All layers; the default size, 0 for none.
    All(u32),
    /// All but every n-th layer; the default size and n.
    Period(u32, u32),
    /// All but the first of every n layers; the default size and n.
    AfterFirst(u32, u32),
    /// Only where `layer_types` lists them.
    Listed,
    /// With `use_sliding_window`: layers from `max_window_layers` on.
    QwenUpper,
    /// With `use_sliding_window`: every second of the first `max_window_layers`.
    QwenLower,
    /// With `use_sliding_window`: all layers.
    QwenAll,
    /// Llama 4: chunks in all layers but every n-th.
    Chunks,
}

/// How experts are described.
#[derive(Clone, Copy)]
pub(super) struct ExpertRule {
    pub(super) experts: u32,
    pub(super) top_k: u32,
    pub(super) width: ExpertWidth,
    pub(super) shared: Shared,
    pub(super) dense: DenseLayers,
    pub(super) router_bias: bool,
    pub(super) expert_bias: bool,
}

#[derive(Clone, Copy)]
pub(super) enum ExpertWidth {
    /// `moe_intermediate_size` with its default.
    Own(u32),
    /// `intermediate_size` is the width of an expert; dense layers, if any, have their own.
    Intermediate(u32),
}

#[derive(Clone, Copy)]
pub(super) enum Shared {
    None,
    /// One of the width of an expert.
    One,
    /// `n_shared_experts` (or another name) of the width of an expert.
    Count(u32),
    /// `shared_expert_intermediate_size`, with a gate.
    Gated(u32),
    /// `shared_intermediate_size`, without one.
    Width(u32),
}

/// Which layers have no experts.
#[derive(Clone, Copy)]
pub(super) enum DenseLayers {
    None,
    /// Those that `mlp_layer_types` calls dense, else as many first ones as the field says.
    First(&'static str, u32),
    /// Outside of `moe_layer_start_index` to `moe_layer_end_index` and of each
    /// `moe_layer_interval`.
    Range,
    /// Those of `mlp_only_layers` and outside of each `decoder_sparse_step`.
    SparseStep,
    /// Outside of `moe_layers`, else of each `interleave_moe_layer_step`.
    Interleaved,
}

/// Defaults of latent attention, and of the indexer where there is one.
#[derive(Clone, Copy)]
pub(super) struct LatentRule {
    pub(super) q_rank: u32,
    pub(super) kv_rank: u32,
    pub(super) nope_dim: u32,
    pub(super) rope_dim: u32,
    /// 0: hidden size over heads.
    pub(super) v_dim: u32,
    /// Heads and head size of the indexer.
    pub(super) indexer: Option<(u32, u32)>,
}

/// The one value that can be expressed.
#[derive(Clone, Copy)]
pub(super) enum Only {
    Flag(bool),
    Text(&'static str),
    Number(u32),
    /// The field must be absent or null.
    Absent,
    /// The field must equal the hidden size.
    Hidden,
}
