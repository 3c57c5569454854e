//! The cheapest way to run a collective (COMMUNICATION.md 4.4).

use crate::cluster::{IntraNode, LinkKind};
use crate::units::{Bytes, BytesPerSecond, Seconds};

use super::constants::{ll_cap, protocol_share};
use super::latency::Route;
use super::load::{Load, Placed};
use super::{Algorithm, Collective, CollectiveCost, Group, Network, Protocol};

const REDUCING: [Algorithm; 5] = [
    Algorithm::Ring,
    Algorithm::Tree,
    Algorithm::Nvls,
    Algorithm::NvlsTree,
    Algorithm::Hierarchical,
];
const GATHERING: [Algorithm; 2] = [Algorithm::Ring, Algorithm::Pat];
const ROOTED: [Algorithm; 1] = [Algorithm::Ring];
const PAIRWISE: [Algorithm; 1] = [Algorithm::Direct];

/// An algorithm with a protocol, and how long it takes.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    algorithm: Algorithm,
    protocol: Protocol,
    latency: Seconds,
    /// Before the limits of the protocol.
    loads: [Load; 3],
    limited: [Load; 3],
    time: Seconds,
}

/// The busiest level of a set of loads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) time: Seconds,
    pub(super) bandwidth: BytesPerSecond,
    pub(super) limit: LinkKind,
}

impl Moving {
    /// The levels work at the same time, so that the slowest counts.
    pub(super) fn of(loads: &[Load; 3], size: Bytes, placed: &Placed) -> Self {
        let (tau, idle) = (placed.ramp(), placed.kind);
        let (mut time, mut asymptote, mut limit) = (Seconds::ZERO, Seconds::ZERO, idle);
        for load in loads {
            let own = load.time(size, tau);
            if own > time {
                time = own;
                limit = load.kind;
            }
            asymptote = asymptote.max(load.bytes.over(load.rate));
        }
        let seconds = asymptote.as_seconds();
        let gb_s = if seconds > 0.0 { size.as_gb() / seconds } else { 0.0 };
        Self { time, bandwidth: BytesPerSecond::gb_s(gb_s), limit }
    }
}

impl Network {
    /// Time of one call on `size` bytes, counted as nccl-tests count them, with the groups of
    /// the same shape beside it. The algorithm and protocol of least time are taken, as NCCL
    /// does. Never allocates.
    pub fn cost(&self, collective: Collective, size: Bytes, group: Group) -> CollectiveCost {
        if group.ranks < 2 {
            return CollectiveCost::NOTHING;
        }
        let placed = self.place(group);
        let mut best: Option<Candidate> = None;
        for algorithm in algorithms(collective) {
            if !self.offers(*algorithm, &placed) {
                continue;
            }
            let loads = self.loads(collective, *algorithm, size, &placed);
            for protocol in Protocol::ALL {
                if !self.speaks(*algorithm, protocol, &placed) {
                    continue;
                }
                let latency = self.latency(collective, *algorithm, protocol, route(self, &placed));
                if best.is_some_and(|best| latency >= best.time) {
                    continue;
                }
                let limited = self.limited(loads, (*algorithm, protocol), &placed);
                let time = latency + slowest(&limited, size, placed.ramp());
                if best.is_none_or(|best| time < best.time) {
                    let algorithm = *algorithm;
                    best = Some(Candidate { algorithm, protocol, latency, loads, limited, time });
                }
            }
        }
        best.map_or(CollectiveCost::NOTHING, |best| self.costed(&best, size, &placed))
    }

    /// The cost with one algorithm and protocol, whether or not NCCL would take it; none where
    /// it cannot be run.
    pub fn cost_with(
        &self,
        collective: Collective,
        size: Bytes,
        group: Group,
        (algorithm, protocol): (Algorithm, Protocol),
    ) -> Option<CollectiveCost> {
        let placed = self.place(group);
        let possible = group.ranks > 1
            && algorithms(collective).contains(&algorithm)
            && self.offers(algorithm, &placed)
            && self.speaks(algorithm, protocol, &placed);
        possible.then(|| {
            let latency = self.latency(collective, algorithm, protocol, route(self, &placed));
            let loads = self.loads(collective, algorithm, size, &placed);
            let limited = self.limited(loads, (algorithm, protocol), &placed);
            let time = latency + slowest(&limited, size, placed.ramp());
            let only = Candidate { algorithm, protocol, latency, loads, limited, time };
            self.costed(&only, size, &placed)
        })
    }

    /// Which algorithms exist here (COMMUNICATION.md 1.1).
    fn offers(&self, algorithm: Algorithm, placed: &Placed) -> bool {
        let (inside, across) = (placed.node.ranks > 1, placed.node.sets > 1);
        let reduces = self.nvls > BytesPerSecond::ZERO && placed.node.ranks > 2;
        match algorithm {
            Algorithm::Ring | Algorithm::Tree | Algorithm::Direct => true,
            Algorithm::Nvls => reduces && !across,
            Algorithm::NvlsTree => reduces && across,
            Algorithm::Hierarchical => self.intra == IntraNode::Mesh && inside,
            Algorithm::Pat => across && !inside,
        }
    }

    /// NVLS and pairwise exchange run Simple; LL128 needs NVLink (COMMUNICATION.md 1.1, 1.4).
    fn speaks(&self, algorithm: Algorithm, protocol: Protocol, placed: &Placed) -> bool {
        match (algorithm, protocol) {
            (_, Protocol::Simple) => true,
            (Algorithm::Nvls | Algorithm::NvlsTree | Algorithm::Pat, _) => false,
            (Algorithm::Direct | Algorithm::Hierarchical, Protocol::Ll128) => false,
            (_, Protocol::Ll) => true,
            (_, Protocol::Ll128) => placed.kind == LinkKind::NvLink,
        }
    }

    /// The loads at the rates that a protocol reaches (COMMUNICATION.md 1.3).
    fn limited(
        &self,
        loads: [Load; 3],
        (algorithm, protocol): (Algorithm, Protocol),
        placed: &Placed,
    ) -> [Load; 3] {
        let share = protocol_share(algorithm, protocol, placed.node.sets == 1);
        let cap = match protocol {
            Protocol::Ll => ll_cap(self.architecture, placed.node.sets),
            Protocol::Ll128 | Protocol::Simple => BytesPerSecond::gb_s(f64::INFINITY),
        };
        loads.map(|load| Load { rate: (load.rate * share).min(cap), ..load })
    }

    fn costed(&self, candidate: &Candidate, size: Bytes, placed: &Placed) -> CollectiveCost {
        let Candidate { algorithm, protocol, latency, loads, limited, time } = *candidate;
        let Moving { bandwidth, limit, .. } = Moving::of(&limited, size, placed);
        let links = self.per_node(loads, placed);
        CollectiveCost { time, algorithm, protocol, latency, bandwidth, limit, links }
    }

    /// Adds up the loads of all groups with ranks in one node.
    pub(super) fn per_node(&self, loads: [Load; 3], placed: &Placed) -> [Bytes; 4] {
        let gpus = f64::from(self.gpus_per_node);
        let mut links = [Bytes::ZERO; 4];
        for load in loads {
            let groups = match load.kind {
                LinkKind::NvLink | LinkKind::Pcie => gpus,
                LinkKind::Nic => gpus / f64::from(placed.node.ranks),
                LinkKind::Spine if placed.segment.sets > 1 => {
                    gpus / f64::from(placed.segment.ranks)
                }
                LinkKind::Spine => gpus / f64::from(placed.node.ranks),
            };
            for (kind, bytes) in LinkKind::ALL.iter().zip(links.iter_mut()) {
                if *kind == load.kind {
                    *bytes += load.bytes * groups;
                }
            }
        }
        links
    }
}

pub(super) const fn route(network: &Network, placed: &Placed) -> Route {
    Route {
        ranks: placed.ranks,
        nodes: placed.node.sets,
        per_node: placed.node.ranks,
        hop: network.hop(placed.kind),
    }
}

fn slowest(loads: &[Load; 3], size: Bytes, tau: Seconds) -> Seconds {
    loads.iter().map(|load| load.time(size, tau)).fold(Seconds::ZERO, Seconds::max)
}

const fn algorithms(collective: Collective) -> &'static [Algorithm] {
    match collective {
        Collective::AllReduce => &REDUCING,
        Collective::AllGather | Collective::ReduceScatter => &GATHERING,
        Collective::Broadcast => &ROOTED,
        Collective::AllToAll | Collective::SendRecv => &PAIRWISE,
    }
}
