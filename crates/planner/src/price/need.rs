//! What a job needs from a platform.

use crate::catalog::Accelerator;
use crate::estimate::Band;
use crate::units::Bytes;

/// The rented cluster, how long it runs and what it produces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    pub accelerator: &'static Accelerator,
    /// Rented GPUs in all.
    pub gpus: u32,
    pub gpus_per_node: u32,
    pub nodes: u32,
    /// Days of renting.
    pub days: Band,
    /// Tokens trained on in those days.
    pub tokens: f64,
    /// One checkpoint; it is kept for the whole run.
    pub checkpoint: Bytes,
    /// Accelerator fabric, one way.
    pub nic_gbps_per_node: f64,
}
