//! Exposed communication of tensor, context, expert and pipeline parallelism (STUDY_TIME.md 2.5
//! to 2.8).

use crate::collective::Group;
use crate::strategy::Recompute;

use super::case::Case;
use super::constants::{
    ASYNC_TP, CP_EXPOSED, EP_DATE, EP_EXPOSED, EP_LINK, EP_NETWORK, EP_NETWORK_EXPOSED,
    EP_PROGRESS, P2P_EXPOSED, P2P_NETWORK, P2P_START, RAMP_INSIDE, RAMP_NETWORK, TP_NETWORK,
    TP_START,
};
use super::reduce::data_group;

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

/// Tensor parallelism, all layers, one micro-batch: an all-reduce (or the pair of all-gather
/// and reduce-scatter of sequence parallelism) after attention and feed-forward, each way (2.5).
pub(super) fn tensor(case: &Case<'_>) -> Exchange {
    if case.layout.tp <= 1 {
        return Exchange::default();
    }
    let group = tensor_group(case);
    let inside = case.wires.inside(group);
    let ring = case.wires.ring(group);
    let (rate, ramp) = if inside {
        (ring, RAMP_INSIDE.value)
    } else {
        (TP_NETWORK.value * ring, RAMP_NETWORK.value)
    };
    let size = 2.0 * case.tokens * case.shape.hidden;
    // Two exchanges in each direction; what is computed again exchanges again.
    let per_layer = match case.layout.recompute {
        Recompute::Full => 6.0,
        Recompute::FeedForward | Recompute::NormsAndFeedForward => 5.0,
        Recompute::None | Recompute::Norms | Recompute::Selective => 4.0,
    };
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
        (size, case.wires.ring(group) * EP_LINK.value)
    } else {
        let domains = case.wires.nodes(group);
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
        * if case.wires.inside(group) {
            case.wires.ring(group)
        } else {
            case.wires.network_rate(group)
        };
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

pub(super) fn tensor_group(case: &Case<'_>) -> Group {
    Group { ranks: case.layout.tp.max(1), stride: 1 }
}

pub(super) fn context_group(case: &Case<'_>) -> Group {
    Group { ranks: case.layout.cp.max(1), stride: case.layout.tp.max(1) }
}

pub(super) fn expert_group(case: &Case<'_>) -> Group {
    Group { ranks: case.layout.ep.max(1), stride: case.layout.etp.max(1) }
}

pub(super) fn pipeline_group(case: &Case<'_>) -> Group {
    let data = data_group(case);
    Group { ranks: case.layout.pp.max(1), stride: data.ranks.saturating_mul(data.stride) }
}
