//! What the job costs, platform by platform.

mod types;

pub use types::{CostLine, CostPart, PriceOptions};
