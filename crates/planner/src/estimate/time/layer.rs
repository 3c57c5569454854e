//! What one micro-batch costs on one GPU: kernels of the layers and of the head, tensor- and
//! expert-parallel exchanges, host time (STUDY_TIME.md 2.1 to 2.7 and 2.11).

use crate::strategy::{AttentionKernel, BaseFormat, Framework, LossPath};

use super::case::Case;
use super::constants::{
    BYTES_FFN, BYTES_FP8, BYTES_HEADS, BYTES_HIDDEN, BYTES_LOSS, BYTES_ROUTED, CHUNKED_LOSS,
    CP_ELSEWHERE, EIGHT_BIT_BYTES, FLASH_BACKWARD_FLOP, FLASH_BACKWARD_RATE, FLASH_HEAD,
    FLASH_RAMP, FOUR_BIT_BYTES, FOUR_BIT_HOST, HOST_EXPERT, HOST_MOE, HOST_NORM, HOST_TP,
    LAYER_GAP, NORMS_AGAIN, SINKS, UNFUSED_BACKWARD, UNFUSED_BYTES, UNFUSED_HEAD, UNFUSED_RATE,
};
use super::gemm::{Engine, Passes, Work};

/// Seconds of all layers of the model for one micro-batch on the GPUs of one tensor, context and
/// expert rank; a stage has its share of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) matmul: Work,
    pub(super) attention: f64,
    pub(super) attention_flop: f64,
    pub(super) memory_bound: f64,
    /// Host work before it is hidden behind the GPU.
    pub(super) host: f64,
}

/// The output head and the loss.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    pub(super) matmul: Work,
    pub(super) memory_bound: f64,
}

impl Head {
    pub(super) fn seconds(&self) -> f64 {
        self.matmul.seconds + self.memory_bound
    }
}

pub(super) fn body(case: &Case<'_>) -> Body {
    let engine = layer_engine(case);
    let matmul = attention_matmuls(case, &engine)
        .plus(dense_matmuls(case, &engine))
        .plus(expert_matmuls(case, &engine))
        .plus(adapter_matmuls(case, &engine));
    let (attention, attention_flop) = attention(case);
    Body {
        matmul: Work { flop: matmul.flop, seconds: matmul.seconds / case.vintage },
        attention: attention / case.vintage,
        attention_flop,
        memory_bound: body_bytes(case) / case.device.hbm / case.vintage,
        host: host(case) / case.vintage,
    }
}

pub(super) fn head(case: &Case<'_>) -> Head {
    let shape = &case.shape;
    let width = shape.vocab / case.tp;
    let work = head_engine(case).linear(case.tokens, width, shape.hidden, head_passes(case));
    Head {
        matmul: Work { flop: work.flop, seconds: work.seconds / case.vintage },
        memory_bound: loss_bytes(case) / case.device.hbm / case.vintage,
    }
}

/// Time that the GPU waits for its host in `layers` layers that keep it busy for `gpu` seconds
/// and the host for `host`: the norm of both beyond `gpu`, and the gaps (STUDY_TIME.md 2.4).
pub(super) fn waits(layers: f64, gpu: f64, host: f64) -> f64 {
    let norm = if gpu <= 0.0 {
        host
    } else {
        let ratio = libm::pow(host / gpu, HOST_NORM.value);
        gpu * (libm::pow(1.0 + ratio, 1.0 / HOST_NORM.value) - 1.0)
    };
    norm + layers * LAYER_GAP.value
}

/// Seconds and forward FLOP of the attention cores of all layers.
pub(super) fn attention(case: &Case<'_>) -> (f64, f64) {
    let shape = &case.shape;
    let head = shape.attention_head();
    let flop = 4.0 * case.tokens * shape.keys(case.sequence) * shape.heads * head / case.tp;
    let repeats = if case.core_repeats() { 1.0 } else { 0.0 };
    let seconds = match case.setting.stack.attention {
        AttentionKernel::Unfused => {
            let compute = flop / (case.device.ceiling * UNFUSED_RATE.value)
                * (1.0 + UNFUSED_HEAD.value / head.max(1.0))
                * (3.0 + repeats);
            let scores = flop / (4.0 * head.max(1.0));
            compute
                + scores * UNFUSED_BYTES.value * (1.0 + UNFUSED_BACKWARD.value + repeats)
                    / case.device.hbm
        }
        AttentionKernel::FlashTriton | AttentionKernel::Flash2 | AttentionKernel::Flash3 => {
            let narrow = libm::pow(head.clamp(1.0, 128.0) / 128.0, FLASH_HEAD.value);
            let mut rate = case.device.peak * case.device.flash * narrow
                / (1.0 + FLASH_RAMP.value / case.sequence.max(1.0));
            if shape.sinks {
                rate *= SINKS.value;
            }
            if case.layout.cp > 1 && case.layout.framework != Framework::MegatronCore {
                rate *= CP_ELSEWHERE.value;
            }
            let backward = FLASH_BACKWARD_FLOP.value / FLASH_BACKWARD_RATE.value;
            flop / 2.0 / rate * (1.0 + repeats + backward)
        }
    };
    (seconds, flop)
}

/// Bytes of memory-bound operators in all layers (2.3), with casts to fp8 (2.1), permutation of
/// routed tokens and adapters (2.11).
pub(super) fn body_bytes(case: &Case<'_>) -> f64 {
    let shape = &case.shape;
    let tokens = case.tokens;
    let split = if case.layout.sp { case.tp } else { 1.0 };
    let heads = (shape.heads + shape.kv_heads) * shape.bytes_head() / case.tp;
    let routed = shape.experts.map_or(0.0, |moe| moe.top_k * moe.width + moe.shared);
    let ffn = (shape.dense_layers() * shape.ffn + shape.expert_layers() * routed) / case.tp;
    let widths = shape.layers
        * (BYTES_HIDDEN.value * shape.hidden / split + BYTES_HEADS.value * heads)
        + BYTES_FFN.value * shape.gate * ffn;
    let again = 1.0 + case.repeat / 3.0;
    let mut bytes = case.class.memory * 2.0 * tokens * widths * again;
    if let Some(moe) = shape.experts {
        bytes += moe.layers * BYTES_ROUTED.value * 2.0 * tokens * moe.top_k * shape.hidden
            / case.tp
            * again;
    }
    if case.device.fp8 {
        let cast = 2.0 * shape.hidden + shape.ffn / case.tp;
        bytes += BYTES_FP8.value * tokens * cast * shape.dense_layers();
    }
    if !case.full_training {
        bytes += case.class.adapter_passes
            * 2.0
            * tokens
            * (4.0 * shape.hidden * shape.layers + 3.0 * ffn)
            / case.tp;
    }
    if case.layout.recompute.norms() {
        bytes += 2.0 * tokens * NORMS_AGAIN.value * shape.layers * shape.hidden / split;
    }
    bytes + dequantised(case)
}

/// Bytes that both passes and each repetition move to make 16-bit weights of a quantised base.
fn dequantised(case: &Case<'_>) -> f64 {
    let each = match case.setting.job.base() {
        BaseFormat::SixteenBit => return 0.0,
        BaseFormat::EightBit => EIGHT_BIT_BYTES.value,
        BaseFormat::Nf4 | BaseFormat::Gptq4 => FOUR_BIT_BYTES.value,
    };
    each * layer_parameters(case) * (2.0 + case.repeat)
}

/// Matmul parameters of all layers on the GPUs of one tensor and expert rank.
fn layer_parameters(case: &Case<'_>) -> f64 {
    let shape = &case.shape;
    let (cut, whole) = shape.attention_matrices();
    let blocks = shape.dense_layers() * shape.ffn_matrices(shape.ffn);
    let routed = shape.experts.map_or(0.0, |moe| {
        moe.layers
            * (shape.ffn_matrices(moe.shared) / case.tp
                + moe.count * shape.ffn_matrices(moe.width) / (case.ep * case.etp))
    });
    (cut / case.tp + whole) * shape.layers + blocks / case.tp + routed
}

fn loss_bytes(case: &Case<'_>) -> f64 {
    let share = match case.setting.stack.loss {
        LossPath::Chunked | LossPath::FusedLinear => CHUNKED_LOSS.value,
        LossPath::VocabParallelFused
        | LossPath::VocabParallelFp32
        | LossPath::EagerFp32
        | LossPath::Compiled
        | LossPath::HuggingFaceFp32
        | LossPath::HuggingFaceBf16
        | LossPath::Bf16 => 1.0,
    };
    BYTES_LOSS.value * share * case.tokens * case.shape.vocab / case.tp
}

fn layer_engine(case: &Case<'_>) -> Engine {
    let device = &case.device;
    Engine::new(device.ceiling_job, device.efficiency_job, device.hbm, device.processors)
        .perfect(case.perfect_tiles)
}

/// The head is always computed in 16 bits.
fn head_engine(case: &Case<'_>) -> Engine {
    let device = &case.device;
    Engine::new(device.ceiling, device.efficiency, device.hbm, device.processors)
        .perfect(case.perfect_tiles)
}

/// Forward, input gradient and weight gradient of a layer; a frozen base has no weight gradient.
fn layer_passes(case: &Case<'_>) -> Passes {
    Passes {
        forward: 1.0 + case.repeat,
        input_gradient: 1.0,
        weight_gradient: if case.full_training { 1.0 } else { 0.0 },
    }
}

fn head_passes(case: &Case<'_>) -> Passes {
    Passes { forward: 1.0, ..layer_passes(case) }
}

fn attention_matmuls(case: &Case<'_>, engine: &Engine) -> Work {
    let shape = &case.shape;
    let (tokens, hidden, passes) = (case.tokens, shape.hidden, layer_passes(case));
    let one = match shape.latent {
        Some(latent) => {
            let query = shape.heads * (latent.nope + latent.rope) / case.tp;
            let down = latent.q_rank + latent.kv_rank + latent.rope;
            let source = if latent.q_rank > 0.0 { latent.q_rank } else { hidden };
            let key_value = (latent.nope + latent.value) * shape.heads / case.tp;
            engine
                .linear(tokens, query, source, passes)
                .plus(engine.linear(tokens, hidden, latent.value * shape.heads / case.tp, passes))
                .plus(engine.linear(tokens, down, hidden, passes))
                .plus(engine.linear(tokens, key_value, latent.kv_rank, passes))
        }
        None => {
            let width = shape.heads * shape.head / case.tp;
            let all = width + 2.0 * shape.kv_heads * shape.head / case.tp;
            engine
                .linear(tokens, all, hidden, passes)
                .plus(engine.linear(tokens, hidden, width, passes))
        }
    };
    one.scaled(shape.layers)
}

fn dense_matmuls(case: &Case<'_>, engine: &Engine) -> Work {
    let shape = &case.shape;
    let dense = shape.dense_layers();
    if dense <= 0.0 { Work::default() } else { ffn(case, engine, shape.ffn).scaled(dense) }
}

fn ffn(case: &Case<'_>, engine: &Engine, width: f64) -> Work {
    if width <= 0.0 {
        return Work::default();
    }
    let (shape, passes) = (&case.shape, layer_passes(case));
    engine
        .linear(case.tokens, shape.gate * width / case.tp, shape.hidden, passes)
        .plus(engine.linear(case.tokens, shape.hidden, width / case.tp, passes))
}

fn expert_matmuls(case: &Case<'_>, engine: &Engine) -> Work {
    let shape = &case.shape;
    let Some(moe) = shape.experts else { return Work::default() };
    let passes = layer_passes(case);
    let local = moe.count / case.ep;
    let rows = case.tokens * moe.top_k * case.ep / moe.count * case.etp / case.tp;
    let routed = engine
        .grouped(rows, shape.gate * moe.width / case.etp, shape.hidden, passes)
        .plus(engine.grouped(rows, shape.hidden, moe.width / case.etp, passes))
        .scaled(local);
    routed.plus(ffn(case, engine, moe.shared)).scaled(moe.layers)
}

/// Both matmuls of all adapters for the ranks beyond those whose time the constants hold.
fn adapter_matmuls(case: &Case<'_>, engine: &Engine) -> Work {
    let further = case.further_ranks();
    if further <= 0.0 {
        return Work::default();
    }
    let passes = Passes { weight_gradient: 1.0, ..layer_passes(case) };
    engine.linear(case.tokens, case.shape.adapter_widths() / case.tp, further, passes)
}

/// Host work of all layers for one micro-batch, forward and backward.
fn host(case: &Case<'_>) -> f64 {
    let shape = &case.shape;
    let again = 1.0 + case.repeat / 3.0;
    let cut = if case.layout.tp > 1 { 1.0 + HOST_TP.value * case.tp / 8.0 } else { 1.0 };
    let base = match case.setting.job.base() {
        BaseFormat::SixteenBit => 1.0,
        BaseFormat::EightBit | BaseFormat::Nf4 | BaseFormat::Gptq4 => FOUR_BIT_HOST.value,
    };
    let layer = case.class.host * again * cut * base;
    let experts = shape.experts.map_or(0.0, |moe| {
        moe.layers * (HOST_MOE.value * layer + HOST_EXPERT.value * moe.count / case.ep)
    });
    shape.dense_layers() * layer + experts
}
