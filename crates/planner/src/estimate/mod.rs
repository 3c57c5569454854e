//! Memory and step time of one layout.

pub mod memory;
mod memory_report;
mod report;
mod setting;
pub mod time;

pub use memory_report::{
    HostMemory, Instant, InstantMemory, Memory, MemoryParts, StageMemory, StageTimeline,
};
pub use report::{Band, Step, StepParts, Traffic, TrafficAxis, Verdict};
pub use setting::Setting;
