//! Inputs in, answer out: the one entry of the engine.

mod types;

pub use types::{
    Answer, Candidate, CostLine, CostPart, Inputs, Plan, PriceOptions, Reason, RejectedCount,
    Searched,
};
