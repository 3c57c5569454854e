//! What is billed beside the GPUs: network fees and storage, and what stays out.

use std::borrow::Cow;

use rust_decimal::Decimal;

use super::amount::{Span, Three, decimal};
use super::need::Need;
use crate::catalog::{Platform, StoragePrice, operations, platform, platform_scopes};
use crate::explain::Quantity;
use crate::units::{BitsPerSecond, Bytes, Currency, Money};

/// An addend in the currency of its price.
pub(super) struct Extra {
    pub(super) key: &'static str,
    pub(super) amount: Three,
    pub(super) currency: Currency,
    pub(super) inputs: Vec<(Cow<'static, str>, Quantity)>,
    pub(super) source: Cow<'static, str>,
}

/// What every total leaves out: the catalog holds no figures for it, or it depends on more than
/// the job. `failures`: the days are days of computing.
const NEVER_INCLUDED: [&str; 6] = ["egress", "support", "tax", "idle", "failures", "datasets"];

/// The monthly fee for the network between nodes; none where none is known or needed.
pub(super) fn network(id: &str, need: &Need, span: Span) -> Option<Extra> {
    if need.nodes < 2 {
        return None;
    }
    let platform = platform(id);
    let addon = operations().addons.iter().find(|row| row.provider == id);
    let (low, high, source) = match addon {
        Some(row) => (row.cny_per_month_min?, row.cny_per_month_max?, row.source),
        None => {
            let row = platform?;
            let (low, high) =
                (row.network_surcharge_cny_month_min?, row.network_surcharge_cny_month_max?);
            (low, high, row.article)
        }
    };
    let months = span.months_of_a_fee();
    let mut inputs = vec![
        ("fee_per_month_low".into(), money(low, Currency::Cny)),
        ("fee_per_month_high".into(), money(high, Currency::Cny)),
        ("months_low".into(), count(months.low)),
        ("months_high".into(), count(months.high)),
        ("network_wanted".into(), Quantity::Port(BitsPerSecond::gbps(need.nic_gbps_per_node))),
    ];
    if let Some(speed) = platform.and_then(|row| row.rdma_addon_gbps) {
        inputs.push(("network_offered".into(), Quantity::Port(BitsPerSecond::gbps(speed))));
    }
    let amount = Three::between(low, high).times(months)?;
    Some(Extra { key: "network", amount, currency: Currency::Cny, inputs, source: source.into() })
}

/// Keeping one checkpoint for the whole run; none where no price is known.
pub(super) fn storage(provider: &str, need: &Need, span: Span) -> Option<Extra> {
    let row = storage_price(provider)?;
    let (price, currency) = match (row.cny_per_gb_month, row.usd_per_gb_month) {
        (Some(price), _) => (price, Currency::Cny),
        (None, price) => (price?, Currency::Usd),
    };
    let size = decimal(need.checkpoint.as_gb())?;
    let months = span.months();
    let amount = months.scaled(size.checked_mul(price)?)?;
    let mut inputs = vec![
        ("checkpoint".into(), Quantity::Bytes(need.checkpoint)),
        ("price_per_gb_month".into(), money(price, currency)),
        ("months_low".into(), count(months.low)),
        ("months_high".into(), count(months.high)),
    ];
    if let Some(included) = row.included_tb {
        let included = Bytes::gb(included * 1000.0);
        inputs.push(("storage_included".into(), Quantity::Bytes(included)));
    }
    Some(Extra { key: "storage", amount, currency, inputs, source: row.source.into() })
}

/// Message keys `excluded-KEY` of what the total leaves out.
pub(super) fn not_included(
    id: &str,
    provider: &str,
    need: &Need,
    term_months: u32,
) -> Vec<Cow<'static, str>> {
    let platform = platform(id);
    let paid = |word: fn(&Platform) -> &'static str| {
        platform.is_some_and(|row| word(row) == "paid-add-on")
    };
    let included = storage_price(provider).and_then(|row| row.included_tb);
    let committed = operations().commitments.iter().any(|row| row.provider == provider);
    let cases = [
        (
            "storage-beyond-included",
            included.is_some_and(|included| need.checkpoint.as_gb() > included * 1000.0),
        ),
        ("nvlink-add-on", paid(|row| row.nvlink)),
        ("infiniband-add-on", paid(|row| row.infiniband)),
        ("other-billed-items", platform.is_some_and(|row| row.billing_items.is_some())),
        ("hidden-charges", has_hidden_charges(id)),
        ("commitment-discount", platform.is_none() && committed && term_months > 0),
    ];
    let named = cases.into_iter().filter(|(_, applies)| *applies).map(|(key, _)| key);
    NEVER_INCLUDED.into_iter().chain(named).map(Cow::Borrowed).collect()
}

pub(super) fn money(amount: Decimal, currency: Currency) -> Quantity {
    Quantity::Money(Money::new(amount, currency))
}

/// A decimal as a plain number to show.
pub(super) fn count(number: Decimal) -> Quantity {
    Quantity::Count(number.round_dp(4).as_f64())
}

fn storage_price(provider: &str) -> Option<&'static StoragePrice> {
    let rows = || operations().storage_prices.iter().filter(|row| row.provider == provider);
    rows().find(|row| row.included_tb.is_some()).or_else(|| rows().find(|row| row.kind == "object"))
}

/// The article puts a share of hidden charges on the members of a scope.
fn has_hidden_charges(id: &str) -> bool {
    let scopes = platform_scopes().iter().filter(|scope| scope.members.contains(&id));
    let shares = || operations().addons.iter().filter(|row| row.share.is_some());
    scopes.into_iter().any(|scope| shares().any(|row| row.provider == scope.id))
}
