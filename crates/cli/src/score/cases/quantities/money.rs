//! Arithmetic of stated prices: hours and months, items and disks, tokens.

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity};

/// Hours of a month, as clouds bill (8,760 / 12).
const MONTH_HOURS: f64 = 730.0;
const SECONDS_PER_HOUR: f64 = 3_600.0;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, _: &Models) -> Answer {
    let number = match (quantity.name.as_str(), &quantity.compared) {
        ("total_usd_h", Compared::Nothing) => total(fields),
        ("usd_h", Compared::Word(item)) => one(fields, item),
        ("storage_usd_month", Compared::Nothing) => storage(fields),
        ("usd_per_1m_tokens", Compared::Nothing) => per_million(fields),
        _ => return None,
    };
    Some(number.map(Got::Number))
}

/// An item with its price of an hour.
fn items(fields: &Fields) -> Result<Vec<(String, f64)>, Inexpressible> {
    let Some(list) = fields.value("items").and_then(serde_json::Value::as_array) else {
        return Ok(Vec::new());
    };
    list.iter()
        .map(|item| {
            let item = Fields::new(item.as_object().cloned().unwrap_or_default());
            let name = item.word("name")?.unwrap_or_default().to_owned();
            let monthly = item.number("usd_month")?.map(|price| price / MONTH_HOURS);
            let price = item.number("usd_h")?.or(monthly);
            price
                .map(|price| (name.clone(), price))
                .ok_or_else(|| Inexpressible(format!("the item {name} has no price")))
        })
        .collect()
}

fn one(fields: &Fields, name: &str) -> Result<f64, Inexpressible> {
    items(fields)?
        .into_iter()
        .find(|(item, _)| item == name)
        .map(|(_, price)| price)
        .ok_or_else(|| Inexpressible(format!("there is no item {name}")))
}

/// All items, the machine and its disk.
fn total(fields: &Fields) -> Result<f64, Inexpressible> {
    let items: f64 = items(fields)?.iter().map(|(_, price)| price).sum();
    let compute = fields.number("compute_usd_h")?.unwrap_or(0.0);
    let hours = fields.number("hours_per_month")?.unwrap_or(MONTH_HOURS);
    let disk = match (fields.number("disk_gb")?, fields.number("disk_usd_gb_month")?) {
        (Some(size), Some(price)) => size * price / hours,
        _ => 0.0,
    };
    Ok(items + compute + disk)
}

fn storage(fields: &Fields) -> Result<f64, Inexpressible> {
    let size = fields.needed("checkpoints")? * fields.needed("checkpoint_gb")?;
    Ok(size * fields.needed("usd_gb_month")?)
}

fn per_million(fields: &Fields) -> Result<f64, Inexpressible> {
    let used = fields.number("utilization")?.unwrap_or(1.0);
    let tokens = fields.needed("tokens_per_s")? * SECONDS_PER_HOUR * used;
    Ok(fields.needed("usd_h")? / tokens * 1e6)
}
