//! What is allocated on one GPU of a stage at each instant of a step (STUDY_MEMORY.md 4).

use crate::estimate::{Instant, StageTimeline};
use crate::strategy::Recompute;

use super::activations::LayerBytes;
use super::case::{Case, Engine};
use super::constants::MEGATRON_DEEPSPEED_STEP;
use super::figures::{Figures, Parts, cache};
use super::parameters::local;
use super::stages::{Stage, stage};
use super::states::{self, States, states};
use super::windows::windows;

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

/// Activations stored for the backward pass, of all micro-batches in flight.
pub(super) fn stored(case: &Case<'_>, stage: &Stage) -> f64 {
    if case.layout.activation_offload {
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
