//! The job and the layout: what is trained, and how it is cut over the GPUs.

mod job;
mod layout;
mod pins;
mod stack;

pub use job::{Job, JobKind, Optimizer, Precision};
pub use layout::{Framework, Layout, Offload, Recompute, Schedule, Zero};
pub use pins::Pins;
pub use stack::{AttentionKernel, LossPath, Stack};
