//! One layout of one setting with everything that its parts are computed from.

use crate::collective::Network;
use crate::strategy::{AttentionKernel, Framework, JobKind, Layout, Recompute, Zero};

use super::super::Setting;
use super::Variant;
use super::class::Class;
use super::constants::{
    ADAPTER_RANK, ADAPTER_SHARE, VINTAGE_DATE, VINTAGE_DENSE, VINTAGE_MOE, VINTAGE_MOE_BLACKWELL,
};
use super::device::Device;
use super::shape::Shape;
use super::wires::Wires;

/// A layout with its numbers as the formulas use them; counts are at least 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) layout: Layout,
    pub(super) variant: Variant,
    pub(super) shape: Shape,
    pub(super) device: Device,
    pub(super) class: Class,
    pub(super) wires: Wires,
    pub(super) tp: f64,
    pub(super) pp: f64,
    pub(super) vpp: f64,
    pub(super) cp: f64,
    pub(super) ep: f64,
    pub(super) etp: f64,
    /// Ranks over which gradients are reduced: data and context parallel.
    pub(super) replicas: f64,
    /// Micro-batches per step, rounded up.
    pub(super) micro_batches: f64,
    /// Tokens of the mean micro-batch on one GPU.
    pub(super) tokens: f64,
    pub(super) sequence: f64,
    /// Share of the forward matmuls that the backward pass repeats.
    pub(super) repeat: f64,
    /// Weights are trained, not adapters beside them.
    pub(super) full_training: bool,
    /// Matmuls as if every tile were full: for bounds.
    pub(super) perfect_tiles: bool,
    /// How much faster this release is than the one the constants describe.
    pub(super) vintage: f64,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        setting: &'a Setting<'a>,
        network: &Network,
        layout: &Layout,
        variant: Variant,
    ) -> Self {
        let at_least_one = |n: u32| f64::from(n.max(1));
        let (job, stack) = (setting.job, &setting.stack);
        let (dp, cp) = (at_least_one(layout.dp), at_least_one(layout.cp));
        let batch = at_least_one(job.global_batch);
        let micro_batches = f64::from(layout.micro_batches(job.global_batch).max(1));
        let class = Class::of(layout.framework, layout.zero, stack.release);
        let device =
            Device::new(setting.accelerator, job.precision, stack.attention).with(variant.recipe);
        let shape = Shape::of(setting.model);
        Self {
            setting,
            layout: *layout,
            variant,
            tp: at_least_one(layout.tp),
            pp: at_least_one(layout.pp),
            vpp: at_least_one(layout.vpp),
            cp,
            ep: at_least_one(layout.ep),
            etp: at_least_one(layout.etp),
            replicas: dp * cp,
            micro_batches,
            tokens: batch / (dp * micro_batches) * f64::from(job.sequence) / cp,
            sequence: f64::from(job.sequence),
            repeat: match layout.recompute {
                Recompute::None | Recompute::Norms => 0.0,
                Recompute::FeedForward | Recompute::NormsAndFeedForward => {
                    class.full * shape.feed_forward_share()
                }
                Recompute::Selective => class.selective,
                Recompute::Full => class.full,
            },
            perfect_tiles: false,
            full_training: job.kind != JobKind::Lora,
            vintage: vintage(layout.framework, &shape, &device, stack.release),
            wires: Wires::new(setting.cluster, setting.accelerator, network, layout),
            shape,
            device,
            class,
        }
    }

    /// The attention core runs forward once more in the backward pass.
    pub(super) fn core_repeats(&self) -> bool {
        match self.layout.recompute {
            Recompute::None
            | Recompute::Norms
            | Recompute::FeedForward
            | Recompute::NormsAndFeedForward => false,
            Recompute::Selective => {
                self.class.selective <= 0.0
                    && self.setting.stack.attention == AttentionKernel::Unfused
            }
            Recompute::Full => true,
        }
    }

    /// Weights are gathered layer by layer.
    pub(super) fn fully_sharded(&self) -> bool {
        self.layout.zero == Zero::Weights
    }

    pub(super) fn offloads(&self) -> bool {
        self.layout.offload.optimizer()
    }

    /// Share of the parameters that gets gradients and optimizer states.
    pub(super) fn trained_share(&self) -> f64 {
        if self.full_training { 1.0 } else { (ADAPTER_SHARE.value * self.ranks()).min(1.0) }
    }

    /// Rank of the adapters over the one at which the constants were fitted.
    fn ranks(&self) -> f64 {
        f64::from(self.setting.job.adapter.rank) / ADAPTER_RANK.value
    }

    /// Ranks beyond that one, whose matmuls no constant holds.
    pub(super) fn further_ranks(&self) -> f64 {
        if self.full_training { 0.0 } else { (self.ranks() - 1.0).max(0.0) * ADAPTER_RANK.value }
    }

    /// Parameters of the fullest stage on one GPU before sharding, (dense, experts); the
    /// embedding counts once per end it stands at.
    pub(super) fn parameters(&self) -> (f64, f64) {
        let shape = &self.shape;
        let (cut, whole) = shape.attention_matrices();
        let attention = (cut / self.tp + whole) * shape.layers;
        let mut dense = attention + shape.dense_layers() * shape.ffn_matrices(shape.ffn) / self.tp;
        let mut experts = 0.0;
        if let Some(moe) = shape.experts {
            dense += moe.layers * shape.ffn_matrices(moe.shared) / self.tp;
            experts = moe.layers * moe.count * shape.ffn_matrices(moe.width) / (self.ep * self.etp);
        }
        let ends = if self.layout.pp <= 1 { 2.0 } else { 1.0 };
        let embedding = shape.vocab * shape.hidden / self.tp * ends;
        (dense / self.pp + embedding, experts / self.pp)
    }
}

/// STUDY_TIME.md 2.12: Megatron-Core releases get faster; the date counts from two years before
/// the reference to 1.2 years after it.
fn vintage(framework: Framework, shape: &Shape, device: &Device, release: f64) -> f64 {
    if framework != Framework::MegatronCore {
        return 1.0;
    }
    let extra = match (shape.experts.is_some(), device.blackwell) {
        (false, _) => 0.0,
        (true, true) => VINTAGE_MOE_BLACKWELL.value,
        (true, false) => VINTAGE_MOE.value,
    };
    let years = (release - VINTAGE_DATE.value).clamp(-2.0, 1.2);
    libm::exp((VINTAGE_DENSE.value + extra) * years)
}
