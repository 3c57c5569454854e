//! One module for each command.

pub(crate) mod model;
pub(crate) mod score;
