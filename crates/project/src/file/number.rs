//! Numbers as people write them: `4096`, `4_096`, `1e9`, `14.8T`.

use serde::Serialize;

/// A number of the file, written without a useless fraction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Number {
    Whole(u64),
    Fraction(f64),
    /// With a suffix: 1B, 14.8T.
    Short(String),
}

impl Number {
    pub(super) fn plain(value: f64) -> Self {
        value.to_string().parse().map_or(Self::Fraction(value), Self::Whole)
    }

    /// With a suffix where that is exact and shorter than the digits.
    pub(super) fn short(value: f64) -> Self {
        let digits = value.to_string();
        SUFFIXES
            .iter()
            .rev()
            .filter(|(_, factor)| value >= *factor)
            .map(|(suffix, factor)| format!("{}{suffix}", value / factor))
            .find(|text| text.len() < digits.len() && read(text) == Some(value))
            .map_or_else(|| Self::plain(value), Self::Short)
    }
}

/// The value of a written number: digits with `_` between them, a decimal point, an exponent,
/// one of the suffixes k, M, B, T.
pub(super) fn read(text: &str) -> Option<f64> {
    let text = text.replace('_', "");
    let (digits, exponent) = SUFFIX_EXPONENTS
        .iter()
        .find_map(|(suffix, exponent)| text.strip_suffix(suffix).map(|rest| (rest, *exponent)))
        .unwrap_or((text.as_str(), ""));
    let first = digits.trim_start_matches(['-', '+']);
    if !first.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let suffixed = !exponent.is_empty();
    if suffixed && digits.contains(['e', 'E']) {
        return None;
    }
    format!("{digits}{exponent}").parse().ok().filter(|value: &f64| value.is_finite())
}

/// The value of a written whole number; an error holds what is a number but no `u32`.
pub(super) fn read_whole(text: &str) -> Option<Result<u32, f64>> {
    let digits = text.replace('_', "");
    match digits.parse::<u32>() {
        Ok(value) if digits.starts_with(|c: char| c.is_ascii_digit()) => Some(Ok(value)),
        _ => read(text).filter(|value| value.trunc().to_bits() == value.to_bits()).map(Err),
    }
}

const SUFFIXES: [(&str, f64); 4] = [("k", 1e3), ("M", 1e6), ("B", 1e9), ("T", 1e12)];
const SUFFIX_EXPONENTS: [(&str, &str); 4] = [("k", "e3"), ("M", "e6"), ("B", "e9"), ("T", "e12")];
