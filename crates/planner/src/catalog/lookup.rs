//! The rows and how to find one by its id.

use super::operations::Operations;
use super::platforms::{Check, Claim, Platform, PlatformScope, Scenario, Threshold};
use super::prices::{CnyPrice, Price};
use super::tables;
use super::types::{Accelerator, Machine};

/// Every GPU, TPU and NPU, in the order of the file.
pub fn accelerators() -> &'static [Accelerator] {
    tables::ACCELERATORS
}

pub fn accelerator(id: &str) -> Option<&'static Accelerator> {
    accelerators().iter().find(|row| row.id == id)
}

/// Servers, racks and cloud instances.
pub fn machines() -> &'static [Machine] {
    tables::MACHINES
}

pub fn machine(id: &str) -> Option<&'static Machine> {
    machines().iter().find(|row| row.id == id)
}

/// Price lists in USD.
pub fn prices() -> &'static [Price] {
    tables::PRICES
}

/// Price ranges in CNY.
pub fn cny_prices() -> &'static [CnyPrice] {
    tables::CNY_PRICES
}

/// The three platforms of the first seed article, then the three classes of the second.
pub fn platforms() -> &'static [Platform] {
    tables::PLATFORMS
}

pub fn platform(id: &str) -> Option<&'static Platform> {
    platforms().iter().find(|row| row.id == id)
}

/// Names that claims use beside the ids of platforms.
pub fn platform_scopes() -> &'static [PlatformScope] {
    tables::SCOPES
}

pub fn claims() -> &'static [Claim] {
    tables::CLAIMS
}

pub fn checks() -> &'static [Check] {
    tables::CHECKS
}

pub fn check(id: &str) -> Option<&'static Check> {
    checks().iter().find(|row| row.id == id)
}

/// Bars of the acceptance sheet.
pub fn thresholds() -> &'static [Threshold] {
    tables::THRESHOLDS
}

pub fn scenarios() -> &'static [Scenario] {
    tables::SCENARIOS
}

/// Failures, checkpoints, storage, egress, add-ons, discounts, power, carbon and currency.
pub fn operations() -> &'static Operations {
    &tables::OPERATIONS
}
