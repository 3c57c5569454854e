//! The components. Each takes slices of the state and redraws only when its slice changed.

pub mod answer;
mod app;
pub mod chart;
pub mod drawer;
pub mod explain;
#[cfg(test)]
pub(crate) mod sample;

pub use app::App;
