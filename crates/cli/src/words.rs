//! Codes and values as English words. Codes are words already, joined by dashes.

use planner::explain::{Evidence, Finding, Quantity, Remedy, Subject};
use planner::units::{Bytes, Seconds};
use serde::Serialize;

/// The code of a value as it stands in JSON.
pub(crate) fn code(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(code)) => code,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// A key as words: `out-of-memory` becomes `out of memory`.
pub(crate) fn words(key: &str) -> String {
    key.replace(['-', '_'], " ")
}

/// Three significant digits, without an exponent.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "never".to_owned()
    } else if size >= 99.95 || size == 0.0 {
        format!("{value:.0}")
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else if size >= 0.9995 {
        format!("{value:.2}")
    } else if size >= 0.0995 {
        format!("{value:.3}")
    } else {
        format!("{value:.5}")
    }
}

pub(crate) fn gib(bytes: Bytes) -> String {
    format!("{} GiB", number(bytes.as_gib()))
}

/// In the unit that keeps the number readable.
pub(crate) fn duration(seconds: Seconds) -> String {
    let value = seconds.as_seconds();
    if value >= 86_400.0 {
        format!("{} days", number(seconds.as_days()))
    } else if value >= 7_200.0 {
        format!("{} h", number(seconds.as_hours()))
    } else if value >= 1.0 || value == 0.0 {
        format!("{} s", number(value))
    } else if value >= 1e-3 {
        format!("{} ms", number(seconds.as_millis()))
    } else {
        format!("{} µs", number(seconds.as_millis() * 1e3))
    }
}

pub(crate) fn quantity(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Bytes(bytes) => gib(*bytes),
        Quantity::Seconds(seconds) => duration(*seconds),
        Quantity::Bandwidth(rate) => format!("{} GB/s", number(rate.as_gb_s())),
        Quantity::Port(rate) => format!("{} Gb/s", number(rate.as_gbps())),
        Quantity::Flop(flop) => format!("{} TFLOP", number(flop.base() / 1e12)),
        Quantity::Compute(rate) => format!("{} TFLOP/s", number(rate.as_tflops())),
        Quantity::Count(value) if value.fract() == 0.0 => format!("{value:.0}"),
        Quantity::Count(value) | Quantity::Factor(value) => number(*value),
        Quantity::Share(value) => format!("{}%", number(value * 100.0)),
        Quantity::Money(money) => {
            format!("{} {}", money.amount.round_dp(2), code(&money.currency))
        }
        Quantity::Name(name) => name.to_string(),
        Quantity::Sentence(words) => words.en.clone(),
        Quantity::Nearest(all) => {
            all.iter().map(|one| one.words.en.as_str()).collect::<Vec<_>>().join(" / ")
        }
    }
}

/// `margin 3.2 GiB, capacity 79.1 GiB`.
pub(crate) fn evidence(evidence: &[Evidence]) -> String {
    let parts: Vec<String> = evidence
        .iter()
        .map(|one| format!("{} {}", words(&one.name), quantity(&one.value)))
        .collect();
    parts.join(", ")
}

/// A finding on one line: severity, code, place, numbers; then a line for each change.
pub(crate) fn finding(finding: &Finding) -> String {
    let mut line = format!("{}: {}", code(&finding.severity), words(&code(&finding.code)));
    match &finding.subject {
        Subject::Plan => {}
        Subject::Stage(stage) => line.push_str(&format!(" on stage {stage}")),
        Subject::Field(name) | Subject::Link(name) | Subject::Platform(name) => {
            line.push_str(&format!(" ({name})"));
        }
    }
    // A rule of the table is a sentence already.
    let numbers = match finding.evidence.split_first() {
        Some((Evidence { value: Quantity::Sentence(sentence), .. }, rest)) => {
            line.push_str(&format!(": {}", sentence.en));
            rest
        }
        _ => &finding.evidence,
    };
    if !numbers.is_empty() {
        line.push_str(&format!(": {}", evidence(numbers)));
    }
    for remedy in &finding.remedies {
        line.push_str("\n  change ");
        line.push_str(&self::remedy(remedy));
    }
    line
}

/// `zero from none to weights: 3.1% more time (device 40.1 GiB, …)`.
pub(crate) fn remedy(remedy: &Remedy) -> String {
    let steps: Vec<String> = remedy
        .steps
        .iter()
        .map(|step| format!("{} from {} to {}", words(&step.field), step.from, step.to))
        .collect();
    let mut line = steps.join(", ");
    if let Some(cost) = remedy.time_cost {
        line.push_str(&format!(": {}", pace(cost)));
    }
    if remedy.alters_training {
        line.push_str(", alters the training");
    }
    if !remedy.proof.is_empty() {
        line.push_str(&format!(" ({})", evidence(&remedy.proof)));
    }
    line
}

/// A share of time more or less, in words.
fn pace(cost: f64) -> String {
    let percent = cost.abs() * 100.0;
    match cost {
        _ if percent < 0.05 => "as fast".to_owned(),
        _ if cost < 0.0 => format!("{percent:.1}% less time"),
        _ => format!("{percent:.1}% more time"),
    }
}
