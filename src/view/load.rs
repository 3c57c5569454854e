//! How busy the links are in one step, for the colours of the picture.
//!
//! Utilisation = bytes of a step ÷ (capacity × step time), each way (UX.md 6.4). The traffic of
//! an estimate is summed over the links of one node and by kind; the links of a kind share it
//! evenly, because the clusters of the templates are regular.

use planner::cluster::ClusterSpec;
use planner::estimate::Step;
use planner::units::{Bytes, BytesPerSecond};

/// Highest level of [`level`].
pub const LEVELS: u8 = 5;

/// What one link carries in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    pub bytes: Bytes,
    /// Share of the step during which the link is busy.
    pub busy: f64,
}

/// Bytes that one link of `kind` sends in a step; none when the node has no such link.
pub fn bytes_per_link(spec: &ClusterSpec, step: &Step, kind: &str) -> Option<Bytes> {
    let links = links_per_node(spec, kind);
    let node: Bytes = step
        .traffic
        .iter()
        .flat_map(|traffic| &traffic.links)
        .filter(|(name, _)| name == kind)
        .map(|(_, bytes)| *bytes)
        .sum();
    (links > 0.0).then(|| node / links)
}

/// The load of one link of `kind` with this capacity one way.
pub fn load(spec: &ClusterSpec, step: &Step, kind: &str, capacity: BytesPerSecond) -> Option<Load> {
    let bytes = bytes_per_link(spec, step, kind)?;
    Some(Load { bytes, busy: bytes.over(capacity).ratio(step.parts.total).clamp(0.0, 1.0) })
}

/// 0 for an idle link, then 1 to [`LEVELS`]: up to 5, 15, 35, 60 and 100 percent busy.
pub fn level(busy: f64) -> u8 {
    let bounds = [0.0, 0.05, 0.15, 0.35, 0.60];
    let mut level = 0;
    for bound in bounds {
        if busy > bound {
            level += 1;
        }
    }
    level
}

/// Width of a drawn link in pixels: half a pixel more for each doubling above 12.5 GB/s.
pub fn width(capacity: BytesPerSecond) -> f64 {
    let doublings = libm::log2((capacity.as_gb_s() / 12.5).max(1.0));
    (1.0 + doublings / 2.0).min(5.0)
}

/// Links of one node by kind; the spine tier counts the uplink ports that the node's leaves
/// keep for it.
fn links_per_node(spec: &ClusterSpec, kind: &str) -> f64 {
    match kind {
        "nvlink" | "pcie" => f64::from(spec.gpus_per_node),
        "nic" => f64::from(spec.nics_per_node),
        "spine" => spec
            .spine
            .map_or(0.0, |spine| f64::from(spec.nics_per_node) / spine.oversubscription.max(1e-3)),
        _ => 0.0,
    }
}
