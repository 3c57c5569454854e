//! Message keys of the planner's choices, and layouts as short text.

use planner::estimate::Verdict;
use planner::explain::Severity;
use planner::strategy::{Layout, Offload, Recompute, Schedule, Zero};

use crate::text::Text;

/// One knob of a layout as a chip: the short text and the long name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    pub text: String,
    pub title: String,
}

/// The end of the message keys `verdict-…`.
pub const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fits => "fits",
        Verdict::Tight => "tight",
        Verdict::DoesNotFit => "does-not-fit",
        Verdict::Invalid => "invalid",
    }
}

/// A sign beside the colour of a verdict.
pub const fn verdict_sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fits => "✓",
        Verdict::Tight => "!",
        Verdict::DoesNotFit => "✕",
        Verdict::Invalid => "–",
    }
}

/// The end of the message keys `severity-…`.
pub const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Block => "block",
        Severity::Warn => "warn",
        Severity::Note => "note",
    }
}

/// `TP 8 · PP 2 · DP 1 · ZeRO-1 · Micro-batch 1 · Full recompute`.
pub fn layout(layout: &Layout, text: &Text) -> String {
    format!("{} · {}", degrees(layout, text), settings(layout, text))
}

/// `TP 8 · PP 2 · DP 1`, degrees of one left out except these three.
pub fn degrees(layout: &Layout, text: &Text) -> String {
    let mut parts = vec![
        number("tp", layout.tp, text),
        number("pp", layout.pp, text),
        number("dp", layout.dp, text),
    ];
    let optional = [("cp", layout.cp), ("ep", layout.ep), ("etp", layout.etp), ("vpp", layout.vpp)];
    parts.extend(
        optional
            .into_iter()
            .filter(|(name, n)| *n > 1 && !(*name == "etp" && layout.ep <= 1))
            .map(|(name, n)| number(name, n, text)),
    );
    joined(&parts)
}

/// `ZeRO-1 · Micro-batch 1 · Full recompute`, what is not a degree and not the plain way.
pub fn settings(layout: &Layout, text: &Text) -> String {
    let mut parts = vec![text.get(&format!("chip-zero-{}", zero(layout.zero)))];
    if layout.micro_batch > 1 {
        parts.push(number("micro-batch", layout.micro_batch, text));
    }
    if layout.recompute != Recompute::None {
        parts.push(text.get(&format!("chip-recompute-{}", layout.recompute.key())));
    }
    if layout.offload != Offload::None {
        parts.push(text.get(&format!("chip-offload-{}", layout.offload.key())));
    }
    if layout.activation_offload {
        parts.push(text.get("chip-activation-offload"));
    }
    joined(&parts)
}

/// The words of a chip inside a sentence: `full recompute`, but `ZeRO-1` and `TP 8`.
pub fn inside(chip: &str) -> String {
    let mut letters = chip.chars();
    let Some(first) = letters.next() else { return String::new() };
    let rest = letters.as_str();
    let word = rest.split(' ').next().unwrap_or(rest);
    if word.is_empty() || word.chars().any(|letter| !letter.is_lowercase() && letter != '-') {
        return chip.to_owned();
    }
    format!("{}{rest}", first.to_lowercase())
}

/// All knobs that the layout sets, in the order of the strategy panel.
pub fn chips(layout: &Layout, micro_batches: u32, text: &Text) -> Vec<Chip> {
    let choice = |knob: &str, value: &str| Chip {
        text: text.get(&format!("chip-{knob}-{value}")),
        title: text.get(&format!("knob-{knob}")),
    };
    let degree = |knob: &str, n: u32| Chip {
        text: number(knob, n, text),
        title: text.get(&format!("knob-{knob}")),
    };
    let mut chips = vec![
        choice("framework", layout.framework.key()),
        degree("tp", layout.tp),
        degree("pp", layout.pp),
        degree("dp", layout.dp),
    ];
    if layout.cp > 1 {
        chips.push(degree("cp", layout.cp));
    }
    if layout.ep > 1 {
        chips.push(degree("ep", layout.ep));
        chips.push(degree("etp", layout.etp));
    }
    if layout.sp {
        chips.push(Chip { text: text.get("chip-sp"), title: text.get("knob-sp") });
    }
    chips.push(choice("zero", zero(layout.zero)));
    chips.push(degree("micro-batch", layout.micro_batch));
    chips.push(degree("micro-batches", micro_batches));
    if layout.pp > 1 {
        chips.push(choice("schedule", schedule(layout.schedule)));
    }
    if layout.vpp > 1 {
        chips.push(degree("vpp", layout.vpp));
    }
    chips.push(choice("recompute", layout.recompute.key()));
    if layout.offload != Offload::None {
        chips.push(choice("offload", layout.offload.key()));
    }
    if layout.activation_offload {
        let title = text.get("knob-activation-offload");
        chips.push(Chip { text: text.get("chip-activation-offload"), title });
    }
    chips
}

/// `11.7–15.0 s`: a range of two amounts, the unit once when both have the same.
pub fn range(low: &str, high: &str, text: &Text) -> String {
    let short = match (low.rsplit_once(' '), high.rsplit_once(' ')) {
        (Some((number, a)), Some((_, b))) if a == b => number,
        _ => low,
    };
    text.with("figure-band-unit", &[("low", short.to_owned()), ("high", high.to_owned())])
}

/// In one line that breaks only between the parts.
fn joined(parts: &[String]) -> String {
    let whole: Vec<String> = parts.iter().map(|part| part.replace(' ', "\u{a0}")).collect();
    whole.join(" · ")
}

fn number(knob: &str, n: u32, text: &Text) -> String {
    text.with(&format!("chip-{knob}"), &[("n", n.to_string())])
}

const fn zero(zero: Zero) -> &'static str {
    match zero {
        Zero::None => "none",
        Zero::Optimizer => "optimizer",
        Zero::Gradients => "gradients",
        Zero::Weights => "weights",
    }
}

const fn schedule(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Single => "single",
        Schedule::OneFOneB => "one-f-one-b",
        Schedule::Interleaved => "interleaved",
    }
}
