//! Messages of all years, and reported failures named by computing.

mod fixtures;
mod messages;
mod reported;
