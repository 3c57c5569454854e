//! Published nccl-tests results against the model (reference/nccl_measured.csv).

use std::collections::BTreeMap;

use crate::cluster::fixtures::{accelerator, hgx};
use crate::cluster::{ClusterSpec, Fabric, HostPath, IntraNode};
use crate::units::{BitsPerSecond, Bytes, Seconds};

use super::{Collective, Group, Network};

/// A row as far as a specification can express it: the cluster and what was run on it.
struct Run {
    system: String,
    switched: bool,
    network: Network,
    collective: Collective,
    size: f64,
    measured: f64,
    ranks: u32,
}

impl Run {
    fn error(&self) -> f64 {
        let group = Group { ranks: self.ranks, stride: 1 };
        let predicted = self.network.cost(self.collective, Bytes::new(self.size), group).time;
        predicted.ratio(Seconds::micros(self.measured)) - 1.0
    }
}

#[test]
fn collectives_match_published_runs() {
    let mut runs = Vec::new();
    let mut skipped: BTreeMap<String, u32> = BTreeMap::new();
    for row in rows() {
        if row["quality"] != "ok" {
            continue;
        }
        match read(&row) {
            Ok(run) => runs.push(run),
            Err(reason) => *skipped.entry(reason.to_owned()).or_default() += 1,
        }
    }
    println!("not expressible: {skipped:?}");
    let mut systems: BTreeMap<(&str, &str, &str), Vec<f64>> = BTreeMap::new();
    for run in &runs {
        let key = (run.system.as_str(), run.collective.key(), class(run.size));
        systems.entry(key).or_default().push(run.error());
    }
    for (key, errors) in &systems {
        let mean = errors.iter().sum::<f64>() / errors.iter().map(|_| 1.0).sum::<f64>();
        println!("{key:?} n {} mean {:.1} %", errors.len(), mean * 100.0);
    }
    // Median errors that the figures of COMMUNICATION.md 2.3 allow, with a little room.
    let allowed = BTreeMap::from([("large", 0.06), ("mid", 0.18), ("small", 0.24)]);
    for (switched, name) in [(true, "NVSwitch"), (false, "other")] {
        for size in ["large", "mid", "small"] {
            let mut errors: Vec<f64> = runs
                .iter()
                .filter(|run| run.switched == switched && class(run.size) == size)
                .map(|run| run.error().abs())
                .collect();
            errors.sort_by(f64::total_cmp);
            let (n, at) = (errors.len(), |share: usize| errors[(errors.len() - 1) * share / 100]);
            println!("{name} {size}: n {n} median {:.3} p90 {:.3}", at(50), at(90));
            if switched {
                assert!(at(50) <= allowed[size], "{size}: median error {}", at(50));
            }
        }
    }
    assert!(runs.len() > 250, "{} rows", runs.len());
}

fn class(size: f64) -> &'static str {
    if size >= 67_108_864.0 {
        "large"
    } else if size >= 1_048_576.0 {
        "mid"
    } else {
        "small"
    }
}

fn rows() -> Vec<BTreeMap<String, String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/reference/nccl_measured.csv");
    let mut reader = csv::Reader::from_path(path).expect("the reference table is there");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn read(row: &BTreeMap<String, String>) -> Result<Run, &'static str> {
    let number = |name: &str| row[name].parse::<f64>().map_err(|_| "a field is empty");
    let count = |name: &str| row[name].parse::<u32>().map_err(|_| "a field is empty");
    let collective = match row["collective"].as_str() {
        "all_reduce" => Collective::AllReduce,
        "all_gather" => Collective::AllGather,
        "reduce_scatter" => Collective::ReduceScatter,
        "alltoall" => Collective::AllToAll,
        "sendrecv" => Collective::SendRecv,
        "broadcast" => Collective::Broadcast,
        _ => return Err("not an nccl-tests collective"),
    };
    let link = row["intra_link"].as_str();
    let gpu = row["gpu"].as_str();
    let intra = if link.contains("bridge") {
        IntraNode::NvLinkPairs
    } else if link.contains("Infinity") {
        IntraNode::Mesh
    } else if link.contains("PCIe") {
        let peer = link.contains("P2P on") || link.contains("P2P patch");
        IntraNode::Pcie(if peer { HostPath::PeerToPeer } else { HostPath::ThroughHost })
    } else if link.contains("cube mesh") || link == "NVLink2" {
        return Err("a cube mesh");
    } else {
        IntraNode::NvSwitch
    };
    let accelerator = accelerator(match gpu {
        _ if gpu.starts_with("A100") => "a100-sxm-80g",
        _ if gpu.starts_with("H100-SXM") => "h100-sxm",
        _ if gpu.starts_with("H100-PCIe") => "h100-pcie",
        _ if gpu.starts_with("H200") => "h200-sxm",
        _ if gpu.starts_with("H20-") => "h20-96g",
        _ if gpu.starts_with("H800") => "h800-sxm",
        _ if gpu.starts_with("B200") => "b200-sxm",
        "GB200" => "gb200",
        "MI300X" => "mi300x",
        "A40" => "a40",
        "RTX4090" => "rtx-4090",
        "RTX5090" => "rtx-5090",
        "RTX PRO 6000 Blackwell" => "rtx-pro-6000-server",
        _ => return Err("the accelerator is not stated"),
    });
    let fabric = match row["fabric"].as_str() {
        name if name.starts_with("IB") => Fabric::InfiniBand,
        name if name.starts_with("RoCE") => Fabric::Roce,
        name if name.starts_with("EFA") => Fabric::Efa,
        name if name.starts_with("TCPX") => Fabric::Tcpx,
        _ => Fabric::Ethernet,
    };
    // `gpus_per_node` counts the GPUs that take part: all of a node, or one of each.
    let spec = ClusterSpec {
        gpus_per_node: count("gpus_per_node")?,
        intra,
        nics_per_node: count("nics_per_node")?,
        nic_speed: BitsPerSecond::gbps(number("nic_gbps")?),
        fabric,
        ..hgx(accelerator.id, count("nodes")?, 0.0)
    };
    Ok(Run {
        system: row["system_id"].clone(),
        switched: intra == IntraNode::NvSwitch,
        network: Network::new(&spec, accelerator),
        collective,
        size: number("size_bytes")?,
        measured: number("time_us")?,
        ranks: count("ranks")?,
    })
}
