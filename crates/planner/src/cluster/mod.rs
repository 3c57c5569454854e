//! The machine: what the user stated about a cluster, and the graph built from it.
//!
//! [`ClusterSpec`] is the input, [`Cluster`] its graph, [`Rates`] what its links carry,
//! [`picture()`] what of it is drawn, [`templates()`] the ready-made ones.

pub mod constants;
mod error;
mod rates;
mod spec;

pub use error::{BOUNDS, Bound, ClusterError, check};
pub use rates::{LinkKind, Rates};
pub use spec::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};

#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod tests;
