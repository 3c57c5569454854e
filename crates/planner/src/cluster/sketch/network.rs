//! Leaves, ToRs and the tiers above them.
//!
//! Equal switches of one tier that all join the same switches below are one part, and its links
//! are bundles: for capacities they are one switch.

use std::collections::BTreeMap;

use super::node::{Draw, Drawn, Wire};
use super::{Id, Kind, Medium, Network, Tors};
use crate::cluster::constants::{HOP_NIC, HOP_SWITCH};
use crate::cluster::wiring::whole;
use crate::units::{BytesPerSecond, Seconds};

/// A switch that waits for its uplinks.
struct Open {
    id: Id,
    plane: u16,
    /// Which group of its tier it is in.
    group: u32,
    down: BytesPerSecond,
}

/// The network while its nodes are drawn.
pub(super) struct Wires<'a> {
    network: Option<&'a Network>,
    per_segment: u32,
    /// The box around the segment being filled, and its leaves by rail and side.
    segment: Option<(u32, Id)>,
    leaves: BTreeMap<(u16, u16), Open>,
    done: Vec<Open>,
    pods: BTreeMap<u32, Id>,
    cable: Option<(BytesPerSecond, Seconds)>,
}

impl<'a> Wires<'a> {
    pub(super) fn new(network: Option<&'a Network>, nodes: u32) -> Self {
        let stated = network.map_or(0, |network| network.nodes_per_segment);
        let per_segment = if stated == 0 { nodes.max(1) } else { stated };
        Self {
            network,
            per_segment,
            segment: None,
            leaves: BTreeMap::new(),
            done: Vec::new(),
            pods: BTreeMap::new(),
            cable: None,
        }
    }

    /// The box that node `number` lies in.
    pub(super) fn segment(&mut self, draw: &mut Draw, number: u32) -> Option<Id> {
        let network = self.network?;
        let segment = number / self.per_segment;
        if let Some((current, id)) = self.segment
            && current == segment
        {
            return Some(id);
        }
        self.close();
        let width = network.tiers.first().map_or(0, |tier| tier.width);
        let pod = segment
            .checked_div(width)
            .map(|pod| *self.pods.entry(pod).or_insert_with(|| draw.part(Kind::Pod, None)));
        let id = draw.part(Kind::Segment, pod);
        self.segment = Some((segment, id));
        Some(id)
    }

    /// Joins the NICs of a node to the leaves of the current segment.
    pub(super) fn join(&mut self, draw: &mut Draw, node: &Drawn) {
        let (Some(network), Some((segment, within))) = (self.network, self.segment) else { return };
        let sides = if matches!(network.tors, Tors::Dual | Tors::DualPlane) { 2 } else { 1 };
        let latency = Seconds::micros(HOP_NIC.value) + node.extra_hop;
        let rate = node.rate / f64::from(sides);
        let kind = if sides == 2 { Kind::Tor } else { Kind::Leaf };
        self.cable = Some((rate, node.extra_hop));
        for (rail, nic) in (0..u16::MAX).zip(&node.nics) {
            let rail = if network.tors == Tors::Single { 0 } else { rail };
            draw.set_rail(*nic, rail);
            for side in 0..sides {
                let leaf = self.leaves.entry((rail, side)).or_insert_with(|| {
                    let id = draw.part(kind, Some(within));
                    draw.set_rail(id, rail);
                    let plane = if network.tors == Tors::DualPlane { side } else { 0 };
                    draw.set_plane(id, plane);
                    Open { id, plane, group: segment, down: BytesPerSecond::default() }
                });
                leaf.down += rate;
                let wire = Wire { medium: Medium::Cable, rate, latency, count: 1 };
                draw.join(*nic, leaf.id, wire);
            }
        }
    }

    fn close(&mut self) {
        self.done.extend(std::mem::take(&mut self.leaves).into_values());
    }

    /// Draws the tiers above the leaves.
    pub(super) fn finish(mut self, draw: &mut Draw) {
        self.close();
        let (Some(network), Some((rate, extra))) = (self.network, self.cable) else { return };
        let latency = Seconds::micros(HOP_SWITCH.value) + extra;
        let mut below = self.done;
        for (tier, kind) in network.tiers.iter().zip([Kind::Spine, Kind::Core, Kind::Core]) {
            // The switches of a tier are bought alike: a group that is not full has the uplinks
            // of a full one.
            let most = below.iter().map(|open| open.down).fold(rate, BytesPerSecond::max);
            let up = most / tier.oversubscription.max(0.01);
            let count = whole(libm::ceil(up.ratio(rate) - 1e-9)).max(1);
            let wire = Wire { medium: Medium::Uplink, rate: up / f64::from(count), latency, count };
            let mut above: BTreeMap<(u32, u16), Open> = BTreeMap::new();
            for open in below {
                let group = open.group.checked_div(tier.width).unwrap_or(0);
                let switch = above.entry((group, open.plane)).or_insert_with(|| {
                    let within = if kind == Kind::Spine { self.pods.get(&group) } else { None };
                    let id = draw.part(kind, within.copied());
                    draw.set_plane(id, open.plane);
                    let down = BytesPerSecond::default();
                    Open { id, plane: open.plane, group, down }
                });
                switch.down += up;
                draw.join(open.id, switch.id, wire);
            }
            below = above.into_values().collect();
        }
    }
}
