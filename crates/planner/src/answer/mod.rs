//! Inputs in, answer out: the one entry of the engine.

mod advice;
mod assemble;
mod failure;
mod grow;
mod judge;
mod pinned;
mod reasons;
mod remedy;
mod solver;
mod types;

pub use failure::diagnose;
pub use solver::{Solver, solve};
pub use types::{Answer, Candidate, Inputs, Plan, Reason, RejectedCount, Searched};

#[cfg(test)]
mod tests;
