//! Peak memory of one GPU of every pipeline stage, and of the host, for one layout.
//!
//! The model is STUDY_MEMORY.md: tensors counted from how each framework works, added up at
//! four instants (loss, backward of a layer, end of the backward pass, optimizer step); the
//! worst instant of the worst stage is the peak. `case` reads the inputs once, `stages` cuts
//! the layers, `parameters` and `states` give what is resident, `activations`, `loss` and
//! `windows` what comes and goes, `instants` adds up, `peak` judges, `explain` tells.

mod activations;
mod capacity;
mod case;
mod constants;
mod explain;
mod host;
mod instants;
mod loss;
mod measured;
mod parameters;
mod peak;
mod pieces;
mod stages;
mod states;
mod variant;
mod windows;

pub use capacity::{usable, widened};
pub use explain::{TERM_KEYS, explain};
pub use host::checkpoint_bytes;
pub use measured::{MemoryKind, as_measured};
pub use peak::{Peak, peak, peak_of, report};
pub use pieces::{Pieces, pieces};
pub use variant::{BaseFormat, Variant};

#[cfg(test)]
mod tests;
