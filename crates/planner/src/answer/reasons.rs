//! Why the chosen layout: what the best layout with another value of a knob costs.
//!
//! Keys: `other-slower` with evidence `knob`, `chosen`, `other`, `penalty`, `step`;
//! `other-too-large` with `knob`, `chosen`, `other`, `device`, `capacity`. `knob`, `chosen` and
//! `other` are names: a number, or a word of the layout such as `weights` or `megatron-core`.

use std::borrow::Cow;

use super::{Plan, Reason};
use crate::explain::{Evidence, Quantity};
use crate::search::{Alternative, Knob, Outcome};
use crate::strategy::Layout;
use crate::units::{Bytes, Seconds};

/// Three reasons are shown.
const SHOWN: usize = 3;

/// The strongest first: values that do not fit at all, then by the time they cost.
pub(super) fn of(outcome: &Outcome, plan: &Plan) -> Vec<Reason> {
    let Some(best) = outcome.best.first() else {
        return Vec::new();
    };
    let chosen = best.step.total;
    let mut others: Vec<(f64, &Alternative)> = outcome
        .alternatives
        .iter()
        .map(|other| (penalty(other, chosen), other))
        .filter(|(penalty, _)| *penalty > 0.0)
        .collect();
    others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.knob.cmp(&b.1.knob)));
    others
        .into_iter()
        .take(SHOWN)
        .map(|(_, other)| reason(&best.layout, plan.memory.capacity, chosen, other))
        .collect()
}

fn penalty(other: &Alternative, chosen: Seconds) -> f64 {
    other.step.map_or(f64::INFINITY, |step| step.ratio(chosen) - 1.0)
}

fn reason(best: &Layout, capacity: Bytes, chosen: Seconds, other: &Alternative) -> Reason {
    let name = |value: Cow<'static, str>| Quantity::Name(value);
    let mut evidence = vec![
        Evidence::new("knob", name(Cow::Borrowed(other.knob.key()))),
        Evidence::new("chosen", name(word(other.knob, best))),
        Evidence::new("other", name(word(other.knob, &other.layout))),
    ];
    let key = if let Some(step) = other.step {
        evidence.push(Evidence::new("penalty", Quantity::Share(step.ratio(chosen) - 1.0)));
        evidence.push(Evidence::new("step", Quantity::Seconds(step)));
        "other-slower"
    } else {
        evidence.push(Evidence::new("device", Quantity::Bytes(other.device)));
        evidence.push(Evidence::new("capacity", Quantity::Bytes(capacity)));
        "other-too-large"
    };
    Reason { key: Cow::Borrowed(key), evidence }
}

/// The value of a knob as the document writes it.
fn word(knob: Knob, layout: &Layout) -> Cow<'static, str> {
    match knob {
        Knob::Framework => Cow::Borrowed(layout.framework.key()),
        Knob::Zero => Cow::Borrowed(layout.zero.key()),
        Knob::Recompute => Cow::Borrowed(layout.recompute.key()),
        Knob::Offload => Cow::Borrowed(layout.offload.key()),
        Knob::Tp | Knob::Pp | Knob::Cp | Knob::Ep | Knob::MicroBatch | Knob::Vpp => {
            Cow::Owned(knob.value(layout).to_string())
        }
    }
}
