//! Explanations and findings as data. Nothing here is text for people: keys name messages of
//! the two language files, values carry their units.

mod finding;
mod nearest;
mod term;

pub use finding::{Code, Evidence, Finding, Remedy, RemedyStep, Severity, Subject};
pub use nearest::nearest;
pub use term::{Bilingual, NearestValues, Quantity, Source, Term};
