//! Counts of one GPU, for those who name single tensors.

use crate::estimate::Setting;
use crate::strategy::Layout;

use super::case::{Case, Engine};
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
