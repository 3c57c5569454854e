//! The estimates as the search calls them, with the stack of each framework.

use super::Inputs;
use super::solver::Machine;
use crate::estimate::{Setting, StepParts, Verdict, memory, time};
use crate::search::{Estimator, Fit};
use crate::strategy::{Framework, Layout, Stack};
use crate::units::Seconds;

pub(super) struct Judge<'a> {
    inputs: &'a Inputs,
    machine: Machine,
    /// Of these inputs alone.
    cache: &'a mut time::Cache,
}

impl<'a> Judge<'a> {
    pub(super) const fn new(
        inputs: &'a Inputs,
        machine: Machine,
        cache: &'a mut time::Cache,
    ) -> Self {
        Self { inputs, machine, cache }
    }

    const fn setting(&self, framework: Framework) -> Setting<'a> {
        setting(self.inputs, self.machine, framework)
    }
}

/// What an estimate of a layout in this framework starts from.
pub(super) const fn setting(
    inputs: &Inputs,
    machine: Machine,
    framework: Framework,
) -> Setting<'_> {
    Setting {
        model: &inputs.model,
        job: &inputs.job,
        accelerator: machine.accelerator,
        cluster: &inputs.cluster,
        stack: Stack::of(framework),
    }
}

impl Estimator for Judge<'_> {
    fn memory(&mut self, layout: &Layout) -> Fit {
        let peak = memory::peak(&self.setting(layout.framework), layout);
        Fit {
            verdict: peak.verdict,
            device: peak.worst.device,
            parts: peak.worst.parts,
            host_exceeded: peak.verdict == Verdict::DoesNotFit && peak.host > peak.host_capacity,
        }
    }

    fn floor(&mut self, layout: &Layout) -> Seconds {
        let setting = self.setting(layout.framework);
        time::lower_bound(&setting, &self.machine.network, layout, self.cache)
    }

    fn family_floor(&mut self, largest: &Layout) -> Seconds {
        let setting = self.setting(largest.framework);
        time::family_bound(&setting, &self.machine.network, largest, self.cache)
    }

    fn step(&mut self, layout: &Layout) -> StepParts {
        let setting = self.setting(layout.framework);
        time::step_cached(&setting, &self.machine.network, layout, self.cache)
    }
}
