//! What the user made: the document, its edits and undo, its file form and its share link.

mod document;

pub use document::{Document, ModelSource};
