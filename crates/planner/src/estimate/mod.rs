//! Memory and step time of one layout.

pub mod memory;
mod report;
mod setting;
pub mod time;

pub use report::{
    Band, Memory, MemoryParts, StageMemory, Step, StepParts, Traffic, TrafficAxis, Verdict,
};
pub use setting::Setting;
