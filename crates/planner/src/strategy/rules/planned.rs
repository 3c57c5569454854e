//! From a job, a layout or pins to a proposal.

use super::{Fact, Proposal, Tool, settle};
use crate::model::Model;
use crate::strategy::Recompute;
use crate::strategy::{Framework, Job, JobKind, Layout, Offload, Optimizer, Pins, Precision};

impl Tool {
    /// The rules of what is planned and launched; none for frameworks of measured runs only.
    pub fn of(framework: Framework) -> Option<&'static Self> {
        match framework {
            Framework::MegatronCore => Self::named("megatron-core"),
            Framework::DeepSpeed => Self::named("deepspeed-json"),
            Framework::Torchtitan => Self::named("torchtitan"),
            Framework::MegatronLegacy
            | Framework::MegatronDeepSpeed
            | Framework::FsdpEager
            | Framework::HuggingFace
            | Framework::FusedCuda => None,
        }
    }
}

impl Proposal {
    /// The quantities that hold for every layout of a job.
    pub fn of_job(model: &Model, job: &Job, gpus: u32) -> Self {
        let attention = &model.attention;
        let experts = model.experts.map_or(0, |experts| experts.experts);
        let counts = [
            (Fact::Gpus, gpus),
            (Fact::Layers, model.layers),
            (Fact::Heads, attention.heads),
            (Fact::KvHeads, attention.kv_heads),
            (Fact::Hidden, model.hidden),
            (Fact::Ffn, model.feed_forward.width),
            (Fact::Experts, experts),
            (Fact::Vocab, model.vocab),
            (Fact::LearnedPositions, model.learned_positions),
            (Fact::Sequence, job.sequence),
            (Fact::GlobalBatch, job.global_batch),
        ];
        let flags = [
            (Fact::Latent, attention.latent.is_some()),
            (Fact::Tied, model.tied),
            (Fact::Fp8, job.precision == Precision::Fp8Mixed),
            (Fact::PureBf16, job.precision == Precision::PureBf16),
            (Fact::Lora, job.kind == JobKind::Lora),
            (Fact::Adam8bit, job.optimizer == Optimizer::AdamW8bit),
            (Fact::AdamBf16, job.optimizer == Optimizer::AdamWBf16),
            (Fact::Sgd, job.optimizer == Optimizer::Sgd),
        ];
        let mut proposal = Self::new();
        proposal.state_all(&counts);
        for (fact, flag) in flags {
            proposal.state_flag(fact, flag);
        }
        proposal.set(Fact::ExpertFfn, model.experts.map(|experts| i64::from(experts.width)));
        proposal
    }

    /// The same with a whole layout stated. Layers that do not divide are split unevenly, as
    /// the launch files write it.
    #[must_use]
    pub fn with_layout(mut self, layout: &Layout) -> Self {
        let stages = i64::from(layout.pp) * i64::from(layout.vpp);
        self.state_all(&[
            (Fact::Tp, layout.tp),
            (Fact::Pp, layout.pp),
            (Fact::Cp, layout.cp),
            (Fact::Vpp, layout.vpp),
            (Fact::Dp, layout.dp),
            (Fact::Ep, layout.ep),
            (Fact::Etp, layout.etp),
            (Fact::MicroBatch, layout.micro_batch),
            (Fact::Zero, layout.zero as u32),
            (Fact::Sp, u32::from(layout.sp)),
        ]);
        self.state_offload(layout.offload, layout.activation_offload);
        self.state_flag(Fact::RecomputeModules, layout.recompute.by_module());
        let layers = self.value(Fact::Layers);
        if layers.is_some_and(|layers| layers.checked_rem(stages) != Some(0)) {
            self.set(Fact::SplitLayers, layers);
            self.set(Fact::SplitStages, Some(stages));
        }
        self
    }

    /// The same with the pinned values stated and the others left free, as far as the rules of
    /// the tool let them be.
    #[must_use]
    pub fn with_pins(mut self, pins: &Pins, tool: &Tool) -> Self {
        let over_gpus = self.divisors(Fact::Gpus);
        for fact in [Fact::Tp, Fact::Pp, Fact::Cp, Fact::Ep, Fact::Etp] {
            self.leave_free(fact, over_gpus.clone());
        }
        let layers = self.value(Fact::Layers).unwrap_or(1);
        self.leave_free(Fact::Vpp, (1..=layers).collect());
        self.leave_free(Fact::MicroBatch, self.divisors(Fact::GlobalBatch));
        self.leave_free(Fact::Zero, (0..=3).collect());
        self.leave_free(Fact::Sp, vec![1, 0]);
        let offload = pins.offload.unwrap_or(Offload::None);
        self.state_offload(offload, pins.activation_offload.unwrap_or(false));
        let by_module = pins.recompute.is_some_and(Recompute::by_module);
        self.state_flag(Fact::RecomputeModules, by_module);
        self.set(Fact::Uneven, Some(1));
        settle::narrow(tool, &mut self);
        let pinned = [
            (Fact::Tp, pins.tp),
            (Fact::Pp, pins.pp),
            (Fact::Vpp, pins.vpp),
            (Fact::Cp, pins.cp),
            (Fact::Ep, pins.ep),
            (Fact::Zero, pins.zero.map(|zero| zero as u32)),
            (Fact::MicroBatch, pins.micro_batch),
        ];
        for (fact, pin) in pinned {
            if let Some(value) = pin {
                self.free.retain(|(free, _)| *free != fact);
                self.set(fact, Some(i64::from(value)));
            }
        }
        self
    }

    fn state_all(&mut self, values: &[(Fact, u32)]) {
        for (fact, value) in values {
            self.set(*fact, Some(i64::from(*value)));
        }
    }

    fn state_flag(&mut self, fact: Fact, flag: bool) {
        self.set(fact, Some(i64::from(flag)));
    }

    fn state_offload(&mut self, offload: Offload, activations: bool) {
        self.state_flag(Fact::OffloadOptimizer, offload.optimizer());
        self.state_flag(Fact::OffloadWeights, offload.weights());
        self.state_flag(Fact::OffloadNvme, offload.nvme());
        self.state_flag(Fact::OffloadActivations, activations);
    }

    fn divisors(&self, fact: Fact) -> Vec<i64> {
        let whole = self.value(fact).unwrap_or(1).max(1);
        let low: Vec<i64> = (1..=whole)
            .take_while(|n| n.checked_mul(*n).is_some_and(|square| square <= whole))
            .filter(|n| whole % n == 0)
            .collect();
        let mut all: Vec<i64> = low.iter().map(|n| whole / n).chain(low.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
