//! What the estimators of other tools print.

use planner::estimate::deepspeed::{Counts, Printed, zero2_legacy, zero3};
use planner::estimate::memory::pieces;
use planner::units::Bytes;

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity};
use super::super::run::Run;
use super::memory::amount;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing {
        return None;
    }
    let of: fn(Printed) -> Bytes = match quantity.name.as_str() {
        "deepspeed_estimator" | "legacy_estimator" => |printed| printed.gpu,
        "deepspeed_estimator_cpu" | "deepspeed_estimator_host" => |printed| printed.host,
        _ => return None,
    };
    Some(printed(fields, models).and_then(|printed| amount(quantity, of(printed))))
}

/// The estimator of the stated ZeRO stage.
fn printed(fields: &Fields, models: &Models) -> Result<Printed, Inexpressible> {
    let run = Run::of(fields, models)?;
    let stated = fields.number("params")?;
    let parameters = stated.unwrap_or_else(|| super::parameters(&run.model));
    let nodes = f64::from(run.cluster.nodes);
    let counts = Counts {
        parameters,
        largest_layer: fields.number("largest_layer")?.unwrap_or_else(|| largest(&run)),
        gpus_per_node: f64::from(run.gpus) / nodes,
        nodes,
    };
    match fields.stage("zero")? {
        Some(3) => Ok(zero3(&counts, run.layout.offload)),
        Some(2) => Ok(zero2_legacy(&counts, run.layout.offload)),
        _ => Err(Inexpressible("DeepSpeed estimates ZeRO 2 and 3".to_owned())),
    }
}

/// The largest module: a layer, or an embedding.
fn largest(run: &Run) -> f64 {
    let pieces = pieces(&run.setting(), &run.layout, &run.variant, 0);
    let embedding = f64::from(run.model.vocab) * f64::from(run.model.hidden);
    pieces.largest_layer.max(embedding)
}
