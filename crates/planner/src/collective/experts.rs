//! Dispatch and combine of a mixture of experts: an all-to-all that sends each token once to
//! each node that holds one of its experts (COMMUNICATION.md 4.4, "dedup").

use crate::cluster::LinkKind;
use crate::units::Bytes;

use super::constants::{DIRECT_PCIE_SHARE, DIRECT_SHARE};
use super::cost::{Moving, route};
use super::load::Load;
use super::{Algorithm, Collective, CollectiveCost, Group, Network, Protocol};

impl Network {
    /// Cost of one dispatch (or combine) where each rank holds `tokens` tokens of
    /// `bytes_per_token`, each going to `top_k` experts spread evenly over the ranks.
    ///
    /// A token crosses the network once per remote node, expected
    /// `K (1 - (1 - 1/K)^k) (K - 1)/K` times, and the links of the node once per GPU there.
    pub fn all_to_all_dedup(
        &self,
        bytes_per_token: Bytes,
        tokens: f64,
        top_k: u32,
        group: Group,
    ) -> CollectiveCost {
        if group.ranks < 2 {
            return CollectiveCost::NOTHING;
        }
        let placed = self.place(group);
        let (n, c) = (f64::from(placed.ranks), f64::from(placed.node.ranks));
        let payload = bytes_per_token * tokens;
        let size = payload * f64::from(top_k);
        let share = match placed.kind {
            LinkKind::Pcie => DIRECT_PCIE_SHARE.value,
            LinkKind::NvLink | LinkKind::Nic | LinkKind::Spine => DIRECT_SHARE.value,
        };
        let gpus = distinct(n, top_k);
        let out = payload * (c * remote(f64::from(placed.node.sets), top_k));
        let per_segment = f64::from(placed.segment.ranks);
        let up = payload * (per_segment * remote(f64::from(placed.segment.sets), top_k));
        let loads = [
            Load {
                kind: placed.kind,
                bytes: payload * (gpus * (c - 1.0) / c),
                rate: placed.inside * share,
            },
            Load { kind: LinkKind::Nic, bytes: out, rate: placed.across },
            Load { kind: LinkKind::Spine, bytes: up, rate: placed.spine },
        ];
        let (algorithm, protocol) = (Algorithm::Direct, Protocol::Simple);
        let latency = self.latency(Collective::AllToAll, algorithm, protocol, route(self, &placed));
        let moving = Moving::of(&loads, size, &placed);
        CollectiveCost {
            time: latency + moving.time,
            algorithm,
            protocol,
            latency,
            bandwidth: moving.bandwidth,
            limit: moving.limit,
            links: self.per_node(loads, &placed),
        }
    }
}

/// Expected distinct sets out of `sets` that `draws` even draws meet.
fn distinct(sets: f64, draws: u32) -> f64 {
    sets * (1.0 - libm::pow(1.0 - 1.0 / sets, f64::from(draws)))
}

/// Expected distinct sets other than the own one.
fn remote(sets: f64, draws: u32) -> f64 {
    if sets > 1.0 { distinct(sets, draws) * (sets - 1.0) / sets } else { 0.0 }
}
