//! The machine: what the user stated about a cluster, and the graph built from it.

mod spec;

pub use spec::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};
