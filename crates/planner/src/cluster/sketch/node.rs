//! The parts of one node and the links among them.

use super::{Id, Kind, Link, Machines, Medium, Part, Sketch, Slots, Storage};
use crate::catalog::Accelerator;
use crate::cluster::constants::{HOP_NIC, HOP_NVLINK, HOP_PCIE, HOP_SWITCH};
use crate::cluster::index::usize_of;
use crate::cluster::wiring::{Wiring, share_of};
use crate::cluster::{HostPath, IntraNode, Rates};
use crate::units::{BytesPerSecond, Seconds};

/// What the network needs of a node that was drawn.
pub(super) struct Drawn {
    pub(super) id: Id,
    pub(super) nics: Vec<Id>,
    pub(super) sockets: Vec<Id>,
    /// One NIC.
    pub(super) rate: BytesPerSecond,
    pub(super) extra_hop: Seconds,
}

/// A wire without its ends.
#[derive(Clone, Copy)]
pub(super) struct Wire {
    pub(super) medium: Medium,
    pub(super) rate: BytesPerSecond,
    pub(super) latency: Seconds,
    pub(super) count: u32,
}

/// A sketch in the making; ids count up from 0.
#[derive(Default)]
pub(super) struct Draw {
    pub(super) sketch: Sketch,
}

impl Draw {
    pub(super) fn part(&mut self, kind: Kind, within: Option<Id>) -> Id {
        let id = u32::try_from(self.sketch.parts.len()).unwrap_or(u32::MAX);
        self.sketch.parts.push(Part::new(id, kind, within));
        id
    }

    fn parts(&mut self, kind: Kind, within: Id, count: u32) -> Vec<Id> {
        (0..count).map(|_| self.part(kind, Some(within))).collect()
    }

    /// Both ways.
    pub(super) fn join(&mut self, from: Id, to: Id, wire: Wire) {
        let Wire { medium, rate, latency, count } = wire;
        let link = Link { from, to, medium, rate, latency, count, share: None, measured: None };
        self.sketch.links.push(link.reversed());
        self.sketch.links.push(link);
    }

    pub(super) fn set_rail(&mut self, id: Id, rail: u16) {
        if let Some(part) = self.sketch.parts.get_mut(at(id)) {
            part.rail = Some(rail);
        }
    }

    pub(super) fn set_plane(&mut self, id: Id, plane: u16) {
        if let Some(part) = self.sketch.parts.get_mut(at(id)) {
            part.plane = Some(plane);
        }
    }

    pub(super) fn node(
        &mut self,
        (machines, accelerator): (&Machines, &Accelerator),
        within: Option<Id>,
    ) -> Drawn {
        let spec = &machines.spec;
        let (rates, wiring) = (Rates::new(spec, accelerator), Wiring::new(spec));
        let switches = match machines.slots {
            Slots::Usual => wiring.switches,
            Slots::Switches(count) => count,
        };
        let id = self.part(Kind::Node, within);
        let sockets = self.parts(Kind::Numa, id, wiring.sockets);
        let bridges = self.parts(Kind::PcieSwitch, id, switches);
        let gpus = self.parts(Kind::Gpu, id, wiring.gpus);
        let nics = self.parts(Kind::Nic, id, wiring.nics);
        let latency = Seconds::micros(HOP_PCIE.value);
        let slot = Wire { medium: Medium::Pcie, rate: rates.pcie_flow, latency, count: 1 };
        for (one, other) in sockets.iter().zip(sockets.iter().skip(1)) {
            self.join(*one, *other, Wire { medium: Medium::Socket, ..slot });
        }
        self.spread(&bridges, &sockets, slot);
        let slots = if bridges.is_empty() { &sockets } else { &bridges };
        // Without peer-to-peer every byte of a GPU is staged in host memory.
        let staged = spec.intra == IntraNode::Pcie(HostPath::ThroughHost);
        let rate = if staged { rates.pcie_ring } else { slot.rate };
        self.spread(&gpus, slots, Wire { rate, ..slot });
        self.spread(&nics, slots, Wire { rate: slot.rate.max(rates.nic), ..slot });
        self.scale_up(&gpus, id, (spec.intra, &rates));
        Drawn { id, nics, sockets, rate: rates.nic, extra_hop: rates.extra_hop }
    }

    fn scale_up(&mut self, gpus: &[Id], node: Id, (intra, rates): (IntraNode, &Rates)) {
        let latency = Seconds::micros(HOP_NVLINK.value);
        let wire = Wire { medium: Medium::NvLink, rate: rates.port, latency, count: 1 };
        match intra {
            IntraNode::NvSwitch => {
                let switch = self.parts(Kind::NvSwitch, node, 1);
                self.spread(gpus, &switch, wire);
            }
            IntraNode::Mesh => {
                let wire = Wire { rate: rates.per_peer.unwrap_or(wire.rate), ..wire };
                for (at, one) in gpus.iter().enumerate() {
                    for other in gpus.iter().skip(at + 1) {
                        self.join(*one, *other, wire);
                    }
                }
            }
            IntraNode::NvLinkPairs => {
                for pair in gpus.chunks(2) {
                    if let [one, other] = pair {
                        self.join(*one, *other, wire);
                    }
                }
            }
            IntraNode::Pcie(_) => {}
        }
    }

    /// Joins each of `many` to its share of `few`.
    fn spread(&mut self, many: &[Id], few: &[Id], wire: Wire) {
        let count = |ids: &[Id]| u32::try_from(ids.len()).unwrap_or(u32::MAX);
        let (n, m) = (count(many), count(few));
        for (i, one) in (0..n).zip(many) {
            if let Some(other) = few.get(usize_of(share_of(i, m, n))).or(few.last()) {
                self.join(*one, *other, wire);
            }
        }
    }

    /// The switch that the storage NICs of all nodes reach.
    pub(super) fn storage_leaf(&mut self, storage: Storage, id: Id) -> Id {
        let leaf = self.part(Kind::Leaf, None);
        let latency = Seconds::micros(HOP_SWITCH.value);
        let wire = Wire { medium: Medium::Storage, rate: storage.rate, latency, count: 1 };
        self.join(id, leaf, wire);
        leaf
    }

    pub(super) fn storage_nic(&mut self, storage: Storage, node: &Drawn, leaf: Id) {
        let nic = self.part(Kind::Nic, Some(node.id));
        let latency = Seconds::micros(HOP_NIC.value);
        let wire = Wire { medium: Medium::Storage, rate: storage.nic, latency, count: 1 };
        self.join(nic, leaf, wire);
        if let Some(socket) = node.sockets.first() {
            let latency = Seconds::micros(HOP_PCIE.value);
            self.join(nic, *socket, Wire { medium: Medium::Pcie, latency, ..wire });
        }
    }
}

/// Place of a part whose id a [`Draw`] gave.
pub(super) fn at(id: Id) -> usize {
    usize_of(id)
}
