//! What is allocated on one GPU of a stage at each instant of a step (STUDY_MEMORY.md 4).

use crate::estimate::MemoryParts;
use crate::strategy::{Framework, Recompute};
use crate::units::Bytes;

use super::activations::{LayerBytes, layer_bytes};
use super::case::{Case, Engine};
use super::constants::{
    COMMUNICATOR_GIB, CONTEXT_GIB, GIB, MEGATRON_DEEPSPEED_BUCKETS, MEGATRON_DEEPSPEED_GIB,
    MEGATRON_DEEPSPEED_STEP, RESERVED,
};
use super::loss;
use super::parameters::{Local, local};
use super::stages::{Stage, stage};
use super::states::{self, States, states};
use super::windows::{Windows, windows};

/// The moments at which the peak can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instant {
    Loss,
    Backward,
    EndOfBackward,
    Step,
    /// Megatron-DeepSpeed: the sum of all, as its device memory shows.
    Sum,
}

/// Everything known about one GPU of a stage at its worst instant; bytes unless said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    pub(super) stage: Stage,
    pub(super) local: Local,
    pub(super) states: States,
    pub(super) bytes: LayerBytes,
    pub(super) windows: Windows,
    pub(super) instant: Instant,
    /// Tensors at that instant, without `runtime`.
    pub(super) parts: Parts,
    /// Context and communicators.
    pub(super) outside: f64,
    /// Cache of the allocator beyond its tensors.
    pub(super) slack: f64,
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
        self.allocated() + self.outside - self.windows.reclaimable
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
    let stage = stage(case, index);
    let local = local(case, &stage);
    let states = states(case, &local);
    let bytes = layer_bytes(case);
    let windows = windows(case, &stage, &local);
    let mut figures = Figures {
        stage,
        local,
        states,
        bytes,
        windows,
        instant: Instant::Backward,
        parts: Parts::default(),
        outside: outside(case),
        slack: 0.0,
    };
    if case.engine == Engine::MegatronDeepSpeed && case.layout.recompute == Recompute::Full {
        figures.instant = Instant::Sum;
        figures.parts = summed(case, &figures);
        let step = MEGATRON_DEEPSPEED_STEP * local.total() / case.shards;
        let tensors = figures.parts.total() - step - MEGATRON_DEEPSPEED_BUCKETS;
        figures.slack = (RESERVED - 1.0) * tensors;
        return figures;
    }
    let mut instants = [
        (Instant::Backward, backward(case, &figures)),
        (Instant::EndOfBackward, end_of_backward(case, &figures)),
        (Instant::Step, step(&figures)),
        (Instant::Backward, Parts::default()),
    ];
    if stage.last
        && let Some(free) = instants.last_mut()
    {
        *free = (Instant::Loss, at_loss(case, &figures));
    }
    for (instant, parts) in instants {
        if parts.total() > figures.parts.total() {
            figures.instant = instant;
            figures.parts = parts;
        }
    }
    figures.slack = (RESERVED - 1.0) * figures.parts.total();
    figures
}

/// Groups of ranks that talk to each other, each with its own buffers.
pub(super) fn communicators(case: &Case<'_>) -> f64 {
    let layout = case.layout;
    [layout.tp, layout.pp, layout.cp, layout.dp, layout.ep]
        .into_iter()
        .map(|degree| if degree > 1 { 1.0 } else { 0.0 })
        .sum()
}

/// Activations stored for the backward pass, of all micro-batches in flight.
pub(super) fn stored(case: &Case<'_>, stage: &Stage, bytes: &LayerBytes) -> f64 {
    if case.variant.activation_offload {
        return 0.0;
    }
    let per_token = stage.dense_layers * bytes.dense.stored + stage.moe_layers * bytes.moe.stored;
    stage.in_flight * per_token * case.tokens
}

/// Working set per token of the most demanding layer of the stage.
pub(super) fn working_per_token(stage: &Stage, bytes: &LayerBytes) -> f64 {
    let dense = if stage.dense_layers > 0.0 { bytes.dense.working() } else { 0.0 };
    let moe = if stage.moe_layers > 0.0 { bytes.moe.working() } else { 0.0 };
    dense.max(moe)
}

fn at_loss(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let head = loss::head_gradients(case) * states::gradient_width(case) * figures.local.head;
    Parts {
        weights,
        gradients: if case.gradients_at_loss() { gradients } else { 0.0 },
        optimizer,
        activations: stored(case, &figures.stage, &figures.bytes),
        working: loss::hidden(case),
        logits: loss::logits(case),
        buffers: figures.windows.at_loss
            + figures.windows.buckets
            + figures.windows.reclaimable
            + head,
    }
}

fn backward(case: &Case<'_>, figures: &Figures) -> Parts {
    let States { weights, gradients, optimizer, .. } = figures.states;
    let resident = case.gradients_at_loss();
    // The gradient of the head is complete before the first layer's backward pass.
    let head =
        if resident || case.lora { 0.0 } else { states::gradient_width(case) * figures.local.head };
    Parts {
        weights,
        gradients: if resident { gradients } else { head },
        optimizer,
        activations: stored(case, &figures.stage, &figures.bytes),
        working: working_per_token(&figures.stage, &figures.bytes) * case.tokens
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
        activations: stored(case, &figures.stage, &figures.bytes),
        working: working_per_token(&figures.stage, &figures.bytes) * case.tokens,
        logits: if ends { loss::logits(case) } else { 0.0 },
        buffers: MEGATRON_DEEPSPEED_STEP * figures.local.total() / case.shards
            + figures.windows.buckets,
    }
}

fn outside(case: &Case<'_>) -> f64 {
    if case.layout.framework == Framework::MegatronDeepSpeed {
        MEGATRON_DEEPSPEED_GIB * GIB - MEGATRON_DEEPSPEED_BUCKETS
    } else {
        (CONTEXT_GIB + COMMUNICATOR_GIB * communicators(case)) * GIB
    }
}
