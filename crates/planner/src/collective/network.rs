//! The network as the collectives see it: a few numbers, copied freely.

use crate::catalog::{Accelerator, Architecture};
use crate::cluster::{ClusterSpec, HostPath, IntraNode, LinkKind, Rates};
use crate::units::BytesPerSecond;

use super::Group;
use super::constants::{Hop, NVLS_BLACKWELL, NVLS_HOPPER, NVLS_RACK, RACK_FROM};
use super::placement::Cut;

/// Everything that the cost of a collective depends on. No heap, so that a search can hold it
/// by value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    pub(super) nodes: u32,
    pub(super) gpus_per_node: u32,
    pub(super) nics_per_node: u32,
    pub(super) nodes_per_segment: u32,
    pub(super) segments: u32,
    pub(super) rails: u32,
    /// Down over up capacity of a leaf; 0 where nothing lies above the leaves.
    pub(super) oversubscription: f64,
    pub(super) intra: IntraNode,
    pub(super) architecture: Architecture,
    pub(super) rates: Rates,
    /// In-switch all-reduce rate of one GPU; zero where the switch cannot reduce.
    pub(super) nvls: BytesPerSecond,
}

impl Network {
    /// Reads a specification; call [`crate::cluster::check`] first for input from outside.
    pub fn new(spec: &ClusterSpec, accelerator: &Accelerator) -> Self {
        let nodes = spec.nodes.max(1);
        let segment = spec.spine.map_or(0, |spine| spine.nodes_per_segment);
        let nodes_per_segment = if segment == 0 { nodes } else { segment.min(nodes) };
        let rails = if spec.rail_optimized { spec.nics_per_node.max(1) } else { 1 };
        Self {
            nodes,
            gpus_per_node: spec.gpus_per_node.max(1),
            nics_per_node: spec.nics_per_node,
            nodes_per_segment,
            segments: nodes.div_ceil(nodes_per_segment),
            rails,
            oversubscription: spec.spine.map_or(0.0, |spine| spine.oversubscription),
            intra: spec.intra,
            architecture: accelerator.architecture,
            rates: Rates::new(spec, accelerator),
            nvls: nvls_rate(spec, accelerator),
        }
    }

    /// GPUs of the fast domain: the node (or rack), or the bridged pair.
    pub const fn domain(&self) -> u32 {
        self.rates.domain
    }

    /// Ring rate of one GPU inside the domain, one way.
    pub const fn port(&self) -> BytesPerSecond {
        self.rates.port
    }

    /// Share of the node's network of one GPU when all send, one way, effective.
    pub fn nic_per_gpu(&self) -> BytesPerSecond {
        self.rates.node / f64::from(self.gpus_per_node)
    }

    /// All GPUs.
    pub fn gpus(&self) -> u64 {
        u64::from(self.nodes) * u64::from(self.gpus_per_node)
    }

    /// Whether any group of this shape leaves the fast domain.
    pub fn crosses(&self, group: Group) -> bool {
        let domain = self.rates.domain.max(1);
        let domains = self.nodes.saturating_mul(self.gpus_per_node.div_ceil(domain));
        Cut::new(group, domain, domains).sets > 1
    }

    /// Whether any group of this shape leaves the node.
    pub fn leaves_node(&self, group: Group) -> bool {
        self.by_node(group).sets > 1
    }

    pub(super) fn by_node(&self, group: Group) -> Cut {
        Cut::new(group, self.gpus_per_node, self.nodes)
    }

    pub(super) fn by_segment(&self, group: Group) -> Cut {
        let size = self.gpus_per_node.saturating_mul(self.nodes_per_segment);
        Cut::new(group, size, self.segments)
    }

    /// Kind and ring rate of the link that `ranks` GPUs of one node use among themselves.
    pub(super) fn inside(&self, group: Group, ranks: u32) -> (LinkKind, BytesPerSecond) {
        match self.intra {
            IntraNode::NvSwitch | IntraNode::Pcie(_) => (self.rates.domain_kind, self.rates.port),
            IntraNode::Mesh => {
                let peer = self.rates.per_peer.unwrap_or(self.rates.port);
                (LinkKind::NvLink, peer * f64::from(ranks.max(2) - 1))
            }
            IntraNode::NvLinkPairs if self.crosses(group) => (LinkKind::Pcie, self.rates.pcie_ring),
            IntraNode::NvLinkPairs => (LinkKind::NvLink, self.rates.port),
        }
    }

    /// Network rate of one group with `ranks` ranks in a node, its sister groups running
    /// (COMMUNICATION.md 4.4: GPU:NIC sharing). A lone rank reaches the NICs next to it.
    pub(super) fn node_share(&self, ranks: u32) -> BytesPerSecond {
        let share = self.nic_per_gpu() * f64::from(ranks.min(self.gpus_per_node));
        if ranks == 1 { share.min(self.rates.one_gpu) } else { share }
    }

    /// The hop between two GPUs of a node.
    pub(super) const fn hop(&self, kind: LinkKind) -> Hop {
        match (kind, self.intra) {
            (LinkKind::NvLink, _) => Hop::NvLink,
            (_, IntraNode::Pcie(HostPath::ThroughHost)) => Hop::Host,
            (LinkKind::Pcie | LinkKind::Nic | LinkKind::Spine, _) => Hop::Pcie,
        }
    }
}

fn nvls_rate(spec: &ClusterSpec, accelerator: &Accelerator) -> BytesPerSecond {
    let share = match (spec.intra, accelerator.architecture) {
        (IntraNode::NvSwitch, Architecture::Hopper) => NVLS_HOPPER.value,
        (IntraNode::NvSwitch, Architecture::Blackwell) if spec.gpus_per_node >= RACK_FROM => {
            NVLS_RACK.value
        }
        (IntraNode::NvSwitch, Architecture::Blackwell) => NVLS_BLACKWELL.value,
        _ => 0.0,
    };
    accelerator.link_bandwidth * share
}
