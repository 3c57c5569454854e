//! Bandwidth that the groups of a layout get, placed in the order tensor, context, data,
//! pipeline with expert groups inside data × context (STUDY_TIME.md 2.5 to 2.9).

use crate::catalog::Accelerator;
use crate::cluster::{ClusterSpec, IntraNode};
use crate::collective::{Collective, Group, Network};
use crate::strategy::{Framework, Layout};
use crate::units::Bytes;

use super::constants::{COPY_ENGINE, NETWORK_LINE};

/// A size at which only the bandwidth counts.
const LARGE: Bytes = Bytes::gib(1.0);

/// Rates in B/s, one way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wires {
    /// Ring rate of one GPU inside the fast domain.
    pub(super) link: f64,
    /// Network rate per GPU when all GPUs of a node send; the line rate on a good fabric, which
    /// is what the shares of the constants table were fitted with.
    pub(super) nic: f64,
    /// GPUs of one node or rack, which share its NICs.
    node: u32,
    /// The GPUs of a node are linked in pairs or in a mesh.
    uneven: bool,
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
        let copies =
            layout.framework == Framework::FusedCuda && matches!(cluster.intra, IntraNode::Pcie(_));
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
            node,
            uneven: matches!(cluster.intra, IntraNode::NvLinkPairs | IntraNode::Mesh),
            segment,
            oversubscription,
            network: *network,
        }
    }

    /// Ranks `stride` apart all lie in one node or rack.
    pub(super) fn inside(&self, group: Group) -> bool {
        group.ranks.saturating_sub(1).saturating_mul(group.stride) < self.node
    }

    /// Nodes or racks that a group touches.
    pub(super) fn nodes(&self, group: Group) -> f64 {
        f64::from(group.ranks.saturating_mul(group.stride).div_ceil(self.node).max(1))
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

    /// Ring rate of one rank: the link inside a node; over nodes the slower of the link and the
    /// NICs that the ranks of the group in a node share. Where the GPUs of a node are not all
    /// linked alike, the network's own cuts say it.
    pub(super) fn ring(&self, group: Group) -> f64 {
        if group.ranks <= 1 {
            return self.link;
        }
        let link = if self.uneven { self.cut(group) } else { self.link };
        if self.inside(group) {
            return link;
        }
        let peers = f64::from((self.node / group.stride.max(1)).clamp(1, group.ranks));
        link.min(self.network_rate(group) * peers)
    }

    /// Ring rate of the part of a group that lies in one node.
    fn cut(&self, group: Group) -> f64 {
        let ranks = (self.node / group.stride.max(1)).clamp(1, group.ranks);
        if ranks <= 1 {
            return self.link;
        }
        let part = Group { ranks, stride: group.stride };
        let cost = self.network.cost(Collective::AllGather, LARGE, part);
        cost.bandwidth.base() * Collective::AllGather.bus_factor(ranks)
    }

    pub(super) const fn network(&self) -> &Network {
        &self.network
    }
}
