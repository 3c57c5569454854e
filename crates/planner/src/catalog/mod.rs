//! The catalog: accelerators, machines, prices, platforms, operations and model presets.

mod types;

pub use types::{Accelerator, Architecture, Confidence, IntraTopology, Link, Machine};
