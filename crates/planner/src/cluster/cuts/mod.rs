//! What every set of a laminar family can send and receive (COMMUNICATION.md 4.2).
//!
//! [`Cuts::build`] takes a sketch, orders its parts into a tree of boxes (`tree`), finds the
//! boxes that can be exchanged without changing anything (`twins`), folds the cluster around one
//! box of each class (`fold`) and finds the least cut of the folded graph (`flow`).
//!
//! Folding is exact: exchanging two twins maps the graph onto itself and leaves the set alone, so
//! the mean of a maximum flow over all exchanges is again one, and it lives on the folded graph.

mod flow;
mod fold;
mod ledger;
mod tree;
mod twins;

pub use ledger::{Cut, Cuts, Limit, Set};

#[cfg(test)]
mod tests;
