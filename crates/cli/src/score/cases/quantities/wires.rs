//! Bandwidth of collectives, as nccl-tests count it, and traffic of a step.

use planner::collective::{Algorithm, Collective, CollectiveCost, Group, Network, Protocol};
use planner::estimate::time;
use planner::units::Bytes;

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::machine;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity};
use super::super::run::Run;

/// A large message of nccl-tests.
const LARGE_GB: f64 = 8.0;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing {
        return None;
    }
    let answer = match quantity.name.as_str() {
        "busbw_gb_s" => bus(fields, None),
        "intra_busbw_gb_s" => bus(fields, Some(1)),
        "busbw_gb_s_per_nic" => per_nic(fields),
        "collective_time_s" => call(fields, None).map(|(_, call)| call.time.as_seconds()),
        "comm_per_gpu_per_step" => traffic(fields, models),
        _ => return None,
    };
    Some(answer.map(Got::Number))
}

/// One call over all GPUs, on `nodes` nodes where that is given.
fn call(
    fields: &Fields,
    nodes: Option<u32>,
) -> Result<((Collective, u32, Bytes), CollectiveCost), Inexpressible> {
    let part = machine::gpu(fields)?;
    let per_node = fields.degree("gpus_per_node", 8)?;
    let nodes = nodes.map_or_else(|| fields.degree("nodes", 1), Ok)?;
    let attached = fields.word("nic_attach")?.filter(|word| !word.contains("gdr"));
    if let Some(word) = attached.filter(|_| nodes > 1) {
        return Err(Inexpressible(format!("a NIC attached to the {word} is not built")));
    }
    let ranks = nodes.saturating_mul(per_node);
    let mut cluster = machine::cluster(fields, &part, ranks)?;
    cluster.nodes = nodes;
    let network = Network::new(&cluster, &part);
    let collective = match fields.word("collective")?.unwrap_or("all_reduce") {
        "all_reduce" => Collective::AllReduce,
        "all_gather" => Collective::AllGather,
        "reduce_scatter" => Collective::ReduceScatter,
        "all_to_all" | "alltoall" => Collective::AllToAll,
        "send_recv" | "p2p" => Collective::SendRecv,
        "broadcast" => Collective::Broadcast,
        other => return Err(Inexpressible(format!("collective {other} is not known"))),
    };
    let size = Bytes::gb(fields.number("message_gb")?.unwrap_or(LARGE_GB));
    let group = Group { ranks, stride: 1 };
    let pinned = match fields.word("algo")? {
        None => None,
        Some("ring") => Some(Algorithm::Ring),
        Some("tree") => Some(Algorithm::Tree),
        Some("nvls") => Some(Algorithm::Nvls),
        Some(other) => return Err(Inexpressible(format!("algorithm {other} is not known"))),
    };
    let cost = match pinned {
        // One node has its own best algorithm: the pin is about the wires between nodes.
        Some(algorithm) if nodes > 1 => network
            .cost_with(collective, size, group, (algorithm, Protocol::Simple))
            .ok_or_else(|| Inexpressible(format!("{} cannot run there", algorithm.key())))?,
        _ => network.cost(collective, size, group),
    };
    Ok(((collective, ranks, size), cost))
}

/// Bus bandwidth in GB/s.
fn bus(fields: &Fields, nodes: Option<u32>) -> Result<f64, Inexpressible> {
    let ((collective, ranks, size), cost) = call(fields, nodes)?;
    let seconds = cost.time.as_seconds();
    let rate = if seconds > 0.0 { size.as_gb() / seconds } else { 0.0 };
    Ok(rate * collective.bus_factor(ranks))
}

fn per_nic(fields: &Fields) -> Result<f64, Inexpressible> {
    Ok(bus(fields, None)? / f64::from(fields.degree("nics_per_node", 1)?))
}

/// What one GPU sends in a step over the data-parallel ranks, in GB.
fn traffic(fields: &Fields, models: &Models) -> Result<f64, Inexpressible> {
    let run = Run::of(fields, models)?;
    let network = Network::new(&run.cluster, &run.accelerator);
    let step = time::report(&run.setting(), &network, &run.layout);
    Ok(step.traffic.iter().map(|one| one.bytes.as_gb()).sum())
}
