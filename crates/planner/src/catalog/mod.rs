//! The catalog: accelerators, machines, prices, platforms and operations as static tables.
//!
//! `build.rs` reads `data/catalog`, refuses rows that break a rule, and writes the tables.

mod lookup;
mod operations;
mod platforms;
mod prices;
mod tables;
mod types;

pub use lookup::{
    accelerator, accelerators, check, checks, claims, cny_prices, machine, machines, operations,
    platform, platform_scopes, platforms, prices, scenarios, thresholds,
};
pub use operations::{
    Addon, CheckpointDefault, Commitment, DalyExample, Egress, Exchange, FailureCause,
    FailureDefault, FailureRecord, Grid, Operations, PowerDefault, Pue, ReservedMedian,
    StoragePrice, TrainingEnergy,
};
pub use platforms::{Check, Claim, Platform, PlatformScope, Scenario, Threshold};
pub use prices::{Billing, CnyPrice, Price};
pub use types::{Accelerator, Architecture, Confidence, IntraTopology, Link, Machine};

#[cfg(test)]
mod tests;
