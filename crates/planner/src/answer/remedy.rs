//! The changes that make a job fit, found by re-running the search with each.
//!
//! A pinned layout keeps its other pins: each pinned field is freed in turn, and the value that
//! the quickest fitting layout then has is the change. What is free was searched already, so a
//! job without pins is left with more GPUs and another job.

use super::grow::{gpus_in_node, more_nodes};
use super::judge::{Judge, setting};
use super::solver::{Machine, space};
use super::{Inputs, Plan};
use crate::estimate::{memory, time};
use crate::explain::{Remedy, RemedyStep};
use crate::remedy::{
    Found, Pace, job_changes, pin, pinned_fields, pins_of, rank, remedy, step, word,
};
use crate::search::{Scored, any_fits, quickest};
use crate::strategy::{Job, Pins};

/// For a plan that is tight or does not fit.
pub(super) fn for_memory(inputs: &Inputs, plan: &Plan) -> Vec<Remedy> {
    let pace = Pace::new(plan.step.parts.total, &inputs.job, plan.layout.gpus());
    let host = plan.memory.host.peak() > plan.memory.host_capacity;
    let short = if host { Short::Host } else { Short::Device };
    Trial { inputs, before: Some(pace), short }.remedies()
}

/// For pins or a batch that leave no layout.
pub(super) fn for_nothing_legal(inputs: &Inputs) -> Vec<Remedy> {
    Trial { inputs, before: None, short: Short::Device }.remedies()
}

/// The inputs under change.
struct Trial<'a> {
    inputs: &'a Inputs,
    before: Option<Pace>,
    short: Short,
}

/// Which memory was short.
#[derive(Clone, Copy, PartialEq)]
enum Short {
    Device,
    Host,
}

impl Trial<'_> {
    fn remedies(&self) -> Vec<Remedy> {
        let mut found = self.freed_pins();
        found.extend(gpus_in_node(self.inputs).and_then(|change| self.changed(change)));
        found.extend(more_nodes(self.inputs).and_then(|change| self.changed(change)));
        found.extend(jobs(self.inputs).into_iter().filter_map(|change| self.changed(change)));
        if found.is_empty() {
            found = self.two_of_the_job();
        }
        if found.is_empty() {
            found.extend(self.free_on_more_nodes());
        }
        rank(found)
    }

    /// One pin freed, or two where one does not suffice, or as many as it takes.
    fn freed_pins(&self) -> Vec<Remedy> {
        let fields: Vec<&'static str> = pinned_fields(&self.inputs.pins).collect();
        let free = Inputs { pins: Pins::default(), ..self.inputs.clone() };
        if fields.is_empty() || !fits(&free) {
            return Vec::new();
        }
        let mut found: Vec<Remedy> =
            fields.iter().filter_map(|field| self.freed(&[field])).collect();
        if found.is_empty() {
            let pairs = fields.iter().enumerate().flat_map(|(index, first)| {
                fields.iter().skip(index + 1).map(move |second| [*first, *second])
            });
            found = pairs.filter_map(|pair| self.freed(&pair)).collect();
        }
        if found.is_empty() {
            found.extend(self.freed(&fewest(self.inputs, fields)));
        }
        found
    }

    /// The values that `fields` take in the quickest layout once they are free.
    fn freed(&self, fields: &[&'static str]) -> Option<Remedy> {
        let changed = freed(self.inputs, fields);
        let best = best(&changed)?;
        Some(self.remedy(self.taken(fields, &best), &changed, &best))
    }

    /// The pinned fields whose values `best` does not share.
    fn taken(&self, fields: &[&'static str], best: &Scored) -> Vec<RemedyStep> {
        let new = pins_of(&best.layout);
        fields
            .iter()
            .map(|field| step(field, (word(&self.inputs.pins, field), word(&new, field))))
            .filter(|step| step.from != step.to)
            .collect()
    }

    fn changed(&self, (changed, steps): (Inputs, Vec<RemedyStep>)) -> Option<Remedy> {
        let best = best(&changed)?;
        Some(self.remedy(steps, &changed, &best))
    }

    fn remedy(&self, steps: Vec<RemedyStep>, changed: &Inputs, best: &Scored) -> Remedy {
        let memory = match (self.short, Machine::of(changed)) {
            (Short::Host, Some(machine)) => {
                let setting = setting(changed, machine, best.layout.framework);
                ("needed", memory::peak(&setting, &best.layout).host)
            }
            _ => ("device", best.fit.device),
        };
        let pace = Pace::new(best.step.total, &changed.job, best.layout.gpus());
        let found = Found { verdict: best.fit.verdict, memory, pace };
        remedy(steps, self.before.as_ref(), &found)
    }

    /// Two changes of the job at once, where one does not suffice.
    fn two_of_the_job(&self) -> Vec<Remedy> {
        let pairs = jobs(self.inputs).into_iter().flat_map(|(first, steps)| {
            jobs(&first).into_iter().map(move |(second, more)| {
                let both: Vec<_> = steps.iter().cloned().chain(more).collect();
                (second, both)
            })
        });
        let once = pairs.filter(|(_, steps)| steps.is_sorted_by(|a, b| a.field < b.field));
        once.filter_map(|change| self.changed(change)).collect()
    }

    /// All pins freed and nodes added.
    fn free_on_more_nodes(&self) -> Option<Remedy> {
        let free = Inputs { pins: Pins::default(), ..self.inputs.clone() };
        let (mut changed, mut steps) = more_nodes(&free)?;
        changed.pins = self.inputs.pins.clone();
        let fields = fewest(&changed, pinned_fields(&self.inputs.pins).collect());
        changed = freed(&changed, &fields);
        let best = best(&changed)?;
        steps.extend(self.taken(&fields, &best));
        Some(self.remedy(steps, &changed, &best))
    }
}

/// The inputs with these pins freed.
fn freed(inputs: &Inputs, fields: &[&'static str]) -> Inputs {
    let mut changed = inputs.clone();
    for field in fields {
        pin(&mut changed.pins, field, None);
    }
    changed
}

/// Of `fields`, which suffice together when they are free, those that are needed: each is pinned
/// again in turn if the rest suffices without it.
fn fewest(inputs: &Inputs, fields: Vec<&'static str>) -> Vec<&'static str> {
    let mut needed = fields.clone();
    for field in fields {
        let others: Vec<_> = needed.iter().copied().filter(|other| *other != field).collect();
        if fits(&freed(inputs, &others)) {
            needed = others;
        }
    }
    needed
}

/// Other jobs on the same cluster.
fn jobs(inputs: &Inputs) -> Vec<(Inputs, Vec<RemedyStep>)> {
    let Some(machine) = Machine::of(inputs) else { return Vec::new() };
    let with = |job: Job| Inputs { job, ..inputs.clone() };
    let changes = job_changes(&inputs.job, machine.accelerator);
    changes.into_iter().map(|(job, step)| (with(job), vec![step])).collect()
}

/// Whether any layout fits, by memory alone.
pub(super) fn fits(inputs: &Inputs) -> bool {
    let mut cache = time::Cache::default();
    Machine::of(inputs).is_some_and(|machine| {
        any_fits(&space(inputs), &mut Judge::new(inputs, machine, &mut cache))
    })
}

/// The quickest layout that fits.
fn best(inputs: &Inputs) -> Option<Scored> {
    let machine = Machine::of(inputs)?;
    let mut cache = time::Cache::default();
    quickest(&space(inputs), &mut Judge::new(inputs, machine, &mut cache))
}
