//! What is asked of the network and what it answers.

use serde::{Deserialize, Serialize};

use crate::cluster::LinkKind;
use crate::units::{Bytes, BytesPerSecond, Seconds};

/// A collective operation; sizes as nccl-tests count them (COMMUNICATION.md 1.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collective {
    AllReduce,
    /// Size is the whole gathered buffer.
    AllGather,
    /// Size is the whole buffer before reduction.
    ReduceScatter,
    /// Size is the send buffer of one rank.
    AllToAll,
    /// Every rank sends one message to the next rank of the group.
    SendRecv,
    Broadcast,
}

impl Collective {
    /// The name in results.
    pub const fn key(self) -> &'static str {
        match self {
            Self::AllReduce => "all_reduce",
            Self::AllGather => "all_gather",
            Self::ReduceScatter => "reduce_scatter",
            Self::AllToAll => "all_to_all",
            Self::SendRecv => "send_recv",
            Self::Broadcast => "broadcast",
        }
    }

    /// busbw over algbw of nccl-tests on `ranks` ranks (COMMUNICATION.md 1.6).
    pub fn bus_factor(self, ranks: u32) -> f64 {
        let n = f64::from(ranks.max(1));
        match self {
            Self::AllReduce => 2.0 * (n - 1.0) / n,
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => (n - 1.0) / n,
            Self::SendRecv | Self::Broadcast => 1.0,
        }
    }
}

/// Ranks r, r + stride, r + 2 × stride … GPUs are numbered node by node. All groups of the same
/// shape that fill the cluster are taken to run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    pub ranks: u32,
    pub stride: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    Ring,
    Tree,
    /// Reduction in the NVSwitch.
    Nvls,
    /// In-switch reduction inside the domain, tree between domains.
    NvlsTree,
    /// Reduce-scatter in the node, exchange between nodes, all-gather in the node; on a mesh,
    /// where every peer is one hop away.
    Hierarchical,
    /// Parallel aggregated trees, for one rank per node.
    Pat,
    /// Every pair directly.
    Direct,
}

impl Algorithm {
    /// The name in results.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Tree => "tree",
            Self::Nvls => "nvls",
            Self::NvlsTree => "nvls-tree",
            Self::Hierarchical => "hierarchical",
            Self::Pat => "pat",
            Self::Direct => "direct",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    Ll,
    Ll128,
    Simple,
}

impl Protocol {
    pub(crate) const ALL: [Self; 3] = [Self::Simple, Self::Ll128, Self::Ll];

    /// The name in results.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Ll => "ll",
            Self::Ll128 => "ll128",
            Self::Simple => "simple",
        }
    }
}

/// Cost of one call on one group, its sister groups running beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectiveCost {
    pub time: Seconds,
    pub algorithm: Algorithm,
    pub protocol: Protocol,
    /// The part of `time` that does not depend on the size.
    pub latency: Seconds,
    /// Size over time for very large sizes.
    pub bandwidth: BytesPerSecond,
    /// The link that sets the bandwidth.
    pub limit: LinkKind,
    /// Bytes that leave over all links of a kind of **one node**, summed over every group of
    /// this shape with ranks in it, in the order of [`LinkKind::ALL`]. For NVLink and PCIe that
    /// is what its GPUs send to each other, for the spine its share of what leaves its leaves.
    pub links: [Bytes; 4],
}

impl CollectiveCost {
    /// The cost of a group of one rank.
    pub(crate) const NOTHING: Self = Self {
        time: Seconds::ZERO,
        algorithm: Algorithm::Ring,
        protocol: Protocol::Simple,
        latency: Seconds::ZERO,
        bandwidth: BytesPerSecond::ZERO,
        limit: LinkKind::NvLink,
        links: [Bytes::ZERO; 4],
    };

    /// Bytes of one kind of link; see [`CollectiveCost::links`].
    pub fn on(&self, kind: LinkKind) -> Bytes {
        LinkKind::ALL
            .iter()
            .zip(self.links)
            .find(|(candidate, _)| **candidate == kind)
            .map_or(Bytes::ZERO, |(_, bytes)| bytes)
    }
}
