//! Inputs in, answer out: the one entry of the engine.

mod advice;
mod assemble;
mod closer;
mod grow;
mod judge;
mod pinned;
mod reasons;
mod remedy;
mod solver;
mod types;

pub use closer::{diagnose, stage_tree};
pub use solver::{Solver, solve};
pub use types::{Answer, Candidate, Inputs, Plan, Reason, RejectedCount, Searched};

#[cfg(test)]
mod tests;
