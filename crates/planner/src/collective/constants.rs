//! Latencies and efficiencies of the collectives, each with its evidence.
//!
//! The latency table and the protocol limits are facts about NCCL 2.30 (COMMUNICATION.md 1.2
//! to 1.4); the other values were fitted there to published measurements.

use crate::catalog::Architecture;
use crate::cluster::constants::Constant;
use crate::units::{BytesPerSecond, Seconds};

use super::{Algorithm, Protocol};

/// Factor on NCCL's own latencies.
pub const LATENCY_FACTOR: Constant = Constant::new(
    "collective-latency-factor",
    1.3,
    "COMMUNICATION.md 2.3: fit on 302 points, NVSwitch machines",
);
/// Size at which the ramp halves the bandwidth, as a time in µs, inside a domain.
pub const RAMP_DOMAIN: Constant =
    Constant::new("collective-ramp-domain", 5.0, "COMMUNICATION.md 2.3: same fit");
/// The same where GPUs talk over PCIe.
pub const RAMP_PCIE: Constant = Constant::new(
    "collective-ramp-pcie",
    0.0,
    "reference/nccl_measured.csv: 8 × RTX PRO 6000 need 182 µs for 4 MiB, the plain sum of latency and 46 GB/s",
);
/// The same across nodes.
pub const RAMP_NODES: Constant =
    Constant::new("collective-ramp-nodes", 20.0, "COMMUNICATION.md 2.3: same fit");

/// Share of the NVLink rate of an in-switch all-reduce.
pub const NVLS_HOPPER: Constant = Constant::new(
    "nvls-share-hopper",
    0.685,
    "COMMUNICATION.md 2.2: busbw 414/436/460/473 at 5/6/7/8 GPUs of H200; H800 0.69",
);
pub const NVLS_BLACKWELL: Constant = Constant::new(
    "nvls-share-blackwell",
    0.60,
    "COMMUNICATION.md 2.2: B200 busbw 778/811/838 at 6/7/8 GPUs",
);
pub const NVLS_RACK: Constant = Constant::new(
    "nvls-share-rack",
    0.49,
    "COMMUNICATION.md 2.2: GB200 NVL72 835-847 busbw on 72 GPUs",
);
/// Share of the in-switch rate that is left with a tree between domains.
pub const NVLS_TREE_SHARE: Constant = Constant::new(
    "nvls-tree-share",
    0.93,
    "reference/nccl_measured.csv: 2 nodes of H100 reach 0.91 (InfiniBand), 0.95 (EFA) and 0.84 (RoCE) of the rate on one node",
);
/// From this many GPUs a domain is a rack.
pub(crate) const RACK_FROM: u32 = 17;

/// Share of the ring rate of a tree inside a domain.
pub const TREE_SHARE: Constant =
    Constant::new("tree-share", 0.92, "COMMUNICATION.md 2.1; NCCL 1.3: 0.92 of the bus bandwidth");
/// Share of the network rate of PAT.
pub const PAT_SHARE: Constant =
    Constant::new("pat-share", 0.75, "COMMUNICATION.md 1.3: NCCL's own factor");
/// Share of the ring rate of an all-to-all behind a switch.
pub const DIRECT_SHARE: Constant = Constant::new(
    "all-to-all-share",
    0.95,
    "reference/nccl_measured.csv: A100 x8 224 of 235 GB/s; DeepEP on H800 153-158 of 165",
);
/// The same where GPUs share the uplinks of PCIe switches.
pub const DIRECT_PCIE_SHARE: Constant = Constant::new(
    "all-to-all-pcie-share",
    0.5,
    "COMMUNICATION.md 3: 3.2 GB/s per pair on 8 GPUs behind 2 switches, ring 46",
);
/// Posting one message of an all-to-all, µs per peer.
pub const DIRECT_POST: Constant = Constant::new(
    "all-to-all-post",
    0.35,
    "COMMUNICATION.md 2.2: DeepEP 77 µs at EP8, 194 µs at EP256, 0.47 µs a rank in all",
);
/// Step over host memory where GPUs have no direct path, µs.
pub const HOST_STEP: Constant = Constant::new(
    "host-step",
    1.6,
    "COMMUNICATION.md 2.2: 8 B all-reduce on 2, 4, 8 × 4090 takes 9, 19, 42 µs",
);

/// A value for each protocol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ByProtocol {
    pub(crate) ll: f64,
    pub(crate) ll128: f64,
    pub(crate) simple: f64,
}

impl ByProtocol {
    const fn new(ll: f64, ll128: f64, simple: f64) -> Self {
        Self { ll, ll128, simple }
    }

    pub(crate) const fn of(self, protocol: Protocol) -> f64 {
        match protocol {
            Protocol::Ll => self.ll,
            Protocol::Ll128 => self.ll128,
            Protocol::Simple => self.simple,
        }
    }
}

/// What kind of link one step of an algorithm goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hop {
    NvLink,
    Pcie,
    Host,
    Network,
}

/// Start of a collective in µs (COMMUNICATION.md 1.2). A direct exchange starts like a ring.
pub(crate) const fn base_micros(algorithm: Algorithm) -> ByProtocol {
    match algorithm {
        Algorithm::Ring | Algorithm::Direct => ByProtocol::new(6.6, 14.0, 8.4),
        Algorithm::Tree | Algorithm::Hierarchical => ByProtocol::new(6.8, 14.0, 8.4),
        Algorithm::Pat => ByProtocol::new(8.0, 8.0, 8.0),
        Algorithm::Nvls | Algorithm::NvlsTree => ByProtocol::new(0.0, 0.0, 0.0),
    }
}

/// One step of an algorithm over a link in µs (COMMUNICATION.md 1.2).
pub(crate) const fn step_micros(algorithm: Algorithm, hop: Hop) -> ByProtocol {
    match (algorithm, hop) {
        (Algorithm::Ring | Algorithm::Direct, Hop::NvLink) => ByProtocol::new(0.6, 1.9, 3.4),
        (Algorithm::Ring | Algorithm::Direct, Hop::Pcie) => ByProtocol::new(1.0, 2.5, 5.7),
        (Algorithm::Ring | Algorithm::Direct, Hop::Network) => ByProtocol::new(2.7, 4.0, 14.0),
        (Algorithm::Tree | Algorithm::Hierarchical, Hop::NvLink) => ByProtocol::new(0.6, 1.25, 4.0),
        (Algorithm::Tree | Algorithm::Hierarchical, Hop::Pcie) => ByProtocol::new(1.0, 1.9, 4.0),
        (Algorithm::Tree | Algorithm::Hierarchical, Hop::Network) => {
            ByProtocol::new(5.0, 8.5, 14.0)
        }
        (Algorithm::Nvls | Algorithm::NvlsTree, Hop::NvLink) => ByProtocol::new(25.0, 25.0, 25.0),
        (Algorithm::Nvls, Hop::Network) => ByProtocol::new(18.0, 18.0, 18.0),
        (Algorithm::NvlsTree, Hop::Network) => ByProtocol::new(20.9, 20.9, 20.9),
        (Algorithm::Nvls | Algorithm::NvlsTree, Hop::Pcie | Hop::Host) => {
            ByProtocol::new(0.0, 0.0, 0.0)
        }
        (Algorithm::Pat, Hop::NvLink | Hop::Pcie | Hop::Host) => ByProtocol::new(4.0, 4.0, 4.0),
        (Algorithm::Pat, Hop::Network) => ByProtocol::new(14.0, 14.0, 14.0),
        (_, Hop::Host) => ByProtocol::new(HOST_STEP.value, HOST_STEP.value, 5.7),
    }
}

/// Posting a network operation costs 1 µs, three times that for Simple (COMMUNICATION.md 1.4).
pub(crate) const POST_MICROS: ByProtocol = ByProtocol::new(1.0, 1.0, 3.0);

/// Factor on the latency of a Simple ring all-reduce over several nodes (COMMUNICATION.md 1.4).
pub(crate) const fn ring_simple_factor(architecture: Architecture) -> f64 {
    match architecture {
        Architecture::Volta | Architecture::Turing => 1.9,
        Architecture::Ampere
        | Architecture::Ada
        | Architecture::Hopper
        | Architecture::Blackwell
        | Architecture::Other => 1.4,
    }
}

/// Share of the bus bandwidth of a protocol (COMMUNICATION.md 1.3).
pub(crate) const fn protocol_share(
    algorithm: Algorithm,
    protocol: Protocol,
    one_node: bool,
) -> f64 {
    match (algorithm, protocol) {
        (_, Protocol::Simple) => 1.0,
        (Algorithm::Tree, Protocol::Ll) => 1.0 / 3.8,
        (_, Protocol::Ll) => 0.5,
        (Algorithm::Tree, Protocol::Ll128) if one_node => 7.0 / 9.0,
        (Algorithm::Tree, Protocol::Ll128) => 120.0 / 128.0,
        (_, Protocol::Ll128) => 0.92,
    }
}

/// The most bus bandwidth of LL over a whole communicator in GB/s (COMMUNICATION.md 1.2: by
/// GPU on one node, by processor vendor on several; hosts are taken as Intel).
pub(crate) const fn ll_cap(architecture: Architecture, nodes: u32) -> BytesPerSecond {
    let gb_s = match (nodes, architecture) {
        (1, Architecture::Blackwell) => 282.0,
        (1, Architecture::Hopper) => 141.0,
        (1, Architecture::Ampere | Architecture::Ada | Architecture::Other) => 87.7,
        (1 | 2, _) => 39.0,
        _ => 20.4,
    };
    BytesPerSecond::gb_s(gb_s)
}

/// Ramp time of a group.
pub(crate) const fn ramp(hop: Hop) -> Seconds {
    Seconds::micros(match hop {
        Hop::NvLink => RAMP_DOMAIN.value,
        Hop::Pcie | Hop::Host => RAMP_PCIE.value,
        Hop::Network => RAMP_NODES.value,
    })
}

/// Messages over the busiest of K nodes of a tree, as multiples of the size: leaves of the
/// tree send once, a node with two children twice (COMMUNICATION.md 2.1).
pub(crate) const fn tree_sends(sets: u32) -> f64 {
    match sets {
        0 | 1 => 0.0,
        2 => 1.0,
        3 => 1.5,
        _ => 2.0,
    }
}

/// All fitted constants, for display.
pub const CONSTANTS: [Constant; 14] = [
    LATENCY_FACTOR,
    RAMP_DOMAIN,
    RAMP_PCIE,
    RAMP_NODES,
    NVLS_HOPPER,
    NVLS_BLACKWELL,
    NVLS_RACK,
    NVLS_TREE_SHARE,
    TREE_SHARE,
    PAT_SHARE,
    DIRECT_SHARE,
    DIRECT_PCIE_SHARE,
    DIRECT_POST,
    HOST_STEP,
];
