//! The tree that explains the device memory of the worst stage: the same figures as the peak,
//! with their factors and sources.

use std::borrow::Cow;

use crate::estimate::{Instant, Setting};
use crate::explain::{Quantity, Source, Term};
use crate::strategy::{Layout, LossPath, Precision};
use crate::units::Bytes;

use super::case::Case;
use super::communicators::communicators;
use super::constants::{COMMUNICATOR_ACROSS_GIB, COMMUNICATOR_GIB, GIB};
use super::figures::Figures;
use super::instants::{figures, figures_at, recomputed_per_token, working_per_token};
use super::loss::bytes_per_logit;
use super::peak::worst;
use super::states::Rates;
use super::variant::Variant;

/// The tree of `device-memory`: the worst stage at its worst instant. Keys are listed in the
/// message files as `term-KEY`.
pub fn explain(setting: &Setting<'_>, layout: &Layout) -> Term {
    let variant = Variant::default();
    let case = Case::new(setting, layout, &variant);
    tree(&case, &worst(&case))
}

/// The same tree for one stage at one instant, counted from 0; at the stage's worst instant where
/// it does not have that one, and of the last stage where it lies behind that.
pub fn explain_stage(setting: &Setting<'_>, layout: &Layout, stage: u32, instant: Instant) -> Term {
    let variant = Variant::default();
    let case = Case::new(setting, layout, &variant);
    let stage = stage.min(case.pp - 1);
    let at = figures_at(&case, stage, instant);
    tree(&case, &at.unwrap_or_else(|| figures(&case, stage)))
}

fn tree(case: &Case<'_>, figures: &Figures) -> Term {
    let parts = &figures.parts;
    let tensors = vec![
        bytes("memory-weights", parts.weights, weights(case, figures)),
        bytes("memory-gradients", parts.gradients, gradients(case, figures)),
        bytes("memory-optimizer", parts.optimizer, optimizer(case, figures)),
        bytes("memory-activations", parts.activations, activations(case, figures)),
        bytes("memory-working", parts.working, working(case, figures)),
        bytes("memory-logits", parts.logits, logits(case)),
        bytes("memory-buffers", parts.buffers, buffers(figures)),
    ];
    let tensors = tensors.into_iter().filter(|term| !is_zero(term)).collect();
    Term::computed(
        "device-memory",
        Quantity::Bytes(Bytes::new(figures.device())),
        vec![
            number("memory-stage", f64::from(figures.stage.index) + 1.0, Source::Computed),
            bytes(instant_key(figures.instant), figures.allocated(), tensors),
            bytes("memory-runtime", figures.slack + figures.outside, runtime(case, figures)),
        ],
    )
}

const fn instant_key(instant: Instant) -> &'static str {
    match instant {
        Instant::Load => "memory-at-load",
        Instant::FirstForward => "memory-in-first-forward",
        Instant::Forward => "memory-in-forward",
        Instant::Loss => "memory-at-loss",
        Instant::Backward => "memory-in-backward",
        Instant::EndOfBackward => "memory-after-backward",
        Instant::Step => "memory-at-step",
        Instant::Save => "memory-at-save",
        Instant::OverStep => "memory-over-step",
    }
}

fn weights(case: &Case<'_>, figures: &Figures) -> Vec<Term> {
    let mut terms = trained(case, figures, "memory-bytes-per-weight", |rates| rates.weights);
    if case.lora {
        let parameters = number("memory-frozen-here", figures.local.total(), Source::Computed);
        let rate = factor("memory-bytes-per-frozen", figures.states.frozen, written("states"));
        let total = figures.local.total() * figures.states.frozen;
        terms.push(bytes("memory-weights-frozen", total, vec![parameters, rate]));
    }
    if case.setting.job.precision == Precision::Fp8Mixed {
        terms.push(Term::leaf(
            "memory-fp8-weights",
            Quantity::Factor(2.0),
            Source::Assumption(Cow::Borrowed("fp8-primary-weights")),
        ));
    }
    terms
}

fn gradients(case: &Case<'_>, figures: &Figures) -> Vec<Term> {
    if figures.parts.gradients < figures.states.gradients {
        // Only that of the head exists so early.
        let value = Quantity::Bytes(Bytes::new(figures.parts.gradients));
        return vec![Term::leaf("memory-head-gradient", value, written("logits"))];
    }
    trained(case, figures, "memory-bytes-per-gradient", |rates| rates.gradients)
}

fn optimizer(case: &Case<'_>, figures: &Figures) -> Vec<Term> {
    let mut terms = trained(case, figures, "memory-bytes-per-moments", |rates| rates.optimizer);
    let share = figures.parts.optimizer / figures.states.optimizer.max(1.0);
    if share < 1.0 - 1e-9 {
        terms.push(factor("memory-before-first-step", share, Source::Computed));
    }
    terms
}

/// Parameters × bytes per parameter, routed experts apart because they are cut otherwise.
fn trained(
    case: &Case<'_>,
    figures: &Figures,
    rate_key: &'static str,
    of: fn(&Rates) -> f64,
) -> Vec<Term> {
    let local = &figures.local;
    let (dense, experts) = if case.lora {
        (local.adapters, local.expert_adapters)
    } else {
        (local.dense(), local.experts)
    };
    let (dense_key, expert_key) = if case.lora {
        ("memory-adapters-here", "memory-expert-adapters-here")
    } else {
        ("memory-parameters-here", "memory-experts-here")
    };
    let mut terms = vec![
        number(dense_key, dense, Source::Computed),
        factor(rate_key, of(&figures.states.trained), written("states")),
        number("memory-shards", case.shards, Source::Computed),
    ];
    if experts > 0.0 {
        terms.push(number(expert_key, experts, Source::Computed));
        terms.push(factor(
            "memory-bytes-per-expert-parameter",
            of(&figures.states.trained_experts),
            written("states"),
        ));
        terms.push(number("memory-expert-shards", case.expert_shards, Source::Computed));
    }
    terms
}

fn activations(case: &Case<'_>, figures: &Figures) -> Vec<Term> {
    let mut terms = vec![
        tokens(case),
        factor("memory-in-flight", figures.stage.in_flight, written("activations, in flight")),
    ];
    if figures.stage.dense_layers > 0.0 {
        terms.push(number("memory-dense-layers", figures.stage.dense_layers, Source::Computed));
        terms.push(per_token(
            "memory-stored-per-token",
            case.shared.bytes.dense.stored,
            "activations",
        ));
    }
    if figures.stage.moe_layers > 0.0 {
        terms.push(number("memory-moe-layers", figures.stage.moe_layers, Source::Computed));
        terms.push(per_token(
            "memory-stored-per-token-moe",
            case.shared.bytes.moe.stored,
            "activations",
        ));
        terms.push(factor(
            "memory-expert-balance",
            1.0,
            Source::Assumption(Cow::Borrowed("balanced-experts")),
        ));
    }
    terms
}

fn working(case: &Case<'_>, figures: &Figures) -> Vec<Term> {
    let first_loss = figures.instant == Instant::FirstForward && figures.stage.last;
    match figures.instant {
        Instant::Backward | Instant::OverStep => {
            let per = working_per_token(&figures.stage, &case.shared.bytes);
            vec![tokens(case), per_token("memory-working-per-token", per, "activations")]
        }
        Instant::Forward | Instant::FirstForward if !first_loss => {
            let per = recomputed_per_token(&figures.stage, &case.shared.bytes);
            vec![tokens(case), per_token("memory-working-per-token", per, "activations")]
        }
        _ => {
            let per = figures.parts.working / case.tokens.max(1.0);
            vec![tokens(case), per_token("memory-hidden-per-token", per, "logits")]
        }
    }
}

fn logits(case: &Case<'_>) -> Vec<Term> {
    let constant = Source::Reference(Cow::Borrowed(match case.setting.stack.loss {
        LossPath::VocabParallelFused => {
            "megatron/core/tensor_parallel/cross_entropy.py; STUDY_MEMORY.md 3.4"
        }
        _ => "STUDY_MEMORY.md 3.4",
    }));
    vec![
        tokens(case),
        number("memory-vocabulary-here", case.vocab / case.t, Source::Computed),
        factor("memory-bytes-per-logit", bytes_per_logit(case), constant),
    ]
}

fn buffers(figures: &Figures) -> Vec<Term> {
    let windows = &figures.windows;
    let (gathered, passing) = match figures.instant {
        Instant::FirstForward | Instant::Forward | Instant::Loss => (windows.at_loss, 0.0),
        Instant::Backward => (windows.in_backward, windows.layer_gradients),
        Instant::Save => (windows.at_save, 0.0),
        Instant::Load | Instant::EndOfBackward | Instant::Step | Instant::OverStep => (0.0, 0.0),
    };
    let ahead = figures.reclaimable();
    let buckets = if figures.instant == Instant::Load { 0.0 } else { windows.buckets };
    let rest = figures.parts.buffers - gathered - passing - ahead - buckets;
    let rest_key = match figures.instant {
        Instant::Step | Instant::OverStep => "memory-step-temporaries",
        Instant::Load if windows.start_up > 0.0 => "memory-start-up",
        Instant::Load => "memory-dequantized",
        _ => "memory-head-gradient",
    };
    let terms = [
        ("memory-gathered-weights", gathered, "peak"),
        ("memory-layer-gradients", passing, "peak"),
        ("memory-copied-ahead", ahead, "peak"),
        ("memory-buckets", buckets, "peak"),
        (rest_key, rest, if rest_key == "memory-start-up" { "peak, load" } else { "states" }),
    ];
    terms
        .into_iter()
        .filter(|(_, value, _)| *value > 0.5)
        .map(|(key, value, section)| {
            Term::leaf(key, Quantity::Bytes(Bytes::new(value)), written(section))
        })
        .collect()
}

fn runtime(case: &Case<'_>, figures: &Figures) -> Vec<Term> {
    let leaf = |key, value, source| Term::leaf(key, Quantity::Bytes(Bytes::new(value)), source);
    let mut terms = vec![
        leaf(
            "memory-allocator-cache",
            figures.slack - figures.stranded,
            written("from tensors to the device"),
        ),
        leaf("memory-stranded", figures.stranded, written("from tensors to the device")),
        leaf(
            "memory-context",
            case.variant.constants.context_gib * GIB,
            written("from tensors to the device"),
        ),
    ];
    terms.retain(|term| !is_zero(term));
    let (within, across) = communicators(case);
    let kinds = [
        (within, COMMUNICATOR_GIB, "memory-communicators", "memory-communicator"),
        (across, COMMUNICATOR_ACROSS_GIB, "memory-communicators-across", "memory-communicator"),
    ];
    for (groups, gib, key, each_key) in kinds.into_iter().filter(|kind| kind.0 > 0.0) {
        let each = leaf(each_key, gib * GIB, written("from tensors to the device"));
        let count = number("memory-groups", groups, Source::Computed);
        terms.push(bytes(key, groups * gib * GIB, vec![count, each]));
    }
    terms
}

fn tokens(case: &Case<'_>) -> Term {
    let layout = case.layout;
    let mut factors = vec![
        number("memory-micro-batch", f64::from(layout.micro_batch), Source::Input),
        number("memory-sequence", f64::from(case.setting.job.sequence), Source::Input),
    ];
    if layout.cp > 1 {
        factors.push(number("memory-cp", f64::from(layout.cp), Source::Input));
    }
    Term::computed("memory-tokens", Quantity::Count(case.tokens), factors)
}

fn per_token(key: &'static str, value: f64, section: &'static str) -> Term {
    Term::leaf(key, Quantity::Bytes(Bytes::new(value)), written(section))
}

fn bytes(key: &'static str, value: f64, children: Vec<Term>) -> Term {
    Term::computed(key, Quantity::Bytes(Bytes::new(value)), children)
}

fn number(key: &'static str, value: f64, source: Source) -> Term {
    Term::leaf(key, Quantity::Count(value), source)
}

fn factor(key: &'static str, value: f64, source: Source) -> Term {
    Term::leaf(key, Quantity::Factor(value), source)
}

fn is_zero(term: &Term) -> bool {
    matches!(term.value, Quantity::Bytes(bytes) if bytes.base() <= 0.5)
}

/// A section of the page that states the formulas.
fn written(section: &'static str) -> Source {
    Source::Reference(Cow::Owned(format!("docs/formulas/memory.md: {section}")))
}
