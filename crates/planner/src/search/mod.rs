//! The walk over all legal layouts, with pruning that cannot lose the best.

mod alternatives;
mod estimator;
mod walk;

pub use alternatives::{Alternative, Knob};
pub use estimator::{Estimator, Fit};
pub use walk::{Outcome, Progress, Scored, Search};

#[cfg(test)]
mod tests;
