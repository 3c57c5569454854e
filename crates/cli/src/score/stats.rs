//! Errors of predictions, as ACCURACY.md c counts them.

use serde::Serialize;

/// Errors of one family of rows, in percent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    pub(super) n: usize,
    pub(super) median_pct: f64,
    pub(super) mape_pct: f64,
    pub(super) p90_pct: f64,
    pub(super) bias_pct: f64,
}

impl Summary {
    /// Of relative errors predicted ÷ measured − 1.
    pub(super) fn of(errors: &[f64]) -> Self {
        let absolute: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
        Self {
            n: errors.len(),
            median_pct: 100.0 * quantile(&absolute, 0.5),
            mape_pct: 100.0 * mean(&absolute),
            p90_pct: 100.0 * quantile(&absolute, 0.9),
            bias_pct: 100.0 * mean(errors),
        }
    }
}

pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / count(values.len()) }
}

/// Linear between the two nearest ranks; 0 of nothing.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * count(last);
    let mut below = 0.0;
    for (index, value) in sorted.iter().enumerate() {
        let index = count(index);
        if index <= place {
            below = *value;
        } else {
            return below + (value - below) * (place - (index - 1.0));
        }
    }
    below
}

/// In percent: how many values pass.
pub(super) fn share(values: &[f64], pass: impl Fn(f64) -> bool) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    100.0 * count(values.iter().filter(|value| pass(**value)).count()) / count(values.len())
}

/// Kendall's tau-a of two orders given as pairs.
pub(super) fn kendall_tau(pairs: &[(f64, f64)]) -> f64 {
    let (mut score, mut all) = (0.0, 0.0);
    for (index, first) in pairs.iter().enumerate() {
        for second in pairs.iter().skip(index + 1) {
            let direction = (first.0 - second.0) * (first.1 - second.1);
            all += 1.0;
            if direction > 0.0 {
                score += 1.0;
            } else if direction < 0.0 {
                score -= 1.0;
            }
        }
    }
    if all > 0.0 { score / all } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "row counts are far below 2^52")]
pub(super) fn count(n: usize) -> f64 {
    n as f64
}
