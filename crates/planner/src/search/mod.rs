//! The walk over all legal layouts, with pruning that cannot lose the best.

mod alternatives;
mod estimator;
mod quickest;
mod walk;

pub use alternatives::{Alternative, Knob};
pub use estimator::{Estimator, Fit};
pub use quickest::{any_fits, quickest};
pub use walk::{Outcome, Progress, Scored, Search};

#[cfg(test)]
mod tests;
