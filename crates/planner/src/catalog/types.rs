//! Rows of the static tables that `build.rs` makes from `data/catalog`.

use crate::units::{BitsPerSecond, Bytes, BytesPerSecond, FlopPerSecond, Watts};

/// One GPU or other accelerator, as software sees it (packages already divided).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accelerator {
    pub id: &'static str,
    pub name: &'static str,
    pub vendor: &'static str,
    pub architecture: Architecture,
    pub form_factor: &'static str,
    pub year: u16,
    /// What the driver reports.
    pub memory: Bytes,
    pub memory_bandwidth: BytesPerSecond,
    /// Dense peaks; none: not supported by the part or not known.
    pub bf16: Option<FlopPerSecond>,
    pub fp16: Option<FlopPerSecond>,
    pub fp8: Option<FlopPerSecond>,
    /// Best large matmul found by a public search.
    pub measured_bf16: Option<FlopPerSecond>,
    pub measured_fp8: Option<FlopPerSecond>,
    pub link: Link,
    /// Sum over all scale-up links of one device, one way.
    pub link_bandwidth: BytesPerSecond,
    /// One way to a single peer of a mesh; none behind a switch.
    pub link_bandwidth_per_peer: Option<BytesPerSecond>,
    pub scale_up_max: u32,
    pub pcie_bandwidth: BytesPerSecond,
    pub pcie_peer_to_peer: bool,
    pub power: Watts,
    pub source: &'static str,
    pub recalled_fields: &'static [&'static str],
    pub confidence: Confidence,
    pub note: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Architecture {
    Volta,
    Turing,
    Ampere,
    Ada,
    Hopper,
    Blackwell,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    None,
    NvLink,
    NvLinkBridge,
    /// xGMI, HCCS, RoCE meshes and other vendors' links.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    High,
    Medium,
    Low,
}

/// A server, rack or cloud instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    pub id: &'static str,
    pub name: &'static str,
    pub provider: &'static str,
    pub accelerator: &'static str,
    pub gpus: u32,
    pub intra: IntraTopology,
    pub nics: u32,
    pub nic_speed: BitsPerSecond,
    /// As the catalog writes it: `infiniband-ndr`, `roce`, `efa-v2`.
    pub fabric: &'static str,
    pub rails: u32,
    pub host_memory: Bytes,
    pub node_power: Option<Watts>,
    pub source: &'static str,
    pub confidence: Confidence,
    pub note: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntraTopology {
    NvSwitch,
    NvSwitchRack,
    CubeMesh,
    Mesh,
    PcieHost,
    PcieTwoSocketSwitch,
    PcieNvLinkPairs,
    Single,
}
