//! The part of a collective that does not depend on its size (COMMUNICATION.md 1.4).

use crate::units::Seconds;

use super::constants::{
    DIRECT_POST, Hop, LATENCY_FACTOR, POST_MICROS, base_micros, ring_simple_factor, step_micros,
};
use super::{Algorithm, Collective, Network, Protocol};

/// What the latency of a candidate depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub(super) ranks: u32,
    pub(super) nodes: u32,
    pub(super) per_node: u32,
    pub(super) hop: Hop,
}

impl Network {
    pub(super) fn latency(
        &self,
        collective: Collective,
        algorithm: Algorithm,
        protocol: Protocol,
        route: Route,
    ) -> Seconds {
        let base = base_micros(algorithm).of(protocol);
        let step = |hop| step_micros(algorithm, hop).of(protocol);
        let extra = self.rates.extra_hop.as_seconds() * 1e6;
        let intra = step(route.hop);
        let inter = step(Hop::Network) + extra;
        let across = route.nodes > 1;
        let depth = f64::from(route.nodes.max(1).ilog2());
        let inside = f64::from(route.per_node.max(1) - 1);
        let micros = match algorithm {
            Algorithm::Ring => self.ring_micros(collective, protocol, route),
            Algorithm::Tree => base + 2.0 * (inside * intra + depth * inter),
            Algorithm::Nvls => base + intra,
            Algorithm::NvlsTree => base + intra + 2.0 * depth * inter,
            Algorithm::Hierarchical => {
                let ring = if across { f64::from(2 * (route.nodes - 1)) } else { 0.0 };
                base + 2.0 * intra + ring * inter
            }
            Algorithm::Pat => base + depth * inter / 3.5 + 2.8 * f64::from(route.ranks),
            Algorithm::Direct => {
                let peers = match collective {
                    Collective::AllToAll => f64::from(route.ranks.max(2) - 2),
                    Collective::AllReduce
                    | Collective::AllGather
                    | Collective::ReduceScatter
                    | Collective::SendRecv
                    | Collective::Broadcast => 0.0,
                };
                base + if across { inter } else { intra } + peers * DIRECT_POST.value
            }
        };
        Seconds::micros(micros * LATENCY_FACTOR.value)
    }

    fn ring_micros(&self, collective: Collective, protocol: Protocol, route: Route) -> f64 {
        let n = f64::from(route.ranks);
        let borders = f64::from(route.nodes.max(1) - 1);
        let across = route.nodes > 1;
        let (steps, inter_steps) = match collective {
            Collective::AllReduce => (2.0 * (n - 1.0), 2.0 * borders),
            Collective::AllGather | Collective::ReduceScatter => (n - 1.0, borders),
            Collective::Broadcast | Collective::AllToAll | Collective::SendRecv => (n, borders),
        };
        // With one rank per node NCCL takes the network step of a tree.
        let family = if route.per_node == 1 { Algorithm::Tree } else { Algorithm::Ring };
        let inter = step_micros(family, Hop::Network).of(protocol)
            + self.rates.extra_hop.as_seconds() * 1e6;
        let step = step_micros(Algorithm::Ring, route.hop).of(protocol);
        let intra = if across { step.max(POST_MICROS.of(protocol)) } else { step };
        let micros = base_micros(Algorithm::Ring).of(protocol)
            + (steps - inter_steps) * intra
            + inter_steps * inter;
        let slow = across && collective == Collective::AllReduce && protocol == Protocol::Simple;
        micros * if slow { ring_simple_factor(self.architecture) } else { 1.0 }
    }
}
