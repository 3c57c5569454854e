//! `prices.csv` (USD per node-hour) and `prices_cny.csv` (CNY per GPU-hour).

use super::accelerators::Parts;
use super::record::{Record, decimal, quoted};
use super::row::{Number, Row};

const CONFIDENCES: &[&str] = &["read", "derived", "estimate", "old", "medium", "low"];
const CNY_CONFIDENCES: &[&str] = &["seed", "read", "old", "medium", "low"];
const BILLINGS: &[&str] = &["on demand", "monthly", "monthly rental", "mixed terms"];

/// Hours by which the catalog turns a month into hours (README, units).
const HOURS_PER_MONTH: f64 = 730.0;

pub(crate) fn usd(row: &Row, parts: &Parts) -> Result<String, String> {
    // An empty id is a part outside the catalog.
    let known = row.has("accelerator_id");
    let devices = if known { parts.devices(row, "accelerator_id")? } else { 1 };
    if !row.has("on_demand_usd_per_hour") && !row.has("spot_usd_per_hour") {
        return Err(row.refuse("on_demand_usd_per_hour", "is missing, and so is the spot price"));
    }
    Record::new(row, "Price")
        .text("provider")
        .text("instance")
        .text("gpu")
        .put("accelerator", row.text_or_empty("accelerator_id").map(quoted))
        .put("gpus", gpus(row, devices))
        .optional_number("vcpu", &(0.5..=10_000.0))
        .optional_number("ram_gb", &(0.5..=100_000.0))
        .text("region")
        .optional_decimal("on_demand_usd_per_hour", &(0.01..=2000.0))
        .optional_decimal("spot_usd_per_hour", &(0.01..=2000.0))
        .put("date", date(row))
        .text("source")
        .word("confidence", CONFIDENCES)
        .reads(&["accelerator_id", "gpu_count", "date"])
        .finish()
}

pub(crate) fn cny(row: &Row, parts: &Parts) -> Result<String, String> {
    let devices = parts.devices(row, "accelerator_id")?;
    let (low, high) = range(row, "cny_per_gpu_hour_min", "cny_per_gpu_hour_max")?;
    if row.has("cny_per_node_month_min") {
        let (_, month) = range(row, "cny_per_node_month_min", "cny_per_node_month_max")?;
        let count = f64::from(row.count("gpu_count", &(1..=1024))?);
        let hour = month.value / count / HOURS_PER_MONTH;
        // The quoted figures are rounded to cents.
        if (hour - high.value).abs() > 0.011 {
            let why = format!("does not agree with {hour:.2}, the node-month over GPUs and hours");
            return Err(row.refuse("cny_per_gpu_hour_max", &why));
        }
    }
    Record::new(row, "CnyPrice")
        .text("provider")
        .text("instance")
        .text("accelerator_id")
        .put("gpus", gpus(row, devices))
        .put("cny_per_gpu_hour_min", per_device(row, &low, devices))
        .put("cny_per_gpu_hour_max", per_device(row, &high, devices))
        .put("billing", billing(row))
        .put("date", date(row))
        .text("source")
        .word("confidence", CNY_CONFIDENCES)
        .optional_decimal("cny_per_node_month_min", &(100.0..=1e7))
        .optional_decimal("cny_per_node_month_max", &(100.0..=1e7))
        .text_or_empty("note")
        .reads(&["gpu_count", "cny_per_gpu_hour_min", "cny_per_gpu_hour_max", "billing", "date"])
        .finish()
}

/// A year, a month or a day: `2026`, `2026-05`, `2026-05-24`.
pub(crate) fn date(row: &Row) -> Result<String, String> {
    let text = row.text("date")?;
    let shape: String =
        text.chars().map(|sign| if sign.is_ascii_digit() { '9' } else { sign }).collect();
    if ["9999", "9999-99", "9999-99-99"].contains(&shape.as_str()) {
        Ok(quoted(text))
    } else {
        Err(row.refuse("date", &format!("is `{text}`, no date of the form 2026-05-24")))
    }
}

/// Refuses a row that states none or several of alternative prices.
pub(crate) fn one_price(row: &Row, keys: &[&str]) -> Result<(), String> {
    if keys.iter().filter(|key| row.has(key)).count() == 1 {
        Ok(())
    } else {
        Err(row.refuse(&keys.join("` or `"), "must be there exactly once"))
    }
}

fn gpus(row: &Row, devices: u32) -> Result<String, String> {
    row.count("gpu_count", &(1..=1024)).map(|count| (count * devices).to_string())
}

fn range(row: &Row, low: &str, high: &str) -> Result<(Number, Number), String> {
    let bounds = 0.01..=1e7;
    let (low, high_number) = (row.number(low, &bounds)?, row.number(high, &bounds)?);
    if low.value > high_number.value {
        return Err(row.refuse(high, "is below the low end"));
    }
    Ok((low, high_number))
}

/// The price of one device of a package of several, exact.
fn per_device(row: &Row, number: &Number, devices: u32) -> Result<String, String> {
    let text = if devices == 1 {
        number.text.clone()
    } else {
        format!("{:.4}", number.value / f64::from(devices))
    };
    decimal(&text).ok_or_else(|| row.refuse("cny_per_gpu_hour_min", "is too long for exact money"))
}

fn billing(row: &Row) -> Result<String, String> {
    let variant = match row.word("billing", BILLINGS)? {
        "on demand" => "OnDemand",
        "mixed terms" => "Mixed",
        _ => "Monthly",
    };
    Ok(format!("Billing::{variant}"))
}
