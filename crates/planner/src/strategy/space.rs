//! The whole legal space of layouts under the rules of each framework.
//!
//! The rules stand in `data/rules.toml`. This walk builds legal layouts instead of testing all;
//! `space/tests.rs` holds it against the table over whole grids.

use super::{Framework, Gate, GateCounts, Job, JobKind, Layout, Offload, Optimizer, Pins};
use super::{Precision, Recompute, Schedule, Zero};
use crate::model::Model;

#[cfg(test)]
mod tests;

/// What the layouts are enumerated for.
#[derive(Clone, Debug)]
pub struct Space<'a> {
    model: &'a Model,
    job: &'a Job,
    pins: &'a Pins,
    gpus: u32,
    /// Divisors of the global batch, ascending.
    batch_divisors: Vec<u32>,
}

/// Frameworks that the search chooses from.
pub const SEARCHED: [Framework; 3] =
    [Framework::MegatronCore, Framework::DeepSpeed, Framework::Torchtitan];

/// Fp8 matmuls take widths in multiples of 16 and tokens in multiples of 8 (Transformer Engine).
const FP8_WIDTH: u32 = 16;
const FP8_TOKENS: u32 = 8;

impl<'a> Space<'a> {
    /// Every layout uses all `gpus` of the cluster.
    pub fn new(model: &'a Model, job: &'a Job, pins: &'a Pins, gpus: u32) -> Self {
        let batch_divisors = divisors(job.global_batch).collect();
        Self { model, job, pins, gpus, batch_divisors }
    }

    /// Every legal layout with micro-batch 1, and the choices that were cut.
    /// The micro-batches of each are given by [`Space::micro_batches`].
    pub fn families(&self) -> (Vec<Layout>, GateCounts) {
        let mut families = Vec::new();
        let mut cut = GateCounts::default();
        for framework in SEARCHED {
            if self.pins.framework.is_some_and(|pinned| pinned != framework) {
                continue;
            }
            let kept = self.pins.activation_offload != Some(true) || offloads(framework);
            if kept && runs_job(framework, self.model, self.job) {
                self.walk_framework(framework, &mut families, &mut cut);
            } else {
                cut.add(Gate::FrameworkJob, 1);
            }
        }
        (families, cut)
    }

    /// Legal micro-batches of a family, ascending.
    pub fn micro_batches(&self, family: &Layout) -> impl Iterator<Item = u32> + '_ {
        let per_replica = self.job.global_batch.checked_div(family.dp).unwrap_or(0);
        let Layout { pp, vpp, .. } = *family;
        let least = if fills_stages(family.framework) { pp } else { 1 };
        self.batch_divisors
            .iter()
            .copied()
            .take_while(move |micro_batch| *micro_batch <= per_replica)
            .filter(move |micro_batch| {
                per_replica.is_multiple_of(*micro_batch)
                    && self.pins.micro_batch.is_none_or(|pinned| pinned == *micro_batch)
                    && (vpp == 1 || (per_replica / micro_batch).is_multiple_of(pp))
                    && per_replica / micro_batch >= least
            })
    }

    fn walk_framework(
        &self,
        framework: Framework,
        families: &mut Vec<Layout>,
        cut: &mut GateCounts,
    ) {
        let limits = Limits::of(framework, self.model);
        for tp in choices(self.gpus, self.pins.tp, limits.tp) {
            if let Err(gate) = self.tensor_parallel(framework, tp) {
                cut.add(gate, 1);
                continue;
            }
            for cp in choices(self.gpus / tp, self.pins.cp, limits.cp) {
                let sp = match self.sequence_parallel(framework, tp, cp) {
                    Ok(sp) => sp,
                    Err(gate) => {
                        cut.add(gate, 1);
                        continue;
                    }
                };
                for pp in choices(self.gpus / (tp * cp), self.pins.pp, limits.pp) {
                    let dp = self.gpus / (tp * cp * pp);
                    match self.pipeline(framework, pp, dp) {
                        Err(gate) => cut.add(gate, 1),
                        Ok(()) => {
                            let ranks = Ranks { framework, tp, cp, pp, dp, sp };
                            self.walk_experts(ranks, families, cut);
                        }
                    }
                }
            }
        }
    }

    fn tensor_parallel(&self, framework: Framework, tp: u32) -> Result<(), Gate> {
        let attention = &self.model.attention;
        let width = self.model.feed_forward.width;
        if !attention.heads.is_multiple_of(tp) {
            return Err(Gate::TpDividesHeads);
        }
        let kv_ok = attention.kv_heads.is_multiple_of(tp)
            || (framework == Framework::MegatronCore && tp.is_multiple_of(attention.kv_heads));
        if !kv_ok {
            return Err(Gate::TpDividesKvHeads);
        }
        if !width.is_multiple_of(tp) {
            return Err(Gate::TpDividesFeedForward);
        }
        let whole = FP8_WIDTH * tp;
        let aligned = self.model.hidden.is_multiple_of(whole) && width.is_multiple_of(whole);
        if self.fp8_in(framework) && !aligned {
            return Err(Gate::Fp8Alignment);
        }
        Ok(())
    }

    /// Whether sequence parallelism goes with these: it is on wherever it can be.
    fn sequence_parallel(&self, framework: Framework, tp: u32, cp: u32) -> Result<bool, Gate> {
        let sequence = self.job.sequence;
        let whole = match framework {
            Framework::Torchtitan if tp * cp > 1 => 2 * tp * cp,
            _ if cp > 1 => 2 * cp,
            _ => 1,
        };
        let sp = tp > 1 && sequence.is_multiple_of(cp * tp);
        if !sequence.is_multiple_of(whole) || tp > 1 && !sp && self.model.experts.is_some() {
            return Err(Gate::SequenceDivides);
        }
        let tokens = FP8_TOKENS * cp * if sp { tp } else { 1 };
        if self.fp8_in(framework) && !sequence.is_multiple_of(tokens) {
            return Err(Gate::Fp8Alignment);
        }
        Ok(sp)
    }

    fn pipeline(&self, framework: Framework, pp: u32, dp: u32) -> Result<(), Gate> {
        if pp > self.model.layers {
            Err(Gate::StagesNeedLayers)
        } else if pp > 1 && self.model.tied && framework == Framework::Torchtitan {
            Err(Gate::TiedPipeline)
        } else if !self.job.global_batch.is_multiple_of(dp) {
            Err(Gate::BatchDivides)
        } else {
            Ok(())
        }
    }

    /// Transformer Engine refuses fp8 matmuls of unaligned widths; torchtitan leaves them in bf16.
    fn fp8_in(&self, framework: Framework) -> bool {
        framework == Framework::MegatronCore && self.job.precision == Precision::Fp8Mixed
    }

    fn walk_experts(&self, ranks: Ranks, families: &mut Vec<Layout>, cut: &mut GateCounts) {
        let Some(experts) = &self.model.experts else {
            if self.pins.ep.is_none_or(|ep| ep == 1) {
                self.walk_states(ranks, Experts { ep: 1, etp: ranks.tp }, families, cut);
            } else {
                cut.add(Gate::EpDividesExperts, 1);
            }
            return;
        };
        let most = if ranks.framework == Framework::DeepSpeed { 1 } else { u32::MAX };
        let pool = ranks.dp * ranks.cp * ranks.tp;
        for ep in choices(pool, self.pins.ep, most) {
            if !experts.experts.is_multiple_of(ep) {
                cut.add(Gate::EpDividesExperts, 1);
                continue;
            }
            for etp in [1, ranks.tp] {
                if etp == 1 && ranks.tp > 1 && ranks.framework == Framework::Torchtitan {
                    continue;
                }
                if !pool.is_multiple_of(ep * etp) || !experts.width.is_multiple_of(etp) {
                    cut.add(Gate::EpDividesRanks, 1);
                } else if self.fp8_in(ranks.framework)
                    && !experts.width.is_multiple_of(FP8_WIDTH * etp)
                {
                    cut.add(Gate::Fp8Alignment, 1);
                } else {
                    self.walk_states(ranks, Experts { ep, etp }, families, cut);
                }
                if ranks.tp == 1 {
                    break;
                }
            }
        }
    }

    fn walk_states(
        &self,
        ranks: Ranks,
        experts: Experts,
        families: &mut Vec<Layout>,
        cut: &mut GateCounts,
    ) {
        let shards = ranks.dp * ranks.cp;
        for &(zero, offload) in states(ranks.framework) {
            let pointless = shards == 1
                && zero != Zero::None
                && self.job.optimizer != Optimizer::AdamWBf16
                && self.pins.zero != Some(zero)
                && ranks.framework != Framework::DeepSpeed;
            if pointless
                || !keeps(ranks.framework, self.job.optimizer, zero)
                || self.pins.zero.is_some_and(|pinned| pinned != zero)
                || self.pins.offload.map_or(offload.nvme(), |pinned| pinned != offload)
            {
                continue;
            }
            for &recompute in recomputes(ranks.framework) {
                if self.pins.recompute.map_or(recompute.by_module(), |pinned| pinned != recompute) {
                    continue;
                }
                for vpp in self.virtual_stages(ranks) {
                    let activation_offload = self.pins.activation_offload.unwrap_or(false);
                    let layout = ranks.layout(experts, zero, offload, recompute, vpp);
                    let layout = Layout { activation_offload, ..layout };
                    if self.micro_batches(&layout).next().is_some() {
                        families.push(layout);
                    } else if vpp > 1 {
                        cut.add(Gate::InterleavingRounds, 1);
                    } else if ranks.pp > 1 && fills_stages(ranks.framework) {
                        cut.add(Gate::MicroBatchesFillStages, 1);
                    } else {
                        cut.add(Gate::BatchDivides, 1);
                    }
                }
            }
        }
    }

    /// 1, and for a pipeline every count that cuts the layers evenly, or 2 and 4 when no even
    /// cut exists (a stage layout with unequal chunks says that).
    fn virtual_stages(&self, ranks: Ranks) -> impl Iterator<Item = u32> + use<> {
        let layers = self.model.layers;
        let pinned = self.pins.vpp;
        let pp = ranks.pp;
        let most = if pp > 1 { layers / pp } else { 1 };
        let even = layers.is_multiple_of(pp);
        (1..=most.max(1)).filter(move |vpp| {
            let natural = *vpp == 1
                || (even && layers.is_multiple_of(pp * vpp))
                || (!even && matches!(vpp, 2 | 4));
            pinned.map_or(natural, |pinned| pinned == *vpp)
        })
    }
}

/// The part of a layout that says which ranks exist.
#[derive(Clone, Copy)]
struct Ranks {
    framework: Framework,
    tp: u32,
    cp: u32,
    pp: u32,
    dp: u32,
    sp: bool,
}

#[derive(Clone, Copy)]
struct Experts {
    ep: u32,
    etp: u32,
}

impl Ranks {
    const fn layout(
        self,
        experts: Experts,
        zero: Zero,
        offload: Offload,
        recompute: Recompute,
        vpp: u32,
    ) -> Layout {
        let schedule = match (self.pp, vpp) {
            (1, _) => Schedule::Single,
            (_, 1) => Schedule::OneFOneB,
            _ => Schedule::Interleaved,
        };
        Layout {
            framework: self.framework,
            tp: self.tp,
            pp: self.pp,
            vpp,
            cp: self.cp,
            dp: self.dp,
            ep: experts.ep,
            etp: experts.etp,
            zero,
            sp: self.sp,
            micro_batch: 1,
            recompute,
            schedule,
            offload,
            activation_offload: false,
        }
    }
}

/// How far each axis may go in a framework.
struct Limits {
    tp: u32,
    cp: u32,
    pp: u32,
}

impl Limits {
    const fn of(framework: Framework, model: &Model) -> Self {
        match framework {
            Framework::DeepSpeed => Self { tp: 1, cp: 1, pp: 1 },
            _ => Self { tp: model.attention.heads, cp: u32::MAX, pp: u32::MAX },
        }
    }
}

/// Whether the schedules need as many micro-batches as stages.
const fn fills_stages(framework: Framework) -> bool {
    matches!(framework, Framework::Torchtitan)
}

fn runs_job(framework: Framework, model: &Model, job: &Job) -> bool {
    let adapters = job.kind == JobKind::Lora;
    match framework {
        // Adapters, 8-bit moments and SGD come with the Hugging Face stack around DeepSpeed.
        Framework::DeepSpeed => {
            job.precision != Precision::Fp8Mixed && job.optimizer != Optimizer::AdamWBf16
        }
        Framework::MegatronCore => {
            !adapters
                && job.optimizer != Optimizer::AdamW8bit
                && job.precision != Precision::PureBf16
        }
        // torchtitan rotates positions; it has no learned position table.
        Framework::Torchtitan => {
            !adapters && job.optimizer == Optimizer::AdamW && model.learned_positions == 0
        }
        _ => false,
    }
}

/// Whether stored activations can wait in host memory: TRL around DeepSpeed moves all of them.
const fn offloads(framework: Framework) -> bool {
    matches!(framework, Framework::DeepSpeed)
}

/// Sharding and offload that a framework offers, least sharded first.
const fn states(framework: Framework) -> &'static [(Zero, Offload)] {
    match framework {
        Framework::MegatronCore => &[
            (Zero::None, Offload::None),
            (Zero::Optimizer, Offload::None),
            (Zero::Optimizer, Offload::Optimizer),
        ],
        Framework::Torchtitan => &[(Zero::None, Offload::None), (Zero::Weights, Offload::None)],
        _ => &[
            (Zero::None, Offload::None),
            (Zero::Optimizer, Offload::None),
            (Zero::Gradients, Offload::None),
            (Zero::Gradients, Offload::Optimizer),
            (Zero::Weights, Offload::None),
            (Zero::Weights, Offload::Optimizer),
            (Zero::Weights, Offload::OptimizerAndWeights),
            // ZeRO-Infinity is a part of stage 3 (`offload_config.py` and `stage3.py`).
            (Zero::Weights, Offload::OptimizerNvme),
            (Zero::Weights, Offload::OptimizerAndWeightsNvme),
        ],
    }
}

/// Whether a sharding of a framework keeps the states of this optimizer: Megatron-Core has 16-bit
/// moments in its distributed optimizer only, and that takes Adam only (`distrib_optimizer.py`).
const fn keeps(framework: Framework, optimizer: Optimizer, zero: Zero) -> bool {
    match (framework, optimizer) {
        (Framework::MegatronCore, Optimizer::AdamWBf16) => !matches!(zero, Zero::None),
        (Framework::MegatronCore, Optimizer::Sgd) => matches!(zero, Zero::None),
        _ => true,
    }
}

const fn recomputes(framework: Framework) -> &'static [Recompute] {
    match framework {
        Framework::Torchtitan => &[Recompute::None, Recompute::Selective, Recompute::Full],
        Framework::MegatronCore => &[
            Recompute::None,
            Recompute::Norms,
            Recompute::FeedForward,
            Recompute::NormsAndFeedForward,
            Recompute::Full,
        ],
        // Selective recomputation saves nothing beside flash attention (case A28).
        _ => &[Recompute::None, Recompute::Full],
    }
}

/// Divisors of `of` up to `most`, or the pinned value when it divides.
fn choices(of: u32, pinned: Option<u32>, most: u32) -> impl Iterator<Item = u32> {
    divisors(of)
        .take_while(move |n| *n <= most)
        .filter(move |n| pinned.is_none_or(|pinned| pinned == *n))
}

fn divisors(of: u32) -> impl Iterator<Item = u32> {
    (1..=of).filter(move |n| of.is_multiple_of(*n))
}
