//! Form fields. Each has a visible label, keeps what is typed until it is committed, and says
//! what is wrong beside itself.

mod combobox;
mod number;
mod number_field;
mod select;

pub use combobox::{Choice, Combobox};
pub use number::Unit;
pub use number_field::NumberField;
pub use select::{Segments, Select, Switch};

#[cfg(test)]
mod tests;
