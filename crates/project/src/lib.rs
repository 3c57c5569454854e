//! What the user made: the document, its edits and undo, its file form and its share link.

mod command;
mod document;
mod file;
mod history;
mod inputs;
mod limits;
mod link;
mod words;

#[cfg(test)]
mod arbitrary;

pub use command::{Command, Pin};
pub use document::{Document, ModelSource};
pub use file::{
    Expected, FILE_BYTES, FileCause, FileError, FileProblem, VERSION, from_yaml, to_yaml,
};
pub use history::History;
pub use inputs::{InputsError, Named};
pub use limits::{CONFIG_BYTES, Limits, Problem, check, numbers};
pub use link::{LONG_FRAGMENT, LinkError, from_fragment, to_fragment};
pub use words::Word;

#[cfg(test)]
mod tests;
