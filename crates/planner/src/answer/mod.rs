//! Inputs in, answer out: the one entry of the engine.

mod types;

pub use types::{Answer, Candidate, Inputs, Plan, Reason, RejectedCount, Searched};
