//! Logits and loss: bytes per logit by loss path (STUDY_MEMORY.md 3.4).

use crate::strategy::{BaseFormat, LossPath, Zero};

use super::case::{Case, Engine};

/// Bytes per logit of this GPU at the loss.
pub(super) fn bytes_per_logit(case: &Case<'_>) -> f64 {
    match case.setting.stack.loss {
        // Logits, fp32 exponentials in place, 16-bit gradient.
        LossPath::VocabParallelFused => 8.0,
        // The same with an fp32 gradient.
        LossPath::VocabParallelFp32 => 10.0,
        // 16-bit logits, log-softmax and two fp32 gradients, 16-bit gradient.
        LossPath::EagerFp32 => 16.0,
        // Loss-parallel TP runs the eager operators.
        LossPath::Compiled if case.t > 1.0 => 16.0,
        // The same with one 16-bit tensor, as compiled or as autocast casts inside the loss.
        LossPath::Compiled | LossPath::HuggingFaceBf16 => 14.0,
        // `float()`, a contiguous shift, log-softmax and two gradients, all in fp32.
        LossPath::HuggingFaceFp32 => 20.0,
        // fp32 adapters keep the Trainer under autocast, except where ZeRO 3 owns them.
        LossPath::Bf16 if adapters_under_autocast(case) => 14.0,
        LossPath::Bf16 => 8.0,
        // 16-bit logits of all tokens and the fp32 copy of an eighth.
        LossPath::Chunked => 2.0 + 4.0 / 8.0,
        // A chunk only; recalled, no row.
        LossPath::FusedLinear => 1.0,
    }
}

/// Bytes per logit of a freed 16-bit block that no later fp32 tensor fits into.
pub(super) fn stranded_per_logit(case: &Case<'_>) -> f64 {
    match case.setting.stack.loss {
        LossPath::EagerFp32
        | LossPath::Compiled
        | LossPath::HuggingFaceFp32
        | LossPath::HuggingFaceBf16
        | LossPath::VocabParallelFp32
        | LossPath::VocabParallelFused => 2.0,
        LossPath::Bf16 if adapters_under_autocast(case) => 2.0,
        LossPath::Bf16 | LossPath::Chunked | LossPath::FusedLinear => 0.0,
    }
}

/// Bytes of logits and their gradient on one GPU of the last stage.
pub(super) fn logits(case: &Case<'_>) -> f64 {
    bytes_per_logit(case) * case.tokens * case.vocab / case.t
}

/// 16-bit base, fp32 adapters, weights not owned by the engine.
fn adapters_under_autocast(case: &Case<'_>) -> bool {
    case.lora
        && !case.pure
        && case.setting.job.base() == BaseFormat::SixteenBit
        && case.layout.zero != Zero::Weights
}

/// Hidden states alive at the loss; gathered over TP under sequence parallelism.
pub(super) fn hidden(case: &Case<'_>) -> f64 {
    let gathered = case.layout.sp && case.t > 1.0;
    let copies = match case.engine {
        Engine::Megatron => 3.0,
        _ if gathered => 3.0,
        Engine::Fsdp2 | Engine::FusedCuda | Engine::MegatronDeepSpeed => 1.0,
        // Hugging Face code slices them away before the loss.
        Engine::DeepSpeed | Engine::Fsdp1 | Engine::Ddp => 0.0,
    };
    copies * 2.0 * case.h * case.tokens
}

/// How many unsharded gradients of the head are alive at the loss.
pub(super) fn head_gradients(case: &Case<'_>) -> f64 {
    let torch = matches!(case.engine, Engine::Fsdp2 | Engine::Fsdp1 | Engine::Ddp);
    if case.lora || !torch {
        0.0
    } else if case.setting.stack.loss == LossPath::Chunked {
        2.0
    } else if case.gradients_at_loss() || case.shards > 1.0 {
        0.0
    } else {
        1.0
    }
}
