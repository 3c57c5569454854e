//! How long a collective takes on a group of ranks placed on the cluster.
//!
//! The cut ledger of COMMUNICATION.md 4: a group is reduced to how many of its ranks share a
//! node and a segment, the busiest level sets the bandwidth, NCCL's own tables set the latency.

pub mod constants;
mod cost;
mod experts;
mod kinds;
mod latency;
mod load;
mod network;
mod placement;

pub use crate::cluster::LinkKind;
pub use kinds::{Algorithm, Collective, CollectiveCost, Group, Protocol};
pub use network::Network;

#[cfg(test)]
mod measured;
#[cfg(test)]
mod tests;
