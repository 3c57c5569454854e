//! The components. Each takes slices of the state and redraws only when its slice changed.

mod actions;
pub mod answer;
mod app;
pub mod chart;
mod dialogs;
pub mod drawer;
mod drawer_pane;
mod effects;
pub mod explain;
pub mod fields;
mod files;
mod icons;
mod inputs;
mod intake;
mod keyboard;
mod launch_files;
mod menu;
mod notice;
pub mod picture;
mod recovery;
#[cfg(test)]
pub(crate) mod sample;
mod skeleton;
mod splitter;
mod tabs;
mod topbar;

pub use app::App;
pub use recovery::guard;
pub use skeleton::{Skeleton, SkeletonProps};
