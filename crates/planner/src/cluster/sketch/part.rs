//! The document of a drawn cluster: parts, one-way links, what holds what.

use serde::{Deserialize, Serialize};

use crate::cluster::LinkKind;
use crate::units::{BytesPerSecond, Seconds};

/// Name of a part in a document; any number that no other part has.
pub type Id = u32;

/// What a part is: a device, or a box around others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Gpu,
    NvSwitch,
    PcieSwitch,
    /// A socket, where PCIe ends.
    Numa,
    HostMemory,
    Nic,
    Tor,
    Leaf,
    Spine,
    Core,
    Storage,
    PcieGroup,
    Socket,
    /// GPUs of one scale-up fabric.
    Domain,
    Node,
    Rack,
    /// Nodes under one set of leaves.
    Segment,
    Pod,
}

impl Kind {
    /// Whether it is a box around others; links end at devices only.
    pub const fn holds_others(self) -> bool {
        matches!(
            self,
            Self::PcieGroup
                | Self::Socket
                | Self::Domain
                | Self::Node
                | Self::Rack
                | Self::Segment
                | Self::Pod
        )
    }

    /// Whether it belongs to the network between nodes.
    pub const fn is_network(self) -> bool {
        matches!(
            self,
            Self::Nic | Self::Tor | Self::Leaf | Self::Spine | Self::Core | Self::Storage
        )
    }
}

/// What a link is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Medium {
    /// Scale-up links of any vendor, bridges too.
    NvLink,
    Pcie,
    /// Between sockets.
    Socket,
    /// Between a socket and its memory.
    Memory,
    /// Between a NIC and its leaf or ToR.
    Cable,
    /// Above the leaf or ToR.
    Uplink,
    /// Of the storage network; collectives do not use it.
    Storage,
}

impl Medium {
    /// The kind that traffic is counted on.
    pub const fn counted_as(self) -> LinkKind {
        match self {
            Self::NvLink => LinkKind::NvLink,
            Self::Pcie | Self::Socket | Self::Memory => LinkKind::Pcie,
            Self::Cable | Self::Storage => LinkKind::Nic,
            Self::Uplink => LinkKind::Spine,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub id: Id,
    pub kind: Kind,
    /// The box that it lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Id>,
    /// Rail of a NIC, leaf or ToR.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rail: Option<u16>,
    /// Plane of a ToR, leaf or spine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<u16>,
    /// Name in the file that it was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Box<str>>,
    /// Id of its row in the catalog: accelerator of a GPU, machine of a node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<str>>,
    /// Operations that a storage serves in a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
}

impl Part {
    pub const fn new(id: Id, kind: Kind, within: Option<Id>) -> Self {
        Self { id, kind, within, rail: None, plane: None, name: None, model: None, iops: None }
    }
}

/// A one-way link, or a bundle of equal ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    pub from: Id,
    pub to: Id,
    pub medium: Medium,
    /// Effective rate of one link of the bundle.
    pub rate: BytesPerSecond,
    pub latency: Seconds,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// The share of capacity that it draws on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<u32>,
    /// Rate of one link that was measured; it stands above `rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<BytesPerSecond>,
}

impl Link {
    /// All links of the bundle together.
    pub fn capacity(&self) -> BytesPerSecond {
        self.measured.unwrap_or(self.rate) * f64::from(self.count)
    }

    /// The same in the other direction.
    pub fn reversed(&self) -> Self {
        Self { from: self.to, to: self.from, ..self.clone() }
    }
}

/// Capacity that links share which leave one part, or enter one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub id: u32,
    pub rate: BytesPerSecond,
}

/// A drawn cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sketch {
    pub parts: Vec<Part>,
    pub links: Vec<Link>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
}

impl Sketch {
    /// Parts of one kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.parts.iter().filter(|part| part.kind == kind).count()
    }
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_one(count: &u32) -> bool {
    *count == 1
}
