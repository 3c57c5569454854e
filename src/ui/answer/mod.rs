//! The answer: a sentence first, then figures, reasons, findings and assumptions.

mod assumptions;
mod figures;
mod findings;
mod panel;
mod parts;
mod remedies;
mod sentence;
mod strip;
mod trees;
pub mod words;

pub use findings::finding;
pub use panel::{AnswerPanel, AnswerPlaceholder};
pub use parts::{memory_parts, step_parts};
pub use sentence::{cheapest, platform_name, sentence};
pub use strip::AnswerStrip;
pub use trees::{Figure, tree};

#[cfg(test)]
mod tests;
