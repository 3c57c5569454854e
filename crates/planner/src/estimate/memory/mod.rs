//! Peak memory of one GPU of every pipeline stage, and of the host, for one layout.
//!
//! The model began as STUDY_MEMORY.md: tensors counted from how each framework works, added up at
//! the instants of a run (loading, forward, loss, backward of a layer, end of the backward pass,
//! optimizer step, saving); the worst instant of the worst stage is the peak. `case` reads the
//! inputs once and `shared` what no stage changes, `stages` cuts the layers, `parameters` and
//! `states` give what is resident, `activations`, `loss` and `windows` what comes and goes,
//! `instants` adds up, `peak` judges within the `band`, `explain` tells, `host` counts the other
//! side; `constants` are counted, `fitted` ones are in one table.

mod activations;
mod band;
mod capacity;
mod case;
mod communicators;
mod constants;
mod explain;
mod figures;
mod fitted;
mod host;
mod instants;
mod keys;
mod loss;
mod measured;
mod parameters;
mod peak;
mod pieces;
mod shared;
mod stages;
mod states;
mod variant;
mod windows;

pub use band::band;
pub(super) use capacity::verdict;
pub use capacity::{usable, widened};
pub use constants::EXPERT_IMBALANCE;
pub use explain::{explain, explain_stage};
pub use fitted::{Constants, FITTED, Fitted};
pub use host::checkpoint_bytes;
pub use keys::TERM_KEYS;
pub use measured::{MemoryKind, as_measured};
pub use peak::{Peak, peak, peak_of, report};
pub use pieces::{Pieces, mean_device, pieces, timelines};
pub use variant::Variant;

#[cfg(test)]
mod tests;
