//! Clusters for tests.

use crate::catalog::{self, Accelerator};
use crate::units::{BitsPerSecond, Bytes};

use super::{ClusterSpec, Fabric, IntraNode, Spine};

/// An accelerator of the catalog.
pub(crate) fn accelerator(id: &str) -> &'static Accelerator {
    catalog::accelerator(id).unwrap_or_else(|| panic!("no accelerator {id}"))
}

/// Nodes of 8 GPUs behind NVSwitch with 8 NICs, rails and a non-blocking spine.
pub(crate) fn hgx(accelerator: &str, nodes: u32, nic_gbps: f64) -> ClusterSpec {
    ClusterSpec {
        accelerator: accelerator.to_owned(),
        nodes,
        gpus_per_node: 8,
        intra: IntraNode::NvSwitch,
        nics_per_node: 8,
        nic_speed: BitsPerSecond::gbps(nic_gbps),
        fabric: Fabric::InfiniBand,
        rail_optimized: true,
        spine: Some(Spine { nodes_per_segment: 0, oversubscription: 1.0 }),
        host_memory: Bytes::gib(2048.0),
    }
}
