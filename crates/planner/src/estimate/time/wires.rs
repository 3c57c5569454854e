//! Bandwidth that the groups of a layout get, placed in the order tensor, context, data,
//! pipeline with expert groups inside data × context (STUDY_TIME.md 2.5 to 2.9).

use crate::catalog::Accelerator;
use crate::cluster::{ClusterSpec, HostPath, IntraNode};
use crate::collective::{Group, Network};
use crate::strategy::{Framework, Layout};

use super::constants::{COPY_ENGINE, NETWORK_LINE};

/// Rates in B/s, one way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wires {
    /// Ring rate of one GPU inside the fast domain.
    pub(super) link: f64,
    /// Network rate per GPU when all GPUs of a node send; the line rate on a good fabric, which
    /// is what the shares of the constants table were fitted with.
    pub(super) nic: f64,
    /// GPUs of one fast domain.
    pub(super) domain: u32,
    /// GPUs that share the NICs of one node.
    node: u32,
    /// GPUs below one group of leaves.
    segment: u32,
    oversubscription: f64,
    network: Network,
}

impl Wires {
    pub(super) fn new(
        cluster: &ClusterSpec,
        accelerator: &Accelerator,
        network: &Network,
        layout: &Layout,
    ) -> Self {
        let copies = layout.framework == Framework::FusedCuda
            && matches!(
                cluster.intra,
                IntraNode::Pcie(HostPath::ThroughHost | HostPath::PeerToPeer)
            );
        let port = network.port().base();
        let link = if copies {
            port.max(accelerator.pcie_bandwidth.base() * COPY_ENGINE.value)
        } else {
            port
        };
        let node = cluster.gpus_per_node.max(1);
        let (segment, oversubscription) = match cluster.spine {
            Some(spine) if spine.nodes_per_segment > 0 => {
                (spine.nodes_per_segment.saturating_mul(node), spine.oversubscription.max(1.0))
            }
            Some(_) | None => (u32::MAX, 1.0),
        };
        Self {
            link,
            nic: network.nic_per_gpu().base() / NETWORK_LINE.value,
            domain: network.domain().max(1),
            node,
            segment,
            oversubscription,
            network: *network,
        }
    }

    /// Ranks `stride` apart all lie in one fast domain.
    pub(super) fn inside(&self, group: Group) -> bool {
        group.ranks.saturating_sub(1).saturating_mul(group.stride) < self.domain
    }

    /// Domains that a group touches.
    pub(super) fn domains(&self, group: Group) -> f64 {
        f64::from(group.ranks.saturating_mul(group.stride).div_ceil(self.domain).max(1))
    }

    /// Network rate of one GPU for traffic of groups that span this much: a spine in the way
    /// divides it.
    pub(super) fn network_rate(&self, group: Group) -> f64 {
        if group.ranks.saturating_mul(group.stride) > self.segment {
            self.nic / self.oversubscription
        } else {
            self.nic
        }
    }

    /// Ring rate of one rank: the slower of the link and the NICs that the ranks of the group
    /// in a node share.
    pub(super) fn ring(&self, group: Group) -> f64 {
        if group.ranks <= 1 || self.inside(group) {
            return self.link;
        }
        let peers = f64::from((self.node / group.stride.max(1)).clamp(1, group.ranks));
        self.link.min(self.network_rate(group) * peers)
    }

    pub(super) const fn network(&self) -> &Network {
        &self.network
    }
}
