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

pub use findings::{evidence, finding};
pub use panel::{AnswerPanel, AnswerPlaceholder};
pub use parts::{MEMORY_PARTS, memory_parts, step_parts};
pub use remedies::time as remedy_time;
pub use sentence::{cheapest, platform_name, sentence, steps};
pub use strip::AnswerStrip;
pub use trees::{Figure, tree};

#[cfg(test)]
mod tests;
