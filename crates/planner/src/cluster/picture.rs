//! What of a cluster is drawn: marks in rows, equal ones collapsed, links bundled (UX.md 3;
//! WASM.md 2: at most about 600 marks). Slots are whole numbers; pixels are the page's business.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::catalog;
use crate::units::BytesPerSecond;

use super::wiring::{Wiring, share};
use super::{ClusterSpec, IntraNode, LinkKind};

/// Marks and bundles of a picture together stay at or below this.
const MOST: u32 = 600;
/// Up to this many nodes are drawn singly at first.
const SINGLE: u32 = 32;
/// Groups that a wider range of nodes is cut into.
const GROUPS: u32 = 16;
/// Leaves drawn.
const LEAVES: u32 = 8;
/// GPUs drawn in one node.
const GPUS: u32 = 72;

/// Rows from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    Spine,
    Leaf,
    Node,
    /// NVSwitch or host of an expanded node.
    Switch,
    Gpu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    Spine,
    Leaf,
    /// Several nodes in one mark.
    Nodes,
    Node,
    NvSwitch,
    /// The sockets and PCIe switches of a box.
    Host,
    Gpu,
}

/// Identifies a mark; the same part of the same cluster always has the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PictureId {
    Spine,
    /// The first segment and the first rail it stands for.
    Leaf {
        segment: u32,
        rail: u32,
    },
    Nodes {
        first: u32,
        count: u32,
    },
    Node {
        node: u32,
    },
    Switch {
        node: u32,
    },
    Gpu {
        node: u32,
        gpu: u32,
    },
}

/// Written into the page: `nodes-64-16`, `gpu-3-0`.
impl fmt::Display for PictureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spine => write!(f, "spine"),
            Self::Leaf { segment, rail } => write!(f, "leaf-{segment}-{rail}"),
            Self::Nodes { first, count } => write!(f, "nodes-{first}-{count}"),
            Self::Node { node } => write!(f, "node-{node}"),
            Self::Switch { node } => write!(f, "switch-{node}"),
            Self::Gpu { node, gpu } => write!(f, "gpu-{node}-{gpu}"),
        }
    }
}

/// One thing drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub id: PictureId,
    pub kind: MarkKind,
    pub tier: Tier,
    /// First slot of its row; leaves and the spine count slots of their own rows, nodes and
    /// what lies in them share one grid, so that a GPU stands under its node.
    pub column: u32,
    /// Slots that it is wide.
    pub span: u32,
    /// Number of the first part that it stands for: node, rail or GPU.
    pub first: u32,
    /// Parts that it stands for; print `×N` above 1.
    pub count: u32,
    pub expandable: bool,
    pub expanded: bool,
    /// What a collapse of this mark closes: the group it came out of, or its node.
    pub parent: Option<PictureId>,
}

/// Equal links between two marks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    pub from: PictureId,
    pub to: PictureId,
    pub kind: LinkKind,
    pub count: u32,
    /// Nominal rate of one link, one way.
    pub capacity: BytesPerSecond,
}

/// A drawing in slots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    pub marks: Vec<Mark>,
    pub bundles: Vec<Bundle>,
    /// Slots of each row, in the order of [`Tier`].
    pub columns: [u32; 5],
    /// Asked to be open but kept shut, as the picture would be too full.
    pub refused: Vec<PictureId>,
}

/// Draws a cluster with the marks in `expanded` opened. Works for any specification; ids of
/// other clusters are ignored.
pub fn picture(spec: &ClusterSpec, expanded: &BTreeSet<PictureId>) -> Picture {
    let mut painter = Painter {
        spec,
        wiring: Wiring::new(spec),
        expanded,
        marks: Vec::new(),
        bundles: Vec::new(),
        refused: Vec::new(),
        leaves: Vec::new(),
        column: 0,
        waiting: 0,
    };
    painter.fabric();
    painter.nodes();
    painter.finish()
}

/// A leaf mark: the segments and rails that it stands for.
struct LeafGroup {
    id: PictureId,
    segments: Range<u32>,
    rails: Range<u32>,
}

struct Painter<'a> {
    spec: &'a ClusterSpec,
    wiring: Wiring,
    expanded: &'a BTreeSet<PictureId>,
    marks: Vec<Mark>,
    bundles: Vec<Bundle>,
    refused: Vec<PictureId>,
    leaves: Vec<LeafGroup>,
    column: u32,
    /// Nodes and groups of rows begun that are still to be drawn.
    waiting: u32,
}

impl Painter<'_> {
    /// The leaves, the spine and the links between them.
    fn fabric(&mut self) {
        let Wiring { rails, segments, uplinks, uplink_share, spines, .. } = self.wiring;
        let across = rails.min(LEAVES);
        let along = LEAVES.checked_div(across).map_or(0, |most| segments.min(most.max(1)));
        for i in 0..along {
            for j in 0..across {
                let (segments, rails) = (share(i, along, segments), share(j, across, rails));
                let id = PictureId::Leaf { segment: segments.start, rail: rails.start };
                self.leaves.push(LeafGroup { id, segments, rails });
            }
        }
        for (column, leaf) in (0..).zip(&self.leaves) {
            let count = length(&leaf.segments).saturating_mul(length(&leaf.rails));
            self.marks.push(plain(
                leaf.id,
                (MarkKind::Leaf, Tier::Leaf),
                (column, leaf.rails.start),
                count,
            ));
            if spines > 0 {
                self.bundles.push(Bundle {
                    from: leaf.id,
                    to: PictureId::Spine,
                    kind: LinkKind::Spine,
                    count: count.saturating_mul(uplinks),
                    capacity: self.spec.nic_speed.bytes() * uplink_share,
                });
            }
        }
        if spines > 0 {
            let kind = (MarkKind::Spine, Tier::Spine);
            self.marks.push(plain(PictureId::Spine, kind, (0, 0), spines));
        }
    }

    fn nodes(&mut self) {
        let all = 0..self.wiring.nodes;
        self.row(all, None, SINGLE);
    }

    /// Draws a range of nodes, singly or in groups.
    fn row(&mut self, range: Range<u32>, parent: Option<PictureId>, single: u32) {
        let parts = split(&range, single, self.wiring.nodes_per_segment);
        self.waiting = self.waiting.saturating_add(number(parts.len()));
        for part in parts {
            self.waiting = self.waiting.saturating_sub(1);
            if length(&part) == 1 {
                self.node(part.start, parent);
            } else {
                self.group(part, parent);
            }
        }
    }

    fn group(&mut self, range: Range<u32>, parent: Option<PictureId>) {
        let count = length(&range);
        let id = PictureId::Nodes { first: range.start, count };
        let parts = split(&range, GROUPS, self.wiring.nodes_per_segment);
        let cost = self.with_cables(number(parts.len()));
        if self.opens(id, cost) {
            self.row(range, Some(id), GROUPS);
            return;
        }
        let column = self.take(1);
        let mark = plain(id, (MarkKind::Nodes, Tier::Node), (column, range.start), count);
        self.marks.push(Mark { expandable: true, parent, ..mark });
        self.uplinks(id, &range);
    }

    fn node(&mut self, node: u32, parent: Option<PictureId>) {
        let id = PictureId::Node { node };
        let shown = self.wiring.gpus.min(GPUS);
        let cost = self.with_cables(1) + 2 * shown + 1 + shown / 2;
        let open = self.opens(id, cost);
        let span = if open { shown } else { 1 };
        let column = self.take(span);
        let mark = plain(id, (MarkKind::Node, Tier::Node), (column, node), 1);
        self.marks.push(Mark { span, expandable: true, expanded: open, parent, ..mark });
        self.uplinks(id, &(node..node + 1));
        if open {
            self.inside(node, (column, shown));
        }
    }

    /// The GPUs of a node and what joins them.
    fn inside(&mut self, node: u32, (column, shown): (u32, u32)) {
        let parent = Some(PictureId::Node { node });
        let row = catalog::accelerator(&self.spec.accelerator);
        let link = row.map_or(BytesPerSecond::ZERO, |row| row.link_bandwidth);
        let slot = row.map_or(BytesPerSecond::ZERO, |row| row.pcie_bandwidth);
        let (kind, wire, capacity) = match self.spec.intra {
            IntraNode::NvSwitch | IntraNode::Mesh => (MarkKind::NvSwitch, LinkKind::NvLink, link),
            IntraNode::NvLinkPairs | IntraNode::Pcie(_) => (MarkKind::Host, LinkKind::Pcie, slot),
        };
        let switch = PictureId::Switch { node };
        let mark = plain(switch, (kind, Tier::Switch), (column, 0), 1);
        self.marks.push(Mark { span: shown, parent, ..mark });
        for i in 0..shown {
            let gpus = share(i, shown, self.wiring.gpus);
            let id = PictureId::Gpu { node, gpu: gpus.start };
            let (at, count) = ((column + i, gpus.start), length(&gpus));
            self.marks.push(Mark { parent, ..plain(id, (MarkKind::Gpu, Tier::Gpu), at, count) });
            self.bundles.push(Bundle { from: id, to: switch, kind: wire, count, capacity });
            if self.spec.intra == IntraNode::NvLinkPairs && gpus.start % 2 == 1 {
                let to = PictureId::Gpu { node, gpu: gpus.start - 1 };
                let kind = LinkKind::NvLink;
                self.bundles.push(Bundle { from: id, to, kind, count: 1, capacity: link });
            }
        }
    }

    /// The cables of a range of nodes to the leaves that serve them.
    fn uplinks(&mut self, id: PictureId, nodes: &Range<u32>) {
        let per_rail = self.wiring.nics.checked_div(self.wiring.rails).unwrap_or(0);
        for leaf in &self.leaves {
            let first = self.wiring.segment(leaf.segments.start).start;
            let last = self.wiring.segment(leaf.segments.end.saturating_sub(1)).end;
            let met = nodes.end.min(last).saturating_sub(nodes.start.max(first));
            let count = met.saturating_mul(length(&leaf.rails)).saturating_mul(per_rail);
            if count > 0 {
                let capacity = self.spec.nic_speed.bytes();
                let kind = LinkKind::Nic;
                self.bundles.push(Bundle { from: id, to: leaf.id, kind, count, capacity });
            }
        }
    }

    /// Whether a mark is to be opened and there is room for what it opens into.
    fn opens(&mut self, id: PictureId, cost: u32) -> bool {
        if !self.expanded.contains(&id) {
            return false;
        }
        let drawn = number(self.marks.len() + self.bundles.len());
        let room =
            drawn.saturating_add(self.with_cables(self.waiting)).saturating_add(cost) <= MOST;
        if !room {
            self.refused.push(id);
        }
        room
    }

    /// Most marks and bundles of so many nodes or groups.
    fn with_cables(&self, marks: u32) -> u32 {
        marks.saturating_mul(1 + number(self.leaves.len()))
    }

    fn take(&mut self, span: u32) -> u32 {
        let column = self.column;
        self.column = self.column.saturating_add(span);
        column
    }

    fn finish(self) -> Picture {
        let leaves = number(self.leaves.len());
        let spine = u32::from(self.wiring.spines > 0);
        let columns = [spine, leaves, self.column, self.column, self.column];
        Picture { marks: self.marks, bundles: self.bundles, columns, refused: self.refused }
    }
}

fn plain(
    id: PictureId,
    (kind, tier): (MarkKind, Tier),
    (column, first): (u32, u32),
    count: u32,
) -> Mark {
    Mark {
        id,
        kind,
        tier,
        column,
        span: 1,
        first,
        count,
        expandable: false,
        expanded: false,
        parent: None,
    }
}

/// Cuts a range of nodes into single ones if they are few, else into at most [`GROUPS`] groups
/// of a round size that respects segments.
fn split(range: &Range<u32>, single: u32, segment: u32) -> Vec<Range<u32>> {
    let count = length(range);
    if count <= single {
        return range.clone().map(|node| node..node + 1).collect();
    }
    let least = count.div_ceil(GROUPS);
    let size = if least > segment {
        least.div_ceil(segment.max(1)).saturating_mul(segment.max(1))
    } else {
        least.next_power_of_two()
    };
    let mut parts = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let end = start.saturating_add(size).min(range.end);
        parts.push(start..end);
        start = end;
    }
    parts
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

const fn length(range: &Range<u32>) -> u32 {
    range.end.saturating_sub(range.start)
}
