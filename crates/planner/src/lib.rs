//! Everything that computes, pure: no clock, no randomness, no I/O, no saved formats.
//!
//! Floors, each importing only from those before it:
//! `units, explain ← catalog, model ← cluster ← collective ← strategy ← estimate ← remedy ← oom ← search ← price ← answer`.

pub mod answer;
pub mod catalog;
pub mod cluster;
pub mod collective;
pub mod estimate;
pub mod explain;
pub mod model;
pub mod oom;
pub mod price;
pub mod remedy;
pub mod search;
pub mod strategy;
pub mod units;
