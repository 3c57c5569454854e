//! Effective one-way rates of the links of a cluster (COMMUNICATION.md 2.2).

use serde::{Deserialize, Serialize};

use crate::catalog::{Accelerator, Architecture};
use crate::units::{BytesPerSecond, Seconds};

use super::constants::{
    BRIDGE, BRIDGE_HOPPER, Constant, ONE_FLOW, PCIE_GEN4_HOST, PCIE_GEN4_PEER, PCIE_GEN5_FROM,
    PCIE_GEN5_HOST, PCIE_GEN5_PEER, PCIE_PLAIN, PCIE_UNKNOWN, RING_AMPERE, RING_BLACKWELL,
    RING_HOPPER, RING_MESH, RING_OLDER, fabric_row,
};
use super::{ClusterSpec, HostPath, IntraNode};

/// The four kinds of links that traffic is counted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// Scale-up links of any vendor: NVLink, xGMI, HCCS.
    #[serde(rename = "nvlink")]
    NvLink,
    Pcie,
    /// Between a node and its leaf.
    Nic,
    /// Between leaf and spine.
    Spine,
}

impl LinkKind {
    pub const ALL: [Self; 4] = [Self::NvLink, Self::Pcie, Self::Nic, Self::Spine];

    /// `nvlink`, `pcie`, `nic` or `spine`; the name in results.
    pub const fn key(self) -> &'static str {
        match self {
            Self::NvLink => "nvlink",
            Self::Pcie => "pcie",
            Self::Nic => "nic",
            Self::Spine => "spine",
        }
    }
}

/// Effective one-way rates, all after the efficiencies of the constants table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// GPUs of the fast domain: the node, or the bridged pair.
    pub domain: u32,
    /// Kind of the links inside the domain.
    pub domain_kind: LinkKind,
    /// Ring rate of one GPU inside the domain, all its GPUs taking part.
    pub port: BytesPerSecond,
    /// Rate between two GPUs of a mesh; none where a GPU reaches any peer at `port`.
    pub per_peer: Option<BytesPerSecond>,
    /// Ring rate of one GPU over PCIe, for groups wider than a bridged pair.
    pub pcie_ring: BytesPerSecond,
    /// One plain flow of one GPU over its x16 slot.
    pub pcie_flow: BytesPerSecond,
    /// One NIC.
    pub nic: BytesPerSecond,
    /// All NICs of a node, as far as the slots of its GPUs can feed them.
    pub node: BytesPerSecond,
    /// What one GPU alone reaches: the NICs next to it, as a single flow.
    pub one_gpu: BytesPerSecond,
    /// Latency that the fabric adds to each hop.
    pub extra_hop: Seconds,
}

impl Rates {
    pub fn new(spec: &ClusterSpec, accelerator: &Accelerator) -> Self {
        let gpus = f64::from(spec.gpus_per_node.max(1));
        let row = fabric_row(spec.fabric, spec.nics_per_node, spec.nic_speed.as_gbps());
        let nic = spec.nic_speed.bytes() * row.share;
        let slot = slot_rate(accelerator);
        let pcie_flow = slot * PCIE_PLAIN.value;
        let node = (nic * f64::from(spec.nics_per_node)).min(pcie_flow * gpus);
        let nearest = f64::from((spec.nics_per_node / spec.gpus_per_node.max(1)).max(1));
        let one_gpu = (nic * nearest).min(pcie_flow).min(node) * ONE_FLOW.value;
        let pcie_ring = slot * pcie_share(spec, accelerator).value;
        let link = accelerator.link_bandwidth;
        let (domain, domain_kind, port, per_peer) = match spec.intra {
            IntraNode::NvSwitch => {
                let port = link * switch_share(accelerator.architecture).value;
                (spec.gpus_per_node, LinkKind::NvLink, port, None)
            }
            IntraNode::Mesh => {
                let peers = f64::from(accelerator.scale_up_max.max(2) - 1);
                let peer =
                    accelerator.link_bandwidth_per_peer.unwrap_or(link / peers) * RING_MESH.value;
                (spec.gpus_per_node, LinkKind::NvLink, peer * (gpus - 1.0).max(1.0), Some(peer))
            }
            IntraNode::NvLinkPairs => {
                let port = link * bridge_share(accelerator.architecture).value;
                (spec.gpus_per_node.min(2), LinkKind::NvLink, port, None)
            }
            IntraNode::Pcie(_) => (spec.gpus_per_node, LinkKind::Pcie, pcie_ring, None),
        };
        Self {
            domain,
            domain_kind,
            port,
            per_peer,
            pcie_ring,
            pcie_flow,
            nic,
            node,
            one_gpu,
            extra_hop: Seconds::micros(row.extra_hop_micros),
        }
    }
}

fn slot_rate(accelerator: &Accelerator) -> BytesPerSecond {
    if accelerator.pcie_bandwidth > BytesPerSecond::ZERO {
        accelerator.pcie_bandwidth
    } else {
        BytesPerSecond::gb_s(PCIE_UNKNOWN.value)
    }
}

const fn switch_share(architecture: Architecture) -> Constant {
    match architecture {
        Architecture::Ampere | Architecture::Ada => RING_AMPERE,
        Architecture::Hopper => RING_HOPPER,
        Architecture::Blackwell => RING_BLACKWELL,
        Architecture::Volta | Architecture::Turing => RING_OLDER,
        Architecture::Other => RING_MESH,
    }
}

const fn bridge_share(architecture: Architecture) -> Constant {
    match architecture {
        Architecture::Hopper => BRIDGE_HOPPER,
        Architecture::Volta
        | Architecture::Turing
        | Architecture::Ampere
        | Architecture::Ada
        | Architecture::Blackwell
        | Architecture::Other => BRIDGE,
    }
}

fn pcie_share(spec: &ClusterSpec, accelerator: &Accelerator) -> Constant {
    let fifth = slot_rate(accelerator).as_gb_s() >= PCIE_GEN5_FROM;
    let staged = match spec.intra {
        IntraNode::Pcie(path) => path == HostPath::ThroughHost,
        IntraNode::NvSwitch | IntraNode::NvLinkPairs | IntraNode::Mesh => {
            !accelerator.pcie_peer_to_peer
        }
    };
    match (fifth, staged) {
        (true, false) => PCIE_GEN5_PEER,
        (false, false) => PCIE_GEN4_PEER,
        (true, true) => PCIE_GEN5_HOST,
        (false, true) => PCIE_GEN4_HOST,
    }
}
