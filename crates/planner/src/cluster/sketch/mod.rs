//! A cluster drawn part by part, in any shape (COMMUNICATION.md 3 and 4.2).
//!
//! [`Sketch`] is the document: what an editor changes, what files of topologies are read into
//! and what [`Recipe`] writes out. [`flaws`] says what is wrong with one.

mod flaws;
mod network;
mod node;
mod part;
mod recipe;
mod remove;

pub use flaws::{Flaw, MOST_LINKS, MOST_PARTS, flaws};
pub use part::{Id, Kind, Link, Medium, Part, Share, Sketch};
pub use recipe::{Machines, Network, Recipe, Slots, Storage, Tier, Tors};

#[cfg(test)]
mod tests;
