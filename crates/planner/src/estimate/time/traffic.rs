//! Every collective of a step with its bytes on each kind of link.

use crate::collective::{Collective, Group, LinkKind};
use crate::units::{Bytes, Seconds};

use super::super::{Traffic, TrafficAxis};
use super::case::Case;
use super::exchange::{Exchange, context_group, expert_group, pipeline_group, tensor_group};
use super::reduce::{Reduction, reductions};
use super::sheet::Sheet;

/// The traffic of one GPU in one step, by axis and collective.
pub(super) fn traffic(case: &Case<'_>, sheet: &Sheet) -> Vec<Traffic> {
    let here = case.micro_batches / case.pp;
    let mut list = Vec::new();
    if sheet.tensor.calls > 0.0 {
        let group = tensor_group(case);
        let kinds: &[Collective] = if case.layout.sp {
            &[Collective::AllGather, Collective::ReduceScatter]
        } else {
            &[Collective::AllReduce]
        };
        for kind in kinds {
            let share = if kinds.len() > 1 { 0.5 } else { 1.0 };
            let pass = Pass { kind: *kind, axis: TrafficAxis::Tp, group, repeat: here };
            list.push(pass.of(case, &sheet.tensor, share));
        }
    }
    let simple = [
        (Collective::SendRecv, TrafficAxis::Cp, context_group(case), sheet.context, here),
        (Collective::AllToAll, TrafficAxis::Ep, expert_group(case), sheet.expert, here),
        (Collective::SendRecv, TrafficAxis::Pp, pipeline_group(case), sheet.pipeline, 1.0),
    ];
    for (kind, axis, group, exchange, repeat) in simple {
        if exchange.calls > 0.0 {
            list.push(Pass { kind, axis, group, repeat }.of(case, &exchange, 1.0));
        }
    }
    list.extend(data(case, sheet));
    list
}

/// Data-parallel collectives; what is exposed is shared out by their time.
fn data(case: &Case<'_>, sheet: &Sheet) -> Vec<Traffic> {
    let parts: Vec<Reduction> = reductions(case);
    let all: f64 = parts.iter().map(|part| part.exchange.seconds * part.repeat).sum();
    parts
        .iter()
        .map(|part| {
            let seconds = part.exchange.seconds * part.repeat;
            let exposed = if all > 0.0 { sheet.data.exposed * seconds / all } else { 0.0 };
            let kind = part.kind;
            let pass = Pass { kind, axis: TrafficAxis::Dp, group: part.group, repeat: part.repeat };
            let exchange = Exchange { exposed: exposed / part.repeat, ..part.exchange };
            pass.of(case, &exchange, 1.0)
        })
        .collect()
}

/// One collective that runs `repeat` times what its exchange says.
struct Pass {
    kind: Collective,
    axis: TrafficAxis,
    group: Group,
    repeat: f64,
}

impl Pass {
    /// `share` of the exchange falls on this collective.
    fn of(&self, case: &Case<'_>, exchange: &Exchange, share: f64) -> Traffic {
        let factor = share * self.repeat;
        let cost = case.wires.network().cost(self.kind, Bytes::new(exchange.size), self.group);
        let calls = exchange.calls * self.repeat;
        let links = LinkKind::ALL
            .iter()
            .map(|kind| (kind.key().to_owned(), cost.on(*kind) * (calls * share)))
            .filter(|(_, bytes)| *bytes > Bytes::ZERO)
            .collect();
        Traffic {
            collective: self.kind.key().to_owned(),
            axis: self.axis,
            ranks: self.group.ranks,
            calls: whole(calls),
            bytes: Bytes::new(exchange.bytes * factor),
            time: Seconds::new(exchange.seconds * factor),
            exposed: Seconds::new(exchange.exposed * factor),
            links,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range of u32; a count of calls"
)]
fn whole(calls: f64) -> u32 {
    calls.round().clamp(0.0, f64::from(u32::MAX)) as u32
}
