//! `meshwright oom PROJECT MESSAGE`: what an out-of-memory message means for a project.

use std::fmt::Write as _;
use std::path::Path;

use planner::answer::{self, diagnose};
use planner::explain::{Quantity, Term};
use planner::oom::{self, Diagnosis, Fix, LIMIT, Match, Nearness};

use super::project::read;
use crate::Outcome;
use crate::arguments::Form;
use crate::failure::Failure;
use crate::output;
use crate::words::{code, gib, quantity, remedy, words};

/// Reads the message in `file`, or from stdin for `-`, and sets it against the plan of `project`:
/// the pinned layout, else the one that is found.
pub(super) fn run(project: &Path, file: &Path, form: Form) -> Result<Outcome, Failure> {
    let text =
        if file == Path::new("-") { output::stdin(LIMIT)? } else { output::read(file, LIMIT)? };
    let message = oom::parse(&text).map_err(|error| Failure::file(file, error, ""))?;
    let (_, inputs) = read(project)?;
    let plan = answer::solve(&inputs).plan;
    let diagnosis = plan.and_then(|plan| diagnose(&inputs, &plan.layout, message));
    let diagnosis = diagnosis.ok_or_else(|| {
        Failure::file(project, "no legal layout to explain", "see meshwright plan")
    })?;
    match form {
        Form::Json => output::json(&diagnosis),
        Form::Text => output::text(&report(&diagnosis)),
    }
}

fn report(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    let mut line = |args: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{args}");
    };
    line(format_args!("out of memory: {}", code(&diagnosis.message.place)));
    if let Some(tried) = diagnosis.message.tried {
        match diagnosis.named() {
            Some(named) => line(format_args!("the failed {} is {}", gib(tried), tensor(named))),
            None => line(format_args!("no single tensor of this plan has {}", gib(tried))),
        }
    }
    for other in diagnosis.matches.iter().skip(usize::from(diagnosis.named().is_some())) {
        line(format_args!("  also looked at {}", tensor(other)));
    }
    if let Some(instant) = &diagnosis.instant {
        line(format_args!(
            "what is allocated matches stage {} {}, where the plan holds {}",
            instant.stage,
            words(&instant.instant),
            gib(instant.tensors)
        ));
    }
    if let Some(pieces) = &diagnosis.fragmentation {
        let meaning = if pieces.explains {
            "enough for it in one piece: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
        } else {
            "too little for it"
        };
        line(format_args!("{} lie idle in pieces, {meaning}", gib(pieces.unallocated)));
    }
    for fix in &diagnosis.fixes {
        line(format_args!("change {}", change(fix)));
    }
    text
}

/// `fp32 shard, 12.9 GiB (parameters here 13894000000, …)`.
fn tensor(one: &Match) -> String {
    let factors: Vec<String> = one.tensor.term.children.iter().map(factor).collect();
    let elsewhere = if one.tensor.planned { "" } else { ", not allocated by this plan as given" };
    let far = match one.nearness {
        Nearness::Same | Nearness::Near => String::new(),
        Nearness::Far => format!("; the failed one is {:.2} of it", one.ratio),
    };
    format!(
        "{}, {} ({}){elsewhere}{far}",
        name(&one.tensor.term),
        gib(one.block),
        factors.join(", ")
    )
}

fn factor(term: &Term) -> String {
    let value = match &term.value {
        Quantity::Count(count) => format!("{count:.0}"),
        other => quantity(other),
    };
    format!("{} {value}", name(term))
}

fn name(term: &Term) -> String {
    words(term.key.trim_start_matches("oom-").trim_start_matches("memory-"))
}

fn change(fix: &Fix) -> String {
    format!("{}: {}", remedy(&fix.remedy), words(&code(&fix.verdict)))
}
