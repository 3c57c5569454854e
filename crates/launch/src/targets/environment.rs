//! Network environment of the drawn cluster.

use planner::cluster::{ClusterSpec, Fabric};

/// Variables for NCCL, each with its reason.
pub(super) fn nccl(cluster: &ClusterSpec) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut variables = Vec::new();
    if cluster.nodes < 2 {
        return variables;
    }
    match cluster.fabric {
        Fabric::InfiniBand => {
            variables.push(("NCCL_IB_HCA", "mlx5", "InfiniBand ports of this name"));
        }
        Fabric::Roce => {
            variables.push(("NCCL_IB_HCA", "mlx5", "RoCE ports of this name"));
            variables.push(("NCCL_IB_GID_INDEX", "3", "RoCE v2 over IPv4; check show_gids"));
        }
        Fabric::Ethernet => variables.push(("NCCL_IB_DISABLE", "1", "plain Ethernet")),
        Fabric::Efa => variables.push(("FI_PROVIDER", "efa", "libfabric over EFA")),
        Fabric::Tcpx => {}
    }
    if cluster.rail_optimized {
        variables.push(("NCCL_CROSS_NIC", "0", "rails: NIC i talks to NIC i"));
    }
    variables
}
