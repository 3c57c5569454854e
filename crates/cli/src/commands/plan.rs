//! `meshwright plan PROJECT`: the best layout, or the judgement of the pinned one.

use std::path::Path;

use planner::answer::{self, Answer, Plan};
use planner::estimate::{Band, MemoryParts, StepParts, Verdict};
use planner::strategy::Layout;
use planner::units::{Bytes, MoneyRange, Seconds};
use project::{Document, Word};

use super::project::read;
use super::table::Table;
use crate::Outcome;
use crate::arguments::Form;
use crate::failure::Failure;
use crate::json::plan::PlanView;
use crate::output;
use crate::words::{code, duration, evidence, finding, gib, number, words};

pub(super) fn run(path: &Path, top: usize, form: Form) -> Result<Outcome, Failure> {
    let (document, inputs) = read(path)?;
    let answer = answer::solve(&inputs);
    for one in &answer.findings {
        output::error_line(&finding(one));
    }
    match form {
        Form::Json => output::json(&PlanView::of(&answer, top))?,
        Form::Text => output::text(&report(&document, &answer, top))?,
    };
    Ok(match answer.verdict {
        Verdict::Fits | Verdict::Tight => Outcome::Done,
        Verdict::DoesNotFit | Verdict::Invalid => Outcome::Negative,
    })
}

/// The answer as text: verdict first, then what it rests on.
fn report(document: &Document, answer: &Answer, top: usize) -> String {
    let mut text = String::new();
    text.push_str(&headline(document, answer));
    if let Some(plan) = &answer.plan {
        section(&mut text, "layout", &layout_table(plan));
        section(&mut text, "memory of the worst GPU", &memory_table(plan));
        section(&mut text, "one step", &step_table(plan));
        section(&mut text, "traffic of one GPU in one step", &traffic_table(plan));
    }
    section(&mut text, "cost", &cost_table(answer));
    section(&mut text, "reasons", &reason_table(answer));
    section(&mut text, "candidates", &candidate_table(answer, top));
    section(&mut text, "searched", &searched_table(answer));
    text
}

fn headline(document: &Document, answer: &Answer) -> String {
    let verdict = words(&code(&answer.verdict));
    let Some(plan) = &answer.plan else { return format!("{}: {verdict}\n", document.name) };
    let memory = &plan.memory;
    let left = memory.capacity - memory.worst.device;
    let margin = if left < Bytes::ZERO {
        format!("{} too much", gib(Bytes::ZERO - left))
    } else {
        format!("{} to spare", gib(left))
    };
    format!(
        "{}: {verdict}, {margin}; {} a step, {} days ({} to {}), MFU {}%\n",
        document.name,
        duration(plan.step.parts.total),
        number(plan.days.p50),
        number(plan.days.p10),
        number(plan.days.p90),
        number(plan.step.mfu * 100.0),
    )
}

/// A heading and a table; nothing where there are no rows.
fn section(text: &mut String, heading: &str, table: &Table) {
    if !table.is_empty() {
        text.push('\n');
        text.push_str(heading);
        text.push('\n');
        text.push_str(&table.render());
    }
}

fn layout_table(plan: &Plan) -> Table {
    let layout = &plan.layout;
    let mut table = Table::of_words();
    table.row(["framework", layout.framework.word()]);
    table.row(["parallelism", &shape(layout)]);
    table.row(["ZeRO", layout.zero.word()]);
    table.row(["micro-batch", &layout.micro_batch.to_string()]);
    table.row(["micro-batches", &plan.micro_batches.to_string()]);
    table.row(["recompute", layout.recompute.word()]);
    table.row(["schedule", &code(&layout.schedule)]);
    table.row(["offload", layout.offload.word()]);
    table
}

/// `TP 8 · PP 2 · DP 1`, with what differs from 1.
fn shape(layout: &Layout) -> String {
    let optional = [("VPP", layout.vpp), ("CP", layout.cp), ("EP", layout.ep), ("ETP", layout.etp)];
    let mut parts = vec![format!("TP {}", layout.tp), format!("PP {}", layout.pp)];
    parts.extend(optional.iter().filter(|part| part.1 > 1).map(|(name, n)| format!("{name} {n}")));
    parts.push(format!("DP {}", layout.dp));
    if layout.sp {
        parts.push("SP".to_owned());
    }
    parts.join(" · ")
}

fn memory_table(plan: &Plan) -> Table {
    let memory = &plan.memory;
    let MemoryParts {
        weights,
        gradients,
        optimizer,
        activations,
        working,
        logits,
        buffers,
        runtime,
    } = memory.worst.parts;
    let mut table = Table::of_numbers();
    let parts = [
        ("weights", weights),
        ("gradients", gradients),
        ("optimizer", optimizer),
        ("activations", activations),
        ("working", working),
        ("logits", logits),
        ("buffers", buffers),
        ("runtime", runtime),
    ];
    for (name, bytes) in parts {
        table.row([name, &gib(bytes)]);
    }
    let device = memory.worst.device;
    table.row([
        "peak",
        &gib(device),
        &format!("stage {}", memory.worst.stage),
        &format!("{} to {}", gib(device * memory.band.p10), gib(device * memory.band.p90)),
    ]);
    table.row(["usable", &gib(memory.capacity)]);
    table.row([
        "host, one node",
        &gib(memory.host.peak()),
        &format!("of {}", gib(memory.host_capacity)),
    ]);
    table
}

fn step_table(plan: &Plan) -> Table {
    let parts = plan.step.parts;
    let mut table = Table::of_numbers();
    for (name, seconds) in step_parts(&parts) {
        if seconds > Seconds::ZERO {
            let share = format!("{}%", number(seconds.ratio(parts.total) * 100.0));
            table.row([name, &duration(seconds), &share]);
        }
    }
    let Band { p10, p90, .. } = plan.step.band;
    let range = format!("{} to {}", duration(Seconds::new(p10)), duration(Seconds::new(p90)));
    table.row(["step", &duration(parts.total), &range]);
    table.row(["tokens per second", &number(plan.tokens_per_second)]);
    table.row(["steps", &number(plan.steps)]);
    table
}

const fn step_parts(parts: &StepParts) -> [(&'static str, Seconds); 13] {
    [
        ("matmul", parts.matmul),
        ("attention", parts.attention),
        ("memory-bound", parts.memory_bound),
        ("launch", parts.launch),
        ("TP exposed", parts.tp_exposed),
        ("CP exposed", parts.cp_exposed),
        ("EP exposed", parts.ep_exposed),
        ("DP exposed", parts.dp_exposed),
        ("PP exposed", parts.pp_exposed),
        ("bubble", parts.bubble),
        ("optimizer", parts.optimizer),
        ("offload", parts.offload),
        ("jitter", parts.jitter),
    ]
}

fn traffic_table(plan: &Plan) -> Table {
    let mut table = Table::of_numbers();
    if !plan.step.traffic.is_empty() {
        table.row(["axis", "collective", "ranks", "calls", "sent", "time", "exposed"]);
    }
    for one in &plan.step.traffic {
        table.row([
            code(&one.axis).to_uppercase(),
            words(&one.collective),
            one.ranks.to_string(),
            one.calls.to_string(),
            gib(one.bytes),
            duration(one.time),
            duration(one.exposed),
        ]);
    }
    table
}

fn cost_table(answer: &Answer) -> Table {
    let mut table = Table::of_numbers();
    if !answer.costs.is_empty() {
        table.row(["platform", "total", "per GPU-hour", "date", "confidence"]);
    }
    for line in &answer.costs {
        let total = match (&line.total, &line.finding) {
            (Some(total), _) => money(total),
            (None, Some(finding)) => words(&code(&finding.code)),
            (None, None) => "N/A".to_owned(),
        };
        table.row([
            line.name_en.clone(),
            total,
            line.per_gpu_hour.as_ref().map_or_else(|| "N/A".to_owned(), money),
            line.date.clone(),
            line.confidence.clone(),
        ]);
    }
    table
}

/// `1200–1500 CNY`.
fn money(range: &MoneyRange) -> String {
    let digits = |amount: String| amount.parse().map_or(amount, number);
    let low = digits(range.low.to_string());
    let high = digits(range.high.to_string());
    let currency = range.currency.word();
    if low == high { format!("{low} {currency}") } else { format!("{low}–{high} {currency}") }
}

fn reason_table(answer: &Answer) -> Table {
    let mut table = Table::of_words();
    for reason in &answer.reasons {
        let key = words(&reason.key);
        let numbers = evidence(&reason.evidence);
        table.row([if numbers.is_empty() { key } else { format!("{key}: {numbers}") }]);
    }
    table
}

fn candidate_table(answer: &Answer, top: usize) -> Table {
    let mut table = Table::of_numbers();
    if !answer.candidates.is_empty() && top > 0 {
        table.row([
            "layout",
            "framework",
            "ZeRO",
            "micro-batch",
            "recompute",
            "verdict",
            "memory",
            "step",
            "MFU",
        ]);
    }
    for candidate in answer.candidates.iter().take(top) {
        let layout = &candidate.layout;
        table.row([
            shape(layout),
            layout.framework.word().to_owned(),
            layout.zero.word().to_owned(),
            layout.micro_batch.to_string(),
            layout.recompute.word().to_owned(),
            words(&code(&candidate.verdict)),
            gib(candidate.device_memory),
            duration(candidate.step_time),
            format!("{}%", number(candidate.mfu * 100.0)),
        ]);
    }
    table
}

fn searched_table(answer: &Answer) -> Table {
    let searched = &answer.searched;
    let mut table = Table::of_numbers();
    table.row(["legal", &searched.legal.to_string()]);
    table.row(["estimated in full", &searched.evaluated.to_string()]);
    for row in &searched.rejected_by_gate {
        table.row([format!("rejected: {}", words(&row.gate)), row.count.to_string()]);
    }
    table
}
