//! The job and the layout: what is trained, and how it is cut over the GPUs.

mod gate;
mod job;
mod layout;
mod pins;
pub mod rules;
mod space;
mod stack;

pub use gate::{Gate, GateCounts};
pub use job::{Adapter, BaseFormat, Job, JobKind, Optimizer, Precision};
pub use layout::{Framework, Layout, Offload, Recompute, Schedule, Zero};
pub use pins::Pins;
pub use rules::{Fact, Proposal, Tool, Violation, valid_values, violations};
pub use space::{SEARCHED, Space};
pub use stack::{AttentionKernel, LossPath, Stack};

#[cfg(test)]
pub(crate) mod tests;
