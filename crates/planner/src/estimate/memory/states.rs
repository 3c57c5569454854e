//! Bytes per local parameter of weights, gradients and optimizer (STUDY_MEMORY.md 3.1).

use crate::strategy::{BaseFormat, Job, Optimizer, Precision, Zero};

use super::case::{Case, Engine};
use super::constants::ZERO3_SUB_GROUP;
use super::parameters::Local;
use super::shared::Shared;
use super::variant::{Moments, base_bytes};

/// Bytes per parameter of this GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rates {
    pub(super) weights: f64,
    pub(super) gradients: f64,
    pub(super) optimizer: f64,
    /// Alive only during the optimizer step.
    pub(super) step: f64,
}

/// Bytes of one GPU that stay from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct States {
    pub(super) trained: Rates,
    pub(super) trained_experts: Rates,
    /// Bytes per parameter of a frozen base, sharding included.
    pub(super) frozen: f64,
    pub(super) weights: f64,
    pub(super) gradients: f64,
    pub(super) optimizer: f64,
    pub(super) step: f64,
}

/// States of a GPU that holds `local`.
pub(super) fn states(case: &Case<'_>, local: &Local) -> States {
    let Shared { trained, trained_experts, .. } = case.shared;
    let (dense, experts) = if case.lora {
        (local.adapters, local.expert_adapters)
    } else {
        (local.dense(), local.experts)
    };
    let sum = |of: fn(&Rates) -> f64| dense * of(&trained) + experts * of(&trained_experts);
    let frozen_bytes = if case.lora { frozen(case, local) } else { 0.0 };
    let step = if case.engine == Engine::DeepSpeed && case.layout.zero == Zero::Weights {
        4.0 * (dense / case.shards + experts / case.expert_shards).min(ZERO3_SUB_GROUP)
    } else {
        sum(|rates| rates.step)
    };
    let on_gpu = |bytes: f64, offloaded: bool| if offloaded { 0.0 } else { bytes };
    let optimizer_away = case.layout.offload.optimizer();
    let weights_away = case.layout.offload.weights();
    let gradients_away = case.variant.optimizer_in_backward
        || weights_away
        || (optimizer_away && case.engine == Engine::DeepSpeed);
    States {
        trained,
        trained_experts,
        frozen: frozen_bytes / local.total().max(1.0),
        weights: on_gpu(sum(|rates| rates.weights) + frozen_bytes, weights_away),
        gradients: on_gpu(sum(|rates| rates.gradients), gradients_away),
        optimizer: on_gpu(sum(|rates| rates.optimizer), optimizer_away),
        step: on_gpu(step, optimizer_away || case.variant.optimizer_in_backward),
    }
}

/// Shares of gradients and optimizer states that exist before the first step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Early {
    pub(super) gradients: f64,
    pub(super) optimizer: f64,
}

/// Megatron allocates gradient buffers and the fp32 copy with the model, its fused optimizer the
/// moments at the first step (`distributed_data_parallel.py`, `distrib_optimizer.py`). `DeepSpeed`
/// runs an empty step to allocate everything (`initialize_optimizer_states` in
/// `stage_1_and_2.py` and `stage3.py`), gradients in the first backward pass except under ZeRO 3.
/// Torch optimizers allocate moments at the first step.
pub(super) fn early(case: &Case<'_>) -> Early {
    match case.engine {
        Engine::Megatron | Engine::MegatronDeepSpeed | Engine::FusedCuda => {
            let (_, _, optimizer, _) = whole(case);
            let copy = if case.pure { 0.0 } else { 4.0 / optimizer };
            Early { gradients: 1.0, optimizer: copy }
        }
        Engine::DeepSpeed => Early {
            gradients: if case.layout.zero == Zero::Weights { 1.0 } else { 0.0 },
            optimizer: 1.0,
        },
        Engine::Fsdp2 | Engine::Fsdp1 | Engine::Ddp => Early { gradients: 0.0, optimizer: 0.0 },
    }
}

/// Weights on the GPU while they are loaded, before they are cut or leave for the host.
pub(super) fn loaded(case: &Case<'_>, local: &Local) -> f64 {
    if !case.variant.loads_whole {
        return 0.0;
    }
    let width = if case.pure || case.lora || case.engine == Engine::DeepSpeed { 2.0 } else { 4.0 };
    width * local.total()
}

/// Bytes of one gradient element while its layer is in the backward pass.
pub(super) fn gradient_width(case: &Case<'_>) -> f64 {
    if case.pure || !case.setting.stack.fp32_gradients { 2.0 } else { 4.0 }
}

/// GPUs over which a finished gradient is cut.
pub(super) fn gradient_shards(case: &Case<'_>) -> f64 {
    let cut = case.layout.zero >= Zero::Gradients && !case.variant.gradients_unsharded;
    if cut { case.shards } else { 1.0 }
}

/// Trained parameters whose states are cut over `shards` GPUs.
pub(super) fn rates(case: &Case<'_>, shards: f64) -> Rates {
    let (weights, gradients, optimizer, step) = whole(case);
    let zero = case.layout.zero;
    let over = |from: Zero| if zero >= from { shards } else { 1.0 };
    // Keeping gathered weights is how FSDP2 says "gradients": the shards are cut all the same.
    let keeps_gathered = case.engine == Engine::Fsdp2 && zero == Zero::Gradients;
    Rates {
        weights: if keeps_gathered {
            weights / shards + 2.0
        } else {
            weights / over(Zero::Weights)
        },
        gradients: if case.variant.gradients_unsharded {
            gradients
        } else {
            gradients / over(Zero::Gradients)
        },
        optimizer: optimizer / over(Zero::Optimizer),
        step: step / over(Zero::Optimizer),
    }
}

/// Moments as the job says; in pure bf16 they have the width of the weights.
pub(super) fn moments(job: &Job) -> Moments {
    match (job.optimizer, job.precision) {
        (Optimizer::AdamW8bit, _) => Moments::EightBit,
        (Optimizer::Sgd, _) => Moments::None,
        (Optimizer::AdamWBf16, _) | (Optimizer::AdamW, Precision::PureBf16) => Moments::SixteenBit,
        (Optimizer::AdamW, Precision::Bf16Mixed | Precision::Fp8Mixed) => Moments::Fp32,
    }
}

/// Uncut bytes of weights, gradients, optimizer and step temporaries. FP8 weights are primary
/// (`--fp8-param-gather`): one byte and one for the transpose take the place of 16 bits; rows
/// and a case in FP8 show no difference (STUDY_MEMORY.md 9).
fn whole(case: &Case<'_>) -> (f64, f64, f64, f64) {
    let moments = moments(case.setting.job).bytes();
    let fp8 = case.setting.job.precision == Precision::Fp8Mixed && case.variant.fp8_copies;
    let half = if fp8 { 4.0 } else { 2.0 };
    if case.pure {
        return (2.0, 2.0, moments, 0.0);
    }
    let master = 4.0 + moments;
    let wide = case.setting.stack.fp32_gradients;
    match case.engine {
        Engine::Megatron => (half, if wide { 4.0 } else { 2.0 }, master, 0.0),
        Engine::MegatronDeepSpeed => (2.0, if wide { 6.0 } else { 2.0 }, master, 0.0),
        // Adapters stay in fp32 beside the optimizer's own copy.
        Engine::DeepSpeed if case.lora => (4.0, 4.0, master, 0.0),
        Engine::DeepSpeed => {
            let step = if case.layout.zero == Zero::None { 0.0 } else { 6.0 };
            (half, if wide { 6.0 } else { 2.0 }, master, step)
        }
        // Fused AdamW; a foreach one would keep one more list of 4 bytes (recalled), which a 7B
        // run on four 40 GB cards at 27–29 GiB reserved does not show (case A10).
        Engine::Fsdp2 | Engine::Fsdp1 | Engine::Ddp => (4.0, 4.0, moments, 0.0),
        Engine::FusedCuda => (2.0, if wide { 4.0 } else { 2.0 }, master, 0.0),
    }
}

/// Packed integers of a GPTQ checkpoint are no parameters that FSDP cuts.
pub(super) fn base_is_whole(case: &Case<'_>) -> bool {
    case.setting.job.base() == BaseFormat::Gptq4
        && matches!(case.engine, Engine::Fsdp1 | Engine::Fsdp2)
}

/// The frozen base on this GPU: whole, or cut where weights are.
fn frozen(case: &Case<'_>, local: &Local) -> f64 {
    let (shards, expert_shards) = if case.layout.zero == Zero::Weights {
        (case.shards, case.expert_shards)
    } else {
        (1.0, 1.0)
    };
    let linear = base_bytes(case.setting.job.base());
    let matrices = local.layers * local.linear_share;
    let others = local.dense() - matrices;
    let quantized = if base_is_whole(case) {
        (matrices + local.experts) * linear
    } else {
        matrices * linear / shards + local.experts * linear / expert_shards
    };
    quantized + others * 2.0 / shards
}
