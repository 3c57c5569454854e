//! Room of an engine that serves a model.

use planner::catalog::Accelerator;
use planner::estimate::serving::{
    Room, Serving, WeightFormat, fewest_gpus, finding, room, weights,
};
use planner::model::Model;
use planner::units::Bytes;

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::machine;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity};
use super::memory::{amount, serves};

/// GPUs of a node where nothing is stated.
const GPUS_PER_NODE: u32 = 8;
/// vLLM's default share of a GPU.
const UTILIZATION: f64 = 0.9;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing || !serves(fields) {
        return None;
    }
    let count = |number: u32| Got::Number(f64::from(number));
    Some(match quantity.name.as_str() {
        "weights" => weights_here(fields, models).and_then(|bytes| amount(quantity, bytes)),
        "allocated" => taken(fields).and_then(|bytes| amount(quantity, bytes)),
        "verdict" => verdict(fields, models),
        "message" | "advice" => message(fields, models),
        "required" => Engine::of(fields, models).and_then(|engine| {
            let room = engine.room();
            amount(quantity, room.weights + room.running + room.sequence)
        }),
        "min_gpus" => fewest(fields, models).map(count),
        "min_nodes" => fewest(fields, models).and_then(|gpus| {
            Ok(count(gpus.div_ceil(fields.degree("gpus_per_node", GPUS_PER_NODE)?)))
        }),
        _ => return None,
    })
}

/// A model on the GPUs of a situation.
struct Engine {
    model: Model,
    part: Accelerator,
    serving: Serving,
    sequence: Bytes,
}

impl Engine {
    fn of(fields: &Fields, models: &Models) -> Result<Self, Inexpressible> {
        Ok(Self {
            model: models.of(fields)?,
            part: machine::gpu(fields)?,
            serving: serving(fields)?,
            sequence: Bytes::ZERO,
        })
    }

    fn room(&self) -> Room {
        room(&self.model, &self.part, &self.serving, self.sequence)
    }

    const fn gpus(&self) -> u32 {
        self.serving.tp * self.serving.pp
    }
}

/// TP over all GPUs of a node unless it is stated.
fn serving(fields: &Fields) -> Result<Serving, Inexpressible> {
    let pp = fields.degree("pp", 1)?;
    let node = fields.whole("gpus_per_node")?.unwrap_or(1);
    let gpus = fields.whole("gpus")?.unwrap_or(node).max(1);
    Ok(Serving {
        format: format(fields)?,
        tp: fields.degree("tp", (gpus / pp).max(1))?,
        pp,
        utilization: fields.number("util")?.unwrap_or(UTILIZATION),
    })
}

fn format(fields: &Fields) -> Result<WeightFormat, Inexpressible> {
    let word = fields.word("precision")?.or(fields.word("quant")?).map(str::to_lowercase);
    // The name of a quantised checkpoint says so.
    let name = fields.word("model").ok().flatten().unwrap_or_default().to_lowercase();
    let word = word.unwrap_or_else(|| {
        let suffix = ["fp8", "int8", "int4", "awq", "gptq"].into_iter().find(|w| name.ends_with(w));
        suffix.unwrap_or("bf16").to_owned()
    });
    Ok(match word.as_str() {
        "bf16" | "fp16" | "none" => WeightFormat::SixteenBit,
        "fp8" | "int8" | "w8a8" => WeightFormat::EightBit,
        word if ["int4", "awq", "gptq", "nf4", "fp4", "mxfp4", "nvfp4", "w4a16"]
            .iter()
            .any(|four| word.starts_with(four)) =>
        {
            WeightFormat::FourBit
        }
        other => return Err(Inexpressible(format!("weights in {other} are not built"))),
    })
}

fn weights_here(fields: &Fields, models: &Models) -> Result<Bytes, Inexpressible> {
    let serving = serving(fields)?;
    let gpus = f64::from(serving.tp) * f64::from(serving.pp);
    Ok(weights(&models.of(fields)?, serving.format) / gpus)
}

/// What the engine takes at start, needed or not.
fn taken(fields: &Fields) -> Result<Bytes, Inexpressible> {
    let part = machine::gpu(fields)?;
    Ok(planner::estimate::memory::usable(&part) * serving(fields)?.utilization)
}

fn verdict(fields: &Fields, models: &Models) -> Result<Got, Inexpressible> {
    let room = Engine::of(fields, models)?.room();
    Ok(Got::Word(super::word(room.verdict).to_owned()))
}

fn fewest(fields: &Fields, models: &Models) -> Result<u32, Inexpressible> {
    let engine = Engine::of(fields, models)?;
    let per_node = fields.degree("gpus_per_node", GPUS_PER_NODE)?;
    fewest_gpus(&engine.model, &engine.part, &engine.serving, per_node)
        .ok_or_else(|| Inexpressible("no number of GPUs holds the model".to_owned()))
}

/// What is shown: memory first, then how many GPUs hold it.
fn message(fields: &Fields, models: &Models) -> Result<Got, Inexpressible> {
    let engine = Engine::of(fields, models)?;
    let found = finding(&engine.room(), engine.gpus(), fewest(fields, models).ok());
    Ok(Got::Text(found.map_or_else(String::new, |finding| crate::words::finding(&finding))))
}
