//! How busy the links are in one step, for the colours of the picture.
//!
//! Utilisation = bytes of a step ÷ (capacity × step time), each way (UX.md 6.4). The traffic of
//! an estimate is summed over the links of one node and by kind; the links of a kind share it
//! by their capacity, because the clusters of the templates are regular.

use planner::cluster::{ClusterSpec, LinkKind, Picture};
use planner::estimate::Step;
use planner::units::{Bytes, BytesPerSecond, Seconds};

/// Highest level of [`level`].
pub const LEVELS: u8 = 5;

/// The links of one kind in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    pub kind: LinkKind,
    /// Share of the step during which a link of this kind is busy.
    pub busy: f64,
    step: Seconds,
}

impl Load {
    /// Bytes that one link of this capacity sends in a step.
    pub fn bytes(&self, capacity: BytesPerSecond) -> Bytes {
        Bytes::new(capacity.base() * self.step.as_seconds() * self.busy)
    }
}

/// The loads of the kinds of link that the picture draws.
pub fn loads(spec: &ClusterSpec, picture: &Picture, step: &Step) -> Vec<Load> {
    LinkKind::ALL
        .into_iter()
        .filter_map(|kind| {
            let capacity = capacity_per_node(spec, picture, kind)?;
            let bytes: Bytes = step
                .traffic
                .iter()
                .flat_map(|traffic| &traffic.links)
                .filter(|(name, _)| name == kind.key())
                .map(|(_, bytes)| *bytes)
                .sum();
            let busy = bytes.over(capacity).ratio(step.parts.total).clamp(0.0, 1.0);
            Some(Load { kind, busy, step: step.parts.total })
        })
        .collect()
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

/// What the links of one kind of one node carry together, one way. The fabric is drawn whole,
/// so its links are counted; inside a node every GPU has its own link.
fn capacity_per_node(
    spec: &ClusterSpec,
    picture: &Picture,
    kind: LinkKind,
) -> Option<BytesPerSecond> {
    let mut drawn = picture.bundles.iter().filter(|bundle| bundle.kind == kind).peekable();
    let first = drawn.peek()?.capacity;
    Some(match kind {
        LinkKind::NvLink | LinkKind::Pcie => first * f64::from(spec.gpus_per_node),
        LinkKind::Nic | LinkKind::Spine => {
            drawn.map(|bundle| bundle.capacity * f64::from(bundle.count)).sum::<BytesPerSecond>()
                / f64::from(spec.nodes.max(1))
        }
    })
}
