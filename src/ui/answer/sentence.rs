//! The verdict in one sentence, and the cheapest change when it does not fit.

use planner::answer::{Answer, Plan};
use planner::estimate::Verdict;
use planner::explain::{Remedy, RemedyStep, Severity};
use planner::price::CostLine;
use planner::units::{MoneyRange, Seconds};

use crate::text::{Language, Text};

/// The verdict with its margin, time and lowest cost, or what is missing.
pub fn sentence(answer: &Answer, text: &Text) -> String {
    let Some(plan) = &answer.plan else { return nothing_legal(answer, text) };
    match answer.verdict {
        Verdict::Fits => fitting("fits", answer, plan, text),
        Verdict::Tight => fitting("tight", answer, plan, text),
        Verdict::DoesNotFit => not_fitting(plan, text),
        Verdict::Invalid => nothing_legal(answer, text),
    }
}

/// The cheapest change that lifts what blocks, as a sentence. None when nothing blocks.
pub(super) fn change(answer: &Answer, text: &Text) -> Option<String> {
    if matches!(answer.verdict, Verdict::Fits | Verdict::Tight) {
        return None;
    }
    let remedy = answer
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Block)
        .find_map(|finding| finding.remedies.first());
    Some(remedy.map_or_else(
        || text.get("sentence-no-change"),
        |remedy| text.with("sentence-change", &[("steps", steps(remedy, text))]),
    ))
}

/// The steps of a remedy in one line.
pub fn steps(remedy: &Remedy, text: &Text) -> String {
    let steps: Vec<String> = remedy.steps.iter().map(|step| one_step(step, text)).collect();
    steps.join(", ")
}

/// The name of a document field.
pub(super) fn field(name: &str, text: &Text) -> String {
    text.try_with(&format!("field-{}", name.replace('_', "-")), &[])
        .unwrap_or_else(|| name.to_owned())
}

/// A value that stands alone: `TP 8`, `ZeRO-1`, `Full recompute`.
pub(super) fn choice(knob: &str, value: &str, text: &Text) -> String {
    let knob = knob.replace('_', "-");
    text.try_with(&format!("chip-{knob}-{value}"), &[])
        .or_else(|| text.try_with(&format!("chip-{knob}"), &[("n", value.to_owned())]))
        .unwrap_or_else(|| value.to_owned())
}

/// The cheapest platform that has a total, by the middle of its range.
pub fn cheapest(answer: &Answer) -> Option<(&CostLine, MoneyRange)> {
    answer
        .costs
        .iter()
        .filter_map(|line| line.total.map(|total| (line, total)))
        .min_by_key(|(_, total)| total.low + total.high)
}

/// The name of a platform in the reader's language. Providers of the price lists have their name
/// in the messages.
pub fn platform_name(line: &CostLine, text: &Text) -> String {
    if let Some(name) = text.try_with(&format!("provider-{}", line.platform), &[]) {
        return name;
    }
    match text.language() {
        Language::ZhCn if !line.name_zh.is_empty() => line.name_zh.clone(),
        Language::ZhCn | Language::En => line.name_en.clone(),
    }
}

fn fitting(verdict: &str, answer: &Answer, plan: &Plan, text: &Text) -> String {
    let margin = plan.memory.capacity - plan.memory.worst.device;
    let mut args = vec![
        ("margin", whole(&text.bytes_gib(margin))),
        ("days", whole(&text.seconds(Seconds::days(plan.days.p50)))),
    ];
    match cheapest(answer) {
        Some((line, total)) => {
            args.push(("cost", whole(&text.money_range(total))));
            args.push(("platform", platform_name(line, text)));
            text.with(&format!("sentence-{verdict}-cost"), &args)
        }
        None => text.with(&format!("sentence-{verdict}"), &args),
    }
}

/// An amount that no line break parts from its unit.
fn whole(amount: &str) -> String {
    amount.replace(' ', "\u{a0}")
}

fn not_fitting(plan: &Plan, text: &Text) -> String {
    let memory = &plan.memory;
    if memory.worst.device > memory.capacity {
        text.with(
            "sentence-does-not-fit",
            &[
                ("stage", (memory.worst.stage + 1).to_string()),
                ("needed", text.bytes_gib(memory.worst.device)),
                ("capacity", text.bytes_gib(memory.capacity)),
            ],
        )
    } else {
        text.with(
            "sentence-does-not-fit-host",
            &[
                ("needed", text.bytes_gib(memory.host.peak())),
                ("capacity", text.bytes_gib(memory.host_capacity)),
            ],
        )
    }
}

fn nothing_legal(answer: &Answer, text: &Text) -> String {
    let tightest = answer.searched.rejected_by_gate.iter().max_by_key(|gate| gate.count);
    tightest.map_or_else(
        || text.get("sentence-invalid-unknown"),
        |gate| {
            let gate = text.get(&format!("gate-{}", gate.gate));
            text.with("sentence-invalid", &[("gate", gate)])
        },
    )
}

fn one_step(step: &RemedyStep, text: &Text) -> String {
    let knob = step.field.replace('_', "-");
    let chip = |value: &str| text.try_with(&format!("chip-{knob}-{value}"), &[]);
    if let (Some(from), Some(to)) = (chip(&step.from), chip(&step.to)) {
        // Both say what they are, as `Selective recompute` does.
        return text.with("remedy-change", &[("from", from), ("to", to)]);
    }
    text.with(
        "remedy-step",
        &[
            ("field", field(&step.field, text)),
            ("from", plain_value(&knob, &step.from, text)),
            ("to", plain_value(&knob, &step.to, text)),
        ],
    )
}

/// A value beside the name of its field: `auto`, `8`, `LoRA`.
fn plain_value(knob: &str, value: &str, text: &Text) -> String {
    [format!("chip-{knob}-{value}"), format!("choice-{knob}-{value}"), format!("remedy-{value}")]
        .iter()
        .find_map(|key| text.try_with(key, &[]))
        .unwrap_or_else(|| value.to_owned())
}
