//! The inputs of one estimate, read once and turned into numbers.

use crate::estimate::Setting;
use crate::model::Model;
use crate::strategy::{AttentionKernel, Framework, JobKind, Layout, Precision, Zero};

use super::shared::Shared;
use super::variant::Variant;

/// Who owns weights, gradients and optimizer states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Megatron,
    /// The DeepSpeed engine under Megatron, 2021 and 2022.
    MegatronDeepSpeed,
    /// DeepSpeed under Hugging Face model code.
    DeepSpeed,
    /// Per-parameter sharding, and torch recipes without it.
    Fsdp2,
    /// Flat-parameter sharding, as Hugging Face Accelerate drives it.
    Fsdp1,
    /// Plain data parallelism under the Hugging Face Trainer.
    Ddp,
    FusedCuda,
}

/// Inputs of one layout as numbers. Letters as in STUDY_MEMORY.md 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) layout: &'a Layout,
    pub(super) variant: &'a Variant,
    pub(super) engine: Engine,
    pub(super) pp: u32,
    pub(super) vpp: u32,
    /// TP degree.
    pub(super) t: f64,
    /// EP degree.
    pub(super) e: f64,
    /// Expert TP degree.
    pub(super) etp: f64,
    /// GPUs over which states of dense weights are cut: DP × CP or the group stated.
    pub(super) shards: f64,
    /// The same for expert weights.
    pub(super) expert_shards: f64,
    /// Tokens of one micro-batch on one rank: `b·s/c`.
    pub(super) tokens: f64,
    pub(super) micro_batches: f64,
    pub(super) h: f64,
    /// Query width: heads × head dimension.
    pub(super) hq: f64,
    /// Key width.
    pub(super) hk: f64,
    pub(super) vocab: f64,
    pub(super) lora: bool,
    pub(super) pure: bool,
    pub(super) shared: Shared,
}

impl<'a> Case<'a> {
    pub(super) fn new(setting: &'a Setting<'a>, layout: &'a Layout, variant: &'a Variant) -> Self {
        let model = setting.model;
        let attention = &model.attention;
        let degree = |value: u32| f64::from(value.max(1));
        let (t, c, d) = (degree(layout.tp), degree(layout.cp), degree(layout.dp));
        let (e, etp) = (degree(layout.ep), degree(layout.etp));
        let shards = variant.shard_group.map_or(d * c, |group| degree(group).min(d * c));
        let head_dim = f64::from(attention.head_dim);
        let case = Self {
            setting,
            layout,
            variant,
            engine: engine(layout),
            pp: layout.pp.max(1),
            vpp: layout.vpp.max(1),
            t,
            e,
            etp,
            shards,
            expert_shards: (shards * t / (e * etp)).max(1.0),
            tokens: f64::from(layout.micro_batch) * f64::from(setting.job.sequence) / c,
            micro_batches: f64::from(layout.micro_batches(setting.job.global_batch)),
            h: f64::from(model.hidden),
            hq: f64::from(attention.heads) * head_dim,
            hk: f64::from(attention.kv_heads) * head_dim,
            vocab: f64::from(model.vocab),
            lora: setting.job.kind == JobKind::Lora,
            pure: setting.job.precision == Precision::PureBf16,
            shared: Shared::default(),
        };
        Self { shared: Shared::of(&case), ..case }
    }

    pub(super) fn model(&self) -> &'a Model {
        self.setting.model
    }

    /// Code that stores what a compiler or a fused kernel would not.
    pub(super) fn eager(&self) -> bool {
        matches!(
            self.layout.framework,
            Framework::FsdpEager | Framework::HuggingFace | Framework::DeepSpeed
        )
    }

    pub(super) fn flash(&self) -> bool {
        self.setting.stack.attention != AttentionKernel::Unfused
    }

    /// Weights live in shards and are gathered layer by layer.
    pub(super) fn gathers_weights(&self) -> bool {
        let one_copy_suffices = self.shards <= 1.0 && self.pure;
        self.layout.zero == Zero::Weights
            && !one_copy_suffices
            && matches!(
                self.engine,
                Engine::Megatron | Engine::DeepSpeed | Engine::Fsdp2 | Engine::Fsdp1
            )
    }

    /// Gradients of an earlier micro-batch or step are alive when the loss is computed. Torch
    /// recipes without accumulation free them first (`zero_grad` of torchtitan and torchtune, read).
    pub(super) fn gradients_at_loss(&self) -> bool {
        let torch = matches!(self.engine, Engine::Fsdp2 | Engine::Fsdp1 | Engine::Ddp);
        !(torch && self.variant.gradients_freed)
    }

    pub(super) fn leading_dense_layers(&self) -> u32 {
        let model = self.model();
        model.experts.map_or(0, |experts| experts.first_dense_layers.min(model.layers))
    }

    /// Layers without experts in `start..end`; those that do not lead are spread evenly.
    pub(super) fn dense_layers_in(&self, start: u32, end: u32) -> f64 {
        let model = self.model();
        let Some(experts) = model.experts else { return f64::from(end - start) };
        let leading = self.leading_dense_layers();
        let scattered = model.layers.saturating_sub(experts.moe_layers).saturating_sub(leading);
        let in_leading = end.min(leading).saturating_sub(start);
        let others = f64::from(model.layers - leading);
        let share = if others > 0.0 { f64::from(scattered) / others } else { 0.0 };
        f64::from(in_leading) + share * f64::from(end - start - in_leading)
    }
}

/// A count of parameters as a number; exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts of parameters stay below 2^53")]
pub(super) fn count(parameters: u64) -> f64 {
    parameters as f64
}

fn engine(layout: &Layout) -> Engine {
    match (layout.framework, layout.zero) {
        (Framework::MegatronCore | Framework::MegatronLegacy, _) => Engine::Megatron,
        (Framework::MegatronDeepSpeed, _) => Engine::MegatronDeepSpeed,
        (Framework::DeepSpeed, _) | (Framework::HuggingFace, Zero::Optimizer | Zero::Gradients) => {
            Engine::DeepSpeed
        }
        (Framework::Torchtitan | Framework::FsdpEager, _) => Engine::Fsdp2,
        (Framework::HuggingFace, Zero::Weights) => Engine::Fsdp1,
        (Framework::HuggingFace, Zero::None) => Engine::Ddp,
        (Framework::FusedCuda, _) => Engine::FusedCuda,
    }
}
