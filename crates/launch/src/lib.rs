//! Launch files: from a plan to what a real launcher accepts.
//!
//! A target is one file in `targets/` behind [`Target`]. All text that comes from people goes
//! through [`name`] or [`script`]; nothing is pasted.

mod header;
mod megatron;
mod name;
mod order;
mod script;
mod targets;
mod torchtitan;

pub use order::{Export, LaunchFile, Order, Refusal, Target};
pub use targets::{export, target, targets};

#[cfg(test)]
mod tests;
