//! Money with its currency; exact decimals, no floating point.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Currency {
    Cny,
    Usd,
}

/// An amount in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    pub amount: Decimal,
    pub currency: Currency,
}

/// A low and a high amount in the same currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyRange {
    pub low: Decimal,
    pub high: Decimal,
    pub currency: Currency,
}

impl Money {
    pub const fn new(amount: Decimal, currency: Currency) -> Self {
        Self { amount, currency }
    }
}

impl MoneyRange {
    pub const fn exactly(money: Money) -> Self {
        Self { low: money.amount, high: money.amount, currency: money.currency }
    }
}
