//! An out-of-memory message of a job, against the plan of that job.

use super::Inputs;
use crate::catalog;
use crate::estimate::Setting;
use crate::estimate::memory::Variant;
use crate::oom::{Diagnosis, Message, explain};
use crate::strategy::{Layout, Stack};

/// What `message` means for `layout`; none where the catalog has no such GPU.
pub fn diagnose(inputs: &Inputs, layout: &Layout, message: Message) -> Option<Diagnosis> {
    let setting = Setting {
        model: &inputs.model,
        job: &inputs.job,
        accelerator: catalog::accelerator(&inputs.cluster.accelerator)?,
        cluster: &inputs.cluster,
        stack: Stack::of(layout.framework),
    };
    Some(explain(&setting, layout, &Variant::default(), message))
}
