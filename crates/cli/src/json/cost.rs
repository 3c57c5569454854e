//! Costs by platform as JSON.

use std::collections::BTreeMap;

use planner::price::{CostLine, CostPart};
use planner::units::{Currency, MoneyRange};
use serde::Serialize;

use super::explain::{FindingView, Value};

#[derive(Serialize)]
pub(crate) struct CostView<'a> {
    platform: &'a str,
    name: &'a str,
    name_zh: &'a str,
    seed: bool,
    total: Option<RangeView>,
    per_million_tokens: Option<RangeView>,
    per_gpu_hour: Option<RangeView>,
    parts: Vec<PartView<'a>>,
    not_included: &'a [std::borrow::Cow<'static, str>],
    source: &'a str,
    date: &'a str,
    confidence: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<FindingView<'a>>,
}

#[derive(Serialize)]
struct RangeView {
    low: f64,
    high: f64,
    currency: Currency,
}

#[derive(Serialize)]
struct PartView<'a> {
    key: &'a str,
    amount: RangeView,
    inputs: BTreeMap<&'a str, Value>,
    source: &'a str,
}

impl<'a> CostView<'a> {
    pub(crate) fn of(line: &'a CostLine) -> Self {
        Self {
            platform: &line.platform,
            name: &line.name_en,
            name_zh: &line.name_zh,
            seed: line.seed,
            total: line.total.as_ref().map(RangeView::of),
            per_million_tokens: line.per_million_tokens.as_ref().map(RangeView::of),
            per_gpu_hour: line.per_gpu_hour.as_ref().map(RangeView::of),
            parts: line.parts.iter().map(PartView::of).collect(),
            not_included: &line.not_included,
            source: &line.source,
            date: &line.date,
            confidence: &line.confidence,
            finding: line.finding.as_ref().map(FindingView::of),
        }
    }
}

impl RangeView {
    fn of(range: &MoneyRange) -> Self {
        Self { low: amount(&range.low), high: amount(&range.high), currency: range.currency }
    }
}

impl<'a> PartView<'a> {
    fn of(part: &'a CostPart) -> Self {
        Self {
            key: &part.key,
            amount: RangeView::of(&part.amount),
            inputs: part.inputs.iter().map(|(name, value)| (&**name, Value::of(value))).collect(),
            source: &part.source,
        }
    }
}

/// A decimal as a JSON number; its text is always a number.
pub(crate) fn amount(decimal: &impl ToString) -> f64 {
    decimal.to_string().parse().unwrap_or(f64::NAN)
}
