//! The engine's worker.
fn main() {}
