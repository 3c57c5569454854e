//! Amounts of memory of a training situation, and its verdict.

use planner::estimate::memory::{MemoryKind, Peak, as_measured, mean_device, peak_of, timelines};
use planner::estimate::{StageTimeline, Verdict};
use planner::model::Model;
use planner::oom::fixes_of;
use planner::strategy::AttentionKernel;
use planner::units::Bytes;

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::machine;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity, Scope};
use super::super::run::Run;

/// Parameters that stand for any model where only bytes per parameter are asked for.
const ANY_MODEL: f64 = 7e9;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing {
        return None;
    }
    let trains = !serves(fields);
    Some(match quantity.name.as_str() {
        "state_bytes_per_param" => rate(fields, models, states),
        "optimizer_bytes_per_param" => rate(fields, models, |peak| peak.worst.parts.optimizer),
        "state" => part(fields, quantity, models, states),
        "weights" if trains => part(fields, quantity, models, |peak| peak.worst.parts.weights),
        "grads" | "gradients" => part(fields, quantity, models, |peak| peak.worst.parts.gradients),
        "optimizer" => part(fields, quantity, models, |peak| peak.worst.parts.optimizer),
        "activation" | "activations" => part(fields, quantity, models, |peak| {
            peak.worst.parts.activations + peak.worst.parts.working
        }),
        "gpu_allocated" | "allocated" if trains => {
            part(fields, quantity, models, |peak| peak.tensors)
        }
        "gpu_reserved" | "reserved" if trains => {
            part(fields, quantity, models, |peak| as_measured(peak, MemoryKind::Reserved))
        }
        "gpu_avg" => average(fields, quantity, models),
        "gpu_peak" | "peak" if matches!(quantity.scope, Scope::Stage(_)) => {
            of_stage(fields, quantity, models)
        }
        "gpu_peak" | "peak" => part(fields, quantity, models, |peak| peak.worst.device),
        "total_needed" => needed(fields, quantity, models),
        "host_ram_needed" => host(fields, quantity, models),
        "oom_where" => place(fields, models),
        "advice" if trains => advice(fields, models),
        "verdict" if trains => verdict(fields, quantity, models),
        "attention_scores" => scores(fields, quantity, models),
        "logits_fp32_copy" => logits(fields, quantity, models),
        "logits_peak" => logits_peak(fields, quantity, models),
        "fp32_shard" => shard(fields, quantity, models),
        _ => return None,
    })
}

/// The situation is about an engine that serves, not about training.
pub(super) fn serves(fields: &Fields) -> bool {
    fields.word("job").ok().flatten() == Some("serve")
        || ["kv_pool_gib", "max_len", "util", "engine", "workload", "sla", "kv_dtype"]
            .iter()
            .any(|name| fields.has(name))
        || fields.word("precision").ok().flatten().is_some_and(|word| {
            word.starts_with("int") || (word.starts_with("fp8") && !trained(fields))
        })
}

/// Something that only a training job has is stated.
fn trained(fields: &Fields) -> bool {
    let stated = ["job", "optimizer", "zero", "fsdp", "recompute", "grad_ckpt", "micro_batch"];
    stated.iter().any(|name| fields.has(name))
}

fn states(peak: &Peak) -> Bytes {
    let parts = &peak.worst.parts;
    parts.weights + parts.gradients + parts.optimizer
}

fn estimated(fields: &Fields, models: &Models) -> Result<(Run, Peak), Inexpressible> {
    let run = Run::of(fields, models)?;
    let peak = peak_of(&run.setting(), &run.layout, &run.variant);
    Ok((run, peak))
}

/// An amount of one GPU, or of all of them.
fn part(
    fields: &Fields,
    quantity: &Quantity,
    models: &Models,
    of: impl Fn(&Peak) -> Bytes,
) -> Result<Got, Inexpressible> {
    let (run, peak) = estimated(fields, models)?;
    let gpus = match quantity.scope {
        Scope::PerGpu | Scope::Stage(_) => 1.0,
        Scope::Total => f64::from(run.gpus),
    };
    amount(quantity, of(&peak) * gpus)
}

pub(super) fn amount(quantity: &Quantity, bytes: Bytes) -> Result<Got, Inexpressible> {
    let unit = quantity.unit.ok_or_else(|| no_unit(quantity))?;
    Ok(Got::Number(unit.of(bytes)))
}

fn no_unit(quantity: &Quantity) -> Inexpressible {
    Inexpressible(format!("{} names no unit", quantity.name))
}

/// Bytes of a parameter that this GPU computes with; the same for any model.
fn rate(
    fields: &Fields,
    models: &Models,
    of: impl Fn(&Peak) -> Bytes,
) -> Result<Got, Inexpressible> {
    let stated = ["model", "params", "config"].iter().any(|name| fields.has(name));
    let (run, peak) = if stated {
        estimated(fields, models)?
    } else {
        fields.assume("any model");
        estimated(&fields.with("params", ANY_MODEL.into()), models)?
    };
    let here = f64::from(run.layout.tp) * f64::from(run.layout.pp);
    Ok(Got::Number(of(&peak).base() * here / parameters(&run.model)))
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub(in super::super) fn parameters(model: &Model) -> f64 {
    model.counts.total as f64
}

/// The peak of one pipeline stage.
fn of_stage(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let run = Run::of(fields, models)?;
    let stages = timelines(&run.setting(), &run.layout, &run.variant);
    let wanted = |stage: &&StageTimeline| quantity.scope == Scope::Stage(stage.stage);
    let stage = stages.iter().find(wanted);
    let stage = stage.ok_or_else(|| Inexpressible("there is no such stage".to_owned()))?;
    let devices = stage.instants.iter().map(|instant| instant.device);
    amount(quantity, devices.fold(Bytes::ZERO, Bytes::max))
}

/// In use over a step, instead of at its peak.
fn average(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let run = Run::of(fields, models)?;
    amount(quantity, mean_device(&run.setting(), &run.layout, &run.variant))
}

/// Device memory of all GPUs together.
fn needed(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let (run, peak) = estimated(fields, models)?;
    amount(quantity, peak.worst.device * f64::from(run.gpus))
}

fn host(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    amount(quantity, estimated(fields, models)?.1.host)
}

fn place(fields: &Fields, models: &Models) -> Result<Got, Inexpressible> {
    let peak = estimated(fields, models)?.1;
    let word = if peak.verdict != Verdict::DoesNotFit {
        "none"
    } else if peak.worst.allocated > peak.capacity {
        "gpu"
    } else {
        "host"
    };
    Ok(Got::Word(word.to_owned()))
}

fn verdict(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    if super::rules::refused(fields, models) {
        return Ok(Got::Word("INVALID".to_owned()));
    }
    let mut run = Run::of(fields, models)?;
    if let Some(context) = &quantity.context {
        run.accelerator = machine::with_memory(&run.accelerator, context)
            .ok_or_else(|| Inexpressible(format!("a verdict at {context} is not built")))?;
    }
    let peak = peak_of(&run.setting(), &run.layout, &run.variant);
    Ok(Got::Word(super::word(peak.verdict).to_owned()))
}

/// What is shown beside a plan that does not fit: the changes that were re-run, and the rules of
/// its framework that it breaks.
fn advice(fields: &Fields, models: &Models) -> Result<Got, Inexpressible> {
    let run = Run::of(fields, models)?;
    let fixes = fixes_of(&run.setting(), &run.layout, &run.variant);
    let mut lines: Vec<String> =
        fixes.iter().map(|fix| crate::words::remedy(&fix.remedy)).collect();
    lines.push(super::rules::told(fields, models, run.layout.framework.key()));
    Ok(Got::Text(lines.join("\n")))
}

/// The fp32 scores of one layer without flash attention.
fn scores(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let run = Run::of(fields, models)?;
    let sequence = f64::from(run.job.sequence);
    let heads = f64::from(run.model.attention.heads) / f64::from(run.layout.tp);
    let elements = f64::from(run.layout.micro_batch) * heads * sequence * sequence;
    let kept = run.stack.attention == AttentionKernel::Unfused;
    amount(quantity, if kept { Bytes::new(4.0 * elements) } else { Bytes::ZERO })
}

/// One fp32 copy of the logits of a GPU.
fn logits(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let run = Run::of(fields, models)?;
    let tokens =
        f64::from(run.layout.micro_batch) * f64::from(run.job.sequence) / f64::from(run.layout.cp);
    let vocab = f64::from(run.model.vocab) / f64::from(run.layout.tp);
    amount(quantity, Bytes::new(4.0 * tokens * vocab))
}

/// All logits at the loss, which need not be the worst instant.
fn logits_peak(
    fields: &Fields,
    quantity: &Quantity,
    models: &Models,
) -> Result<Got, Inexpressible> {
    let (_, peak) = estimated(fields, models)?;
    if peak.worst.parts.logits == Bytes::ZERO {
        return Err(Inexpressible("the logits are not at the peak".to_owned()));
    }
    amount(quantity, peak.worst.parts.logits)
}

/// One fp32 copy of a GPU's share of all parameters.
fn shard(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let run = Run::of(fields, models)?;
    let layout = &run.layout;
    let ranks = f64::from(layout.tp) * f64::from(layout.pp);
    let shards = f64::from(layout.dp) * f64::from(layout.cp);
    amount(quantity, Bytes::new(4.0 * parameters(&run.model) / ranks / shards))
}
