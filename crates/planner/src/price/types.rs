//! What a comparison of platforms is asked for and what it says.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::explain::{Finding, Quantity};
use crate::units::{Currency, Money, MoneyRange};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceOptions {
    /// Currency of the totals.
    pub currency: Currency,
    /// Months of commitment; 0 is on demand.
    pub term_months: u32,
    /// Platform ids to compare; empty: the seed's three and the three best others.
    pub platforms: Vec<String>,
}

/// The cost of the job on one platform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostLine {
    pub platform: String,
    pub name_en: String,
    pub name_zh: String,
    /// One of the seed article's platforms.
    pub seed: bool,
    /// Nothing to rent there for this job: why, as a finding; then `total` is none.
    pub finding: Option<Finding>,
    /// The total in the wanted currency.
    pub total: Option<MoneyRange>,
    /// At the middle of the days and of the price.
    pub middle: Option<Money>,
    /// Money per million tokens.
    pub per_million_tokens: Option<MoneyRange>,
    /// As quoted.
    pub per_gpu_hour: Option<MoneyRange>,
    pub parts: Vec<CostPart>,
    /// Message keys `excluded-KEY` of what is not in the total.
    pub not_included: Vec<Cow<'static, str>>,
    pub source: String,
    pub date: String,
    /// `high`, `medium`, `low`, `seed`, `read`, `old`, as the catalog says.
    pub confidence: String,
}

/// One addend of a cost: message `cost-KEY`, in the wanted currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostPart {
    pub key: Cow<'static, str>,
    pub amount: MoneyRange,
    /// The factors: GPU hours, price, rate of exchange with its date.
    pub inputs: Vec<(Cow<'static, str>, Quantity)>,
    pub source: String,
}
