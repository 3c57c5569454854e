//! Changes that make a plan fit: what can be changed, what that costs in time, in which order
//! they are shown, and how one is applied. `answer` re-runs the search with them, `oom` a single
//! run as it was made.
//!
//! The order, cheapest in time first within each: what keeps cluster and training, then more
//! GPUs, then what trains something else ([`rank`]).

mod apply;
mod fields;
mod jobs;
mod parallel;
mod rank;
mod run;

pub use apply::{Target, apply};
pub use fields::{pin, pinned_fields, pins_of, word};
pub use jobs::{JobChange, job_changes};
pub use rank::{Found, KEPT, Pace, rank, remedy, same_fields, step};
pub use run::{Change, Lever, Short, State, available, changes, run};

#[cfg(test)]
mod tests;
