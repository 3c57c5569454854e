//! Counts of one GPU, for those who name single tensors; every instant, and the mean of a step.

use crate::estimate::{Instant, Setting, StageTimeline};
use crate::strategy::{JobKind, Layout, Recompute};
use crate::units::Bytes;

use super::case::{Case, Engine};
use super::instants::timeline;
use super::parameters::local;
use super::stages::stage;
use super::variant::Variant;

/// What one GPU of a pipeline stage computes with, before sharding over data parallelism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pieces {
    pub stage: u32,
    /// All parameters except routed experts.
    pub dense: f64,
    /// Routed experts.
    pub experts: f64,
    /// The largest layer, its experts included.
    pub largest_layer: f64,
    /// The embedding and the head that lie on this stage.
    pub embeddings: f64,
    /// The matrix that makes the logits; 0 except on the last stage.
    pub head: f64,
    /// Adapters of an adapter job; 0 otherwise.
    pub adapters: f64,
    /// GPUs over which states of dense weights are cut.
    pub shards: f64,
    pub expert_shards: f64,
    /// Tokens of a micro-batch on this GPU.
    pub tokens: f64,
    /// States lie in flat tensors, not one for each parameter.
    pub flat: bool,
    /// Code that stores what a compiler or a fused kernel would not.
    pub eager: bool,
}

/// The pieces of a GPU of stage `index`.
pub fn pieces(setting: &Setting<'_>, layout: &Layout, variant: &Variant, index: u32) -> Pieces {
    let case = Case::new(setting, layout, variant);
    let stage = stage(&case, index.min(case.pp - 1));
    let local = local(&case, &stage);
    Pieces {
        stage: stage.index,
        dense: local.dense(),
        experts: local.experts,
        largest_layer: local.largest_layer,
        embeddings: local.embeddings,
        head: local.head,
        adapters: local.adapters + local.expert_adapters,
        shards: case.shards,
        expert_shards: case.expert_shards,
        tokens: case.tokens,
        flat: matches!(
            case.engine,
            Engine::Megatron | Engine::MegatronDeepSpeed | Engine::DeepSpeed | Engine::Fsdp1
        ),
        eager: case.eager(),
    }
}

/// Every stage at every instant, for a run with other choices than the planner's.
pub fn timelines(setting: &Setting<'_>, layout: &Layout, variant: &Variant) -> Vec<StageTimeline> {
    let case = Case::new(setting, layout, variant);
    (0..case.pp).map(|index| timeline(&case, index)).collect()
}

/// What the device of the fullest stage reports on average over a step, where its allocator gave
/// back what is freed.
///
/// Activations grow over the forward pass and shrink over the backward pass. The passes weigh as
/// their work does: 1 for the forward pass; for the backward pass 2, less 1 for a frozen base
/// without weight gradients, and 1 more where the forward pass is repeated.
pub fn mean_device(setting: &Setting<'_>, layout: &Layout, variant: &Variant) -> Bytes {
    let frozen = setting.job.kind == JobKind::Lora;
    let repeated = layout.recompute == Recompute::Full;
    let backward = if frozen { 1.0 } else { 2.0 } + if repeated { 1.0 } else { 0.0 };
    timelines(setting, layout, variant)
        .iter()
        .map(|stage| {
            let at = |wanted: Instant| {
                stage.instants.iter().find(|one| one.instant == wanted).map(|one| one.device)
            };
            let least = at(Instant::EndOfBackward).unwrap_or(Bytes::ZERO);
            let forward = at(Instant::Forward).unwrap_or(least);
            let deepest = at(Instant::Backward).unwrap_or(forward);
            let passes = (least + forward) + (deepest + least) * backward;
            passes / (2.0 * (1.0 + backward))
        })
        .fold(Bytes::ZERO, Bytes::max)
}
