//! Exposed communication of a step by axis (STUDY_TIME.md 2.5 to 2.9).

use crate::collective::{Collective, Group};
use crate::strategy::{Framework, Recompute, Zero};

use super::Base;
use super::case::Case;
use super::constants::{
    ASYNC_TP, CP_EXPOSED, DP_BUCKET, DP_HIDING, EP_DATE, EP_EXPOSED, EP_LINK, EP_NETWORK,
    EP_NETWORK_EXPOSED, EP_PROGRESS, FOUR_BIT_GATHER, FSDP_EXPOSED, HOP_INSIDE, P2P_EXPOSED,
    P2P_NETWORK, P2P_START, RAMP_INSIDE, RAMP_NETWORK, TP_NETWORK, TP_START,
};

/// One kind of traffic of one GPU.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchange {
    /// Bytes of one call as nccl-tests count them.
    pub(super) size: f64,
    /// Calls in the unit that the function names.
    pub(super) calls: f64,
    /// Bytes that one GPU sends in all calls.
    pub(super) bytes: f64,
    /// Seconds of all calls, overlapped or not.
    pub(super) seconds: f64,
    /// Seconds that the GPU waits for.
    pub(super) exposed: f64,
    /// B/s that a call reaches without its start.
    pub(super) rate: f64,
}

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

/// Tensor parallelism, all layers, one micro-batch: an all-reduce (or the pair of all-gather
/// and reduce-scatter of sequence parallelism) after attention and feed-forward, each way (2.5).
pub(super) fn tensor(case: &Case<'_>) -> Exchange {
    if case.layout.tp <= 1 {
        return Exchange::default();
    }
    let group = tensor_group(case);
    let inside = case.wires.inside(group);
    let (rate, ramp) = if inside {
        (case.wires.link, RAMP_INSIDE.value)
    } else {
        (case.wires.link.min(TP_NETWORK.value * case.wires.ring(group)), RAMP_NETWORK.value)
    };
    let size = 2.0 * case.tokens * case.shape.hidden;
    let per_layer = if case.layout.recompute == Recompute::Full { 6.0 } else { 4.0 };
    let calls = per_layer * case.shape.layers;
    let volume = 2.0 * (case.tp - 1.0) / case.tp * size;
    let one = volume / rate * (1.0 + (rate * ramp / size.max(1.0)).sqrt()) + TP_START.value;
    let share = tensor_share(case);
    let seconds = one * calls;
    Exchange { size, calls, bytes: volume * calls, seconds, exposed: seconds * share, rate }
}

/// Context parallelism, all layers, one micro-batch: keys and values travel the ring (2.7).
pub(super) fn context(case: &Case<'_>) -> Exchange {
    if case.layout.cp <= 1 {
        return Exchange::default();
    }
    let shape = &case.shape;
    let size = 2.0 * case.tokens * 2.0 * shape.kv_heads * shape.bytes_head() / case.tp;
    let calls = 3.0 * (case.cp - 1.0) * shape.layers;
    let rate = case.wires.ring(context_group(case));
    let seconds = size * calls / rate;
    Exchange {
        size,
        calls,
        bytes: size * calls,
        seconds,
        exposed: seconds * CP_EXPOSED.value,
        rate,
    }
}

/// Expert parallelism, all layers, one micro-batch: tokens go to their experts and back, each
/// way (2.6). Over several domains only distinct copies travel.
pub(super) fn expert(case: &Case<'_>) -> Exchange {
    let Some(moe) = case.shape.experts else { return Exchange::default() };
    if case.layout.ep <= 1 {
        return Exchange::default();
    }
    let group = expert_group(case);
    let calls = 4.0 * moe.layers;
    let copies = case.tokens * moe.top_k * case.shape.hidden / case.tp * 2.0;
    let (size, rate) = if case.wires.inside(group) {
        let size = copies * (case.ep - 1.0) / case.ep * case.etp;
        (size, case.wires.link * EP_LINK.value)
    } else {
        let domains = case.wires.domains(group);
        let missed = libm::pow(1.0 - 1.0 / domains, moe.top_k);
        let distinct = domains * (1.0 - missed) / moe.top_k;
        let size = copies * distinct.min(1.0) * (1.0 - 1.0 / domains);
        (size, case.wires.network_rate(group) * EP_NETWORK.value)
    };
    let seconds = size * calls / rate;
    Exchange {
        size: copies,
        calls,
        bytes: size * calls,
        seconds,
        exposed: seconds * expert_share(case) / case.vintage,
        rate,
    }
}

/// Hand-overs between stages, one step (2.8).
pub(super) fn pipeline(case: &Case<'_>) -> Exchange {
    if case.layout.pp <= 1 {
        return Exchange::default();
    }
    let group = pipeline_group(case);
    let rate = P2P_NETWORK.value
        * if case.wires.inside(group) { case.wires.link } else { case.wires.network_rate(group) };
    let size = 2.0 * case.tokens * case.shape.hidden / case.tp;
    let calls = 2.0 * case.vpp * (case.micro_batches + case.pp - 1.0);
    let seconds = calls * (size / rate + P2P_START.value);
    Exchange {
        size,
        calls,
        bytes: size * calls,
        seconds,
        exposed: seconds * P2P_EXPOSED.value,
        rate,
    }
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

/// Exposed share of tensor-parallel collectives.
pub(super) fn tensor_share(case: &Case<'_>) -> f64 {
    case.class.tp_exposed * if case.variant.async_tp { ASYNC_TP.value } else { 1.0 }
}

/// Exposed share of expert exchange; over the network it shrinks with the release.
pub(super) fn expert_share(case: &Case<'_>) -> f64 {
    if case.wires.inside(expert_group(case)) {
        return EP_EXPOSED.value;
    }
    let years = (case.setting.stack.release - EP_DATE.value).clamp(-1.0, 1.0);
    EP_NETWORK_EXPOSED.value * libm::exp(-EP_PROGRESS.value * years)
}

/// Optimizer states are cut over this many ranks.
pub(super) fn shards(case: &Case<'_>) -> f64 {
    if case.layout.zero == Zero::None { 1.0 } else { f64::from(shard_group(case)) }
}

pub(super) fn tensor_group(case: &Case<'_>) -> Group {
    Group { ranks: case.layout.tp.max(1), stride: 1 }
}

pub(super) fn context_group(case: &Case<'_>) -> Group {
    Group { ranks: case.layout.cp.max(1), stride: case.layout.tp.max(1) }
}

pub(super) fn expert_group(case: &Case<'_>) -> Group {
    Group { ranks: case.layout.ep.max(1), stride: case.layout.etp.max(1) }
}

pub(super) fn data_group(case: &Case<'_>) -> Group {
    let layout = &case.layout;
    Group { ranks: layout.dp.max(1) * layout.cp.max(1), stride: layout.tp.max(1) }
}

pub(super) fn pipeline_group(case: &Case<'_>) -> Group {
    let data = data_group(case);
    Group { ranks: case.layout.pp.max(1), stride: data.ranks.saturating_mul(data.stride) }
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

/// Weights gathered twice and gradients scattered once in one micro-batch; gradients of equal
/// shards summed once a step.
fn sharded_weights(case: &Case<'_>, parameters: f64, group: Group) -> Reductions {
    let (inner, outer) = split(case, group);
    let width = match case.variant.base {
        Base::SixteenBit => 2.0,
        Base::FourBit => FOUR_BIT_GATHER.value,
    };
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
