//! The GPU and the cluster of a situation.

use planner::catalog::{Accelerator, Link};
use planner::cluster::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};
use planner::units::{BitsPerSecond, Bytes, BytesPerSecond};

use super::super::machines;
use super::super::row::{Configuration, Inexpressible};
use super::fields::Fields;

/// Where no GPU is stated.
const USUAL_GPU: &str = "A100-80GB";
/// Id of a part of which only the memory is known.
pub(super) const UNLISTED: &str = "unlisted";
const GPUS_PER_NODE: u32 = 8;
/// Speed of the NIC of each GPU in Gb/s where none is stated (DGX H100).
const NIC_GBPS: f64 = 400.0;
/// One Ethernet NIC of a cloud node, where its speed is not stated (a2-highgpu-8g: 100 Gb/s).
const CLOUD: (u32, f64) = (1, 100.0);
/// Host memory of a DGX node (datasheets of DGX A100 and H100).
const HOST_GIB: f64 = 2_048.0;
/// A name that states a memory this far from the catalog's means another part of the same chip.
const OTHER_PART: f64 = 0.12;

/// The GPU that a situation names, with the memory that it states.
pub(super) fn gpu(fields: &Fields) -> Result<Accelerator, Inexpressible> {
    let inside = fields.inside("gpu");
    let name = match &inside {
        Some(inside) => inside.word("name")?.map(str::to_owned),
        None => fields.word("gpu")?.map(str::to_owned),
    };
    let stated = name.as_deref().unwrap_or_else(|| {
        fields.assume(format!("gpu {USUAL_GPU}"));
        USUAL_GPU
    });
    let mut part = named(stated).or_else(|reason| {
        // Of a part that the catalog lacks, its memory is all that is known.
        let memory = gigabytes(stated).map(Bytes::gib).ok_or(reason)?;
        Ok(Accelerator { id: UNLISTED, memory, ..named(USUAL_GPU)? })
    })?;
    if let Some(gib) = fields.number("gpu_mem_gib")? {
        part.memory = Bytes::gib(gib);
    } else if let Some(gb) = fields.number("gpu_mem_gb")? {
        part.memory = Bytes::gb(gb);
    } else if let Some(inside) = &inside {
        if let Some(gib) = inside.number("mem_gib")? {
            part.memory = Bytes::gib(gib);
        } else if let Some(gb) = inside.number("mem_gb")? {
            part.memory = Bytes::gb(gb);
        }
    }
    Ok(part)
}

/// The catalog's part of that name; a memory size in the name counts.
pub(super) fn named(name: &str) -> Result<Accelerator, Inexpressible> {
    let row = Configuration { gpu: name.to_owned(), ..Configuration::default() };
    let mut part = machines::gpu(&row)?;
    if let Some(stated) = gigabytes(name)
        && (part.memory.as_gib() / stated - 1.0).abs() > OTHER_PART
        && (part.memory.as_gb() / stated - 1.0).abs() > OTHER_PART
    {
        part.memory = Bytes::gib(stated);
    }
    Ok(part)
}

/// The same situation on a card of that size: `80GB card`.
pub(super) fn with_memory(part: &Accelerator, words: &str) -> Option<Accelerator> {
    if !words.ends_with("card") {
        return None;
    }
    Some(Accelerator { memory: Bytes::gib(gigabytes(words)?), ..*part })
}

/// The number before `GB` in a name.
fn gigabytes(name: &str) -> Option<f64> {
    let upper = name.to_uppercase();
    let before = upper.get(..upper.find("GB")?)?;
    let digits = before.rsplit(|c: char| !(c.is_ascii_digit() || c == '.')).next()?;
    digits.parse().ok()
}

/// The cluster of `gpus` such parts.
pub(super) fn cluster(
    fields: &Fields,
    part: &Accelerator,
    gpus: u32,
) -> Result<ClusterSpec, Inexpressible> {
    let nodes = fields.whole("nodes")?.filter(|nodes| *nodes > 0);
    let stated = fields.whole("gpus_per_node")?.filter(|gpus| *gpus > 0);
    let per_node = stated.unwrap_or_else(|| match nodes {
        Some(nodes) => gpus.div_ceil(nodes).clamp(1, GPUS_PER_NODE),
        None => gpus.clamp(1, GPUS_PER_NODE),
    });
    let nodes = nodes.unwrap_or_else(|| gpus.div_ceil(per_node));
    let fabric = fabric(fields)?;
    let usual = if fabric == Fabric::Ethernet { CLOUD } else { (per_node, NIC_GBPS) };
    let stated = fields.number("nic_gbps")?.or(fields.number("inter_gbps")?);
    let speed = stated.unwrap_or_else(|| {
        if nodes > 1 {
            fields.assume(format!("{} NICs of {} Gb/s a node", usual.0, usual.1));
        }
        usual.1
    });
    let nics = fields.whole("nics_per_node")?.unwrap_or(usual.0);
    let speed = match fields.number("nic_gb_s_total")? {
        Some(total) => 8.0 * total / f64::from(nics.max(1)),
        None => speed,
    };
    let host = fields.number("host_ram_gb")?.map_or_else(
        || {
            fields.assume(format!("host memory of {HOST_GIB} GiB a node"));
            Bytes::gib(HOST_GIB)
        },
        Bytes::gb,
    );
    Ok(ClusterSpec {
        accelerator: part.id.to_owned(),
        nodes,
        gpus_per_node: per_node,
        intra: intra(fields, part)?,
        nics_per_node: nics,
        nic_speed: BitsPerSecond::gbps(speed),
        fabric,
        rail_optimized: nics > 1,
        spine: (nodes > 1).then_some(Spine { nodes_per_segment: 0, oversubscription: 1.0 }),
        host_memory: host,
    })
}

/// Links that a part has, unless the situation says that peers cannot talk.
fn intra(fields: &Fields, part: &Accelerator) -> Result<IntraNode, Inexpressible> {
    let peers = fields.flag("p2p")?.unwrap_or(part.pcie_peer_to_peer);
    Ok(match part.link {
        Link::NvLink => IntraNode::NvSwitch,
        Link::NvLinkBridge => IntraNode::NvLinkPairs,
        Link::Other if part.link_bandwidth > BytesPerSecond::ZERO => IntraNode::Mesh,
        Link::None | Link::Other if peers => IntraNode::Pcie(HostPath::PeerToPeer),
        Link::None | Link::Other => IntraNode::Pcie(HostPath::ThroughHost),
    })
}

fn fabric(fields: &Fields) -> Result<Fabric, Inexpressible> {
    let word = match fields.word("transport")? {
        Some(word) => Some(word),
        None => fields.word("inter_node")?.or(fields.word("nic")?),
    };
    let Some(word) = word.map(str::to_lowercase) else { return Ok(Fabric::InfiniBand) };
    Ok(match word.as_str() {
        word if word.contains("socket") || word.contains("tcp") => Fabric::Ethernet,
        word if word.contains("ethernet") => Fabric::Ethernet,
        word if word.contains("roce") => Fabric::Roce,
        word if word.contains("efa") => Fabric::Efa,
        word if word.contains("ib") || word.contains("infiniband") => Fabric::InfiniBand,
        other => return Err(Inexpressible(format!("transport {other} is not known"))),
    })
}
