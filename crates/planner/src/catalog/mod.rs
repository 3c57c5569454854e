//! The catalog: accelerators, machines, prices, platforms, operations and model presets.

mod lookup;
mod tables;
mod types;

pub use lookup::{accelerator, accelerators, machine, machines};
pub use types::{Accelerator, Architecture, Confidence, IntraTopology, Link, Machine};

#[cfg(test)]
mod tests;
