//! Room of an engine that serves a model.

use planner::catalog::Accelerator;
use planner::estimate::serving::{
    Room, Serving, WeightFormat, capacity, fewest_gpus, finding, room, sequence_bytes, tp_share,
    weights,
};
use planner::model::{KvCache, Model};
use planner::units::Bytes;

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::machine;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity, Scope};
use super::config;
use super::memory::{amount, serves};

/// GPUs of a node where nothing is stated.
const GPUS_PER_NODE: u32 = 8;
/// vLLM's default share of a GPU.
const UTILIZATION: f64 = 0.9;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing || !(serves(fields) || counts_cache(quantity)) {
        return None;
    }
    let count = |number: u32| Got::Number(f64::from(number));
    Some(match quantity.name.as_str() {
        "weights" => weights_here(fields, models).and_then(|bytes| amount(quantity, bytes)),
        "allocated" => taken(fields).and_then(|bytes| amount(quantity, bytes)),
        "kv_bytes_per_token" => per_token(fields, quantity, models),
        "kv_bytes" => of_tokens(fields, models),
        "kv_needed" => needed(fields, quantity, models),
        "kv_capacity_tokens" => tokens(fields, models).map(Got::Number),
        "max_concurrency" => tokens(fields, models)
            .and_then(|tokens| Ok(Got::Number(tokens / fields.needed("max_len")?))),
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

/// A quantity of the cache, whatever else is stated.
fn counts_cache(quantity: &Quantity) -> bool {
    quantity.name.starts_with("kv_") || quantity.name == "max_concurrency"
}

/// More is stated than the model: what an engine has or is asked for.
pub(super) fn asks_for_room(fields: &Fields) -> bool {
    ["kv_pool_gib", "max_len", "util", "engine", "workload", "sla"]
        .iter()
        .any(|name| fields.has(name))
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
            sequence: sequence(fields, models)?,
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

/// A pool that is stated decides; otherwise the room that is left does.
fn verdict(fields: &Fields, models: &Models) -> Result<Got, Inexpressible> {
    if super::rules::refused(fields, models) {
        return Ok(Got::Word("INVALID".to_owned()));
    }
    if fields.has("kv_pool_gib") {
        let fits = tokens(fields, models)? >= fields.needed("max_len")?;
        return Ok(Got::Word(if fits { "FIT" } else { "OOM" }.to_owned()));
    }
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

/// The cache of the model, and the share of it on one GPU of its TP group.
fn cache(fields: &Fields, models: &Models) -> Result<(KvCache, f64), Inexpressible> {
    let cache = config::cache(fields, models)?;
    let tp = fields.degree("tp", 1)?;
    let share = if tp > 1 { tp_share(&models.of(fields)?, tp) } else { 1.0 };
    Ok((cache, share))
}

fn per_token(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let cache = config::cache(fields, models)?;
    let share = if quantity.per_gpu { self::cache(fields, models)?.1 } else { 1.0 };
    Ok(Got::Number(cache.bytes_per_token(config::format(fields)?).base() * share))
}

fn of_tokens(fields: &Fields, models: &Models) -> Result<Got, Inexpressible> {
    let each = config::cache(fields, models)?.bytes_per_token(config::format(fields)?);
    Ok(Got::Number(each.base() * fields.needed("tokens")?))
}

/// One sequence of the longest length, of the whole model or of one stage.
fn needed(fields: &Fields, quantity: &Quantity, models: &Models) -> Result<Got, Inexpressible> {
    let mut cache = config::cache(fields, models)?;
    if let Scope::Stage(stage) = quantity.scope {
        let split = fields.list("layer_split")?.unwrap_or_default();
        let place = usize::try_from(stage).unwrap_or(usize::MAX);
        let layers = split.get(place).copied();
        let whole = cache.windowed_layers == 0
            && split.iter().map(|layers| u64::from(*layers)).sum::<u64>()
                == u64::from(cache.growing_layers);
        cache.growing_layers = layers
            .filter(|_| whole)
            .ok_or_else(|| Inexpressible(format!("the layers of stage {stage} are not stated")))?;
    }
    let format = config::format(fields)?;
    amount(quantity, sequence_bytes(&cache, format, fields.needed("max_len")?))
}

/// What the longest sequence, or one of the workload, keeps on one GPU.
fn sequence(fields: &Fields, models: &Models) -> Result<Bytes, Inexpressible> {
    let workload = match fields.inside("workload") {
        Some(load) => Some(load.number("isl")?.unwrap_or(0.0) + load.number("osl")?.unwrap_or(0.0)),
        None => None,
    };
    let Some(tokens) = fields.number("max_len")?.or(workload) else { return Ok(Bytes::ZERO) };
    let (cache, share) = cache(fields, models)?;
    let stages = f64::from(fields.degree("pp", 1)?);
    Ok(sequence_bytes(&cache, config::format(fields)?, tokens) * (share / stages))
}

/// Tokens that the pool holds: as the engine counts blocks, or as the pool divides.
fn tokens(fields: &Fields, models: &Models) -> Result<f64, Inexpressible> {
    if let (Some(blocks), Some(size)) = (fields.number("blocks")?, fields.number("block_size")?) {
        return Ok(blocks * size);
    }
    if let Some(times) = fields.number("max_concurrency")? {
        return Ok(times * fields.needed("max_len")?);
    }
    let (cache, share) = cache(fields, models)?;
    let pool = match fields.number("kv_pool_gib")? {
        Some(gib) => Bytes::gib(gib),
        None => Engine::of(fields, models)?.room().pool,
    };
    Ok(capacity(&cache, config::format(fields)?, share, pool))
}
