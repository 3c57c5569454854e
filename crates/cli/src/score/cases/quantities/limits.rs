//! Counts of a model, and how far one value of a training situation can go: found by re-running.

use planner::estimate::Verdict;
use planner::estimate::memory::{checkpoint_bytes, peak_of};
use serde_json::Value;

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity};
use super::super::recipe::adapters;
use super::super::run::Run;
use super::memory::{amount, parameters, serves};

/// No value is tried beyond this one.
const MOST: u32 = 1 << 24;
/// Sequences are tried in such steps.
const SEQUENCE_STEP: u32 = 1_024;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing {
        return None;
    }
    let trains = !serves(fields);
    let largest = |name, step| largest(fields, models, name, step);
    Some(match quantity.name.as_str() {
        "params" | "params_total" => models.of(fields).map(|model| Got::Number(parameters(&model))),
        "params_active" => {
            models.of(fields).map(|model| Got::Number(count(model.counts.active_all)))
        }
        "params_b" => models.of(fields).map(|model| Got::Number(parameters(&model) / 1e9)),
        "lora_params" | "trainable_params" => {
            Run::of(fields, models).map(|run| Got::Number(adapters(&run)))
        }
        "min_gpus" if trains => fewest(fields, models),
        "max_micro_batch" if trains => largest("micro_batch", 1),
        "max_seq" if trains => largest("seq", SEQUENCE_STEP),
        "checkpoint" | "ckpt" => Run::of(fields, models)
            .and_then(|run| amount(quantity, checkpoint_bytes(&run.setting()))),
        "margin_pct" if trains => Run::of(fields, models).map(|run| {
            let peak = peak_of(&run.setting(), &run.layout, &run.variant);
            Got::Number(100.0 * (1.0 - peak.worst.device.ratio(peak.capacity)))
        }),
        _ => return None,
    })
}

/// Whether the situation fits with one field changed.
fn fits(fields: &Fields, models: &Models, name: &str, value: u32) -> Result<bool, Inexpressible> {
    let run = Run::of(&fields.with(name, Value::from(value)), models)?;
    let peak = peak_of(&run.setting(), &run.layout, &run.variant);
    Ok(peak.verdict < Verdict::DoesNotFit)
}

/// The fewest GPUs, doubled from one replica of the layout.
fn fewest(fields: &Fields, models: &Models) -> Result<Got, Inexpressible> {
    let axes = ["tp", "pp", "cp"];
    let mut gpus: u32 = 1;
    for axis in axes {
        gpus = gpus.saturating_mul(fields.degree(axis, 1)?);
    }
    while gpus <= MOST {
        if fits(fields, models, "gpus", gpus)? {
            return Ok(Got::Number(f64::from(gpus)));
        }
        gpus = gpus.saturating_mul(2);
    }
    Err(Inexpressible("no number of GPUs makes it fit".to_owned()))
}

/// The largest multiple of `step` that fits; 0 where none does. Memory never falls with it.
fn largest(fields: &Fields, models: &Models, name: &str, step: u32) -> Result<Got, Inexpressible> {
    let fits = |times: u32| fits(fields, models, name, times.saturating_mul(step));
    let (mut below, mut above) = (0, 1);
    while above <= MOST / step && fits(above)? {
        below = above;
        above *= 2;
    }
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if fits(middle)? {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok(Got::Number(f64::from(below.saturating_mul(step))))
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
const fn count(parameters: u64) -> f64 {
    parameters as f64
}
