//! Throughput, utilisation and time: predicted, or as they follow from what was measured.

use planner::collective::Network;
use planner::estimate::time::{Recipe, Variant, step_of};
use planner::model::Model;
use planner::strategy::Precision;
use planner::units::{Flop, FlopPerSecond, Seconds};

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::machine;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity};
use super::super::run::Run;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing {
        return None;
    }
    let answer = match quantity.name.as_str() {
        "step_time_s" => step(fields, models).map(|(_, step)| step.as_seconds()),
        "predicted_tokens_per_s" => predicted_rate(fields, models),
        "tokens_per_s" => rate(fields, models),
        "mfu_pct" => utilisation(fields, models).map(|share| 100.0 * share),
        "model_tflops" => work_rate(fields, models).map(FlopPerSecond::as_tflops),
        "peak_tflops_used" => peak(fields).map(FlopPerSecond::as_tflops),
        "days" => whole_run(fields, models).map(Seconds::as_days),
        "gpu_hours" => {
            whole_run(fields, models).and_then(|time| Ok(time.as_hours() * fields.needed("gpus")?))
        }
        _ => return None,
    };
    Some(answer.map(Got::Number))
}

/// The predicted step.
fn step(fields: &Fields, models: &Models) -> Result<(Run, Seconds), Inexpressible> {
    let run = Run::of(fields, models)?;
    if run.accelerator.id == machine::UNLISTED {
        return Err(Inexpressible("the catalog has no such GPU".to_owned()));
    }
    let network = Network::new(&run.cluster, &run.accelerator);
    let hybrid = fields.word("fsdp").ok().flatten() == Some("hybrid_shard");
    let variant = Variant {
        recipe: Recipe::Plain,
        shard_group: hybrid.then_some(run.cluster.gpus_per_node),
        async_tp: fields.flag("tp_overlap")?.unwrap_or(false),
    };
    let step = step_of(&run.setting(), &network, &run.layout, variant).total;
    if !step.as_seconds().is_finite() {
        return Err(Inexpressible("a link that the layout needs does not exist".to_owned()));
    }
    Ok((run, step))
}

/// Tokens per second of one GPU, predicted.
fn predicted_rate(fields: &Fields, models: &Models) -> Result<f64, Inexpressible> {
    let (run, step) = step(fields, models)?;
    let tokens = f64::from(run.job.global_batch) * f64::from(run.job.sequence);
    Ok(tokens / step.as_seconds() / f64::from(run.gpus))
}

/// Tokens per second of one GPU: as stated, as a stated step gives, or predicted.
fn rate(fields: &Fields, models: &Models) -> Result<f64, Inexpressible> {
    if let Some(stated) = fields.number("tokens_per_s_per_gpu")? {
        return Ok(stated);
    }
    let Some(step) = fields.number("step_time_s")? else { return predicted_rate(fields, models) };
    let tokens = fields.needed("global_batch")? * fields.needed("seq")?;
    Ok(tokens / step / fields.needed("gpus")?)
}

/// Model work of one token as the tables count it: `6 (N − input embedding) + 12 L h s`, the
/// attention without its mask (README of the cases).
fn work_per_token(model: &Model, sequence: u32) -> Flop {
    model.flop_per_token(sequence) + model.forward_attention_flop(1.0, sequence) * 3.0
}

/// Model work of one GPU and second.
fn work_rate(fields: &Fields, models: &Models) -> Result<FlopPerSecond, Inexpressible> {
    let rate = rate(fields, models)?;
    let sequence = fields.whole("seq")?;
    let sequence = sequence.ok_or_else(|| Inexpressible("seq is not stated".to_owned()))?;
    let model = models.of(fields)?;
    Ok(FlopPerSecond::tflops(work_per_token(&model, sequence).base() * rate / 1e12))
}

fn utilisation(fields: &Fields, models: &Models) -> Result<f64, Inexpressible> {
    Ok(work_rate(fields, models)?.ratio(peak(fields)?))
}

/// The dense peak of the 16-bit rate, or of the 8-bit one where the matmuls run in it.
fn peak(fields: &Fields) -> Result<FlopPerSecond, Inexpressible> {
    let part = machine::gpu(fields)?;
    if part.id == machine::UNLISTED {
        return Err(Inexpressible("the catalog has no such GPU".to_owned()));
    }
    let eight_bit = super::super::recipe::precision(fields)? == Precision::Fp8Mixed;
    let rate = if eight_bit { part.fp8 } else { part.bf16.or(part.fp16) };
    rate.ok_or_else(|| Inexpressible(format!("no dense peak of {} is known", part.name)))
}

/// Time of all tokens at a stated utilisation of `6 N` per token, or as predicted.
fn whole_run(fields: &Fields, models: &Models) -> Result<Seconds, Inexpressible> {
    let tokens = fields.needed("tokens")?;
    let gpus = fields.needed("gpus")?;
    let Some(percent) = fields.number("effective_mfu_pct")? else {
        return Ok(Seconds::new(tokens / (predicted_rate(fields, models)? * gpus)));
    };
    let params = fields.inside("model").and_then(|model| model.number("params").ok().flatten());
    let params = match params {
        Some(params) => params,
        None => super::memory::parameters(&models.of(fields)?),
    };
    let rate = peak(fields)? * (gpus * percent / 100.0);
    Ok(Flop::new(6.0 * params * tokens).over(rate))
}
