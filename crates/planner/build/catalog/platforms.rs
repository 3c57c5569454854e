//! `platforms.toml`: the two seed articles as data.

use std::collections::BTreeSet;

use super::record::Record;
use super::row::Row;

const CLASSES: &[&str] = &["head-cloud", "vertical-cloud", "niche"];
const KINDS: &[&str] =
    &["vendor-claim", "measured-claim", "threshold", "recommendation", "context"];
const OPERATORS: &[&str] = &["", ">=", "<=", ">", "<", "==", "includes", "between"];
const SEVERITIES: &[&str] = &[
    "contradicts-datasheet",
    "physically-impossible",
    "inconsistent",
    "cross-article",
    "partly-inconsistent",
    "overstated",
    "unrealistic",
    "loose",
    "definition",
    "underspecified",
    "constraint",
    "derived",
    "consistent",
    "missing",
];
const GROUPS: &[&str] = &["hardware", "interconnect", "storage", "software", "stability", "cost"];
const LEVELS: &[&str] = &["pass", "target", "reject", "plausibility", "warning"];

/// A share in percent; differences may be negative or above a hundred.
const PERCENT: std::ops::RangeInclusive<f64> = -100.0..=1000.0;
/// Money of one month.
const MONTHLY: std::ops::RangeInclusive<f64> = 0.0..=1e7;
/// Any value of a claim.
const ANY: std::ops::RangeInclusive<f64> = -1e9..=1e9;

pub(crate) fn platform(row: &Row, subjects: &BTreeSet<&str>) -> Result<String, String> {
    let record = Record::new(row, "Platform")
        .text("id")
        .text("name_en")
        .text("name_zh")
        .word("platform_class", CLASSES)
        .text("article")
        .references("members", "platform or scope", subjects)
        .text("description_en")
        .text("description_zh")
        .text("strengths_en")
        .text("strengths_zh")
        .text("weaknesses_en")
        .text("weaknesses_zh");
    let texts = ["best_for_en", "best_for_zh", "default_intra", "default_network"];
    let more = ["nvlink", "infiniband", "scheduler"];
    let record = texts.into_iter().chain(more).fold(record, Record::text_or_empty);
    let percents = [
        "virtualization_loss_pct",
        "scaling_16gpu_pct",
        "scaling_1000_pct_min",
        "scaling_1000_pct_max",
        "utilisation_pct_min",
        "utilisation_pct_max",
        "gradient_sync_latency_increase_pct",
        "release_speed_gain_pct",
        "total_cost_vs_starverse_pct",
        "allreduce_latency_change_pct",
        "comm_share_pct",
        "fluctuation_pct",
        "inflation_pct",
        "term_discount_pct",
    ];
    let record =
        percents.into_iter().fold(record, |record, key| record.optional_number(key, &PERCENT));
    let numbers = [
        "billing_items",
        "max_scale_gpus",
        "rdma_addon_gbps",
        "included_storage_tb",
        "term_discount_months",
        "oversell_ratio",
        "days_70b_min",
        "days_70b_max",
        "iops_k",
        "storage_latency_ms",
        "latency_us",
        "interconnect_gb_s_max",
        "response_minutes_min",
    ];
    let record =
        numbers.into_iter().fold(record, |record, key| record.optional_number(key, &(0.0..=1e6)));
    let money = [
        "network_surcharge_cny_month_min",
        "network_surcharge_cny_month_max",
        "rdma_addon_cny_cluster_month",
        "a100_cny_hour_min",
        "a100_cny_hour_max",
    ];
    money
        .into_iter()
        .fold(record, |record, key| record.optional_decimal(key, &MONTHLY))
        .optional_truth("topology_aware")
        .finish()
}

pub(crate) fn scope(row: &Row, subjects: &BTreeSet<&str>) -> Result<String, String> {
    Record::new(row, "PlatformScope")
        .text("id")
        .text("name_en")
        .text("name_zh")
        .references("members", "platform or scope", subjects)
        .finish()
}

pub(crate) fn claim(
    row: &Row,
    subjects: &BTreeSet<&str>,
    checks: &BTreeSet<&str>,
) -> Result<String, String> {
    Record::new(row, "Claim")
        .text("id")
        .text("article")
        .text("section")
        .reference("platform", "platform or scope", subjects)
        .text("topic")
        .word("kind", KINDS)
        .put("op", operator(row))
        .optional_number("value", &ANY)
        .optional_number("value_min", &ANY)
        .optional_number("value_max", &ANY)
        .text_or_empty("unit")
        .text("text_en")
        .text("text_zh")
        .references("checks", "check", checks)
        .reads(&["op"])
        .finish()
}

pub(crate) fn check(row: &Row) -> Result<String, String> {
    Record::new(row, "Check")
        .text("id")
        .word("severity", SEVERITIES)
        .text("text_en")
        .text("text_zh")
        .text("arithmetic")
        .text_or_empty("source")
        .finish()
}

pub(crate) fn threshold(row: &Row, claims: &BTreeSet<&str>) -> Result<String, String> {
    if row.has("value") == row.has("values") {
        return Err(row.refuse("value", "or else `values`: exactly one must be there"));
    }
    Record::new(row, "Threshold")
        .text("id")
        .word("group", GROUPS)
        .word("level", LEVELS)
        .put("op", operator(row))
        .optional_number("value", &ANY)
        .texts("values")
        .text("unit")
        .reference("claim", "claim", claims)
        .text("scope")
        .text("measure_tool")
        .text("measure_metric")
        .text_or_empty("measure_command")
        .text("label_en")
        .text("label_zh")
        .optional_number("suggested_value", &ANY)
        .text_or_empty("note")
        .reads(&["op"])
        .finish()
}

pub(crate) fn scenario(
    row: &Row,
    subjects: &BTreeSet<&str>,
    claims: &BTreeSet<&str>,
) -> Result<String, String> {
    Record::new(row, "Scenario")
        .text("id")
        .reference("claim", "claim", claims)
        .reference("recommended", "platform or scope", subjects)
        .optional_number("gpus_min", &(1.0..=1e6))
        .optional_number("gpus_max", &(1.0..=1e6))
        .optional_number("params_b_min", &(0.1..=1e5))
        .optional_number("params_b_max", &(0.1..=1e5))
        .texts("workloads")
        .texts("needs")
        .text("label_en")
        .text("label_zh")
        .optional_number("claimed_saving_pct", &PERCENT)
        .finish()
}

fn operator(row: &Row) -> Result<String, String> {
    let word = if row.has("op") { row.word("op", OPERATORS)? } else { "" };
    Ok(format!("{word:?}"))
}
