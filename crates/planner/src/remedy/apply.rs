//! A remedy, carried out.

use super::fields::{pin, value};
use super::jobs::{BASES, KINDS, OPTIMIZERS, PRECISIONS};
use crate::cluster::ClusterSpec;
use crate::explain::Remedy;
use crate::strategy::{Job, Pins};
use crate::units::BitsPerSecond;

/// The inputs that a remedy may change.
#[derive(Debug)]
pub struct Target<'a> {
    pub job: &'a mut Job,
    pub cluster: &'a mut ClusterSpec,
    pub pins: &'a mut Pins,
}

/// Carries out all steps. False where a step names a field or value that inputs do not have, as
/// those of a measured run may.
pub fn apply(remedy: &Remedy, target: &mut Target<'_>) -> bool {
    remedy.steps.iter().all(|step| set(target, &step.field, &step.to).is_some())
}

fn set(target: &mut Target<'_>, field: &str, to: &str) -> Option<()> {
    let Target { job, cluster, pins } = target;
    match field {
        "kind" => job.kind = value(&KINDS, to)?,
        "precision" => job.precision = value(&PRECISIONS, to)?,
        "optimizer" => job.optimizer = value(&OPTIMIZERS, to)?,
        "base" => job.adapter.base = value(&BASES, to)?,
        "nodes" => cluster.nodes = to.parse().ok()?,
        "gpus_per_node" => cluster.gpus_per_node = to.parse().ok()?,
        "nics_per_node" => cluster.nics_per_node = to.parse().ok()?,
        "nic_speed" => {
            let gbps = to.strip_suffix(" Gb/s")?.parse().ok()?;
            cluster.nic_speed = BitsPerSecond::gbps(gbps);
        }
        _ => return pin(pins, field, (to != "auto").then_some(to)).then_some(()),
    }
    Some(())
}
