//! The page: inputs on the left, the drawn cluster in the middle, the answer on the right.
//!
//! `text` holds the words, `state` the document and its history, `engine` the worker that
//! computes, `ui` the components, `view` the geometry that they draw.

pub mod engine;
pub mod state;
pub mod text;
pub mod ui;
pub mod view;
