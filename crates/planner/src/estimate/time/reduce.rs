//! Exposed communication of data parallelism: gradients, ZeRO, fully sharded weights, groups of
//! replicas (STUDY_TIME.md 2.9).

use crate::collective::{Collective, Group};
use crate::strategy::{BaseFormat, Framework, Zero};

use super::case::Case;
use super::constants::{
    DP_BUCKET, DP_HIDING, EIGHT_BIT_GATHER, FOUR_BIT_GATHER, FSDP_EXPOSED, HOP_INSIDE,
};
use super::exchange::Exchange;

/// One data-parallel collective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction {
    pub(super) kind: Collective,
    pub(super) group: Group,
    /// Of one micro-batch or one step.
    pub(super) exchange: Exchange,
    /// How often that happens in a step.
    pub(super) repeat: f64,
}

/// Those of one set of parameters.
#[derive(Clone, Copy, Debug, Default)]
struct Reductions {
    each_micro_batch: [Option<Reduction>; 2],
    each_step: [Option<Reduction>; 3],
}

/// Data parallelism, one step; `micro_batch` is the time of one micro-batch of the stage, behind
/// which traffic hides (2.9).
pub(super) fn data(case: &Case<'_>, micro_batch: f64) -> Exchange {
    if case.replicas <= 1.0 {
        return Exchange::default();
    }
    let parts = both(case);
    let sum = |parts: &[Option<Reduction>]| {
        parts.iter().flatten().fold(Exchange::default(), |sum, part| sum.and(&part.exchange))
    };
    let share = if case.fully_sharded() { FSDP_EXPOSED.value } else { case.class.dp_exposed };
    let [dense, routed] = parts;
    let weights = sum(&dense.each_micro_batch).and(&sum(&routed.each_micro_batch));
    let once = sum(&dense.each_step).and(&sum(&routed.each_step));
    hide(weights, share, micro_batch).times(case.micro_batches).and(&hide(once, share, micro_batch))
}

/// The data-parallel collectives one by one.
pub(super) fn reductions(case: &Case<'_>) -> Vec<Reduction> {
    if case.replicas <= 1.0 {
        return Vec::new();
    }
    let all = both(case);
    all.iter()
        .flat_map(|part| part.each_micro_batch.iter().chain(&part.each_step))
        .flatten()
        .filter(|part| part.exchange.calls > 0.0)
        .copied()
        .collect()
}

/// Optimizer states are cut over this many ranks.
pub(super) fn shards(case: &Case<'_>) -> f64 {
    if case.layout.zero == Zero::None { 1.0 } else { f64::from(shard_group(case)) }
}

pub(super) fn data_group(case: &Case<'_>) -> Group {
    let layout = &case.layout;
    Group { ranks: layout.dp.max(1) * layout.cp.max(1), stride: layout.tp.max(1) }
}

impl Exchange {
    fn and(self, other: &Self) -> Self {
        Self {
            size: self.size + other.size,
            calls: self.calls.max(other.calls),
            bytes: self.bytes + other.bytes,
            seconds: self.seconds + other.seconds,
            exposed: self.exposed + other.exposed,
            rate: self.rate.max(other.rate),
        }
    }

    fn times(self, factor: f64) -> Self {
        Self {
            calls: self.calls * factor,
            bytes: self.bytes * factor,
            seconds: self.seconds * factor,
            exposed: self.exposed * factor,
            ..self
        }
    }
}

/// Replicas of one expert.
fn expert_data_group(case: &Case<'_>) -> Group {
    let layout = &case.layout;
    let one = layout.ep.max(1).saturating_mul(layout.etp.max(1));
    let all = layout.dp.max(1) * layout.cp.max(1) * layout.tp.max(1);
    Group { ranks: (all / one).max(1), stride: one }
}

fn shard_group(case: &Case<'_>) -> u32 {
    let all = data_group(case).ranks;
    case.variant.shard_group.map_or(all, |group| group.clamp(1, all))
}

/// The ranks of `group` that hold one sharded copy, and those that hold the same shard.
fn split(case: &Case<'_>, group: Group) -> (Group, Group) {
    let inner = shard_group(case).min(group.ranks).max(1);
    (
        Group { ranks: inner, stride: group.stride },
        Group { ranks: (group.ranks / inner).max(1), stride: group.stride.saturating_mul(inner) },
    )
}

/// Bytes per gradient element on the wire (STUDY_TIME.md 7).
fn gradient_width(case: &Case<'_>) -> f64 {
    let wide = case.layout.framework == Framework::MegatronCore;
    if wide && case.setting.stack.fp32_gradients { 4.0 } else { 2.0 }
}

/// Collectives of the replicated parameters and of the experts.
fn both(case: &Case<'_>) -> [Reductions; 2] {
    let (dense, experts) = case.parameters();
    let of = |parameters: f64, group: Group| {
        if parameters <= 0.0 {
            Reductions::default()
        } else if case.fully_sharded() {
            sharded_weights(case, parameters, group)
        } else {
            gradients(case, parameters, group)
        }
    };
    [of(dense, data_group(case)), of(experts, expert_data_group(case))]
}

/// Gradients reduced once a step, and the new weights gathered when states are sharded.
fn gradients(case: &Case<'_>, parameters: f64, group: Group) -> Reductions {
    let trained = parameters * case.trained_share();
    let width = gradient_width(case);
    let call = |kind, bytes, group| Some(Reduction::new(case, kind, bytes, group));
    let each_step = if case.layout.zero == Zero::None {
        [call(Collective::AllReduce, width * trained, group), None, None]
    } else {
        let (inner, outer) = split(case, group);
        let shard = width * trained / f64::from(inner.ranks);
        [
            call(Collective::ReduceScatter, width * trained, inner),
            call(Collective::AllGather, 2.0 * trained, inner),
            call(Collective::AllReduce, shard, outer),
        ]
    };
    Reductions { each_step, ..Reductions::default() }
}

/// Bytes per parameter of weights that travel as they are kept.
pub(super) const fn base_width(base: BaseFormat) -> f64 {
    match base {
        BaseFormat::SixteenBit => 2.0,
        BaseFormat::EightBit => EIGHT_BIT_GATHER.value,
        BaseFormat::Nf4 | BaseFormat::Gptq4 => FOUR_BIT_GATHER.value,
    }
}

/// Weights gathered twice and gradients scattered once in one micro-batch; gradients of equal
/// shards summed once a step.
fn sharded_weights(case: &Case<'_>, parameters: f64, group: Group) -> Reductions {
    let (inner, outer) = split(case, group);
    let width = base_width(case.setting.job.base());
    let gather = Reduction::new(case, Collective::AllGather, width * parameters, inner);
    let trained = 2.0 * parameters * case.trained_share();
    let scatter = Reduction::new(case, Collective::ReduceScatter, trained, inner);
    let shard = trained / f64::from(inner.ranks);
    let sum = Reduction::new(case, Collective::AllReduce, shard, outer);
    let m = case.micro_batches;
    Reductions {
        each_micro_batch: [
            Some(Reduction { exchange: gather.exchange.times(2.0), repeat: m, ..gather }),
            Some(Reduction { repeat: m, ..scatter }),
        ],
        each_step: [Some(sum), None, None],
    }
}

impl Reduction {
    fn new(case: &Case<'_>, kind: Collective, bytes: f64, group: Group) -> Self {
        let rounds = if kind == Collective::AllReduce { 2.0 } else { 1.0 };
        let exchange = ring(case, bytes, group, rounds);
        let calls = exchange.calls.min(1.0);
        Self { kind, group, exchange: Exchange { calls, ..exchange }, repeat: 1.0 }
    }
}

/// `rounds` ring passes over `bytes`: an all-gather or reduce-scatter is one, an all-reduce two.
fn ring(case: &Case<'_>, bytes: f64, group: Group, rounds: f64) -> Exchange {
    if group.ranks <= 1 {
        return Exchange::default();
    }
    let ranks = f64::from(group.ranks);
    let rate = case.wires.ring(group);
    let near = if case.wires.inside(group) { HOP_INSIDE.value } else { 1.0 };
    let hops = (bytes / DP_BUCKET.value).max(1.0) * case.class.hop * near * (ranks - 1.0);
    let volume = bytes * (ranks - 1.0) / ranks;
    let seconds = rounds * (volume / rate + hops);
    Exchange { size: bytes, calls: rounds, bytes: rounds * volume, seconds, exposed: 0.0, rate }
}

/// A share is always seen; the rest as far as `DP_HIDING` of one micro-batch cannot hide it.
fn hide(exchange: Exchange, share: f64, micro_batch: f64) -> Exchange {
    let rest = ((1.0 - share) * exchange.seconds - DP_HIDING.value * micro_batch).max(0.0);
    Exchange { exposed: share * exchange.seconds + rest, ..exchange }
}
