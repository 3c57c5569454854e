//! Model presets.

pub(crate) fn generate() {}
