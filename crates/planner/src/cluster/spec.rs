//! The inputs of the templates: node type × count, rails, leaf and spine.

use serde::{Deserialize, Serialize};

use crate::units::{BitsPerSecond, Bytes};

/// A regular cluster: `nodes` equal nodes (or racks that are one NVLink domain).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterSpec {
    /// Id in the accelerator catalog.
    pub accelerator: String,
    /// Nodes; for a rack-scale part such as NVL72, racks.
    pub nodes: u32,
    /// GPUs in one node (one scale-up domain where there is a switch).
    pub gpus_per_node: u32,
    pub intra: IntraNode,
    /// NICs per node on the accelerator fabric; 0 on a lone box.
    pub nics_per_node: u32,
    pub nic_speed: BitsPerSecond,
    pub fabric: Fabric,
    /// NIC i of every node goes to leaf i.
    pub rail_optimized: bool,
    pub spine: Option<Spine>,
    pub host_memory: Bytes,
}

/// How the GPUs of one node reach each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntraNode {
    /// NVSwitch: each GPU has its full NVLink bandwidth to any peer.
    NvSwitch,
    /// NVLink bridges between pairs, PCIe beyond.
    NvLinkPairs,
    /// A full mesh of direct links (xGMI, HCCS).
    Mesh,
    Pcie(HostPath),
}

/// What a PCIe box allows between two GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostPath {
    /// Peer copies through PCIe switches.
    PeerToPeer,
    /// Copies staged in host memory (GeForce drivers).
    ThroughHost,
}

/// Kind of network; sets efficiency and hop latency (COMMUNICATION.md 2.2 and 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fabric {
    InfiniBand,
    Roce,
    Efa,
    Tcpx,
    Ethernet,
}

/// The tier above the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spine {
    /// Nodes under one group of leaves (a segment); 0: all nodes share the leaves.
    pub nodes_per_segment: u32,
    /// Down capacity over up capacity of a leaf; 1 is non-blocking.
    pub oversubscription: f64,
}
