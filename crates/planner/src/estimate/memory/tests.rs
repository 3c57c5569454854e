//! The worked rows of STUDY_MEMORY.md 8, situations from public trackers, and properties. All
//! published peaks are compared by `meshwright score training` and its test.

mod cases;
mod explained;
mod fixtures;
mod pieces;
mod properties;
mod situations;
mod worked;
