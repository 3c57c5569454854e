//! The static tables, as `build.rs` writes them from `data/catalog`.

use rust_decimal::Decimal;

use super::operations::{
    Addon, CheckpointDefault, Commitment, DalyExample, Egress, Exchange, FailureCause,
    FailureDefault, FailureRecord, Grid, Operations, PowerDefault, Pue, ReservedMedian,
    StoragePrice, TrainingEnergy,
};
use super::platforms::{Check, Claim, Platform, PlatformScope, Scenario, Threshold};
use super::prices::{Billing, CnyPrice, Price};
use super::types::{Accelerator, Architecture, Confidence, IntraTopology, Link, Machine};
use crate::units::{BitsPerSecond, Bytes, BytesPerSecond, Currency, FlopPerSecond, Watts};

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));
