//! A cluster said in a few lines, and the sketch that it stands for: machines of several types,
//! ToRs, tiers and storage (COMMUNICATION.md 3).

use serde::{Deserialize, Serialize};

use super::network::Wires;
use super::node::Draw;
use super::{Id, Kind, Sketch};
use crate::catalog::Accelerator;
use crate::cluster::{ClusterError, ClusterSpec, check};
use crate::units::BytesPerSecond;

/// What a cluster is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Node types; the first nodes fill the first segments.
    pub machines: Vec<Machines>,
    /// None for lone boxes.
    pub network: Option<Network>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<Storage>,
}

/// Equal nodes. Their number and what is in one come from the specification; its spine and rails
/// are left to [`Network`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machines {
    pub spec: ClusterSpec,
    #[serde(default)]
    pub slots: Slots,
}

/// PCIe switches of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slots {
    /// As many as machines of that kind have.
    #[default]
    Usual,
    /// So many; with 0 every slot hangs on a socket.
    Switches(u32),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Network {
    pub tors: Tors,
    /// Nodes under one set of leaves; 0 for all.
    pub nodes_per_segment: u32,
    /// Upwards from the leaves.
    pub tiers: Vec<Tier>,
}

/// How the NICs of a node reach the leaves of its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tors {
    /// All on one leaf.
    Single,
    /// NIC i on leaf i.
    Rails,
    /// NIC i with one port on each of two ToRs, which share the tier above.
    Dual,
    /// The same, each side with a tier of its own.
    DualPlane,
}

/// Switches that join groups of those below.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tier {
    /// Segments, or groups of the tier below, that one group joins; 0 for all.
    pub width: u32,
    /// Capacity down over capacity up of a switch below.
    pub oversubscription: f64,
}

/// A storage system on a network of its own, one NIC a node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Storage {
    /// What it delivers altogether, each way.
    pub rate: BytesPerSecond,
    pub iops: f64,
    pub nic: BytesPerSecond,
}

impl Recipe {
    /// The recipe of a regular specification.
    pub fn from_spec(spec: &ClusterSpec) -> Self {
        let tors = if spec.rail_optimized { Tors::Rails } else { Tors::Single };
        let tier = |spine: crate::cluster::Spine| Tier {
            width: 0,
            oversubscription: spine.oversubscription,
        };
        let network = (spec.nics_per_node > 0 && spec.nodes > 1).then(|| Network {
            tors,
            nodes_per_segment: spec.spine.map_or(0, |spine| spine.nodes_per_segment),
            tiers: spec.spine.map(tier).into_iter().collect(),
        });
        let machines = vec![Machines { spec: spec.clone(), slots: Slots::Usual }];
        Self { machines, network, storage: None }
    }

    /// Draws every part. `row` gives the accelerator of an id.
    pub fn sketch<'a>(
        &self,
        row: impl Fn(&str) -> Option<&'a Accelerator>,
    ) -> Result<Sketch, ClusterError> {
        let mut types = Vec::new();
        for machines in &self.machines {
            let stated = &machines.spec.accelerator;
            let accelerator = row(stated).ok_or_else(|| ClusterError::OtherAccelerator {
                stated: stated.clone(),
                given: String::new(),
            })?;
            check(&machines.spec, accelerator)?;
            types.push((machines, accelerator));
        }
        let nodes: u32 = self.machines.iter().map(|machines| machines.spec.nodes).sum();
        let mut draw = Draw::default();
        let mut wires = Wires::new(self.network.as_ref(), nodes);
        let storage = self.storage.map(|storage| (storage, draw.part(Kind::Storage, None)));
        if let Some((stated, id)) = storage
            && let Some(part) = draw.sketch.parts.get_mut(super::node::at(id))
        {
            part.iops = Some(stated.iops);
        }
        let hub: Option<(Storage, Id)> = storage.map(|(s, id)| (s, draw.storage_leaf(s, id)));
        let mut number = 0;
        for (machines, accelerator) in types {
            for _ in 0..machines.spec.nodes {
                let within = wires.segment(&mut draw, number);
                let node = draw.node((machines, accelerator), within);
                wires.join(&mut draw, &node);
                if let Some((stated, leaf)) = hub {
                    draw.storage_nic(stated, &node, leaf);
                }
                number += 1;
            }
        }
        wires.finish(&mut draw);
        Ok(draw.sketch)
    }
}
