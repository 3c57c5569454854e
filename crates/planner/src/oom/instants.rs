//! Where in a step the plan holds what a message says is allocated.

use serde::{Deserialize, Serialize};

use crate::estimate::Setting;
use crate::estimate::memory::Variant;
use crate::strategy::Layout;
use crate::units::Bytes;

use super::message::Message;

/// An instant of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstantMatch {
    pub stage: u32,
    /// Message key `term-memory-KEY`.
    pub instant: String,
    /// Tensors that the plan holds then.
    pub tensors: Bytes,
    /// Of those and what the message says, failed allocation included.
    pub distance: f64,
}

pub(super) fn closest(
    _: &Setting<'_>,
    _: &Layout,
    _: &Variant,
    _: &Message,
) -> Option<InstantMatch> {
    None
}
