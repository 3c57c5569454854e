//! Memory and step time of one layout, and the room of an engine that serves.

pub mod deepspeed;
pub mod memory;
mod report;
pub mod serving;
mod setting;
pub mod time;

pub use report::{
    Band, Memory, MemoryParts, StageMemory, Step, StepParts, Traffic, TrafficAxis, Verdict,
};
pub use setting::Setting;
