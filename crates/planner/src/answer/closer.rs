//! A closer look at a plan, on demand: one stage at one instant, or an out-of-memory message.

use super::Inputs;
use crate::catalog;
use crate::estimate::memory::{self, Variant};
use crate::estimate::{Instant, Setting};
use crate::explain::Term;
use crate::oom::{Diagnosis, Message, explain};
use crate::strategy::{Layout, Stack};

/// What `message` means for `layout`; none where the catalog has no such GPU.
pub fn diagnose(inputs: &Inputs, layout: &Layout, message: Message) -> Option<Diagnosis> {
    let setting = setting(inputs, layout)?;
    Some(explain(&setting, layout, &Variant::default(), message))
}

/// The tree of a GPU's memory in `stage`, counted from 0, at `instant`; none where the catalog has
/// no such GPU.
pub fn stage_tree(inputs: &Inputs, layout: &Layout, stage: u32, instant: Instant) -> Option<Term> {
    Some(memory::explain_stage(&setting(inputs, layout)?, layout, stage, instant))
}

fn setting<'a>(inputs: &'a Inputs, layout: &Layout) -> Option<Setting<'a>> {
    Some(Setting {
        model: &inputs.model,
        job: &inputs.job,
        accelerator: catalog::accelerator(&inputs.cluster.accelerator)?,
        cluster: &inputs.cluster,
        stack: Stack::of(layout.framework),
    })
}
