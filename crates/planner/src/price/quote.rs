//! What one provider asks for one GPU, out of the two price tables.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::amount::{Three, converted};
use crate::catalog::{
    Accelerator, Billing, CnyPrice, Price, cny_prices, platform, platform_scopes, prices,
};
use crate::units::Currency;

/// A range of prices per GPU-hour that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quote {
    /// As the price tables write it; a class of platforms when the range is that of its class.
    pub(super) provider: &'static str,
    pub(super) per_gpu_hour: Three,
    pub(super) currency: Currency,
    /// Only by the month.
    pub(super) monthly: bool,
    /// Of the newest row.
    pub(super) date: &'static str,
    pub(super) source: String,
    pub(super) confidence: &'static str,
}

/// One row of either table, per GPU-hour.
#[derive(Clone, Copy)]
struct Row {
    low: Decimal,
    high: Decimal,
    currency: Currency,
    billing: Billing,
    date: &'static str,
    source: &'static str,
    confidence: &'static str,
}

/// Words for confidence in both tables, best first. A seed article is a seller's own claim.
const CONFIDENCES: [&str; 7] = ["read", "derived", "medium", "estimate", "seed", "old", "low"];

/// From here on a price is named as weak; `derived` holds a recalled part (README rule 3).
const WEAK: [&str; 5] = ["derived", "estimate", "seed", "old", "low"];

impl Quote {
    /// The provider's rows for exactly this part: those of the wanted billing where there are
    /// any, of them the most trusted ones. Spot prices are left out: a run of many nodes does
    /// not survive them.
    pub(super) fn of(provider: &str, part: &Accelerator, term_months: u32) -> Option<Self> {
        let rows = rows(provider, part);
        let wanted = |row: &&Row| match row.billing {
            Billing::OnDemand => term_months == 0,
            Billing::Monthly => term_months > 0,
            Billing::Mixed => true,
        };
        let fitting: Vec<&Row> = rows.iter().filter(wanted).collect();
        let rows = if fitting.is_empty() { rows.iter().collect() } else { fitting };
        let best = rows.iter().map(|row| rank(row.confidence)).min()?;
        let kept: Vec<&Row> = rows.into_iter().filter(|row| rank(row.confidence) == best).collect();
        let newest = kept.iter().max_by_key(|row| row.date)?;
        let sources: BTreeSet<&str> = kept.iter().map(|row| row.source).collect();
        Some(Self {
            provider: name(provider)?,
            per_gpu_hour: Three::between(
                kept.iter().map(|row| row.low).min()?,
                kept.iter().map(|row| row.high).max()?,
            ),
            currency: newest.currency,
            monthly: kept.iter().all(|row| row.billing == Billing::Monthly),
            date: newest.date,
            source: sources.into_iter().collect::<Vec<_>>().join("; "),
            confidence: newest.confidence,
        })
    }

    /// Old, recalled, estimated or claimed by its seller.
    pub(super) fn is_weak(&self) -> bool {
        WEAK.contains(&self.confidence) || self.source.starts_with("recalled")
    }
}

/// Providers that rent this part and are no platform of the seed, cheapest first; those that
/// rent by the month only come last when no term is wanted.
pub(super) fn cheapest(part: &Accelerator, term_months: u32) -> Vec<&'static str> {
    let names: BTreeSet<&str> = all_names().filter(|name| !is_seed_name(name)).collect();
    let mut found: Vec<(bool, Decimal, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let quote = Quote::of(name, part, term_months)?;
            let low = converted(quote.per_gpu_hour.low, quote.currency, Currency::Usd)?;
            Some((quote.monthly && term_months == 0, low, name))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, name)| name).collect()
}

fn rows(provider: &str, part: &Accelerator) -> Vec<Row> {
    let cny = cny_prices()
        .iter()
        .filter(|row| row.provider == provider && row.accelerator_id == part.id)
        .map(from_cny);
    let usd = prices()
        .iter()
        .filter(|row| row.provider == provider && row.accelerator == part.id)
        .filter_map(from_usd);
    let rows: Vec<Row> = cny.chain(usd).collect();
    // A provider in both tables is compared within one currency.
    let currency = rows.first().map(|row| row.currency);
    rows.into_iter().filter(|row| Some(row.currency) == currency).collect()
}

fn from_cny(row: &CnyPrice) -> Row {
    Row {
        low: row.cny_per_gpu_hour_min,
        high: row.cny_per_gpu_hour_max,
        currency: Currency::Cny,
        billing: row.billing,
        date: row.date,
        source: row.source,
        confidence: row.confidence,
    }
}

fn from_usd(row: &Price) -> Option<Row> {
    let each = row.on_demand_usd_per_hour?.checked_div(Decimal::from(row.gpus))?;
    Some(Row {
        low: each,
        high: each,
        currency: Currency::Usd,
        billing: Billing::OnDemand,
        date: row.date,
        source: row.source,
        confidence: row.confidence,
    })
}

fn rank(confidence: &str) -> usize {
    CONFIDENCES.iter().position(|word| *word == confidence).unwrap_or(CONFIDENCES.len())
}

fn all_names() -> impl Iterator<Item = &'static str> {
    cny_prices().iter().map(|row| row.provider).chain(prices().iter().map(|row| row.provider))
}

fn name(provider: &str) -> Option<&'static str> {
    all_names().find(|name| *name == provider)
}

/// A platform, class or scope of the seed articles.
fn is_seed_name(name: &str) -> bool {
    platform(name).is_some() || platform_scopes().iter().any(|scope| scope.id == name)
}
