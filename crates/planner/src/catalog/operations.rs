//! Rows of `operations.toml`. Units stand in the names; shares are of one.

use rust_decimal::Decimal;

use crate::units::Currency;

/// Everything of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operations {
    pub failure_records: &'static [FailureRecord],
    /// Causes of the 419 unexpected interruptions of the Llama 3 run.
    pub failure_causes: &'static [FailureCause],
    pub daly_examples: &'static [DalyExample],
    pub storage_prices: &'static [StoragePrice],
    pub egress: &'static [Egress],
    pub addons: &'static [Addon],
    pub commitments: &'static [Commitment],
    pub reserved_medians: &'static [ReservedMedian],
    pub pue: &'static [Pue],
    pub grid: &'static [Grid],
    pub training_energy: &'static [TrainingEnergy],
    pub failure_default: FailureDefault,
    pub checkpoint_default: CheckpointDefault,
    pub power_default: PowerDefault,
    pub exchange: Exchange,
}

/// What one operator published about failures. Fields are absent where it says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailureRecord {
    pub id: &'static str,
    /// 0 where the record is about no one cluster.
    pub gpus: u32,
    pub accelerator: &'static str,
    pub days: Option<f64>,
    pub interruptions_total: Option<f64>,
    pub interruptions_planned: Option<f64>,
    pub interruptions_unexpected: Option<f64>,
    pub manual_interventions: Option<f64>,
    pub manual_restarts: Option<f64>,
    pub automatic_restarts_estimated: Option<f64>,
    pub hosts_cycled: Option<f64>,
    pub repairs_reported_min: Option<f64>,
    pub explicit_failures: Option<f64>,
    pub implicit_failures: Option<f64>,
    pub gpu_failures_per_week_min: Option<f64>,
    pub gpu_failures_per_week_max: Option<f64>,
    pub failures_per_1000_node_days: Option<f64>,
    pub derived_per_gpu_day: Option<f64>,
    pub derived_gpu_caused_per_gpu_year: Option<f64>,
    pub mttf_hours_at_8_gpus: Option<f64>,
    pub mttf_hours_at_1024_gpus: Option<f64>,
    pub mttf_hours_at_16384_gpus: Option<f64>,
    pub mttf_hours_at_131072_gpus: Option<f64>,
    pub checkpoint_tb: Option<f64>,
    pub checkpoint_write_s: Option<f64>,
    pub checkpoint_interval_h: Option<f64>,
    pub recovery_minutes_max: Option<f64>,
    pub effective_training_time: Option<f64>,
    pub effective_training_time_min: Option<f64>,
    pub auto_detected_min: Option<f64>,
    pub mfu: Option<f64>,
    pub checkpoint_blocking_time_cut_vs_megatron: Option<f64>,
    pub error_downtime_share_before: Option<f64>,
    pub error_downtime_share_after: Option<f64>,
    pub early_failure_share_min: Option<f64>,
    pub early_failure_share_max: Option<f64>,
    pub spare_share_min: Option<f64>,
    pub spare_share_max: Option<f64>,
    pub note: &'static str,
    pub source: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureCause {
    pub cause: &'static str,
    pub count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailureDefault {
    pub rate_per_gpu_day: f64,
    pub rate_low: f64,
    pub rate_high: f64,
    pub detect_minutes: f64,
    pub restart_minutes: f64,
    pub spare_node_share: f64,
    pub note: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckpointDefault {
    pub bytes_per_param_full_adam: f64,
    pub bytes_per_param_weights_bf16: f64,
    pub write_gb_s_per_node_min: f64,
    pub write_gb_s_per_node_typical: f64,
    pub blocking_fraction_sync: f64,
    pub blocking_fraction_async: f64,
    pub check: &'static str,
}

/// Worked examples of the checkpoint interval: sqrt(2 × write × MTBF).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DalyExample {
    pub gpus: u32,
    pub rate_per_gpu_day: f64,
    pub write_s: f64,
    pub restart_s: f64,
    pub mtbf_s: f64,
    pub interval_s: f64,
    /// Share of time lost.
    pub waste: f64,
}

/// Exactly one of the two prices is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoragePrice {
    pub provider: &'static str,
    pub product: &'static str,
    /// `object`, `block`, `parallel-fs`.
    pub kind: &'static str,
    pub usd_per_gb_month: Option<Decimal>,
    pub cny_per_gb_month: Option<Decimal>,
    pub included_tb: Option<f64>,
    pub date: &'static str,
    pub source: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Egress {
    pub provider: &'static str,
    pub currency: Currency,
    /// None: not metered.
    pub free_gb_month: Option<f64>,
    /// Upper bounds of all tiers but the last.
    pub tier_up_to_gb: &'static [f64],
    pub tier_price_per_gb: &'static [Decimal],
    pub inter_region_per_gb: Option<Decimal>,
    pub date: &'static str,
    pub source: &'static str,
}

/// A charge beside the GPUs; exactly one of the prices is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Addon {
    pub provider: &'static str,
    pub item: &'static str,
    pub cny_per_month_min: Option<Decimal>,
    pub cny_per_month_max: Option<Decimal>,
    pub usd_per_hour: Option<Decimal>,
    pub usd_per_gb: Option<Decimal>,
    /// Of the spending on computing.
    pub share: Option<f64>,
    pub source: &'static str,
}

/// Discounts by term; the three lists are of one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commitment {
    pub provider: &'static str,
    pub term_months: &'static [f64],
    /// Share paid at the start.
    pub upfront: &'static [f64],
    /// Share off the price on demand.
    pub discount: &'static [f64],
    pub scope: &'static str,
    pub date: &'static str,
    pub source: &'static str,
}

/// Market medians for a year; the two lists are of one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReservedMedian {
    pub date: &'static str,
    pub source: &'static str,
    pub accelerators: &'static [&'static str],
    pub usd_per_gpu_hour: &'static [Decimal],
}

/// Power of the site over power of the machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pue {
    pub operator: &'static str,
    pub value: f64,
    pub source: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerDefault {
    /// Peak power of a node over the board power of its GPUs.
    pub node_overhead_over_gpu_tdp: f64,
    pub average_over_peak: f64,
    pub note: &'static str,
}

/// Location-based carbon intensity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    pub region: &'static str,
    pub g_per_kwh: f64,
    pub source: &'static str,
}

/// Published totals of training runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingEnergy {
    pub run: &'static str,
    pub gpu_hours: Option<f64>,
    pub kwh: Option<f64>,
    pub t_co2e: Option<f64>,
    pub note: &'static str,
    pub source: &'static str,
}

/// The rate of exchange that compares CNY with USD rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    pub cny_per_usd: Decimal,
    pub date: &'static str,
    pub source: &'static str,
}
