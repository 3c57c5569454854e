//! The JSON that other programs rely on: views of the planner's values with stable keys.

pub(crate) mod cost;
pub(crate) mod explain;
pub(crate) mod model;
pub(crate) mod plan;
