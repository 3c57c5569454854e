//! What a change costs in time, and the order in which changes are shown.

use std::borrow::Cow;

use crate::estimate::Verdict;
use crate::explain::{Evidence, Quantity, Remedy, RemedyStep};
use crate::strategy::Job;
use crate::units::{Bytes, Seconds};

/// Remedies that are shown.
pub const KEPT: usize = 5;

/// Fields of more hardware.
const HARDWARE: [&str; 3] = ["nodes", "gpus_per_node", "gpus"];
/// Fields whose change trains something else.
const TRAINING: [&str; 5] = ["precision", "optimizer", "kind", "base", "global_batch"];

/// How fast a job runs on how many GPUs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    pub step: Seconds,
    pub steps: f64,
    /// Tokens of one step.
    pub tokens: f64,
    pub gpus: u32,
}

impl Pace {
    pub fn new(step: Seconds, job: &Job, gpus: u32) -> Self {
        let tokens = f64::from(job.sequence) * f64::from(job.global_batch);
        Self { step, steps: libm::ceil(job.tokens / tokens.max(1.0)), tokens, gpus }
    }

    /// Time until all tokens are trained on.
    fn whole(&self) -> Seconds {
        self.step * self.steps
    }

    fn per_token(&self) -> Seconds {
        self.step / self.tokens.max(1.0)
    }

    /// Share of time that this takes more than `before`.
    fn beyond(&self, before: &Self) -> f64 {
        self.per_token().ratio(before.per_token()) - 1.0
    }

    /// The same of GPU-hours.
    fn gpu_time_beyond(&self, before: &Self) -> f64 {
        let gpus = f64::from(self.gpus) / f64::from(before.gpus.max(1));
        (self.beyond(before) + 1.0) * gpus - 1.0
    }
}

/// What the re-run of a change found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub verdict: Verdict,
    /// What is needed of the memory that was short, and the evidence that names it.
    pub memory: (&'static str, Bytes),
    pub pace: Pace,
}

/// A change with its proof. `before` is how the plan would run if it fitted; none without one.
pub fn remedy(steps: Vec<RemedyStep>, before: Option<&Pace>, found: &Found) -> Remedy {
    let (name, bytes) = found.memory;
    let pace = &found.pace;
    let mut proof = vec![
        Evidence::new(name, Quantity::Bytes(bytes)),
        Evidence::new("step", Quantity::Seconds(pace.step)),
        Evidence::new("to_finish", Quantity::Seconds(pace.whole())),
    ];
    let gpu_time = before.filter(|before| before.gpus != pace.gpus);
    if let Some(before) = gpu_time {
        proof
            .push(Evidence::new("gpu_hours_change", Quantity::Share(pace.gpu_time_beyond(before))));
    }
    Remedy {
        alters_training: steps.iter().any(|step| TRAINING.contains(&step.field.as_ref())),
        time_cost: before.map(|before| pace.beyond(before)),
        steps,
        proof,
    }
}

/// The order of [`rank`]: what keeps cluster and training, more GPUs, other training; within
/// each by time.
fn order(remedy: &Remedy) -> (bool, bool, f64) {
    let hardware = remedy.steps.iter().any(|step| HARDWARE.contains(&step.field.as_ref()));
    let step = remedy.proof.iter().find_map(|one| match one.value {
        Quantity::Seconds(time) if one.name == "step" => Some(time.base()),
        _ => None,
    });
    (remedy.alters_training, hardware, remedy.time_cost.or(step).unwrap_or(f64::INFINITY))
}

/// The cheapest first, one for each set of fields.
pub fn rank(mut found: Vec<Remedy>) -> Vec<Remedy> {
    found.sort_by(|a, b| {
        let (a, b) = (order(a), order(b));
        (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2))
    });
    let mut kept: Vec<Remedy> = Vec::new();
    for remedy in found {
        if kept.len() < KEPT && !kept.iter().any(|known| same_fields(known, &remedy)) {
            kept.push(remedy);
        }
    }
    kept
}

/// Whether two remedies change the same fields.
pub fn same_fields(a: &Remedy, b: &Remedy) -> bool {
    let fields =
        |remedy: &Remedy| remedy.steps.iter().map(|step| step.field.clone()).collect::<Vec<_>>();
    fields(a) == fields(b)
}

/// A changed field in words; what has no word is `auto`.
pub fn step(field: &'static str, (from, to): (Option<String>, Option<String>)) -> RemedyStep {
    let word = |value: Option<String>| value.unwrap_or_else(|| "auto".to_owned());
    RemedyStep { field: Cow::Borrowed(field), from: word(from), to: word(to) }
}
