//! Numbers as text: significant digits, thousands, prefixes. No words.

use planner::units::{Currency, MoneyRange};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::Language;

/// `value` with `digits` significant digits, thousands separated, no exponent below 1e15.
pub(super) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e15 || value.abs() < 1e-6 {
        return format!("{value:.2e}");
    }
    let decimals = decimals(value, digits);
    let rounded = format!("{value:.decimals$}");
    // 9.996 rounds to 10.00: count its digits again.
    let again = rounded.parse().map_or(decimals, |value: f64| self::decimals(value, digits));
    grouped(&format!("{value:.again$}"))
}

/// The same without zeros at the end of the fraction: `400`, not `400.0`.
pub(super) fn trimmed(value: f64, digits: i32) -> String {
    let text = significant(value, digits);
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Bytes in the binary unit of their size.
pub(super) fn bytes(value: f64) -> String {
    const KIB: f64 = 1024.0;
    let units = [
        ("TiB", KIB * KIB * KIB * KIB),
        ("GiB", KIB * KIB * KIB),
        ("MiB", KIB * KIB),
        ("KiB", KIB),
    ];
    // A TiB only from 10 on, so that memory sizes stay in GiB.
    let found = units.iter().find(|(unit, size)| {
        let floor = if *unit == "TiB" { 10.0 } else { 0.1 };
        value.abs() >= floor * size
    });
    match found {
        Some((unit, size)) => format!("{} {unit}", significant(value / size, 3)),
        None => format!("{} B", significant(value, 3)),
    }
}

/// Message key of the unit and the value in it.
pub(super) fn duration(seconds: f64) -> (&'static str, f64) {
    let size = seconds.abs();
    if size == 0.0 {
        ("unit-seconds", 0.0)
    } else if size < 1e-3 {
        ("unit-microseconds", seconds * 1e6)
    } else if size < 1.0 {
        ("unit-milliseconds", seconds * 1e3)
    } else if size < 120.0 {
        ("unit-seconds", seconds)
    } else if size < 7200.0 {
        ("unit-minutes", seconds / 60.0)
    } else if size < 172_800.0 {
        ("unit-hours", seconds / 3600.0)
    } else {
        ("unit-days", seconds / 86_400.0)
    }
}

/// With a decimal prefix and a space: `1.24 E`.
pub(super) fn metric(value: f64) -> String {
    let prefixes = [("Z", 1e21), ("E", 1e18), ("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6)];
    match prefixes.iter().find(|(prefix, unit)| {
        // Rates of one GPU stay in T.
        let floor = if *prefix == "P" { 10.0 } else { 1.0 };
        value.abs() >= floor * unit
    }) {
        Some((prefix, unit)) => format!("{} {prefix}", significant(value / unit, 3)),
        None => format!("{} ", significant(value, 3)),
    }
}

/// A number of things: exact below a million, then `1.24 M`, `7.6 B`, `14.8 T`.
pub(super) fn count(value: f64) -> String {
    let units = [("T", 1e12), ("B", 1e9), ("M", 1e6)];
    match units.iter().find(|(_, unit)| value.abs() >= *unit) {
        Some((unit, size)) => format!("{} {unit}", significant(value / size, 3)),
        None if value.fract() == 0.0 => grouped(&format!("{value:.0}")),
        None => significant(value, 3),
    }
}

pub(super) fn money_range(range: MoneyRange, language: Language) -> String {
    let low = range.low.to_f64().unwrap_or_default();
    let high = range.high.to_f64().unwrap_or_default();
    let (size, unit) = money_unit(high.abs(), language);
    let sign = sign(range.currency);
    let from = significant_money(low / size);
    let to = significant_money(high / size);
    let amount = if from == to { from } else { format!("{from}–{to}") };
    format!("{sign}{amount}{unit}")
}

pub(super) fn money_exact(amount: Decimal, currency: Currency) -> String {
    format!("{}{}", sign(currency), grouped(&format!("{:.2}", amount.round_dp(2))))
}

fn significant_money(value: f64) -> String {
    if value.abs() >= 1000.0 { grouped(&format!("{value:.0}")) } else { significant(value, 3) }
}

fn money_unit(size: f64, language: Language) -> (f64, &'static str) {
    match language {
        Language::ZhCn if size >= 1e8 => (1e8, " 亿"),
        Language::ZhCn if size >= 1e4 => (1e4, " 万"),
        Language::En if size >= 1e9 => (1e9, " B"),
        Language::En if size >= 1e6 => (1e6, " M"),
        Language::En if size >= 1e4 => (1e3, " k"),
        Language::ZhCn | Language::En => (1.0, ""),
    }
}

const fn sign(currency: Currency) -> &'static str {
    match currency {
        Currency::Cny => "¥",
        Currency::Usd => "$",
    }
}

fn decimals(value: f64, digits: i32) -> usize {
    let mut decimals = digits - 1;
    let mut bound = 1.0;
    let mut size = value.abs();
    while size >= bound * 10.0 {
        bound *= 10.0;
        decimals -= 1;
    }
    while size < 1.0 {
        size *= 10.0;
        decimals += 1;
    }
    usize::try_from(decimals).unwrap_or(0)
}

/// Puts a comma between thousands of the whole part.
fn grouped(number: &str) -> String {
    let (minus, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(w, f)| (w, Some(f)));
    let mut text = String::from(minus);
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}
