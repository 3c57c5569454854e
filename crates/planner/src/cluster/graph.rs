//! The cluster as a directed graph: GPU, switches, sockets, NICs, leaves, spines and the one-way
//! links between them (COMMUNICATION.md 4.2).
//!
//! Up to [`Cluster::EXPANDED`] nodes every part is a vertex; above, one node stands for all.

use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::catalog::Accelerator;
use crate::units::{BytesPerSecond, Seconds};

use super::constants::{HOP_NIC, HOP_NVLINK, HOP_PCIE, HOP_SWITCH};
use super::wiring::{Wiring, share_of, whole};
use super::{ClusterError, ClusterSpec, IntraNode, LinkKind, Rates, check};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    Gpu,
    NvSwitch,
    PcieSwitch,
    /// A socket with its memory.
    Numa,
    Nic,
    Leaf,
    Spine,
}

/// A vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub kind: PartKind,
    /// Its node; of a leaf its segment, of a spine 0.
    pub place: u32,
    /// Among its like in the same place.
    pub index: u32,
    /// How many equal parts it stands for.
    pub count: u32,
}

/// A one-way link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wire {
    pub kind: LinkKind,
    /// Effective rate of one link.
    pub rate: BytesPerSecond,
    pub latency: Seconds,
    /// How many equal links it stands for.
    pub count: u32,
}

/// The graph of a checked specification.
#[derive(Clone, Debug)]
pub struct Cluster {
    pub graph: DiGraph<Part, Wire>,
    /// Whether every node is in the graph, or one stands for all.
    pub expanded: bool,
    pub rates: Rates,
}

impl Cluster {
    /// Most nodes that are built part by part.
    pub const EXPANDED: u32 = 64;

    /// Checks the specification and wires it up.
    pub fn build(spec: &ClusterSpec, accelerator: &Accelerator) -> Result<Self, ClusterError> {
        check(spec, accelerator)?;
        let rates = Rates::new(spec, accelerator);
        let builder = Builder {
            graph: DiGraph::new(),
            wiring: Wiring::new(spec),
            expanded: spec.nodes <= Self::EXPANDED,
            rates,
            intra: spec.intra,
        };
        Ok(builder.finish())
    }

    /// Equal parts of one kind, counting what a vertex stands for.
    pub fn count(&self, kind: PartKind) -> u64 {
        self.graph.node_weights().filter(|part| part.kind == kind).map(|p| u64::from(p.count)).sum()
    }

    /// What one node can send into the network: the maximum flow from its GPUs to the leaves.
    pub fn node_cut(&self) -> BytesPerSecond {
        self.max_flow(
            |part| part.kind == PartKind::Gpu && part.place == 0,
            |part| part.kind == PartKind::Leaf,
        )
    }

    /// Maximum flow between two sets of vertices, each vertex taken once (COMMUNICATION.md 4.2:
    /// Dinic on integer capacities, in Mb/s).
    pub fn max_flow(
        &self,
        from: impl Fn(&Part) -> bool,
        to: impl Fn(&Part) -> bool,
    ) -> BytesPerSecond {
        let mut flow: DiGraph<(), u64> = self.graph.map(|_, _| (), |_, wire| capacity(wire));
        let all = flow.edge_weights().sum();
        let (source, sink) = (flow.add_node(()), flow.add_node(()));
        for vertex in self.graph.node_indices() {
            match self.graph.node_weight(vertex) {
                Some(part) if from(part) => flow.add_edge(source, vertex, all),
                Some(part) if to(part) => flow.add_edge(vertex, sink, all),
                _ => continue,
            };
        }
        let (most, _) = dinics(&flow, source, sink);
        BytesPerSecond::gb_s(float(most) / 8e3)
    }
}

struct Builder {
    graph: DiGraph<Part, Wire>,
    wiring: Wiring,
    expanded: bool,
    rates: Rates,
    intra: IntraNode,
}

impl Builder {
    fn finish(mut self) -> Cluster {
        let Wiring { nodes, segments, rails, .. } = self.wiring;
        let (built, each) = if self.expanded { (segments, 1) } else { (1, segments) };
        let leaves: Vec<Vec<NodeIndex>> =
            (0..built).map(|segment| self.parts(PartKind::Leaf, segment, (rails, each))).collect();
        let (built, each) = if self.expanded { (nodes, 1) } else { (1, nodes) };
        for node in 0..built {
            let nics = self.node(node, each);
            // NIC i goes to leaf i of its segment, round and round where leaves are fewer.
            let row = leaves.get(usize_of(self.wiring.segment_of(node)));
            for (nic, leaf) in nics.iter().zip(row.into_iter().flatten().cycle()) {
                self.join(*nic, *leaf, self.nic_wire(each));
            }
        }
        self.spines(&leaves);
        Cluster { graph: self.graph, expanded: self.expanded, rates: self.rates }
    }

    /// The spine is one vertex, as its switches are equal and joined to every leaf; an edge is
    /// all the uplinks of a leaf.
    fn spines(&mut self, leaves: &[Vec<NodeIndex>]) {
        let Wiring { uplinks, uplink_share, spines, .. } = self.wiring;
        if spines == 0 {
            return;
        }
        let wire = Wire {
            kind: LinkKind::Spine,
            rate: self.rates.nic * uplink_share,
            latency: Seconds::micros(HOP_SWITCH.value) + self.rates.extra_hop,
            count: uplinks,
        };
        for spine in self.parts(PartKind::Spine, 0, (1, spines)) {
            for leaf in leaves.iter().flatten() {
                self.join(*leaf, spine, wire);
            }
        }
    }

    /// One node; returns its NICs.
    fn node(&mut self, node: u32, each: u32) -> Vec<NodeIndex> {
        let Wiring { gpus, nics, switches, sockets, .. } = self.wiring;
        let numa = self.parts(PartKind::Numa, node, (sockets, each));
        let bridges = self.parts(PartKind::PcieSwitch, node, (switches, each));
        let devices = self.parts(PartKind::Gpu, node, (gpus, each));
        let ports = self.parts(PartKind::Nic, node, (nics, each));
        let pcie = Wire {
            kind: LinkKind::Pcie,
            rate: self.rates.pcie_flow,
            latency: Seconds::micros(HOP_PCIE.value),
            count: each,
        };
        for pair in numa.chunks(2) {
            if let [one, other] = pair {
                self.join(*one, *other, pcie);
            }
        }
        self.spread(&bridges, &numa, pcie);
        let slots = if bridges.is_empty() { numa } else { bridges };
        self.spread(&devices, &slots, pcie);
        let slot = Wire { rate: pcie.rate.max(self.rates.nic), ..pcie };
        self.spread(&ports, &slots, slot);
        self.scale_up(&devices, (node, each));
        ports
    }

    fn scale_up(&mut self, devices: &[NodeIndex], (node, each): (u32, u32)) {
        let wire = Wire {
            kind: LinkKind::NvLink,
            rate: self.rates.port,
            latency: Seconds::micros(HOP_NVLINK.value),
            count: each,
        };
        match self.intra {
            IntraNode::NvSwitch => {
                let switch = self.parts(PartKind::NvSwitch, node, (1, each));
                self.spread(devices, &switch, wire);
            }
            IntraNode::Mesh => {
                let wire = Wire { rate: self.rates.per_peer.unwrap_or(wire.rate), ..wire };
                for (at, one) in devices.iter().enumerate() {
                    for other in devices.iter().skip(at + 1) {
                        self.join(*one, *other, wire);
                    }
                }
            }
            IntraNode::NvLinkPairs => {
                for pair in devices.chunks(2) {
                    if let [one, other] = pair {
                        self.join(*one, *other, wire);
                    }
                }
            }
            IntraNode::Pcie(_) => {}
        }
    }

    fn parts(&mut self, kind: PartKind, place: u32, (n, count): (u32, u32)) -> Vec<NodeIndex> {
        (0..n).map(|index| self.graph.add_node(Part { kind, place, index, count })).collect()
    }

    /// Joins each of `many` to its share of `few`.
    fn spread(&mut self, many: &[NodeIndex], few: &[NodeIndex], wire: Wire) {
        let (n, m) = (count_of(many), count_of(few));
        for (i, one) in (0..n).zip(many) {
            if let Some(other) = few.get(usize_of(share_of(i, m, n))).or(few.last()) {
                self.join(*one, *other, wire);
            }
        }
    }

    /// Both ways.
    fn join(&mut self, one: NodeIndex, other: NodeIndex, wire: Wire) {
        self.graph.add_edge(one, other, wire);
        self.graph.add_edge(other, one, wire);
    }

    fn nic_wire(&self, count: u32) -> Wire {
        let latency = Seconds::micros(HOP_NIC.value) + self.rates.extra_hop;
        Wire { kind: LinkKind::Nic, rate: self.rates.nic, latency, count }
    }
}

/// In Mb/s. The uplinks of a leaf add up; other bundles are of one node among many.
fn capacity(wire: &Wire) -> u64 {
    let links = if wire.kind == LinkKind::Spine { f64::from(wire.count) } else { 1.0 };
    u64::from(whole(wire.rate.as_gb_s() * 8e3 * links))
}

fn float(flow: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a sum of rates, far below 2^52 Mb/s")]
    let flow = flow as f64;
    flow
}

fn usize_of(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

fn count_of(parts: &[NodeIndex]) -> u32 {
    u32::try_from(parts.len()).unwrap_or(u32::MAX)
}
