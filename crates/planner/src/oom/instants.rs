//! Where in a step the plan holds what a message says is allocated.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::estimate::memory::{Variant, timelines};
use crate::estimate::{InstantMemory, Setting};
use crate::strategy::Layout;
use crate::units::Bytes;

use super::message::Message;

/// Beyond this the plan holds something else than the run.
const ALIKE: f64 = 0.1;

/// An instant of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstantMatch {
    pub stage: u32,
    /// The message `term-memory-KEY` names it.
    pub instant: Cow<'static, str>,
    /// Tensors that the plan holds then.
    pub tensors: Bytes,
    /// Relative distance from what is allocated, the failed allocation included.
    pub distance: f64,
}

/// The instant whose tensors are closest to what is allocated and what was tried together: the
/// failed tensor is one of those that the plan counts.
pub(super) fn closest(
    setting: &Setting<'_>,
    layout: &Layout,
    variant: &Variant,
    message: &Message,
) -> Option<InstantMatch> {
    let wanted = message.allocated? + message.tried.unwrap_or(Bytes::ZERO);
    timelines(setting, layout, variant)
        .iter()
        .flat_map(|stage| stage.instants.iter().map(move |instant| (stage.stage, instant)))
        .map(|(stage, instant)| {
            let tensors = tensors(instant);
            let distance = (tensors.base() - wanted.base()).abs() / wanted.base().max(1.0);
            InstantMatch { stage, instant: Cow::Borrowed(instant.instant.key()), tensors, distance }
        })
        .min_by(|one, other| one.distance.total_cmp(&other.distance))
        .filter(|best| best.distance <= ALIKE)
}

fn tensors(instant: &InstantMemory) -> Bytes {
    instant.parts.total() - instant.parts.runtime
}
