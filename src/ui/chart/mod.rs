//! Charts: stacked bars with patterns and the scatter of candidates. Each has a table twin in
//! the tab that shows it.

mod bars;
mod scatter;

pub use bars::{Legend, Part, Patterns, StackedBar, swatch};
pub use scatter::{Dot, Scatter};
