//! The smallest change that makes a job fit, found by re-running the search.

use std::borrow::Cow;

use super::Inputs;
use super::solver::search;
use crate::estimate::Verdict;
use crate::explain::{Evidence, Quantity, Remedy, RemedyStep};
use crate::search::Scored;
use crate::strategy::{JobKind, Pins};

/// Node counts are tried up to this multiple of what is there.
const MOST_GROWTH: u32 = 64;

/// Sets one pin free.
type Free = fn(&mut Pins);

/// One change of the inputs, and its re-run.
type Change = (Inputs, RemedyStep);

/// For a plan that is tight or does not fit. Changes are tried from the least intrusive: free
/// one pin, free all pins, add nodes, train adapters only.
pub(super) fn for_memory(inputs: &Inputs, verdict: Verdict) -> Option<Remedy> {
    if verdict == Verdict::Tight && inputs.pins == Pins::default() {
        return None;
    }
    try_all(inputs)
}

/// For pins or a batch that leave no layout.
pub(super) fn for_nothing_legal(inputs: &Inputs) -> Option<Remedy> {
    try_all(inputs)
}

fn try_all(inputs: &Inputs) -> Option<Remedy> {
    let changes = freed_pins(inputs).chain(more_nodes(inputs)).chain(adapters(inputs));
    changes.into_iter().find_map(|(changed, step)| {
        let best = search(&changed)?.best.into_iter().next()?;
        (best.fit.verdict == Verdict::Fits)
            .then(|| Remedy { steps: vec![step], proof: proof(&best) })
    })
}

fn proof(best: &Scored) -> Vec<Evidence> {
    vec![
        Evidence::new("device", Quantity::Bytes(best.fit.device)),
        Evidence::new("step", Quantity::Seconds(best.step.total)),
    ]
}

fn freed_pins(inputs: &Inputs) -> impl Iterator<Item = Change> + '_ {
    let pins = &inputs.pins;
    let single: [(&'static str, Option<u32>, Free); 6] = [
        ("tp", pins.tp, |pins| pins.tp = None),
        ("pp", pins.pp, |pins| pins.pp = None),
        ("vpp", pins.vpp, |pins| pins.vpp = None),
        ("cp", pins.cp, |pins| pins.cp = None),
        ("ep", pins.ep, |pins| pins.ep = None),
        ("micro_batch", pins.micro_batch, |pins| pins.micro_batch = None),
    ];
    let words: [(&'static str, bool, Free); 4] = [
        ("recompute", pins.recompute.is_some(), |pins| pins.recompute = None),
        ("zero", pins.zero.is_some(), |pins| pins.zero = None),
        ("offload", pins.offload.is_some(), |pins| pins.offload = None),
        ("framework", pins.framework.is_some(), |pins| pins.framework = None),
    ];
    let numbers = single
        .into_iter()
        .filter_map(|(field, pin, free)| pin.map(|value| (field, value.to_string(), free)));
    let names = words
        .into_iter()
        .filter(|(_, pinned, _)| *pinned)
        .map(|(field, _, free)| (field, "pinned".to_owned(), free));
    numbers.chain(names).map(|(field, from, free)| {
        let mut changed = inputs.clone();
        free(&mut changed.pins);
        let step = RemedyStep { field: Cow::Borrowed(field), from, to: "auto".to_owned() };
        (changed, step)
    })
}

/// One more node at a time at first, then doubling.
fn more_nodes(inputs: &Inputs) -> impl Iterator<Item = Change> + '_ {
    let now = inputs.cluster.nodes;
    let few = (now + 1..=now.saturating_mul(2)).take(8);
    let doubled = std::iter::successors(Some(now.saturating_mul(2)), |n| n.checked_mul(2))
        .take_while(move |n| *n <= now.saturating_mul(MOST_GROWTH))
        .filter(move |n| *n > now + 8);
    few.chain(doubled).map(move |nodes| {
        let mut changed = inputs.clone();
        changed.cluster.nodes = nodes;
        if changed.cluster.nics_per_node == 0 {
            // A lone box has no network to grow over: one NIC of 200 Gb/s per node is assumed.
            changed.cluster.nics_per_node = 1;
            changed.cluster.nic_speed = crate::units::BitsPerSecond::gbps(200.0);
        }
        let step = RemedyStep {
            field: Cow::Borrowed("nodes"),
            from: now.to_string(),
            to: nodes.to_string(),
        };
        (changed, step)
    })
}

fn adapters(inputs: &Inputs) -> impl Iterator<Item = Change> {
    let full = inputs.job.kind != JobKind::Lora;
    full.then(|| {
        let mut changed = inputs.clone();
        changed.job.kind = JobKind::Lora;
        let from = match inputs.job.kind {
            JobKind::Pretrain => "pretrain",
            JobKind::FullFineTune | JobKind::Lora => "full-fine-tune",
        };
        let step = RemedyStep {
            field: Cow::Borrowed("kind"),
            from: from.to_owned(),
            to: "lora".to_owned(),
        };
        (changed, step)
    })
    .into_iter()
}
