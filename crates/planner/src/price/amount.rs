//! A low, a middle and a high amount, and the conversion between currencies.

use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use crate::catalog::operations;
use crate::estimate::Band;
use crate::units::{Currency, Money, MoneyRange};

/// Three amounts in one currency (or three plain numbers): the ends of a range and its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Three {
    pub(super) low: Decimal,
    pub(super) middle: Decimal,
    pub(super) high: Decimal,
}

/// Hours by which the catalog turns a month into hours (data/catalog/README.md, units).
const HOURS_PER_MONTH: Decimal = Decimal::from_parts(730, 0, 0, false, 0);
const HOURS_PER_DAY: Decimal = Decimal::from_parts(24, 0, 0, false, 0);

impl Three {
    pub(super) const ZERO: Self =
        Self { low: Decimal::ZERO, middle: Decimal::ZERO, high: Decimal::ZERO };

    /// A range whose middle is the mean of its ends.
    pub(super) fn between(low: Decimal, high: Decimal) -> Self {
        Self { low, middle: (low + high) / Decimal::TWO, high }
    }

    /// End by end; none when the product is beyond what money can hold.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        Some(Self {
            low: self.low.checked_mul(other.low)?,
            middle: self.middle.checked_mul(other.middle)?,
            high: self.high.checked_mul(other.high)?,
        })
    }

    pub(super) fn scaled(self, factor: Decimal) -> Option<Self> {
        self.times(Self { low: factor, middle: factor, high: factor })
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            low: self.low.checked_add(other.low)?,
            middle: self.middle.checked_add(other.middle)?,
            high: self.high.checked_add(other.high)?,
        })
    }

    /// To the digits after the point that are shown.
    pub(super) fn rounded(self, digits: u32) -> Self {
        Self {
            low: self.low.round_dp(digits),
            middle: self.middle.round_dp(digits),
            high: self.high.round_dp(digits),
        }
    }

    pub(super) fn converted(self, from: Currency, to: Currency) -> Option<Self> {
        Some(Self {
            low: converted(self.low, from, to)?,
            middle: converted(self.middle, from, to)?,
            high: converted(self.high, from, to)?,
        })
    }

    pub(super) const fn range(self, currency: Currency) -> MoneyRange {
        MoneyRange { low: self.low, high: self.high, currency }
    }

    pub(super) const fn middle(self, currency: Currency) -> Money {
        Money::new(self.middle, currency)
    }
}

/// The time of renting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    hours: Three,
}

impl Span {
    /// None for days that are not a finite time in order, or longer than ten thousand years.
    pub(super) fn of_days(days: Band) -> Option<Self> {
        let most = 3_650_000.0;
        let ordered = 0.0 <= days.p10 && days.p10 <= days.p50 && days.p50 <= days.p90;
        if !ordered || days.p90 > most {
            return None;
        }
        let days =
            Three { low: decimal(days.p10)?, middle: decimal(days.p50)?, high: decimal(days.p90)? };
        Some(Self { hours: days.scaled(HOURS_PER_DAY)? })
    }

    pub(super) const fn hours(self) -> Three {
        self.hours
    }

    /// Pro rata.
    pub(super) fn months(self) -> Three {
        let Three { low, middle, high } = self.hours;
        Three {
            low: low / HOURS_PER_MONTH,
            middle: middle / HOURS_PER_MONTH,
            high: high / HOURS_PER_MONTH,
        }
    }

    /// The low end pro rata, the high end in whole months begun: the rounding of a monthly fee
    /// is not stated anywhere.
    pub(super) fn months_of_a_fee(self) -> Three {
        let months = self.months();
        Three { high: months.high.ceil(), ..months }
    }
}

/// Exact to six digits after the point; none for what is not finite.
pub(super) fn decimal(value: f64) -> Option<Decimal> {
    Decimal::from_f64(value).map(|value| value.round_dp(6))
}

/// At the rate of exchange of the catalog.
pub(super) fn converted(amount: Decimal, from: Currency, to: Currency) -> Option<Decimal> {
    let rate = operations().exchange.cny_per_usd;
    match (from, to) {
        (Currency::Cny, Currency::Usd) => amount.checked_div(rate),
        (Currency::Usd, Currency::Cny) => amount.checked_mul(rate),
        (Currency::Cny, Currency::Cny) | (Currency::Usd, Currency::Usd) => Some(amount),
    }
}
