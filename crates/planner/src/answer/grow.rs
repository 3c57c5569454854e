//! The smallest number of GPUs on which a job fits.

use super::Inputs;
use super::remedy::fits;
use crate::explain::RemedyStep;
use crate::remedy::step;
use crate::units::BitsPerSecond;

/// Node counts are tried up to this multiple of what is there, and to this many.
const MOST_GROWTH: u32 = 64;
const MOST_NODES: u32 = 16_384;
/// Counts that are tried one after the other; beyond them, doubling and halving finds one whose
/// predecessor does not fit.
const ONE_BY_ONE: u32 = 16;
/// GPUs that a lone box can have.
const BOX: u32 = 8;
/// What a lone box gets to grow over where its speed is not given, in Gb/s.
const NIC_GBPS: f64 = 200.0;

/// More GPUs in a lone box that is not full.
pub(super) fn gpus_in_node(inputs: &Inputs) -> Option<(Inputs, Vec<RemedyStep>)> {
    let now = inputs.cluster.gpus_per_node;
    if inputs.cluster.nodes > 1 {
        return None;
    }
    let with = |gpus| {
        let mut changed = inputs.clone();
        changed.cluster.gpus_per_node = gpus;
        changed
    };
    let gpus = (now + 1..=BOX).find(|gpus| fits(&with(*gpus)))?;
    Some((with(gpus), vec![number("gpus_per_node", now, gpus)]))
}

/// The fewest nodes that suffice.
pub(super) fn more_nodes(inputs: &Inputs) -> Option<(Inputs, Vec<RemedyStep>)> {
    let now = inputs.cluster.nodes;
    let nodes = smallest(now, |nodes| fits(&with_nodes(inputs, nodes).0))?;
    Some(with_nodes(inputs, nodes))
}

fn with_nodes(inputs: &Inputs, nodes: u32) -> (Inputs, Vec<RemedyStep>) {
    let mut changed = inputs.clone();
    let mut steps = vec![number("nodes", inputs.cluster.nodes, nodes)];
    let cluster = &mut changed.cluster;
    cluster.nodes = nodes;
    if cluster.nics_per_node == 0 {
        // A lone box has no network to grow over.
        cluster.nics_per_node = 1;
        steps.push(number("nics_per_node", 0, 1));
    }
    if cluster.nic_speed.as_gbps() <= 0.0 {
        cluster.nic_speed = BitsPerSecond::gbps(NIC_GBPS);
        let words = (Some("0 Gb/s".to_owned()), Some(format!("{NIC_GBPS} Gb/s")));
        steps.push(step("nic_speed", words));
    }
    (changed, steps)
}

fn smallest(now: u32, fits: impl Fn(u32) -> bool) -> Option<u32> {
    let most = now.saturating_mul(MOST_GROWTH).min(MOST_NODES);
    let near = now.saturating_add(ONE_BY_ONE).min(most);
    if let Some(nodes) = (now + 1..=near).find(|nodes| fits(*nodes)) {
        return Some(nodes);
    }
    let mut high = near;
    while high < most {
        let mut low = high;
        high = high.saturating_mul(2).min(most);
        if fits(high) {
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if fits(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return Some(high);
        }
    }
    None
}

fn number(field: &'static str, from: u32, to: u32) -> RemedyStep {
    step(field, (Some(from.to_string()), Some(to.to_string())))
}
