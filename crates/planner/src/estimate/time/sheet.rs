//! All numbers of one step, from which its parts, its report and its explanation are read
//! (STUDY_TIME.md 2.8, 2.10 and 2.12).

use crate::strategy::{Optimizer, Precision, Recompute};
use crate::units::Seconds;

use super::super::StepParts;
use super::case::Case;
use super::constants::{
    ACTIVATION_CUT, ACTIVATION_WHOLE, BUBBLE, BYTES_ACCUMULATE, BYTES_OPTIMIZER, BYTES_STEP,
    JITTER, NVME_NODE, NVME_OPTIMIZER, NVME_READS, OFFLOAD_OPTIMIZER, OFFLOAD_PCIE,
    OFFLOAD_WEIGHTS, OPTIMIZER_PLAIN, OPTIMIZER_SMALL, STAGE_SKEW, STAGE_UNEVEN, STEP_CONSTANT,
};
use super::exchange::{Exchange, pipeline};
use super::kernels::Kernels;
use super::layer::{Body, Head};
use super::reduce::{base_width, data, shards};

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
            offload: offload(case, parameters) + activations(case, stage),
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
    match (job.optimizer, job.precision) {
        (Optimizer::Sgd, _) => OPTIMIZER_PLAIN.value,
        (Optimizer::AdamW8bit | Optimizer::AdamWBf16, _) | (_, Precision::PureBf16) => {
            OPTIMIZER_SMALL.value
        }
        (Optimizer::AdamW, Precision::Bf16Mixed | Precision::Fp8Mixed) => 1.0,
    }
}

fn offload(case: &Case<'_>, parameters: f64) -> f64 {
    if !case.offloads() {
        return 0.0;
    }
    let states = parameters * case.trained_share() * small_states(case) / shards(case);
    let weights = base_width(case.setting.job.base()) * parameters;
    let offload = case.layout.offload;
    let (mut over_pcie, mut over_drives) = (0.0, 0.0);
    if offload.optimizer() {
        over_pcie += OFFLOAD_OPTIMIZER.value * states;
    }
    if offload.weights() {
        over_pcie += OFFLOAD_WEIGHTS.value / 2.0 * weights * case.micro_batches;
    }
    if offload.nvme() {
        over_drives += NVME_OPTIMIZER.value * states;
    }
    if offload.nvme() && offload.weights() {
        over_drives += NVME_READS.value * weights / shards(case) * case.micro_batches;
    }
    over(over_pcie, OFFLOAD_PCIE.value * case.device.pcie) + over(over_drives, drives(case))
}

/// Seconds of an amount at a rate.
fn over(bytes: f64, rate: f64) -> f64 {
    match (bytes > 0.0, rate > 0.0) {
        (false, _) => 0.0,
        (true, true) => bytes / rate,
        (true, false) => f64::INFINITY,
    }
}

/// Stored activations of all micro-batches, out and back: the inputs of layers where those are
/// all that is kept, else all of a layer (arXiv 2205.05198, table 2, without attention scores).
/// Copies run beside the micro-batches (torchtune `OffloadActivations`, whose streams TRL took
/// over); what takes longer than those is seen.
fn activations(case: &Case<'_>, stage: f64) -> f64 {
    if !case.layout.activation_offload {
        return 0.0;
    }
    let (whole, cut) = match case.layout.recompute {
        Recompute::Full => (2.0, 0.0),
        _ => (ACTIVATION_WHOLE.value, ACTIVATION_CUT.value),
    };
    let split = if case.layout.sp { case.tp } else { 1.0 };
    let each = case.shape.hidden * (whole / split + cut / case.tp);
    let bytes = 2.0 * each * case.shape.layers / case.pp * case.tokens;
    let beyond = over(bytes, OFFLOAD_PCIE.value * case.device.pcie) - stage;
    beyond.max(0.0) * case.micro_batches
}

/// Bytes per second between one GPU and the drives that its node shares.
pub(super) fn drives(case: &Case<'_>) -> f64 {
    let sharing = case.layout.gpus().min(case.setting.cluster.gpus_per_node).max(1);
    NVME_NODE.value / f64::from(sharing)
}

fn jitter(case: &Case<'_>) -> f64 {
    let doublings = libm::log2(f64::from(case.layout.gpus().max(1)) / 8.0).max(0.0);
    JITTER.value * doublings
}
