//! The engine behind a worker: what page and worker say to each other, and both ends of it.
//!
//! Our own protocol on `web_sys::Worker` and not gloo-worker: its codec must return a value, so
//! a damaged message can only panic, and it hides the `error` event by which a crash is seen.
//! Here bad bytes are a value, a crash or a silence replaces the worker, and every request is
//! answered once.

mod client;
mod protocol;
mod service;

pub use client::{Engine, Event};
pub use protocol::{
    BUILD, Failure, LaunchFile, LaunchTarget, ModelSummary, Progress, Reply, Request,
};
pub use service::serve;

#[cfg(test)]
mod tests;
