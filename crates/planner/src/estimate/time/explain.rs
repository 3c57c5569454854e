//! The tree that explains a step: the same figures as [`super::step`], part by part, with their
//! factors, sources and constants.

use std::borrow::Cow;

use crate::collective::Network;
use crate::explain::{Quantity, Source, Term};
use crate::strategy::{AttentionKernel, Layout};
use crate::units::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds};

use super::super::Setting;
use super::Variant;
use super::case::Case;
use super::constants::{
    BUBBLE, BYTES_ACCUMULATE, BYTES_OPTIMIZER, BYTES_STEP, CP_EXPOSED, Constant, DP_HIDING,
    FSDP_EXPOSED, HBM_SHARE, HOST_NORM, JITTER, LAYER_GAP, NVME_NODE, OFFLOAD_PCIE, P2P_EXPOSED,
    STAGE_SKEW, STEP_CONSTANT, UNFUSED_RATE,
};
use super::exchange::{Exchange, expert_share, tensor_share};
use super::reduce::shards;
use super::sheet::{Sheet, drives};

/// Every key that [`explain`] can give; each needs a message `term-KEY` with a `.formula`.
pub const TERM_KEYS: [&str; 61] = [
    "step-time",
    "time-accumulate",
    "time-attention",
    "time-attention-flop",
    "time-attention-kernel",
    "time-attention-peak",
    "time-attention-rate",
    "time-bubble",
    "time-bubble-share",
    "time-bytes-accumulate",
    "time-bytes-optimizer",
    "time-bytes-per-gpu",
    "time-bytes-step",
    "time-call-size",
    "time-calls",
    "time-ceiling",
    "time-collective-rate",
    "time-constant",
    "time-cp-exposed",
    "time-dp-exposed",
    "time-drive-rate",
    "time-efficiency",
    "time-ep-exposed",
    "time-exposed-share",
    "time-fill",
    "time-flash-share",
    "time-gpus",
    "time-hbm",
    "time-hbm-share",
    "time-head-flop",
    "time-hidden-share",
    "time-host-norm",
    "time-host-per-layer",
    "time-in-collectives",
    "time-jitter",
    "time-jitter-per-doubling",
    "time-launch",
    "time-layer-flop",
    "time-layer-gap",
    "time-layers-here",
    "time-matmul",
    "time-matmul-rate",
    "time-memory-bound",
    "time-memory-bytes",
    "time-memory-weight",
    "time-micro-batches",
    "time-offload",
    "time-offload-rate",
    "time-optimizer",
    "time-parameters-here",
    "time-peak",
    "time-pp-exposed",
    "time-repeat",
    "time-shards",
    "time-skew",
    "time-skew-share",
    "time-stage",
    "time-stages",
    "time-tokens",
    "time-tp-exposed",
    "time-vintage",
];

/// The tree of `step-time`. Its children add up to it.
pub fn explain(setting: &Setting<'_>, network: &Network, layout: &Layout) -> Term {
    let case = Case::new(setting, network, layout, Variant::default());
    let sheet = Sheet::new(&case);
    let parts = sheet.parts(&case);
    let children = [
        ("time-matmul", parts.matmul, matmul(&case, &sheet)),
        ("time-attention", parts.attention, attention(&case, &sheet)),
        ("time-memory-bound", parts.memory_bound, memory_bound(&case, &sheet)),
        ("time-launch", parts.launch, launch(&case)),
        ("time-tp-exposed", parts.tp_exposed, layer_exchange(&case, &sheet.tensor, tensor(&case))),
        (
            "time-cp-exposed",
            parts.cp_exposed,
            layer_exchange(&case, &sheet.context, constant_share(CP_EXPOSED)),
        ),
        ("time-ep-exposed", parts.ep_exposed, layer_exchange(&case, &sheet.expert, expert(&case))),
        ("time-dp-exposed", parts.dp_exposed, data(&case, &sheet)),
        (
            "time-pp-exposed",
            parts.pp_exposed,
            exchange(&sheet.pipeline, constant_share(P2P_EXPOSED)),
        ),
        ("time-bubble", parts.bubble, bubble(&case, &sheet)),
        ("time-optimizer", parts.optimizer, optimizer(&case, &sheet)),
        ("time-offload", parts.offload, offload(&case, &sheet)),
        ("time-jitter", parts.jitter, jitter(&case)),
    ];
    let children = children
        .into_iter()
        .filter(|(_, time, _)| *time > Seconds::ZERO)
        .map(|(key, time, factors)| Term::computed(key, Quantity::Seconds(time), factors))
        .collect();
    Term::computed("step-time", Quantity::Seconds(parts.total), children)
}

fn matmul(case: &Case<'_>, sheet: &Sheet) -> Vec<Term> {
    let device = &case.device;
    let work = sheet.body.matmul.plus(sheet.head.matmul);
    let mut terms = vec![
        flop("time-layer-flop", sheet.body.matmul.flop / case.pp),
        flop("time-head-flop", sheet.head.matmul.flop / case.pp),
        micro_batches(case),
        tokens(case),
        rate("time-matmul-rate", work.flop / work.seconds, Source::Computed),
        rate("time-ceiling", device.ceiling_job, part(case)),
        share("time-efficiency", device.efficiency_job, written()),
        rate("time-peak", device.peak_job, part(case)),
    ];
    if case.repeat > 0.0 {
        terms.push(share("time-repeat", case.repeat, written()));
    }
    terms.extend(vintage(case));
    terms
}

fn attention(case: &Case<'_>, sheet: &Sheet) -> Vec<Term> {
    let body = &sheet.body;
    let (kernel, reached) = match case.setting.stack.attention {
        AttentionKernel::Unfused => ("unfused", constant(UNFUSED_RATE, "time-flash-share")),
        AttentionKernel::FlashTriton => ("flash-triton", flash(case)),
        AttentionKernel::Flash2 => ("flash-2", flash(case)),
        AttentionKernel::Flash3 => ("flash-3", flash(case)),
    };
    let name = Quantity::Name(Cow::Borrowed(kernel));
    vec![
        Term::leaf("time-attention-kernel", name, Source::Input),
        flop("time-attention-flop", body.attention_flop / case.pp),
        micro_batches(case),
        rate("time-attention-rate", body.attention_flop / body.attention, Source::Computed),
        reached,
        rate("time-attention-peak", case.device.peak, part(case)),
    ]
}

fn flash(case: &Case<'_>) -> Term {
    share("time-flash-share", case.device.flash, written())
}

fn memory_bound(case: &Case<'_>, sheet: &Sheet) -> Vec<Term> {
    let seconds = (sheet.body.memory_bound + sheet.head.memory_bound) / case.pp;
    let accumulate = vec![
        number("time-parameters-here", sheet.parameters),
        factor("time-bytes-accumulate", BYTES_ACCUMULATE.value, named(BYTES_ACCUMULATE)),
    ];
    let mut terms = vec![
        size("time-memory-bytes", seconds * case.device.hbm * case.vintage),
        micro_batches(case),
        hbm(case),
        factor("time-memory-weight", case.class.memory, class(case)),
    ];
    if sheet.accumulate > 0.0 {
        let value = seconds_of(sheet.accumulate);
        terms.push(Term::computed("time-accumulate", value, accumulate));
    }
    terms.extend(vintage(case));
    terms
}

fn launch(case: &Case<'_>) -> Vec<Term> {
    vec![
        leaf("time-host-per-layer", seconds_of(case.class.host), class(case)),
        number("time-layers-here", case.shape.layers / case.pp),
        micro_batches(case),
        constant(HOST_NORM, "time-host-norm"),
        leaf("time-layer-gap", seconds_of(LAYER_GAP.value), named(LAYER_GAP)),
    ]
}

/// Factors of a collective of the layers: its numbers are of all layers and one micro-batch.
fn layer_exchange(case: &Case<'_>, part: &Exchange, exposed: Term) -> Vec<Term> {
    let mut terms = exchange(
        &Exchange {
            calls: part.calls / case.pp,
            bytes: part.bytes / case.pp,
            seconds: part.seconds / case.pp,
            ..*part
        },
        exposed,
    );
    terms.push(micro_batches(case));
    terms
}

fn exchange(part: &Exchange, exposed: Term) -> Vec<Term> {
    vec![
        size("time-call-size", part.size),
        number("time-calls", part.calls),
        size("time-bytes-per-gpu", part.bytes),
        leaf("time-collective-rate", bandwidth(part.rate), written()),
        leaf("time-in-collectives", seconds_of(part.seconds), Source::Computed),
        exposed,
    ]
}

fn tensor(case: &Case<'_>) -> Term {
    share("time-exposed-share", tensor_share(case), class(case))
}

fn expert(case: &Case<'_>) -> Term {
    share("time-exposed-share", expert_share(case), written())
}

fn constant_share(constant: Constant) -> Term {
    share("time-exposed-share", constant.value, named(constant))
}

fn data(case: &Case<'_>, sheet: &Sheet) -> Vec<Term> {
    let exposed = if case.fully_sharded() {
        constant_share(FSDP_EXPOSED)
    } else {
        share("time-exposed-share", case.class.dp_exposed, class(case))
    };
    let mut terms = exchange(&sheet.data, exposed);
    terms.push(share("time-hidden-share", DP_HIDING.value, named(DP_HIDING)));
    terms.push(number("time-shards", shards(case)));
    terms
}

fn bubble(case: &Case<'_>, sheet: &Sheet) -> Vec<Term> {
    vec![
        leaf("time-fill", seconds_of(sheet.fill), Source::Computed),
        leaf("time-skew", seconds_of(case.micro_batches * sheet.skew), Source::Computed),
        leaf("time-stage", seconds_of(sheet.stage), Source::Computed),
        number("time-stages", case.pp * case.vpp),
        share("time-bubble-share", BUBBLE.value, named(BUBBLE)),
        share("time-skew-share", STAGE_SKEW.value, named(STAGE_SKEW)),
    ]
}

fn optimizer(case: &Case<'_>, sheet: &Sheet) -> Vec<Term> {
    vec![
        number("time-parameters-here", sheet.parameters * case.trained_share()),
        number("time-shards", shards(case)),
        factor("time-bytes-optimizer", BYTES_OPTIMIZER.value, named(BYTES_OPTIMIZER)),
        factor("time-bytes-step", BYTES_STEP.value, named(BYTES_STEP)),
        hbm(case),
    ]
}

fn offload(case: &Case<'_>, sheet: &Sheet) -> Vec<Term> {
    let rate = bandwidth(case.device.pcie * OFFLOAD_PCIE.value);
    let mut terms = vec![
        number("time-parameters-here", sheet.parameters),
        leaf("time-offload-rate", rate, named(OFFLOAD_PCIE)),
    ];
    if case.layout.offload.nvme() {
        terms.push(leaf("time-drive-rate", bandwidth(drives(case)), named(NVME_NODE)));
    }
    terms
}

fn jitter(case: &Case<'_>) -> Vec<Term> {
    vec![
        leaf("time-constant", seconds_of(STEP_CONSTANT.value), named(STEP_CONSTANT)),
        number("time-gpus", f64::from(case.layout.gpus())),
        share("time-jitter-per-doubling", JITTER.value, named(JITTER)),
    ]
}

fn vintage(case: &Case<'_>) -> Option<Term> {
    let differs = (case.vintage - 1.0).abs() > 1e-3;
    differs.then(|| factor("time-vintage", case.vintage, written()))
}

fn micro_batches(case: &Case<'_>) -> Term {
    number("time-micro-batches", case.micro_batches)
}

fn tokens(case: &Case<'_>) -> Term {
    number("time-tokens", case.tokens)
}

fn hbm(case: &Case<'_>) -> Term {
    let reached = constant(HBM_SHARE, "time-hbm-share");
    Term::computed("time-hbm", bandwidth(case.device.hbm), vec![reached])
}

fn leaf(key: &'static str, value: Quantity, source: Source) -> Term {
    Term::leaf(key, value, source)
}

fn number(key: &'static str, value: f64) -> Term {
    leaf(key, Quantity::Count(value), Source::Computed)
}

fn factor(key: &'static str, value: f64, source: Source) -> Term {
    leaf(key, Quantity::Factor(value), source)
}

fn share(key: &'static str, value: f64, source: Source) -> Term {
    leaf(key, Quantity::Share(value), source)
}

fn constant(constant: Constant, key: &'static str) -> Term {
    factor(key, constant.value, named(constant))
}

fn flop(key: &'static str, value: f64) -> Term {
    leaf(key, Quantity::Flop(Flop::new(value)), Source::Computed)
}

fn size(key: &'static str, bytes: f64) -> Term {
    leaf(key, Quantity::Bytes(Bytes::new(bytes)), Source::Computed)
}

fn rate(key: &'static str, flop_per_second: f64, source: Source) -> Term {
    let finite = if flop_per_second.is_finite() { flop_per_second } else { 0.0 };
    leaf(key, Quantity::Compute(FlopPerSecond::tflops(finite / 1e12)), source)
}

fn bandwidth(bytes_per_second: f64) -> Quantity {
    Quantity::Bandwidth(BytesPerSecond::gb_s(bytes_per_second / 1e9))
}

const fn seconds_of(seconds: f64) -> Quantity {
    Quantity::Seconds(Seconds::new(seconds))
}

const fn named(constant: Constant) -> Source {
    Source::Constant(Cow::Borrowed(constant.name))
}

fn class(case: &Case<'_>) -> Source {
    Source::Constant(Cow::Borrowed(case.class.name))
}

fn part(case: &Case<'_>) -> Source {
    Source::Catalog(Cow::Borrowed(case.setting.accelerator.source))
}

fn written() -> Source {
    Source::Reference(Cow::Borrowed("docs/formulas/time.md: step"))
}
