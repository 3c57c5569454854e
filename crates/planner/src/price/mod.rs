//! What the job costs, platform by platform.

mod amount;
mod costs;
mod extras;
mod need;
mod quote;
mod types;

pub use costs::costs;
pub use need::Need;
pub use types::{CostLine, CostPart, PriceOptions};

#[cfg(test)]
mod tests;
