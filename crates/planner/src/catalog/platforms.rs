//! Rows of `platforms.toml`: what the two seed articles claim, and what we make of it.

use rust_decimal::Decimal;

/// One of the three platforms or three classes of platforms. Every figure is a claim of the
/// article; units stand in the names, `pct` is percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform {
    pub id: &'static str,
    pub name_en: &'static str,
    pub name_zh: &'static str,
    /// `head-cloud`, `vertical-cloud`, `niche`.
    pub platform_class: &'static str,
    pub article: &'static str,
    /// Ids of platforms or scopes.
    pub members: &'static [&'static str],
    pub description_en: &'static str,
    pub description_zh: &'static str,
    pub strengths_en: &'static str,
    pub strengths_zh: &'static str,
    pub weaknesses_en: &'static str,
    pub weaknesses_zh: &'static str,
    // Empty where the article says nothing.
    pub best_for_en: &'static str,
    pub best_for_zh: &'static str,
    pub default_intra: &'static str,
    pub default_network: &'static str,
    pub nvlink: &'static str,
    pub infiniband: &'static str,
    pub scheduler: &'static str,
    pub virtualization_loss_pct: Option<f64>,
    pub scaling_16gpu_pct: Option<f64>,
    pub scaling_1000_pct_min: Option<f64>,
    pub scaling_1000_pct_max: Option<f64>,
    pub utilisation_pct_min: Option<f64>,
    pub utilisation_pct_max: Option<f64>,
    pub gradient_sync_latency_increase_pct: Option<f64>,
    pub release_speed_gain_pct: Option<f64>,
    pub total_cost_vs_starverse_pct: Option<f64>,
    pub allreduce_latency_change_pct: Option<f64>,
    pub comm_share_pct: Option<f64>,
    pub fluctuation_pct: Option<f64>,
    pub inflation_pct: Option<f64>,
    pub term_discount_pct: Option<f64>,
    pub billing_items: Option<f64>,
    pub max_scale_gpus: Option<f64>,
    pub rdma_addon_gbps: Option<f64>,
    pub included_storage_tb: Option<f64>,
    pub term_discount_months: Option<f64>,
    /// Tenants per physical GPU.
    pub oversell_ratio: Option<f64>,
    /// Days of the 70 B test on a thousand GPUs.
    pub days_70b_min: Option<f64>,
    pub days_70b_max: Option<f64>,
    /// Thousands of random reads per second.
    pub iops_k: Option<f64>,
    pub storage_latency_ms: Option<f64>,
    pub latency_us: Option<f64>,
    pub interconnect_gb_s_max: Option<f64>,
    pub response_minutes_min: Option<f64>,
    pub network_surcharge_cny_month_min: Option<Decimal>,
    pub network_surcharge_cny_month_max: Option<Decimal>,
    pub rdma_addon_cny_cluster_month: Option<Decimal>,
    pub a100_cny_hour_min: Option<Decimal>,
    pub a100_cny_hour_max: Option<Decimal>,
    pub topology_aware: Option<bool>,
}

/// A name that claims use for several platforms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformScope {
    pub id: &'static str,
    pub name_en: &'static str,
    pub name_zh: &'static str,
    pub members: &'static [&'static str],
}

/// A statement of an article, restated and not endorsed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    pub id: &'static str,
    pub article: &'static str,
    pub section: &'static str,
    /// Id of a platform or scope.
    pub platform: &'static str,
    pub topic: &'static str,
    /// `vendor-claim`, `measured-claim`, `threshold`, `recommendation`, `context`.
    pub kind: &'static str,
    /// Empty, `>=`, `<=`, `>`, `<`, `==`, `includes`, `between`.
    pub op: &'static str,
    pub value: Option<f64>,
    pub value_min: Option<f64>,
    pub value_max: Option<f64>,
    pub unit: &'static str,
    pub text_en: &'static str,
    pub text_zh: &'static str,
    /// Ids of checks.
    pub checks: &'static [&'static str],
}

/// The arithmetic that a claim was held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    pub id: &'static str,
    /// How bad: `contradicts-datasheet`, `inconsistent`, `consistent` and others.
    pub severity: &'static str,
    pub text_en: &'static str,
    pub text_zh: &'static str,
    pub arithmetic: &'static str,
    pub source: &'static str,
}

/// A bar of the acceptance sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    pub id: &'static str,
    pub group: &'static str,
    /// `pass`, `target`, `reject`, `plausibility`, `warning`.
    pub level: &'static str,
    pub op: &'static str,
    /// None where `values` lists names.
    pub value: Option<f64>,
    pub values: &'static [&'static str],
    pub unit: &'static str,
    /// Id of the claim that states it.
    pub claim: &'static str,
    pub scope: &'static str,
    pub measure_tool: &'static str,
    pub measure_metric: &'static str,
    pub measure_command: &'static str,
    pub label_en: &'static str,
    pub label_zh: &'static str,
    /// Where the bar cannot be used as written.
    pub suggested_value: Option<f64>,
    pub note: &'static str,
}

/// A recommendation of an article in structured form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    pub id: &'static str,
    pub claim: &'static str,
    /// Id of a platform or scope.
    pub recommended: &'static str,
    pub gpus_min: Option<f64>,
    pub gpus_max: Option<f64>,
    /// Billions of parameters.
    pub params_b_min: Option<f64>,
    pub params_b_max: Option<f64>,
    pub workloads: &'static [&'static str],
    pub needs: &'static [&'static str],
    pub label_en: &'static str,
    pub label_zh: &'static str,
    pub claimed_saving_pct: Option<f64>,
}
