//! How layers are cut into pipeline stages, and how many micro-batches wait in each
//! (STUDY_MEMORY.md 3.3).

use crate::strategy::Schedule;

use super::case::{Case, Engine};

/// What one stage holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stage {
    pub(super) index: u32,
    /// Layers of both kinds.
    pub(super) count: u32,
    /// Layers without experts.
    pub(super) dense_layers: f64,
    /// Layers with experts.
    pub(super) moe_layers: f64,
    pub(super) first: bool,
    pub(super) last: bool,
    /// Micro-batches whose activations are stored at once, for every layer of the stage.
    pub(super) in_flight: f64,
}

impl Stage {
    pub(super) fn layers(&self) -> f64 {
        self.dense_layers + self.moe_layers
    }
}

/// Stage `index` of the pipeline.
pub(super) fn stage(case: &Case<'_>, index: u32) -> Stage {
    let mut count = 0;
    let mut dense_layers = 0.0;
    let mut moe_layers = 0.0;
    for chunk in 0..case.vpp {
        let (start, end) = chunk_layers(case, chunk * case.pp + index);
        count += end - start;
        let dense = case.dense_layers_in(start, end);
        dense_layers += dense;
        moe_layers += f64::from(end - start) - dense;
    }
    Stage {
        index,
        count,
        dense_layers,
        moe_layers,
        first: index == 0,
        last: index + 1 == case.pp,
        in_flight: in_flight(case, index),
    }
}

/// The stages that can be the worst: the first of each kind, since fewer micro-batches wait
/// in later ones. Kinds are: with the input embedding, without the leading dense layers, with
/// a layer more than others, with the head. Duplicates are harmless.
pub(super) fn candidates(case: &Case<'_>) -> [u32; 5] {
    let last = case.pp - 1;
    let leading = match case.leading_dense_layers() {
        0 => 1,
        layers => layers.div_ceil(case.shared.cut.each.max(1)),
    };
    let more = case.shared.cut.more;
    // Extra layers of a shorter turn of chunks lie just before the last stage.
    let longer = if more == 0 { last } else { last.saturating_sub(more % case.pp) };
    [0, 1.min(last), leading.min(last), longer, last]
}

/// First layer and end of chunk `chunk` of `pp · vpp`.
///
/// Equal chunks where the layers divide. Otherwise the chunks just before the last hold one
/// layer more: the last has the loss, the first stages hold the most micro-batches (126 layers
/// in 8 stages: 15, 6 × 16, 15). Megatron-DeepSpeed counts the embedding and the head as layers
/// and gives the first stages more.
fn chunk_layers(case: &Case<'_>, chunk: u32) -> (u32, u32) {
    let layers = case.model().layers;
    let Cut { each, more, shorter } = case.shared.cut;
    if case.engine == Engine::MegatronDeepSpeed {
        let start = |chunk: u32| (each * chunk + chunk.min(more)).saturating_sub(1).min(layers);
        return (start(chunk), start(chunk + 1));
    }
    let start = |chunk: u32| each * chunk + chunk.saturating_sub(shorter).min(more);
    (start(chunk), start(chunk + 1))
}

/// How layers are dealt out to chunks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cut {
    /// Layers of a chunk, or of items that include embedding and head.
    each: u32,
    /// Chunks with one more.
    more: u32,
    /// Chunks before those.
    shorter: u32,
}

pub(super) fn cut(case: &Case<'_>) -> Cut {
    let chunks = case.pp * case.vpp;
    let ends = if case.engine == Engine::MegatronDeepSpeed { 2 } else { 0 };
    let items = case.model().layers + ends;
    let more = items % chunks;
    Cut { each: items / chunks, more, shorter: (chunks - 1).saturating_sub(more) }
}

/// 1F1B: `min(p − i, M)`. Interleaved: `2(p − i − 1) + (v − 1)p + 1` chunks of a `v`-th.
fn in_flight(case: &Case<'_>, index: u32) -> f64 {
    let (pp, vpp) = (f64::from(case.pp), f64::from(case.vpp));
    let behind = f64::from(case.pp.saturating_sub(index + 1));
    let micro_batches = case.micro_batches.max(1.0);
    if case.layout.schedule == Schedule::Interleaved && case.vpp > 1 {
        let chunks = 2.0 * behind + (vpp - 1.0) * pp + 1.0;
        chunks.min(micro_batches * vpp) / vpp
    } else {
        (behind + 1.0).min(micro_batches)
    }
}
