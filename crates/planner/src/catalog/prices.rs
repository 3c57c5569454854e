//! Rows of the two price tables. Every price is for devices as software sees them.

use rust_decimal::Decimal;

/// A price list entry in USD, per node-hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub provider: &'static str,
    pub instance: &'static str,
    /// As the provider names it.
    pub gpu: &'static str,
    /// Id of the accelerator; empty for a part outside the catalog.
    pub accelerator: &'static str,
    pub gpus: u32,
    pub vcpu: Option<f64>,
    pub ram_gb: Option<f64>,
    /// `all`: one list for every region; `unspecified`: not known.
    pub region: &'static str,
    pub on_demand_usd_per_hour: Option<Decimal>,
    /// Median over zones.
    pub spot_usd_per_hour: Option<Decimal>,
    pub date: &'static str,
    pub source: &'static str,
    /// `read`, `derived`, `estimate`, `old`, `medium`, `low`.
    pub confidence: &'static str,
}

/// A price range in CNY, per GPU-hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CnyPrice {
    /// A company, `market` for brokers' quotes, or a class of platforms.
    pub provider: &'static str,
    pub instance: &'static str,
    pub accelerator_id: &'static str,
    pub gpus: u32,
    pub cny_per_gpu_hour_min: Decimal,
    pub cny_per_gpu_hour_max: Decimal,
    pub billing: Billing,
    pub date: &'static str,
    pub source: &'static str,
    /// `seed`, `read`, `old`, `medium`, `low`.
    pub confidence: &'static str,
    /// As quoted, where the quote was for a whole node and month.
    pub cny_per_node_month_min: Option<Decimal>,
    pub cny_per_node_month_max: Option<Decimal>,
    pub note: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Billing {
    OnDemand,
    /// Paid by the month, or quoted as a monthly rent.
    Monthly,
    /// The source mixes terms.
    Mixed,
}
