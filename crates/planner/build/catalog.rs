//! Accelerators, machines, prices, platforms and operations.

pub(crate) fn generate() {}
