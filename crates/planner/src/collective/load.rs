//! What a collective puts on each level of the machine (COMMUNICATION.md 2.1 and 4.4).

use crate::cluster::{IntraNode, LinkKind};
use crate::units::{Bytes, BytesPerSecond, Seconds};

use super::constants::{
    DIRECT_PCIE_SHARE, DIRECT_SHARE, Hop, NVLS_TREE_SHARE, PAT_SHARE, TREE_SHARE, ramp, tree_sends,
};
use super::placement::Cut;
use super::{Algorithm, Collective, Group, Network};

/// Bytes through the busiest port of one level, and the rate of that port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) kind: LinkKind,
    pub(super) bytes: Bytes,
    pub(super) rate: BytesPerSecond,
}

impl Load {
    /// Time without start-up: `V/b × (1 + sqrt(b τ / S))` (COMMUNICATION.md 2.3).
    pub(super) fn time(&self, size: Bytes, tau: Seconds) -> Seconds {
        if self.bytes <= Bytes::ZERO {
            return Seconds::ZERO;
        }
        let ramped = self.rate.base() * tau.as_seconds() / size.base();
        self.bytes.over(self.rate) * (1.0 + ramped.sqrt())
    }
}

/// A group on this network: its signature and the rates that follow from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) ranks: u32,
    pub(super) node: Cut,
    pub(super) segment: Cut,
    pub(super) kind: LinkKind,
    pub(super) inside: BytesPerSecond,
    pub(super) across: BytesPerSecond,
    /// Uplinks of one segment as far as this group may use them.
    pub(super) spine: BytesPerSecond,
}

impl Placed {
    pub(super) const fn ramp(&self) -> Seconds {
        ramp(match self.kind {
            _ if self.node.sets > 1 => Hop::Network,
            LinkKind::NvLink => Hop::NvLink,
            LinkKind::Pcie | LinkKind::Nic | LinkKind::Spine => Hop::Pcie,
        })
    }
}

impl Network {
    pub(super) fn place(&self, group: Group) -> Placed {
        let node = self.by_node(group);
        let segment = self.by_segment(group);
        let (kind, inside) = self.inside(group, node.ranks);
        let up = if self.oversubscription > 0.0 {
            self.nic_per_gpu() / self.oversubscription
        } else {
            self.nic_per_gpu()
        };
        Placed {
            ranks: group.ranks,
            node,
            segment,
            kind,
            inside,
            across: self.node_share(node.ranks),
            spine: up * f64::from(segment.ranks),
        }
    }

    /// Loads of the GPU port, the node and the segment, in this order; unused levels are empty.
    pub(super) fn loads(
        &self,
        collective: Collective,
        algorithm: Algorithm,
        size: Bytes,
        placed: &Placed,
    ) -> [Load; 3] {
        let n = f64::from(placed.ranks);
        let c = f64::from(placed.node.ranks);
        let ring = size * ((n - 1.0) / n);
        let (gpu, inside, node, across, spine) = match algorithm {
            Algorithm::Ring => {
                let bytes = match collective {
                    Collective::AllReduce => ring * 2.0,
                    Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll => {
                        ring
                    }
                    Collective::SendRecv | Collective::Broadcast => size,
                };
                (bytes, placed.inside, bytes, placed.across, bytes)
            }
            Algorithm::Tree => {
                let up = size * tree_sends(placed.segment.sets);
                let out = size * tree_sends(placed.node.sets);
                (size * 2.0, placed.inside * TREE_SHARE.value, out, placed.across, up)
            }
            Algorithm::Nvls | Algorithm::NvlsTree => {
                let up = size * tree_sends(placed.segment.sets);
                let out = size * tree_sends(placed.node.sets);
                let share = if algorithm == Algorithm::Nvls { 1.0 } else { NVLS_TREE_SHARE.value };
                (size * ((c + 1.0) / c), self.nvls * share, out, placed.across, up)
            }
            Algorithm::Hierarchical => {
                let k = f64::from(placed.node.sets);
                let out = size * (2.0 * (k - 1.0) / k);
                (size * (2.0 * (c - 1.0) / c), placed.inside, out, placed.across, out)
            }
            Algorithm::Pat => {
                (Bytes::ZERO, placed.inside, ring, placed.across * PAT_SHARE.value, ring)
            }
            Algorithm::Direct => self.direct(collective, size, placed),
        };
        let gpu = if placed.node.ranks > 1 { gpu } else { Bytes::ZERO };
        let node = if placed.node.sets > 1 { node } else { Bytes::ZERO };
        let (spine, up) = self.spine(collective, node, spine, placed);
        [
            Load { kind: placed.kind, bytes: gpu, rate: inside },
            Load { kind: LinkKind::Nic, bytes: node, rate: across },
            Load { kind: LinkKind::Spine, bytes: spine, rate: up },
        ]
    }

    /// All-to-all and send/recv. Bytes for other nodes pass the NVLink port too on their way to
    /// the right rail, and the PCIe port of a box has to carry them anyway.
    fn direct(
        &self,
        collective: Collective,
        size: Bytes,
        placed: &Placed,
    ) -> (Bytes, BytesPerSecond, Bytes, BytesPerSecond, Bytes) {
        let n = f64::from(placed.ranks);
        if collective == Collective::SendRecv {
            let lone = placed.across.min(self.rates.one_gpu);
            let inside = self.rates.per_peer.unwrap_or(placed.inside);
            return (size, inside, size, lone, size);
        }
        let share = match placed.kind {
            LinkKind::Pcie => DIRECT_PCIE_SHARE.value,
            LinkKind::NvLink | LinkKind::Nic | LinkKind::Spine => DIRECT_SHARE.value,
        };
        let (c, segment) = (f64::from(placed.node.ranks), f64::from(placed.segment.ranks));
        let out = size * (c * (n - c) / n);
        let up = size * (segment * (n - segment) / n);
        (size * ((n - 1.0) / n), placed.inside * share, out, placed.across, up)
    }

    /// What passes the spine. Without a switch in the node, an all-to-all between rails passes
    /// it even inside a segment (COMMUNICATION.md 4.4).
    fn spine(
        &self,
        collective: Collective,
        node: Bytes,
        segment: Bytes,
        placed: &Placed,
    ) -> (Bytes, BytesPerSecond) {
        if placed.segment.sets > 1 {
            return (segment, placed.spine);
        }
        let switched = matches!(self.intra, IntraNode::NvSwitch | IntraNode::Mesh);
        if collective == Collective::AllToAll
            && self.rails > 1
            && !switched
            && self.oversubscription > 0.0
        {
            let rails = f64::from(self.rails);
            let cross = node * ((rails - 1.0) / rails);
            return (cross, placed.across / self.oversubscription);
        }
        (Bytes::ZERO, placed.spine)
    }
}
