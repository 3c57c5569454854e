//! Changes that make a plan fit, each re-run. Single changes first, then pairs; of those that
//! fit, the ones against the named tensor first, then by what they cost.

use serde::{Deserialize, Serialize};

use crate::estimate::memory::{Variant, peak_of};
use crate::estimate::{Setting, Verdict};
use crate::explain::{Evidence, Quantity, Remedy};
use crate::strategy::Layout;
use crate::units::Bytes;

use super::changes::{Change, State, changes};
use super::message::Place;
use super::tensors::Lever;

/// Fixes that are kept.
const KEPT: usize = 6;
/// A change that saves less than a hundredth is none.
const LESS: f64 = 0.99;

/// A change with the numbers of its re-run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    pub remedy: Remedy,
    pub verdict: Verdict,
    /// It acts on the tensor that was named.
    pub against_named: bool,
}

/// Changes after which a plan that does not fit on its GPUs does, cheapest first.
pub fn fixes_of(setting: &Setting<'_>, layout: &Layout, variant: &Variant) -> Vec<Fix> {
    let peak = peak_of(setting, layout, variant);
    if peak.verdict != Verdict::DoesNotFit {
        return Vec::new();
    }
    let on_device = peak.worst.allocated > peak.capacity;
    let place = if on_device { Place::Device } else { Place::Host };
    fixes(setting, layout, variant, (None, place, peak.verdict))
}

/// Changes after which the plan fits. Empty for a plan that fits as it is on the device, unless
/// a message says that it did not: then the changes against the named tensor are given.
pub(super) fn fixes(
    setting: &Setting<'_>,
    layout: &Layout,
    variant: &Variant,
    (lever, place, verdict): (Option<Lever>, Place, Verdict),
) -> Vec<Fix> {
    let start = State {
        job: setting.job.clone(),
        stack: setting.stack,
        layout: *layout,
        variant: *variant,
    };
    let goal = Goal { setting, lever, place, now: needs(setting, &start, place).0 };
    let singles = changes(setting, &start, place);
    let mut found: Vec<(u32, Fix)> =
        singles.iter().filter_map(|change| goal.fitting(&[change])).collect();
    if found.is_empty() && verdict == Verdict::DoesNotFit {
        for first in &singles {
            for second in changes(setting, &first.state, place) {
                found.extend(goal.fitting(&[first, &second]));
            }
        }
    }
    found.sort_by_key(|(cost, fix)| (!fix.against_named, fix.verdict, *cost));
    let mut fixes: Vec<Fix> = Vec::new();
    for (_, fix) in found {
        // The mildest value of a field stands for the others.
        if !fixes.iter().any(|other| other.fields().eq(fix.fields())) && fixes.len() < KEPT {
            fixes.push(fix);
        }
    }
    fixes
}

impl Fix {
    fn fields(&self) -> impl Iterator<Item = &str> {
        self.remedy.steps.iter().map(|step| step.field.as_ref())
    }
}

/// What a state needs of the memory that was short, with its verdict and how much there is.
fn needs(setting: &Setting<'_>, state: &State, place: Place) -> (Bytes, Verdict, Bytes) {
    let changed = Setting { job: &state.job, stack: state.stack, ..*setting };
    let peak = peak_of(&changed, &state.layout, &state.variant);
    let (need, capacity) = match place {
        Place::Device | Place::Communicator => (peak.worst.device, peak.capacity),
        Place::Host => (peak.host, peak.host_capacity),
    };
    (need, peak.verdict, capacity)
}

/// What a change has to reach.
struct Goal<'a> {
    setting: &'a Setting<'a>,
    lever: Option<Lever>,
    place: Place,
    /// What the plan needs as it is.
    now: Bytes,
}

impl Goal<'_> {
    /// The changes one after the other, if what they lead to fits and takes less.
    fn fitting(&self, changes: &[&Change]) -> Option<(u32, Fix)> {
        let state = &changes.last()?.state;
        let (need, verdict, capacity) = needs(self.setting, state, self.place);
        if verdict > Verdict::Tight || need >= self.now * LESS {
            return None;
        }
        let mut fields: Vec<&str> =
            changes.iter().map(|change| change.step.field.as_ref()).collect();
        fields.dedup();
        if fields.len() < changes.len() {
            return None;
        }
        let name = if self.place == Place::Host { "needed" } else { "device" };
        let proof = vec![
            Evidence::new(name, Quantity::Bytes(need)),
            Evidence::new("available", Quantity::Bytes(capacity)),
        ];
        let steps = changes.iter().map(|change| change.step.clone()).collect();
        let against_named =
            self.lever.is_some() && changes.iter().any(|change| change.lever == self.lever);
        let cost = changes.iter().map(|change| change.cost).sum();
        Some((cost, Fix { remedy: Remedy { steps, proof }, verdict, against_named }))
    }
}
