//! The worked rows of STUDY_MEMORY.md 8, properties, and all published peaks.

mod cases;
mod fixtures;
mod measured;
mod properties;
mod worked;
