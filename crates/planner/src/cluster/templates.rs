//! Ready-made clusters, and clusters of any machine of the catalog.

use crate::catalog::{self, IntraTopology, Machine};

use super::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};

/// A ready-made cluster; the message `template-MACHINE` names its machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    pub id: &'static str,
    /// The machine of the catalog that it is built from.
    pub machine: &'static str,
    pub spec: ClusterSpec,
}

/// Template, machine of the catalog, nodes (racks for NVL72).
const ROWS: [(&str, &str, u32); 14] = [
    ("rtx-4090-8", "pcie-4090-8", 1),
    ("l40s-8", "pcie-l40s-8", 1),
    ("h100-pcie-8", "pcie-h100-8", 1),
    ("a100-8", "dgx-a100-80g", 1),
    ("h100-8", "dgx-h100", 1),
    ("a100-16x8", "dgx-a100-80g", 16),
    ("a800-16x8", "hgx-a800-8", 16),
    ("h100-16x8", "dgx-h100", 16),
    ("h800-128x8", "hgx-h800-8", 128),
    ("h200-16x8", "dgx-h200", 16),
    ("h20-16x8", "hgx-h20-8", 16),
    ("b200-16x8", "dgx-b200", 16),
    ("mi300x-16x8", "mi300x-8", 16),
    ("gb200-nvl72-8", "gb200-nvl72", 8),
];

/// Nodes under one group of leaves: 32 × 8 NICs on eight 64-port leaves, half of the ports down
/// (recalled: the scalable unit of vendor reference designs).
const NODES_PER_SEGMENT: u32 = 32;

/// All ready-made clusters, small ones first.
pub fn templates() -> Vec<Template> {
    ROWS.iter()
        .filter_map(|(id, machine, nodes)| {
            let row = catalog::machine(machine)?;
            Some(Template { id, machine, spec: ClusterSpec::from_machine(row, *nodes) })
        })
        .collect()
}

impl ClusterSpec {
    /// A cluster of `nodes` machines of the catalog. Where several machines form one scale-up
    /// domain, `nodes` counts domains (racks).
    pub fn from_machine(machine: &Machine, nodes: u32) -> Self {
        let accelerator = catalog::accelerator(machine.accelerator);
        let most = accelerator.map_or(0, |row| row.scale_up_max);
        let joined = machine.gpus.saturating_mul(machine.nodes_per_domain);
        let rack = machine.intra == IntraTopology::NvSwitchRack;
        let trays = if rack && joined <= most { machine.nodes_per_domain.max(1) } else { 1 };
        let peer = accelerator.is_some_and(|row| row.pcie_peer_to_peer);
        let path = if peer { HostPath::PeerToPeer } else { HostPath::ThroughHost };
        let intra = match machine.intra {
            IntraTopology::NvSwitch | IntraTopology::NvSwitchRack => IntraNode::NvSwitch,
            IntraTopology::CubeMesh | IntraTopology::Mesh => IntraNode::Mesh,
            IntraTopology::PcieHost
            | IntraTopology::PcieTwoSocketSwitch
            | IntraTopology::Single => IntraNode::Pcie(path),
            IntraTopology::PcieNvLinkPairs => IntraNode::NvLinkPairs,
        };
        let segment = if nodes > NODES_PER_SEGMENT { NODES_PER_SEGMENT } else { 0 };
        Self {
            accelerator: machine.accelerator.to_owned(),
            nodes,
            gpus_per_node: machine.gpus.saturating_mul(trays),
            intra,
            nics_per_node: machine.nics.saturating_mul(trays),
            nic_speed: machine.nic_speed,
            fabric: fabric(machine.fabric),
            rail_optimized: machine.rails > 1,
            spine: (nodes > 1 && machine.nics > 0)
                .then_some(Spine { nodes_per_segment: segment, oversubscription: 1.0 }),
            host_memory: machine.host_memory * f64::from(trays),
        }
    }
}

/// The kind of network that a word of the catalog means; unknown words are plain Ethernet.
fn fabric(word: &str) -> Fabric {
    const WORDS: [(&str, Fabric); 6] = [
        ("infiniband", Fabric::InfiniBand),
        ("roce", Fabric::Roce),
        ("rdma", Fabric::Roce),
        ("erdma", Fabric::Roce),
        ("efa", Fabric::Efa),
        ("gpudirect-tcpx", Fabric::Tcpx),
    ];
    WORDS
        .iter()
        .find(|(prefix, _)| word.starts_with(prefix))
        .map_or(Fabric::Ethernet, |(_, fabric)| *fabric)
}
