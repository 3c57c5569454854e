//! GPU and link columns as an accelerator of the catalog in a cluster of equal nodes.

use planner::catalog::{Accelerator, accelerator};
use planner::cluster::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};
use planner::estimate::time::power_capped;
use planner::units::{BitsPerSecond, Bytes, BytesPerSecond, Watts};

use super::row::{Configuration, Inexpressible, required, whole};

/// Words of a GPU's printed name, most specific first, and its id in the catalog.
const PARTS: &[(&[&str], &str)] = &[
    (&["gb300"], "gb300"),
    (&["gb200"], "gb200"),
    (&["gh200"], "gh200-96g"),
    (&["b300"], "b300-sxm"),
    (&["b200"], "b200-sxm"),
    (&["h200", "nvl"], "h200-nvl"),
    (&["h200"], "h200-sxm"),
    (&["h100", "pcie"], "h100-pcie"),
    (&["h100", "nvl"], "h100-nvl"),
    (&["h100"], "h100-sxm"),
    (&["h800"], "h800-sxm"),
    (&["h20", "141"], "h20-141g"),
    (&["h20"], "h20-96g"),
    (&["a100", "pcie", "40"], "a100-pcie-40g"),
    (&["a100", "pcie"], "a100-pcie-80g"),
    (&["a100", "40gb"], "a100-sxm-40g"),
    (&["a100"], "a100-sxm-80g"),
    (&["a800", "pcie"], "a800-pcie-80g"),
    (&["a800"], "a800-sxm-80g"),
    (&["pro6000"], "rtx-pro-6000-ws"),
    (&["6000ada"], "rtx-6000-ada"),
    (&["rtx5090"], "rtx-5090"),
    (&["rtx4090d"], "rtx-4090d"),
    (&["rtx4090"], "rtx-4090"),
    (&["rtx3090"], "rtx-3090"),
    (&["a6000"], "rtx-a6000"),
    (&["a10g"], "a10g"),
    (&["a30"], "a30"),
    (&["a40"], "a40"),
    (&["l40s"], "l40s"),
    (&["l40"], "l40"),
    (&["l20"], "l20"),
    (&["l4"], "l4"),
    (&["t4"], "t4"),
    (&["v100", "pcie"], "v100-pcie-32g"),
    (&["v100"], "v100-sxm2-32g"),
    (&["mi300x"], "mi300x"),
    (&["mi325x"], "mi325x"),
    (&["mi350x"], "mi350x"),
    (&["mi355x"], "mi355x"),
    (&["a10"], "a10"),
];

/// The accelerator of a row, with the power cap and memory that its name states.
pub(super) fn gpu(row: &Configuration) -> Result<Accelerator, Inexpressible> {
    let name: String =
        row.gpu.to_lowercase().chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let mut part = PARTS
        .iter()
        .find(|(words, _)| words.iter().all(|word| name.contains(word)))
        .and_then(|(_, id)| accelerator(id))
        .copied()
        .ok_or_else(|| Inexpressible(format!("GPU {} is not in the catalog", row.gpu)))?;
    if name.contains("hbm2e") && part.id.starts_with("h100") {
        part.memory_bandwidth = BytesPerSecond::gb_s(2_400.0);
        part.memory = Bytes::gib(95.0);
    }
    let link = row.intra_link.to_lowercase();
    if link.contains("slow lanes") {
        part.pcie_bandwidth = part.pcie_bandwidth * 0.5;
    }
    match watts(&row.gpu).or_else(|| watts(&row.intra_link)) {
        Some(cap) => Ok(power_capped(&part, Watts::new(cap))),
        None => Ok(part),
    }
}

/// The cluster of a row; notes what it had to assume.
pub(super) fn cluster(
    row: &Configuration,
    part: &Accelerator,
    assumed: &mut Vec<&'static str>,
) -> Result<ClusterSpec, Inexpressible> {
    let gpus = required("n_gpus", &row.n_gpus)?;
    let stated = required("gpus_per_node", &row.gpus_per_node)?;
    let rack = row.intra_link.contains("72-GPU domain");
    let node = if rack { rack_share(gpus) } else { stated.min(gpus) };
    let nodes = gpus.div_ceil(node.max(1));
    let network = match whole("inter_link_gbps_per_gpu", &row.inter_link_gbps_per_gpu)? {
        Some(gbps) => f64::from(gbps),
        None => {
            if nodes > 1 {
                assumed.push("inter_link_gbps_per_gpu");
            }
            if part.id.starts_with("a100") { 50.0 } else { 400.0 }
        }
    };
    Ok(ClusterSpec {
        accelerator: part.id.to_owned(),
        nodes,
        gpus_per_node: node,
        intra: intra(&row.intra_link, part),
        nics_per_node: node,
        nic_speed: BitsPerSecond::gbps(network),
        fabric: Fabric::InfiniBand,
        rail_optimized: true,
        spine: (nodes > 1).then_some(Spine { nodes_per_segment: 0, oversubscription: 1.0 }),
        host_memory: Bytes::gib(2_048.0),
    })
}

/// GPUs of a rack that a job uses: all 72, or 64 where the job is a power of two.
fn rack_share(gpus: u32) -> u32 {
    if gpus <= 72 {
        gpus
    } else if gpus.is_multiple_of(72) {
        72
    } else {
        64
    }
}

fn intra(link: &str, part: &Accelerator) -> IntraNode {
    let link = link.to_lowercase();
    if link.starts_with("nvlink") {
        IntraNode::NvSwitch
    } else if link.contains("infinity") || link.contains("xgmi") {
        IntraNode::Mesh
    } else if part.pcie_peer_to_peer && !link.contains("no p2p") {
        IntraNode::Pcie(HostPath::PeerToPeer)
    } else {
        IntraNode::Pcie(HostPath::ThroughHost)
    }
}

/// The number before a W: "(500W)", "280 W cap".
fn watts(text: &str) -> Option<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || c == ' ' || c == 'W'))
        .filter_map(|piece| piece.trim().strip_suffix('W'))
        .find_map(|number| number.trim().parse().ok())
        .filter(|watts: &f64| *watts >= 50.0)
}
