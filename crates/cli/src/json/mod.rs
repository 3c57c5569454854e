//! The JSON that other programs rely on: views of the planner's values with stable keys.

pub(crate) mod model;
