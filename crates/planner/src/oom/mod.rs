//! Why a job ran out of memory: the message that was printed, set against every single tensor
//! that the plan allocates.
//!
//! [`parse`] reads the message, [`explain`] names what was being allocated, the instant, whether
//! fragmentation is to blame, and the changes that were re-run. `tensors` lists the allocations,
//! `fixes` the changes of [`crate::remedy`]. Everything is data; keys name messages `term-KEY` and `oom-KEY`.

mod amounts;
mod diagnosis;
mod fixes;
mod instants;
mod message;
mod tensors;

pub use crate::remedy::Lever;
pub use diagnosis::{Diagnosis, Fragmentation, Match, Nearness, explain};
pub use fixes::{Fix, fixes_of};
pub use instants::InstantMatch;
pub use message::{LIMIT, Message, MessageError, Place, parse};
pub use tensors::{TERM_KEYS, Tensor};

#[cfg(test)]
mod tests;
