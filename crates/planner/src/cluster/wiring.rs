//! How the parts of a regular cluster are counted and joined: the arithmetic that the graph and
//! the picture share (COMMUNICATION.md 3 and 4.2).

use std::ops::Range;

use super::constants::SPINE_PORTS;
use super::{ClusterSpec, HostPath, IntraNode};

/// Counts of a specification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wiring {
    pub(super) nodes: u32,
    pub(super) gpus: u32,
    pub(super) nics: u32,
    /// PCIe switches of a node; 0 where the slots hang on the sockets.
    pub(super) switches: u32,
    /// Sockets of a node, or processors of a rack.
    pub(super) sockets: u32,
    /// Leaves of one segment.
    pub(super) rails: u32,
    pub(super) segments: u32,
    pub(super) nodes_per_segment: u32,
    /// Uplinks of one leaf, at the speed of a NIC or slightly less.
    pub(super) uplinks: u32,
    /// Rate of an uplink over the rate of a NIC.
    pub(super) uplink_share: f64,
    /// Spine switches; 0 without a spine.
    pub(super) spines: u32,
}

impl Wiring {
    pub(super) fn new(spec: &ClusterSpec) -> Self {
        let (nodes, gpus, nics) =
            (spec.nodes.max(1), spec.gpus_per_node.max(1), spec.nics_per_node);
        let switches = match spec.intra {
            IntraNode::Pcie(HostPath::ThroughHost) => 0,
            IntraNode::Pcie(HostPath::PeerToPeer) | IntraNode::NvLinkPairs => gpus.div_ceil(4),
            IntraNode::NvSwitch | IntraNode::Mesh => gpus.div_ceil(2),
        };
        let rack = gpus > 16;
        let sockets = if rack { gpus.div_ceil(2) } else { gpus.min(2) };
        let rails = if nics == 0 {
            0
        } else if spec.rail_optimized {
            nics
        } else {
            1
        };
        let segment = spec.spine.map_or(0, |spine| spine.nodes_per_segment);
        let nodes_per_segment = if segment == 0 { nodes } else { segment.min(nodes) };
        let segments = nodes.div_ceil(nodes_per_segment);
        let per_rail = nics.checked_div(rails).unwrap_or(0);
        let down = nodes_per_segment.saturating_mul(per_rail);
        let (uplinks, uplink_share) = match spec.spine {
            Some(spine) if down > 0 => uplinks(down, spine.oversubscription),
            _ => (0, 0.0),
        };
        let ports = f64::from(uplinks) * f64::from(rails) * f64::from(segments);
        let spines = whole(libm::ceil(ports / SPINE_PORTS.value));
        Self {
            nodes,
            gpus,
            nics,
            switches,
            sockets,
            rails,
            segments,
            nodes_per_segment,
            uplinks,
            uplink_share,
            spines,
        }
    }

    /// Nodes of a segment; the last may hold fewer.
    pub(super) fn segment(&self, segment: u32) -> Range<u32> {
        let start = segment.saturating_mul(self.nodes_per_segment).min(self.nodes);
        start..start.saturating_add(self.nodes_per_segment).min(self.nodes)
    }

    pub(super) const fn segment_of(&self, node: u32) -> u32 {
        match node.checked_div(self.nodes_per_segment) {
            Some(segment) => segment,
            None => 0,
        }
    }
}

/// The `i`-th of `parts` even shares of `whole`.
pub(super) fn share(i: u32, parts: u32, whole: u32) -> Range<u32> {
    let at = |i: u32| {
        let product = u64::from(i) * u64::from(whole) / u64::from(parts.max(1));
        u32::try_from(product).unwrap_or(u32::MAX)
    };
    at(i)..at(i.saturating_add(1))
}

/// Which of `parts` even shares of `whole` holds item `i`.
pub(super) fn share_of(i: u32, parts: u32, whole: u32) -> u32 {
    (0..parts).find(|part| share(*part, parts, whole).contains(&i)).unwrap_or(0)
}

/// The nearest whole number, 0 for what is not one.
pub(super) fn whole(value: f64) -> u32 {
    if value.is_finite() && value >= 0.0 {
        #[expect(clippy::cast_possible_truncation, reason = "clamped to the type just here")]
        let rounded = libm::round(value.min(f64::from(u32::MAX))) as u32;
        rounded
    } else {
        0
    }
}

/// As many uplinks as the oversubscription leaves, and their share of the NIC rate, so that
/// down over up is exact.
fn uplinks(down: u32, oversubscription: f64) -> (u32, f64) {
    let up = f64::from(down) / oversubscription.max(0.01);
    let count = whole(libm::ceil(up)).max(1);
    (count, up / f64::from(count))
}
