//! Changes that make a plan fit, each re-run. Single changes first, then pairs; of those that
//! fit, the ones against the named tensor first, then in the order of [`rank`].

use serde::{Deserialize, Serialize};

use crate::estimate::memory::{Variant, peak_of};
use crate::estimate::{Setting, Verdict};
use crate::explain::{Evidence, Quantity, Remedy};
use crate::remedy::{
    Change, KEPT, Lever, Pace, Short, State, available, changes, rank, remedy, run, same_fields,
};
use crate::strategy::Layout;
use crate::units::Bytes;

use super::message::Place;

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
    let short = match place {
        Place::Device | Place::Communicator => Short::Device,
        Place::Host => Short::Host,
    };
    let now = run(setting, &start, short);
    let available = available(setting, &start, short);
    let goal = Goal { setting, lever, short, now: now.memory.1, before: now.pace, available };
    let singles = changes(setting, &start, short);
    let mut found: Vec<Fix> = singles.iter().filter_map(|change| goal.fitting(&[change])).collect();
    if found.is_empty() && verdict == Verdict::DoesNotFit {
        for first in &singles {
            for second in changes(setting, &first.state, short) {
                found.extend(goal.fitting(&[first, &second]));
            }
        }
    }
    in_order(found)
}

/// Those against the named tensor first, those that surely fit first; then cheapest first.
fn in_order(found: Vec<Fix>) -> Vec<Fix> {
    let mut groups: Vec<((bool, Verdict), Vec<Fix>)> = Vec::new();
    for fix in found {
        let key = (!fix.against_named, fix.verdict);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(fix),
            None => groups.push((key, vec![fix])),
        }
    }
    groups.sort_by_key(|(key, _)| *key);
    let mut fixes: Vec<Fix> = Vec::new();
    for ((other, verdict), group) in groups {
        for remedy in rank(group.into_iter().map(|fix| fix.remedy).collect()) {
            let known = fixes.iter().any(|fix| same_fields(&fix.remedy, &remedy));
            if !known && fixes.len() < KEPT {
                fixes.push(Fix { remedy, verdict, against_named: !other });
            }
        }
    }
    fixes
}

/// What a change has to reach.
struct Goal<'a> {
    setting: &'a Setting<'a>,
    lever: Option<Lever>,
    short: Short,
    /// What the plan needs as it is, and how it would run.
    now: Bytes,
    before: Pace,
    available: Bytes,
}

impl Goal<'_> {
    /// The changes one after the other, if what they lead to fits and takes less.
    fn fitting(&self, changes: &[&Change]) -> Option<Fix> {
        let found = run(self.setting, &changes.last()?.state, self.short);
        let less = found.memory.1 < self.now * LESS;
        let mut steps: Vec<_> =
            changes.iter().flat_map(|change| change.steps.iter().cloned()).collect();
        let count = steps.len();
        steps.sort_by(|a, b| a.field.cmp(&b.field));
        steps.dedup_by(|a, b| a.field == b.field);
        if found.verdict > Verdict::Tight || !less || steps.len() < count {
            return None;
        }
        let mut remedy = remedy(steps, Some(&self.before), &found);
        remedy.proof.insert(1, Evidence::new("available", Quantity::Bytes(self.available)));
        let against_named =
            self.lever.is_some() && changes.iter().any(|change| change.lever == self.lever);
        Some(Fix { remedy, verdict: found.verdict, against_named })
    }
}
