//! Amounts of memory in running text: `12.94 GiB`, `20.00 MiB`, `34359738368 bytes`.

use crate::units::Bytes;

/// Units of PyTorch's `format_size` (c10/cuda/CUDACachingAllocator.cpp), and decimal ones of
/// other tools. PyTorch of before 1.10 printed GiB and wrote `GB` nowhere; where a message says
/// GB, it means GB.
const UNITS: [(&str, f64); 13] = [
    ("tib", 1_099_511_627_776.0),
    ("gib", 1_073_741_824.0),
    ("mib", 1_048_576.0),
    ("kib", 1_024.0),
    ("tb", 1e12),
    ("gb", 1e9),
    ("mb", 1e6),
    ("kb", 1e3),
    ("g", 1_073_741_824.0),
    ("m", 1_048_576.0),
    ("bytes", 1.0),
    ("byte", 1.0),
    ("b", 1.0),
];

/// Bytes past which no amount is believed.
const MOST: f64 = 1e18;

/// The amount that `text` (lower case) starts with, spaces skipped.
pub(super) fn leading(text: &str) -> Option<Amount> {
    let text = head(text.trim_start());
    let digits =
        text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let (number, rest) = text.split_at_checked(digits)?;
    let value: f64 = number.trim_end_matches('.').parse().ok()?;
    let rest = rest.trim_start();
    let (_, size) = UNITS.iter().find(|(unit, _)| {
        rest.strip_prefix(unit)
            .is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric()))
    })?;
    let decimals = number.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let step = (0..decimals).fold(*size, |step, _| step / 10.0);
    let bytes = value * size;
    (bytes < MOST).then_some(Amount { bytes: Bytes::new(bytes), rounding: Bytes::new(step / 2.0) })
}

/// The amount that `text` (lower case) ends with, spaces skipped.
pub(super) fn trailing(text: &str) -> Option<Amount> {
    let text = tail(text.trim_end());
    let word = text.rfind(|c: char| !c.is_ascii_alphabetic())?;
    let before = text.get(..=word)?.trim_end();
    let number = before.rfind(|c: char| !(c.is_ascii_digit() || c == '.')).map_or(0, |at| {
        at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    });
    leading(text.get(number..)?)
}

/// What was printed, and how far printing may have rounded it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) bytes: Bytes,
    pub(super) rounding: Bytes,
}

/// Characters that an amount can take; keeps the work linear in any text.
const WIDTH: usize = 48;

fn head(text: &str) -> &str {
    let end = (0..=WIDTH.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

fn tail(text: &str) -> &str {
    let first = text.len().saturating_sub(WIDTH);
    let start = (first..=text.len()).find(|start| text.is_char_boundary(*start));
    text.get(start.unwrap_or(first)..).unwrap_or_default()
}
