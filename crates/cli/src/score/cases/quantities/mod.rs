//! What the planner says for a quantity, by its name.

mod config;
mod estimators;
mod limits;
mod memory;
mod money;
mod rules;
mod serving;
mod speed;
mod wires;

pub(super) use memory::parameters;

use super::super::row::Inexpressible;
use super::check::Got;
use super::fields::Fields;
use super::models::Models;
use super::quantity::{Compared, Quantity};
use super::table::Case;

/// A quantity of one situation.
pub(super) fn of(fields: &Fields, q: &str, models: &Models) -> Result<Got, Inexpressible> {
    let quantity = Quantity::parse(q);
    let areas = [
        config::of,
        rules::of,
        estimators::of,
        limits::of,
        memory::of,
        serving::of,
        speed::of,
        wires::of,
        money::of,
    ];
    areas
        .into_iter()
        .find_map(|area| area(fields, &quantity, models))
        .unwrap_or_else(|| Err(Inexpressible(format!("{q} is not built"))))
}

/// A quantity that compares variants of a case; none when it is about one situation.
pub(super) fn across(case: &Case, q: &str, models: &Models) -> Option<Result<Got, Inexpressible>> {
    let quantity = Quantity::parse(q);
    match (&quantity.compared, quantity.name.as_str()) {
        (Compared::Ratio(one, other), name) => Some(ratio(case, name, (one, other), models)),
        (Compared::Word(word), name) if word == "ordering" => Some(order(case, name, "<", models)),
        (_, "rank_order") => Some(order(case, "predicted_tokens_per_s_per_gpu", ">", models)),
        _ => None,
    }
}

/// What is compared when a name says `ratio`, `speedup` or `slowdown`; amounts in any unit.
fn compared(name: &str) -> Option<String> {
    Some(match name {
        "speedup" | "throughput_ratio" => "predicted_tokens_per_s_per_gpu".to_owned(),
        "step_time_ratio" => "step_time_s".to_owned(),
        "slowdown" => "collective_time_s".to_owned(),
        other => other.strip_suffix("_ratio")?.to_owned(),
    })
}

/// A number of one variant; where the name states no unit, in GiB.
fn number(fields: &Fields, q: &str, models: &Models) -> Result<f64, Inexpressible> {
    let got = of(fields, q, models)
        .or_else(|reason| of(fields, &format!("{q}_gib"), models).map_err(|_| reason))?;
    match got {
        Got::Number(number) => Ok(number),
        _ => Err(Inexpressible(format!("{q} is not a number"))),
    }
}

fn ratio(
    case: &Case,
    name: &str,
    (one, other): (&str, &str),
    models: &Models,
) -> Result<Got, Inexpressible> {
    let Some(quantity) = compared(name) else {
        return Err(Inexpressible(format!("{name} is not built")));
    };
    let of = |id: &str| {
        let variant =
            case.variant(id).ok_or_else(|| Inexpressible(format!("there is no variant {id}")))?;
        number(&variant.fields, &quantity, models)
    };
    Ok(Got::Number(of(one)? / of(other)?))
}

/// Ids of all variants in the order of a quantity, joined by a sign.
fn order(case: &Case, quantity: &str, sign: &str, models: &Models) -> Result<Got, Inexpressible> {
    let mut values = Vec::new();
    for variant in &case.variants {
        values.push((number(&variant.fields, quantity, models)?, variant.id.as_str()));
    }
    values.sort_by(|one, other| one.0.total_cmp(&other.0));
    if sign == ">" {
        values.reverse();
    }
    let ids: Vec<&str> = values.into_iter().map(|(_, id)| id).collect();
    Ok(Got::Word(ids.join(sign)))
}

/// The word of a verdict in the tables.
const fn word(verdict: planner::estimate::Verdict) -> &'static str {
    match verdict {
        planner::estimate::Verdict::Fits => "FIT",
        planner::estimate::Verdict::Tight => "WARN",
        planner::estimate::Verdict::DoesNotFit => "OOM",
        planner::estimate::Verdict::Invalid => "INVALID",
    }
}
