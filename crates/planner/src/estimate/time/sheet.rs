//! All numbers of one step, from which its parts, its report and its explanation are read
//! (STUDY_TIME.md 2.8, 2.10 and 2.12).

use crate::strategy::{Offload, Optimizer, Precision};
use crate::units::Seconds;

use super::super::StepParts;
use super::Base;
use super::case::Case;
use super::constants::{
    BUBBLE, BYTES_ACCUMULATE, BYTES_OPTIMIZER, BYTES_STEP, FOUR_BIT_GATHER, JITTER,
    OFFLOAD_OPTIMIZER, OFFLOAD_PCIE, OFFLOAD_WEIGHTS, OPTIMIZER_SMALL, STAGE_SKEW, STAGE_UNEVEN,
    STEP_CONSTANT,
};
use super::exchange::{Exchange, pipeline};
use super::kernels::Kernels;
use super::layer::{Body, Head};
use super::reduce::{data, shards};

/// A step in numbers. Bodies and exchanges are of all layers and one micro-batch, data and
/// pipeline exchanges of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    pub(super) body: Body,
    pub(super) head: Head,
    pub(super) tensor: Exchange,
    pub(super) context: Exchange,
    pub(super) expert: Exchange,
    pub(super) pipeline: Exchange,
    pub(super) data: Exchange,
    /// Adding one micro-batch's gradient.
    pub(super) accumulate: f64,
    /// Time that the GPU waits for its host in one stage and micro-batch.
    pub(super) waits: f64,
    /// Mean time of one micro-batch in a stage.
    pub(super) stage: f64,
    /// What the fullest stage adds to every micro-batch.
    pub(super) skew: f64,
    pub(super) fill: f64,
    pub(super) optimizer: f64,
    pub(super) offload: f64,
    /// Relative stragglers.
    pub(super) jitter: f64,
    pub(super) parameters: f64,
}

impl Sheet {
    pub(super) fn new(case: &Case<'_>) -> Self {
        Self::with(case, Kernels::new(case))
    }

    /// The same from kernels that are known already.
    pub(super) fn with(case: &Case<'_>, kernels: Kernels) -> Self {
        let data = |stage| data(case, stage);
        Self::from_parts(case, kernels, pipeline(case), data)
    }

    /// A step whose hand-overs and reductions cost nothing: never slower than the step.
    pub(super) fn floor(case: &Case<'_>, kernels: Kernels) -> Self {
        Self::from_parts(case, kernels, Exchange::default(), |_| Exchange::default())
    }

    fn from_parts(
        case: &Case<'_>,
        kernels: Kernels,
        pipeline: Exchange,
        data: impl Fn(f64) -> Exchange,
    ) -> Self {
        let (dense, experts) = case.parameters();
        let parameters = dense + experts;
        let Kernels { body, head, tensor, context, expert, .. } = kernels;
        let (busy, waits) = (kernels.busy / case.pp, kernels.waits / case.pp);
        let stage = busy + waits + head.seconds() / case.pp;
        Self {
            body,
            head,
            tensor,
            context,
            expert,
            pipeline,
            data: data(stage),
            accumulate: accumulate(case, parameters),
            waits,
            stage,
            skew: skew(case, stage, head.seconds()),
            fill: BUBBLE.value * (case.pp - 1.0) / case.vpp * stage,
            optimizer: optimizer(case, parameters),
            offload: offload(case, parameters),
            jitter: jitter(case),
            parameters,
        }
    }

    /// The parts; they add up to the total.
    pub(super) fn parts(&self, case: &Case<'_>) -> StepParts {
        let m = case.micro_batches;
        let per_stage = m / case.pp;
        let mut parts = StepParts {
            matmul: Seconds::new(per_stage * (self.body.matmul.seconds + self.head.matmul.seconds)),
            attention: Seconds::new(per_stage * self.body.attention),
            memory_bound: Seconds::new(
                per_stage * (self.body.memory_bound + self.head.memory_bound) + m * self.accumulate,
            ),
            launch: Seconds::new(m * self.waits),
            tp_exposed: Seconds::new(per_stage * self.tensor.exposed),
            cp_exposed: Seconds::new(per_stage * self.context.exposed),
            ep_exposed: Seconds::new(per_stage * self.expert.exposed),
            dp_exposed: Seconds::new(self.data.exposed),
            pp_exposed: Seconds::new(self.pipeline.exposed),
            bubble: Seconds::new(m * self.skew + self.fill),
            optimizer: Seconds::new(self.optimizer),
            offload: Seconds::new(self.offload),
            jitter: Seconds::ZERO,
            total: Seconds::ZERO,
        };
        let constant = Seconds::new(STEP_CONSTANT.value);
        parts.jitter = constant + (sum(&parts) + constant) * self.jitter;
        parts.total = sum(&parts);
        parts
    }
}

fn sum(parts: &StepParts) -> Seconds {
    parts.matmul
        + parts.attention
        + parts.memory_bound
        + parts.launch
        + parts.tp_exposed
        + parts.cp_exposed
        + parts.ep_exposed
        + parts.dp_exposed
        + parts.pp_exposed
        + parts.bubble
        + parts.optimizer
        + parts.offload
        + parts.jitter
}

fn accumulate(case: &Case<'_>, parameters: f64) -> f64 {
    BYTES_ACCUMULATE.value * parameters * case.trained_share() / case.device.hbm / case.vintage
}

/// The last stage has the head beside its layers; uneven stages are balanced by the user.
fn skew(case: &Case<'_>, stage: f64, head: f64) -> f64 {
    if case.layout.pp <= 1 {
        return 0.0;
    }
    let slots = case.layout.pp.saturating_mul(case.layout.vpp.max(1)).max(1);
    if case.shape.layer_count.is_multiple_of(slots) {
        STAGE_SKEW.value * head * (1.0 - 1.0 / case.pp)
    } else {
        STAGE_UNEVEN.value * stage
    }
}

fn optimizer(case: &Case<'_>, parameters: f64) -> f64 {
    let bytes = BYTES_OPTIMIZER.value * small_states(case) / shards(case) + BYTES_STEP.value;
    parameters * case.trained_share() * bytes * case.class.optimizer / case.device.hbm
}

/// Share of the bytes of 32-bit moments and master weights.
fn small_states(case: &Case<'_>) -> f64 {
    let job = case.setting.job;
    let small = job.precision == Precision::PureBf16
        || job.optimizer == Optimizer::AdamW8bit
        || case.variant.small_states;
    if small { OPTIMIZER_SMALL.value } else { 1.0 }
}

fn offload(case: &Case<'_>, parameters: f64) -> f64 {
    if !case.offloads() {
        return 0.0;
    }
    let rate = OFFLOAD_PCIE.value * case.device.pcie;
    let mut bytes =
        OFFLOAD_OPTIMIZER.value * parameters * case.trained_share() * small_states(case)
            / shards(case);
    if case.layout.offload == Offload::OptimizerAndWeights {
        let width = match case.variant.base {
            Base::SixteenBit => OFFLOAD_WEIGHTS.value,
            Base::FourBit => OFFLOAD_WEIGHTS.value * FOUR_BIT_GATHER.value / 2.0,
        };
        bytes += width * parameters * case.micro_batches;
    }
    if rate > 0.0 { bytes / rate } else { f64::INFINITY }
}

fn jitter(case: &Case<'_>) -> f64 {
    let doublings = libm::log2(f64::from(case.layout.gpus().max(1)) / 8.0).max(0.0);
    JITTER.value * doublings
}
