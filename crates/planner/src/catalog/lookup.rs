//! The rows and how to find one by its id.

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
