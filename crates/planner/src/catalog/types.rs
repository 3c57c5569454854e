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
    /// `HBM3`, `GDDR6`; `?` where not known.
    pub memory_type: &'static str,
    pub memory_bandwidth: BytesPerSecond,
    /// Dense peaks; none: not supported by the part or not known.
    pub fp32: Option<FlopPerSecond>,
    pub tf32: Option<FlopPerSecond>,
    pub bf16: Option<FlopPerSecond>,
    pub fp16: Option<FlopPerSecond>,
    pub fp8: Option<FlopPerSecond>,
    /// Best large matmul found by a public search.
    pub measured_bf16: Option<FlopPerSecond>,
    pub measured_fp8: Option<FlopPerSecond>,
    pub link: Link,
    /// As the catalog writes it: `nvlink`, `xgmi`, `hccs`, `none`.
    pub link_kind: &'static str,
    /// How the links run: `nvswitch`, `bridge`, `mesh`, `switch`, `torus2d`, `torus3d`, `none`.
    pub scale_up_topology: &'static str,
    /// Sum over all scale-up links of one device, one way; 0 without links or where not known.
    pub link_bandwidth: BytesPerSecond,
    /// One way to a single peer of a mesh; none behind a switch.
    pub link_bandwidth_per_peer: Option<BytesPerSecond>,
    /// Most devices of one scale-up domain; 0 where not known.
    pub scale_up_max: u32,
    /// One way; 0 where not known.
    pub pcie_bandwidth: BytesPerSecond,
    pub pcie_peer_to_peer: bool,
    /// Board power; 0 where not known.
    pub power: Watts,
    /// Devices of one package, already divided out of every figure here.
    pub devices_per_package: u32,
    /// Id of the part that this one is the export variant of; empty otherwise.
    pub variant_of: &'static str,
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
    /// Devices as software sees them.
    pub gpus: u32,
    pub intra: IntraTopology,
    /// As the catalog writes it.
    pub intra_kind: &'static str,
    pub nics: u32,
    pub nic_speed: BitsPerSecond,
    /// As the catalog writes it: `infiniband-ndr`, `roce`, `efa-v2`.
    pub fabric: &'static str,
    /// 0 where not known.
    pub rails: u32,
    /// 0 where not known.
    pub host_memory: Bytes,
    /// Of the node, or of the rack where the machine is one.
    pub node_power: Option<Watts>,
    pub cpu: &'static str,
    /// 0 where not known.
    pub vcpu: u32,
    pub local_nvme_tb: Option<f64>,
    /// Nodes of one scale-up domain; 0 where the node is the domain.
    pub nodes_per_domain: u32,
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
