//! What is allocated on one GPU of a stage at each instant of a step (STUDY_MEMORY.md 4).

use crate::estimate::{Instant, InstantMemory, MemoryParts, StageTimeline};
use crate::strategy::{Framework, Recompute, Zero};
use crate::units::Bytes;

use super::activations::LayerBytes;
use super::case::{Case, Engine};
use super::constants::{
    COMMUNICATOR_ACROSS_GIB, COMMUNICATOR_GIB, MEGATRON_DEEPSPEED_BUCKETS,
    MEGATRON_DEEPSPEED_GROUPS, MEGATRON_DEEPSPEED_STEP,
};
use super::parameters::{Local, local};
use super::stages::{Stage, stage};
use super::states::{self, States, states};
use super::windows::{Windows, windows};

/// Everything known about one GPU of a stage at its worst instant; bytes unless said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    pub(super) stage: Stage,
    pub(super) local: Local,
    pub(super) states: States,
    pub(super) windows: Windows,
    pub(super) instant: Instant,
    /// Tensors at that instant, without `runtime`.
    pub(super) parts: Parts,
    /// Context and communicators.
    pub(super) outside: f64,
    /// Cache of the allocator beyond its tensors.
    pub(super) slack: f64,
    /// The part of it in freed blocks that are too small for what comes next.
    pub(super) stranded: f64,
}

/// The tensors of an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub(super) weights: f64,
    pub(super) gradients: f64,
    pub(super) optimizer: f64,
    pub(super) activations: f64,
    pub(super) working: f64,
    pub(super) logits: f64,
    pub(super) buffers: f64,
}

impl Parts {
    pub(super) fn total(&self) -> f64 {
        self.weights
            + self.gradients
            + self.optimizer
            + self.activations
            + self.working
            + self.logits
            + self.buffers
    }
}

impl Figures {
    /// What the allocator holds at the peak.
    pub(super) fn allocated(&self) -> f64 {
        self.parts.total()
    }

    /// What the device reports.
    pub(super) fn device(&self) -> f64 {
        self.allocated() + self.slack + self.outside
    }

    /// The hard lower bound: without cache and without what can be given back.
    pub(super) fn needed(&self) -> f64 {
        self.allocated() + self.outside - self.reclaimable()
    }

    /// At one instant, with what the allocator keeps beside its tensors.
    fn at(self, case: &Case<'_>, instant: Instant, parts: Parts) -> Self {
        let (rounding, stranded) = cache(case, &self, instant, &parts);
        Self { instant, parts, slack: rounding + stranded, stranded, ..self }
    }

    /// What the allocator took from the driver.
    pub(super) fn reserved(&self) -> f64 {
        self.parts.total() + self.slack
    }

    /// The part of the tensors that the framework gives back under pressure.
    pub(super) fn reclaimable(&self) -> f64 {
        match self.instant {
            Instant::FirstForward | Instant::Forward | Instant::Loss | Instant::Backward => {
                self.windows.reclaimable
            }
            _ => 0.0,
        }
    }

    pub(super) fn memory(&self) -> InstantMemory {
        InstantMemory {
            instant: self.instant,
            parts: self.memory_parts(),
            device: Bytes::new(self.device()),
            allocated: Bytes::new(self.needed()),
            reclaimable: Bytes::new(self.reclaimable()),
        }
    }

    pub(super) fn memory_parts(&self) -> MemoryParts {
        MemoryParts {
            weights: Bytes::new(self.parts.weights),
            gradients: Bytes::new(self.parts.gradients),
            optimizer: Bytes::new(self.parts.optimizer),
            activations: Bytes::new(self.parts.activations),
            working: Bytes::new(self.parts.working),
            logits: Bytes::new(self.parts.logits),
            buffers: Bytes::new(self.parts.buffers),
            runtime: Bytes::new(self.slack + self.outside),
        }
    }
}

/// The worst instant of stage `index`.
pub(super) fn figures(case: &Case<'_>, index: u32) -> Figures {
    let figures = resident(case, index);
    let mut worst = (figures.instant, figures.parts);
    let mut most = f64::NEG_INFINITY;
    let over_step = [Instant::OverStep];
    let judged: &[Instant] = if sums_up(case) { &over_step } else { &JUDGED };
    for instant in judged.iter().copied().filter(|instant| stands_out(case, &figures, *instant)) {
        if let Some(parts) = parts_at(case, &figures, instant) {
            let (rounding, stranded) = cache(case, &figures, instant, &parts);
            let reserved = parts.total() + rounding + stranded;
            if reserved > most {
                worst = (instant, parts);
                most = reserved;
            }
        }
    }
    figures.at(case, worst.0, worst.1)
}

/// Stage `index` at one instant; none where it does not have that instant.
pub(super) fn figures_at(case: &Case<'_>, index: u32, instant: Instant) -> Option<Figures> {
    let figures = resident(case, index);
    let parts = parts_at(case, &figures, instant)?;
    Some(figures.at(case, instant, parts))
}

/// Every instant of stage `index`, in order.
pub(super) fn timeline(case: &Case<'_>, index: u32) -> StageTimeline {
    let figures = Instant::ALL.iter().filter_map(|instant| figures_at(case, index, *instant));
    let instants = figures.map(|figures| figures.memory()).collect();
    let stage = stage(case, index);
    StageTimeline { stage: index, layers: stage.count, in_flight: stage.in_flight, instants }
}

/// What does not depend on the instant.
fn resident(case: &Case<'_>, index: u32) -> Figures {
    let stage = stage(case, index);
    let local = local(case, &stage);
    Figures {
        stage,
        local,
        states: states(case, &local),
        windows: windows(case, &stage, &local),
        instant: Instant::Backward,
        parts: Parts::default(),
        outside: case.shared.outside,
        slack: 0.0,
        stranded: 0.0,
    }
}

/// The instants that can hold the peak: the others lie below one of them by construction.
const JUDGED: [Instant; 6] = [
    Instant::Backward,
    Instant::EndOfBackward,
    Instant::Loss,
    Instant::Step,
    Instant::Load,
    Instant::Save,
];

/// Whether an instant has something that no other judged one has.
fn stands_out(case: &Case<'_>, figures: &Figures, instant: Instant) -> bool {
    match instant {
        Instant::Step => figures.states.step > 0.0,
        Instant::Load => figures.windows.start_up > 0.0 || case.variant.loads_whole,
        Instant::Save => figures.windows.at_save > 0.0,
        _ => true,
    }
}

/// Device memory that shows the sum over a step.
fn sums_up(case: &Case<'_>) -> bool {
    case.engine == Engine::MegatronDeepSpeed && case.layout.recompute == Recompute::Full
}

fn parts_at(case: &Case<'_>, figures: &Figures, instant: Instant) -> Option<Parts> {
    let last = figures.stage.last;
    Some(match instant {
        Instant::Load => load(case, figures),
        Instant::FirstForward => first_forward(case, figures),
        Instant::Forward => forward(case, figures),
        Instant::Loss if last => at_loss(case, figures),
        Instant::Loss => return None,
        Instant::Backward => backward(case, figures),
        Instant::EndOfBackward => end_of_backward(case, figures),
        Instant::Step => step(figures),
        Instant::Save => save(figures),
        Instant::OverStep if sums_up(case) => summed(case, figures),
        Instant::OverStep => return None,
    })
}

/// What the allocator keeps beside its tensors: rounding, and stranded blocks.
fn cache(case: &Case<'_>, figures: &Figures, instant: Instant, parts: &Parts) -> (f64, f64) {
    let mut tensors = parts.total();
    let stranded = match instant {
        // The first gathered layers do not fit into what the start leaves.
        Instant::Load if figures.windows.start_up > 0.0 => figures.windows.at_loss,
        Instant::Loss => case.shared.stranded,
        Instant::FirstForward if figures.stage.last => case.shared.stranded,
        Instant::Step => beside_step(case, figures),
        Instant::OverStep => {
            let step = MEGATRON_DEEPSPEED_STEP * figures.local.total() / case.shards;
            tensors -= step + MEGATRON_DEEPSPEED_BUCKETS;
            0.0
        }
        _ => 0.0,
    };
    (case.shared.rounding * tensors, stranded)
}

/// `DeepSpeed` flattens the gradients of a shard for the step: blocks that the loss left are too
/// small for that, up to the size of the flat copies.
fn beside_step(case: &Case<'_>, figures: &Figures) -> f64 {
    let flat = case.engine == Engine::DeepSpeed && case.layout.zero != Zero::Weights;
    if !flat || case.variant.expandable_segments {
        return 0.0;
    }
    let logits = if figures.stage.last { case.shared.logits } else { 0.0 };
    let left = stored(case, &figures.stage) + logits;
    left.min(figures.states.step)
}

/// Groups of ranks that talk to each other, each with its own buffers: those within a node and
/// those across nodes. TP, CP and EP are placed first, then DP, then PP.
pub(super) fn communicators(case: &Case<'_>) -> (f64, f64) {
    if case.layout.framework == Framework::MegatronDeepSpeed {
        return (0.0, MEGATRON_DEEPSPEED_GROUPS);
    }
    let layout = case.layout;
    let node = case.setting.cluster.gpus_per_node.max(1);
    let inner = layout.tp.saturating_mul(layout.cp);
    let replicas = inner.saturating_mul(layout.dp);
    let experts = layout.ep.saturating_mul(layout.etp);
    let spans = [
        (layout.tp, layout.tp),
        (layout.cp, inner),
        (layout.ep, experts),
        (layout.dp, replicas),
        (layout.pp, replicas.saturating_mul(layout.pp)),
    ];
    let mut groups = (0.0, 0.0);
    for (degree, span) in spans {
        match (degree > 1, span > node) {
            (false, _) => {}
            (true, false) => groups.0 += 1.0,
            (true, true) => groups.1 += 1.0,
        }
    }
    groups
}

/// Activations stored for the backward pass, of all micro-batches in flight.
pub(super) fn stored(case: &Case<'_>, stage: &Stage) -> f64 {
    if case.variant.activation_offload {
        return 0.0;
    }
    let bytes = &case.shared.bytes;
    let per_token = stage.dense_layers * bytes.dense.stored + stage.moe_layers * bytes.moe.stored;
    stage.in_flight * (per_token + sent(case, stage)) * case.tokens
}

/// Output of a stage that `DeepSpeed`'s pipeline keeps until its gradient arrives
/// (`pipe_buffers` of `pipe/engine.py`, read).
fn sent(case: &Case<'_>, stage: &Stage) -> f64 {
    let keeps = case.engine == Engine::MegatronDeepSpeed && !stage.last;
    if keeps { 2.0 * case.h / if case.layout.sp { case.t } else { 1.0 } } else { 0.0 }
}

/// Working set per token of the most demanding layer of the stage.
pub(super) fn working_per_token(stage: &Stage, bytes: &LayerBytes) -> f64 {
    let dense = if stage.dense_layers > 0.0 { bytes.dense.working() } else { 0.0 };
    let moe = if stage.moe_layers > 0.0 { bytes.moe.working() } else { 0.0 };
    dense.max(moe)
}

/// Before the first step: weights, and what the framework allocates with them.
fn load(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let early = case.shared.early;
    Parts {
        weights: weights.max(states::loaded(case, &figures.local)),
        gradients: early.gradients * gradients,
        optimizer: early.optimizer * optimizer,
        buffers: figures.windows.dequantized + figures.windows.start_up,
        ..Parts::default()
    }
}

/// The end of the first forward pass, of the loss on the last stage.
fn first_forward(case: &Case<'_>, figures: &Figures) -> Parts {
    let early = case.shared.early;
    let steady = if figures.stage.last { at_loss(case, figures) } else { forward(case, figures) };
    Parts {
        gradients: early.gradients * figures.states.gradients,
        optimizer: early.optimizer * figures.states.optimizer,
        ..steady
    }
}

/// A layer in its forward pass after all others have stored their activations.
fn forward(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let windows = &figures.windows;
    Parts {
        weights,
        gradients: if case.shared.gradients_at_loss { gradients } else { 0.0 },
        optimizer,
        activations: stored(case, &figures.stage),
        working: recomputed_per_token(&figures.stage, &case.shared.bytes) * case.tokens
            + windows.dequantized,
        logits: 0.0,
        buffers: windows.at_loss + windows.buckets + windows.reclaimable,
    }
}

/// Sharded weights are gathered matrix by matrix where a whole checkpoint is written.
fn save(figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    Parts {
        weights,
        gradients,
        optimizer,
        buffers: figures.windows.buckets + figures.windows.at_save,
        ..Parts::default()
    }
}

/// The same of its forward pass.
pub(super) fn recomputed_per_token(stage: &Stage, bytes: &LayerBytes) -> f64 {
    let dense = if stage.dense_layers > 0.0 { bytes.dense.recomputed } else { 0.0 };
    let moe = if stage.moe_layers > 0.0 { bytes.moe.recomputed } else { 0.0 };
    dense.max(moe)
}

fn at_loss(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let head = case.shared.head_at_loss * figures.local.head;
    Parts {
        weights,
        gradients: if case.shared.gradients_at_loss { gradients } else { 0.0 },
        optimizer,
        activations: stored(case, &figures.stage),
        working: case.shared.hidden,
        logits: case.shared.logits,
        buffers: figures.windows.at_loss
            + figures.windows.buckets
            + figures.windows.reclaimable
            + head,
    }
}

fn backward(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let resident = case.shared.gradients_at_loss;
    // The gradient of the head is complete before the first layer's backward pass.
    let head = case.shared.head_in_backward * figures.local.head;
    Parts {
        weights,
        gradients: if resident { gradients } else { head },
        optimizer,
        activations: stored(case, &figures.stage),
        working: working_per_token(&figures.stage, &case.shared.bytes) * case.tokens
            + figures.windows.dequantized,
        logits: 0.0,
        buffers: figures.windows.in_backward
            + figures.windows.layer_gradients
            + figures.windows.buckets
            + figures.windows.reclaimable,
    }
}

fn end_of_backward(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let torch = matches!(case.engine, Engine::Fsdp2 | Engine::Fsdp1 | Engine::Ddp);
    let tied = case.model().counts.head == 0 && figures.stage.first && figures.stage.last;
    // The gradients of input and output meet in one matrix.
    let second = if torch && tied && !case.lora {
        states::gradient_width(case) * figures.local.head
    } else {
        0.0
    };
    Parts {
        weights,
        gradients,
        optimizer,
        activations: 0.0,
        working: 2.0 * case.h * case.tokens,
        logits: 0.0,
        buffers: figures.windows.buckets + second,
    }
}

fn step(figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, step, .. } = figures.states;
    Parts {
        weights,
        gradients,
        optimizer,
        buffers: figures.windows.buckets + step,
        ..Parts::default()
    }
}

/// Megatron-DeepSpeed: freed blocks are too fragmented to host the flat tensors of the step,
/// so the parts of all instants add up. The stages with the embedding and with the head show
/// the working set of the loss.
fn summed(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let ends = figures.stage.first || figures.stage.last;
    Parts {
        weights,
        gradients,
        optimizer,
        activations: stored(case, &figures.stage),
        working: working_per_token(&figures.stage, &case.shared.bytes) * case.tokens,
        logits: if ends { case.shared.logits } else { 0.0 },
        buffers: MEGATRON_DEEPSPEED_STEP * figures.local.total() / case.shards
            + figures.windows.buckets,
    }
}

/// GiB of all communicators.
pub(super) fn communicator_gib(case: &Case<'_>) -> f64 {
    let (within, across) = communicators(case);
    within * COMMUNICATOR_GIB + across * COMMUNICATOR_ACROSS_GIB
}
