//! The one store of the page: document with history, the engine's last answer, preferences.
//!
//! Components get it through contexts: [`Store`] to dispatch, and slices ([`State`] fields
//! behind `Rc`) to draw from.

mod preferences;
mod reducer;
mod storage;

pub use preferences::{Pane, PaneSizes, Preferences, Theme};
pub use reducer::{Action, EngineState, Notice, NoticeKind, Saving, Solution, State, Store};
pub use storage::{StorageError, keep_previous, load, previous, recover, rescue, save};

#[cfg(test)]
mod tests;
