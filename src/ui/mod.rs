//! The components. Each takes slices of the state and redraws only when its slice changed.

mod app;

pub use app::App;
