//! What real links reach of their datasheet rate, each value with its evidence.

use super::Fabric;

/// A number of the model with the text or measurement that backs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    pub name: &'static str,
    pub value: f64,
    pub evidence: &'static str,
}

impl Constant {
    pub(crate) const fn new(name: &'static str, value: f64, evidence: &'static str) -> Self {
        Self { name, value, evidence }
    }
}

/// Share of the NVLink rate that a ring behind NVSwitch reaches.
pub const RING_AMPERE: Constant = Constant::new(
    "ring-share-ampere",
    0.785,
    "COMMUNICATION.md 2.2: A100 231-235 of 300 GB/s; NCCL constant of A800 160 of 200",
);
pub const RING_HOPPER: Constant = Constant::new(
    "ring-share-hopper",
    0.82,
    "COMMUNICATION.md 2.2: H100, H200, H20 363-367 of 450 GB/s; H800 165 of 200",
);
pub const RING_BLACKWELL: Constant = Constant::new(
    "ring-share-blackwell",
    0.76,
    "COMMUNICATION.md 2.2: B200 673-682 of 900 GB/s, 4 to 8 GPUs",
);
pub const RING_OLDER: Constant = Constant::new(
    "ring-share-older",
    0.80,
    "COMMUNICATION.md 1.2: NCCL counts 20 of 25 GB/s per link on Volta",
);
pub const RING_MESH: Constant = Constant::new(
    "ring-share-mesh",
    0.70,
    "COMMUNICATION.md 2.2: MI300X 314 of 448 GB/s on 8, 47.7 of 64 on 2",
);
pub const BRIDGE: Constant =
    Constant::new("ring-share-bridge", 0.84, "COMMUNICATION.md 2.2: A40 pair 47.4 of 56 GB/s");
pub const BRIDGE_HOPPER: Constant = Constant::new(
    "ring-share-bridge-hopper",
    0.385,
    "COMMUNICATION.md 2.2: H100 PCIe pair 115 of 300 GB/s",
);

/// Share of the PCIe x16 rate that a ring reaches.
pub const PCIE_GEN5_PEER: Constant = Constant::new(
    "pcie5-ring-share",
    0.74,
    "COMMUNICATION.md 2.2: 41-46 of 63 GB/s on 8 GPUs behind switches",
);
pub const PCIE_GEN4_PEER: Constant =
    Constant::new("pcie4-ring-share", 0.80, "COMMUNICATION.md 2.2: NCCL counts 24 of 31.5 GB/s");
pub const PCIE_GEN5_HOST: Constant = Constant::new(
    "pcie5-host-share",
    0.44,
    "reference/nccl_measured.csv: 8 × 5090 on two sockets 28 of 63 GB/s (4: 35)",
);
pub const PCIE_GEN4_HOST: Constant = Constant::new(
    "pcie4-host-share",
    0.149,
    "STUDY_TIME.md constants: 4090 without P2P 4.7 of 31.5 GB/s, spread 14 %",
);
pub const PCIE_PLAIN: Constant = Constant::new(
    "pcie-flow-share",
    0.88,
    "COMMUNICATION.md 3: 55-56 of 63 GB/s measured for one flow",
);

pub const PCIE_UNKNOWN: Constant = Constant::new(
    "pcie-unknown",
    63.0,
    "parts whose slot is not known are recent: a fifth-generation x16, COMMUNICATION.md 2.2",
);

/// From this raw one-way x16 rate, in GB/s, a slot counts as fifth generation.
pub(crate) const PCIE_GEN5_FROM: f64 = 60.0;

/// Share of the NIC rate that one GPU alone on its NIC reaches.
pub const ONE_FLOW: Constant = Constant::new(
    "one-flow-share",
    0.85,
    "STUDY_TIME.md 2.8: 0.85 of the NIC; COMMUNICATION.md 2.2: 41 of 50 GB/s with one GPU a node",
);

/// One-way latency of a hop, in µs, for the graph.
pub const HOP_NVLINK: Constant =
    Constant::new("hop-nvlink", 2.0, "COMMUNICATION.md 2.2: NVLink P2P 1.8-2.3 µs");
pub const HOP_PCIE: Constant =
    Constant::new("hop-pcie", 0.7, "COMMUNICATION.md 2.2: PCIe P2P 0.63-0.73 µs same switch");
pub const HOP_NIC: Constant =
    Constant::new("hop-nic", 1.4, "COMMUNICATION.md 2.2: ib_write 2.7-2.8 µs over two NICs");
pub const HOP_SWITCH: Constant =
    Constant::new("hop-switch", 0.3, "COMMUNICATION.md 6.3: 0.1-0.6 µs per switch hop");

/// Ports of one spine switch.
pub const SPINE_PORTS: Constant = Constant::new(
    "spine-ports",
    64.0,
    "recalled: 64 ports on a 400 Gb/s switch; only the number of spine switches drawn uses it",
);

/// All constants of this table, for display.
pub const LINKS: [Constant; 19] = [
    RING_AMPERE,
    RING_HOPPER,
    RING_BLACKWELL,
    RING_OLDER,
    RING_MESH,
    BRIDGE,
    BRIDGE_HOPPER,
    PCIE_GEN5_PEER,
    PCIE_GEN4_PEER,
    PCIE_GEN5_HOST,
    PCIE_GEN4_HOST,
    PCIE_PLAIN,
    PCIE_UNKNOWN,
    ONE_FLOW,
    HOP_NVLINK,
    HOP_PCIE,
    HOP_NIC,
    HOP_SWITCH,
    SPINE_PORTS,
];

/// What a kind of network reaches: share of the line rate, and latency added to each hop in µs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FabricRow {
    pub name: &'static str,
    pub share: f64,
    pub extra_hop_micros: f64,
    pub evidence: &'static str,
}

const INFINIBAND: FabricRow = FabricRow {
    name: "infiniband",
    share: 0.97,
    extra_hop_micros: 0.0,
    evidence: "COMMUNICATION.md 2.2, 2.3: HDR and NDR",
};
const ROCE: FabricRow = FabricRow {
    name: "roce",
    share: 0.96,
    extra_hop_micros: 3.0,
    evidence: "COMMUNICATION.md 2.2, 2.3: tuned RoCE",
};
const EFA_FIRST: FabricRow = FabricRow {
    name: "efa-v1",
    share: 0.84,
    extra_hop_micros: 60.0,
    evidence: "COMMUNICATION.md 2.2, 2.3: EFAv1, at most 4 × 100 Gb/s a node",
};
const EFA_LATER: FabricRow = FabricRow {
    name: "efa",
    share: 0.95,
    extra_hop_micros: 18.0,
    evidence: "COMMUNICATION.md 2.2, 2.3: EFAv2 0.97, v3 and v4 0.93-0.95",
};
const TCPX: FabricRow = FabricRow {
    name: "tcpx",
    share: 0.70,
    extra_hop_micros: 300.0,
    evidence: "COMMUNICATION.md 2.2, 2.3: TCPX 0.5-0.71, 4 NICs a node",
};
const TCPXO: FabricRow = FabricRow {
    name: "tcpxo",
    share: 0.94,
    extra_hop_micros: 30.0,
    evidence: "COMMUNICATION.md 2.2, 2.3: TCPXO, 8 NICs a node",
};
const ETHERNET: FabricRow = FabricRow {
    name: "ethernet",
    share: 0.45,
    extra_hop_micros: 40.0,
    evidence: "COMMUNICATION.md 2.2: kernel TCP on 100 Gb/s 0.4-0.5; 6.3: 15 µs and more a hop",
};

/// All rows of the table, for display.
pub const FABRICS: [FabricRow; 7] = [INFINIBAND, ROCE, EFA_FIRST, EFA_LATER, TCPX, TCPXO, ETHERNET];

/// The row of a fabric. Generations of one vendor's fabric are told apart by the NICs of the
/// node: EFAv1 had at most 4 × 100 Gb/s, TCPXO came with 8 NICs (COMMUNICATION.md 3).
pub(crate) fn fabric_row(fabric: Fabric, nics_per_node: u32, nic_gbps: f64) -> FabricRow {
    match fabric {
        Fabric::InfiniBand => INFINIBAND,
        Fabric::Roce => ROCE,
        Fabric::Efa if nics_per_node <= 4 && nic_gbps <= 100.0 => EFA_FIRST,
        Fabric::Efa => EFA_LATER,
        Fabric::Tcpx if nics_per_node >= 8 => TCPXO,
        Fabric::Tcpx => TCPX,
        Fabric::Ethernet => ETHERNET,
    }
}
