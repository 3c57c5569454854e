//! Memory and step time of one layout.

mod report;

pub use report::{
    Band, Memory, MemoryParts, StageMemory, Step, StepParts, Traffic, TrafficAxis, Verdict,
};
