//! `operations.toml`: failures, checkpoints, storage, egress, discounts, power and currency.

use toml::Table;

use super::accelerators::Parts;
use super::prices::{date, one_price};
use super::record::{Record, float, optional};
use super::row::Row;

const FILE: &str = "operations.toml";
const STORAGE_KINDS: &[&str] = &["object", "block", "parallel-fs"];

/// A share of one.
const SHARE: std::ops::RangeInclusive<f64> = 0.0..=1.0;
/// A rate per GPU and day.
const RATE: std::ops::RangeInclusive<f64> = 1e-6..=0.1;
const POSITIVE: std::ops::RangeInclusive<f64> = 0.0..=1e12;
const PRICE: std::ops::RangeInclusive<f64> = 0.0..=1e6;

/// Writes a table of the file: its name there, the type, how a row is read.
type Reader<'a> = (&'static str, &'static str, &'a dyn Fn(&Row) -> Result<String, String>);

/// One literal of the struct `Operations`; refuses a table that nothing reads.
pub(crate) fn literal(document: &Table, parts: &Parts) -> Result<String, String> {
    let failure = |row: &Row| failure_record(row, parts);
    let medians = |row: &Row| reserved_median(row, parts);
    let lists: &[Reader<'_>] = &[
        ("failure_record", "failure_records", &failure),
        ("failure_cause", "failure_causes", &failure_cause),
        ("daly_example", "daly_examples", &daly_example),
        ("storage_price", "storage_prices", &storage_price),
        ("egress", "egress", &egress),
        ("addon", "addons", &addon),
        ("commitment", "commitments", &commitment),
        ("reserved_median", "reserved_medians", &medians),
        ("pue", "pue", &pue),
        ("grid", "grid", &grid),
        ("training_energy", "training_energy", &training_energy),
    ];
    let singles: &[Reader<'_>] = &[
        ("failure_default", "failure_default", &failure_default),
        ("checkpoint_default", "checkpoint_default", &checkpoint_default),
        ("power_default", "power_default", &power_default),
        ("fx", "exchange", &exchange),
    ];
    let mut fields = String::new();
    for (table, field, read) in lists {
        let rows = Row::all(FILE, document, table)?;
        let literals: Result<Vec<_>, _> = rows.iter().map(read).collect();
        fields.push_str(&format!(
            "    {field}: &[\n        {},\n    ],\n",
            literals?.join(",\n        ")
        ));
    }
    for (table, field, read) in singles {
        let rows = Row::all(FILE, document, table)?;
        match rows.as_slice() {
            [row] => fields.push_str(&format!("    {field}: {},\n", read(row)?)),
            _ => return Err(format!("{FILE}: table `{table}` is there more than once")),
        }
    }
    let known = |key: &str| lists.iter().chain(singles).any(|(table, _, _)| *table == key);
    match document.keys().find(|key| key.as_str() != "schema_version" && !known(key)) {
        Some(key) => Err(format!("{FILE}: table `{key}` is unknown")),
        None => Ok(format!("Operations {{\n{fields}}}")),
    }
}

fn failure_record(row: &Row, parts: &Parts) -> Result<String, String> {
    if row.has("accelerator") && row.text("accelerator")? != "a100-class" {
        parts.devices(row, "accelerator")?;
    }
    let record = Record::new(row, "FailureRecord")
        .text("id")
        .count("gpus", &(0..=1_000_000))
        .text_or_empty("accelerator");
    let numbers = [
        "days",
        "interruptions_total",
        "interruptions_planned",
        "interruptions_unexpected",
        "manual_interventions",
        "manual_restarts",
        "automatic_restarts_estimated",
        "hosts_cycled",
        "repairs_reported_min",
        "explicit_failures",
        "implicit_failures",
        "gpu_failures_per_week_min",
        "gpu_failures_per_week_max",
        "failures_per_1000_node_days",
        "derived_per_gpu_day",
        "derived_gpu_caused_per_gpu_year",
        "mttf_hours_at_8_gpus",
        "mttf_hours_at_1024_gpus",
        "mttf_hours_at_16384_gpus",
        "mttf_hours_at_131072_gpus",
        "checkpoint_tb",
        "checkpoint_write_s",
        "checkpoint_interval_h",
        "recovery_minutes_max",
    ];
    let shares = [
        "effective_training_time",
        "effective_training_time_min",
        "auto_detected_min",
        "mfu",
        "checkpoint_blocking_time_cut_vs_megatron",
        "error_downtime_share_before",
        "error_downtime_share_after",
        "early_failure_share_min",
        "early_failure_share_max",
        "spare_share_min",
        "spare_share_max",
    ];
    let record =
        numbers.into_iter().fold(record, |record, key| record.optional_number(key, &POSITIVE));
    shares
        .into_iter()
        .fold(record, |record, key| record.optional_number(key, &SHARE))
        .text_or_empty("note")
        .text("source")
        .finish()
}

fn failure_cause(row: &Row) -> Result<String, String> {
    Record::new(row, "FailureCause").text("cause").count("count", &(1..=100_000)).finish()
}

fn failure_default(row: &Row) -> Result<String, String> {
    Record::new(row, "FailureDefault")
        .number("rate_per_gpu_day", &RATE)
        .number("rate_low", &RATE)
        .number("rate_high", &RATE)
        .number("detect_minutes", &(0.0..=1440.0))
        .number("restart_minutes", &(0.0..=1440.0))
        .number("spare_node_share", &SHARE)
        .text("note")
        .finish()
}

fn checkpoint_default(row: &Row) -> Result<String, String> {
    Record::new(row, "CheckpointDefault")
        .number("bytes_per_param_full_adam", &(1.0..=32.0))
        .number("bytes_per_param_weights_bf16", &(1.0..=32.0))
        .number("write_gb_s_per_node_min", &(0.01..=1000.0))
        .number("write_gb_s_per_node_typical", &(0.01..=1000.0))
        .number("blocking_fraction_sync", &SHARE)
        .number("blocking_fraction_async", &SHARE)
        .text("check")
        .finish()
}

fn daly_example(row: &Row) -> Result<String, String> {
    Record::new(row, "DalyExample")
        .count("gpus", &(1..=1_000_000))
        .number("rate_per_gpu_day", &RATE)
        .number("write_s", &POSITIVE)
        .number("restart_s", &POSITIVE)
        .number("mtbf_s", &POSITIVE)
        .number("interval_s", &POSITIVE)
        .number("waste", &SHARE)
        .finish()
}

fn storage_price(row: &Row) -> Result<String, String> {
    one_price(row, &["usd_per_gb_month", "cny_per_gb_month"])?;
    Record::new(row, "StoragePrice")
        .text("provider")
        .text("product")
        .word("kind", STORAGE_KINDS)
        .optional_decimal("usd_per_gb_month", &PRICE)
        .optional_decimal("cny_per_gb_month", &PRICE)
        .optional_number("included_tb", &(0.0..=1e6))
        .put("date", date(row))
        .text("source")
        .reads(&["date"])
        .finish()
}

fn egress(row: &Row) -> Result<String, String> {
    let bounds = row.numbers("tier_up_to_gb", &POSITIVE)?.len();
    if row.numbers("tier_price_per_gb", &PRICE)?.len() != bounds + 1 {
        return Err(row.refuse("tier_price_per_gb", "does not hold one price more than bounds"));
    }
    Record::new(row, "Egress")
        .text("provider")
        .put("currency", currency(row))
        .put("free_gb_month", free(row))
        .numbers("tier_up_to_gb", &POSITIVE)
        .decimals("tier_price_per_gb", &PRICE)
        .optional_decimal("inter_region_per_gb", &PRICE)
        .put("date", date(row))
        .text("source")
        .reads(&["currency", "free_gb_month", "date"])
        .finish()
}

fn addon(row: &Row) -> Result<String, String> {
    one_price(row, &["cny_per_month_min", "usd_per_hour", "usd_per_gb", "share"])?;
    Record::new(row, "Addon")
        .text("provider")
        .text("item")
        .optional_decimal("cny_per_month_min", &PRICE)
        .optional_decimal("cny_per_month_max", &PRICE)
        .optional_decimal("usd_per_hour", &PRICE)
        .optional_decimal("usd_per_gb", &PRICE)
        .optional_number("share", &SHARE)
        .text("source")
        .finish()
}

fn commitment(row: &Row) -> Result<String, String> {
    let terms = row.numbers("term_months", &(1.0..=120.0))?.len();
    for key in ["upfront", "discount"] {
        if row.numbers(key, &SHARE)?.len() != terms {
            return Err(row.refuse(key, "is not as long as `term_months`"));
        }
    }
    Record::new(row, "Commitment")
        .text("provider")
        .numbers("term_months", &(1.0..=120.0))
        .numbers("upfront", &SHARE)
        .numbers("discount", &SHARE)
        .text("scope")
        .put("date", date(row))
        .text("source")
        .reads(&["date"])
        .finish()
}

fn reserved_median(row: &Row, parts: &Parts) -> Result<String, String> {
    let accelerators = row.texts("accelerators")?;
    if let Some(id) = accelerators.iter().find(|id| parts.of_id(id).is_none()) {
        return Err(row.refuse("accelerators", &format!("holds `{id}`, which the catalog lacks")));
    }
    if row.numbers("usd_per_gpu_hour", &PRICE)?.len() != accelerators.len() {
        return Err(row.refuse("usd_per_gpu_hour", "is not as long as `accelerators`"));
    }
    Record::new(row, "ReservedMedian")
        .put("date", date(row))
        .text("source")
        .texts("accelerators")
        .decimals("usd_per_gpu_hour", &PRICE)
        .reads(&["date"])
        .finish()
}

fn pue(row: &Row) -> Result<String, String> {
    Record::new(row, "Pue").text("operator").number("value", &(1.0..=3.0)).text("source").finish()
}

fn power_default(row: &Row) -> Result<String, String> {
    Record::new(row, "PowerDefault")
        .number("node_overhead_over_gpu_tdp", &(1.0..=5.0))
        .number("average_over_peak", &SHARE)
        .text("note")
        .finish()
}

fn grid(row: &Row) -> Result<String, String> {
    Record::new(row, "Grid")
        .text("region")
        .number("g_per_kwh", &(0.0..=2000.0))
        .text("source")
        .finish()
}

fn training_energy(row: &Row) -> Result<String, String> {
    Record::new(row, "TrainingEnergy")
        .text("run")
        .optional_number("gpu_hours", &POSITIVE)
        .optional_number("kwh", &POSITIVE)
        .optional_number("t_co2e", &POSITIVE)
        .text_or_empty("note")
        .text("source")
        .finish()
}

fn exchange(row: &Row) -> Result<String, String> {
    Record::new(row, "Exchange")
        .decimal("cny_per_usd", &(1.0..=20.0))
        .put("date", date(row))
        .text("source")
        .reads(&["date"])
        .finish()
}

fn currency(row: &Row) -> Result<String, String> {
    let variant = if row.word("currency", &["CNY", "USD"])? == "CNY" { "Cny" } else { "Usd" };
    Ok(format!("Currency::{variant}"))
}

/// `None` where traffic is not metered, which the file writes as −1.
fn free(row: &Row) -> Result<String, String> {
    let number = row.number("free_gb_month", &(-1.0..=1e9))?;
    let metered = number.value >= 0.0;
    Ok(optional(metered.then(|| float(number.value))))
}
