//! Memory and step time of one layout, and the room of an engine that serves.

pub mod deepspeed;
pub mod memory;
mod memory_report;
mod report;
pub mod serving;
mod setting;
pub mod time;

pub use memory_report::{
    HostMemory, Instant, InstantMemory, Memory, MemoryParts, StageMemory, StageTimeline,
};
pub use report::{Band, Step, StepParts, Traffic, TrafficAxis, Verdict};
pub use setting::Setting;
