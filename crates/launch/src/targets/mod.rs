//! The targets, and the choice of the plan that each carries.

mod deepspeed;
mod environment;
mod pytorchjob;
mod slurm;

use std::borrow::Cow;

use planner::answer::{Answer, Inputs, Plan};
use planner::estimate::Verdict;
use planner::explain::{Code, Evidence, Finding, Quantity, Severity, Subject};

use crate::{Export, Order, Refusal, Target};

/// All targets, in the order of the page's tabs.
pub fn targets() -> &'static [&'static dyn Target] {
    &[&slurm::MegatronSlurm, &deepspeed::DeepSpeed, &pytorchjob::PyTorchJob]
}

pub fn target(id: &str) -> Option<&'static dyn Target> {
    targets().iter().copied().find(|target| target.id() == id)
}

/// Writes the files of one target: the chosen plan where the target can express it, else the
/// best plan of a framework that it can express, with a finding that says so. A pinned
/// framework that it cannot express is refused.
pub fn export(
    id: &str,
    project: &str,
    inputs: &Inputs,
    answer: &Answer,
) -> Result<Export, Refusal> {
    let target = target(id).ok_or_else(|| Refusal::UnknownTarget {
        name: id.to_owned(),
        known: targets().iter().map(|target| target.id()).collect::<Vec<_>>().join(", "),
    })?;
    let chosen = answer.plan.as_ref().ok_or(Refusal::NoPlan)?;
    if chosen.memory.verdict == Verdict::DoesNotFit {
        return Err(Refusal::NothingFits { target: target.id(), knob: "memory" });
    }
    if let Some(pinned) = inputs.pins.framework
        && !target.accepts(pinned)
    {
        return Err(Refusal::CannotExpress {
            target: target.id(),
            knob: "framework",
            value: pinned.key().to_owned(),
            hint: "free the framework or choose another target",
        });
    }
    if target.accepts(chosen.layout.framework) {
        let files = target.files(&Order { project, inputs, plan: chosen })?;
        return Ok(Export { files, findings: Vec::new() });
    }
    let other = answer
        .by_framework
        .iter()
        .filter(|plan| target.accepts(plan.layout.framework))
        .min_by(|a, b| a.step.band.p50.total_cmp(&b.step.band.p50))
        .ok_or(Refusal::NothingFits { target: target.id(), knob: "framework" })?;
    let files = target.files(&Order { project, inputs, plan: other })?;
    Ok(Export { files, findings: vec![other_layout(target.id(), chosen, other)] })
}

fn other_layout(target: &'static str, chosen: &Plan, other: &Plan) -> Finding {
    let slower = other.step.band.p50 / chosen.step.band.p50 - 1.0;
    let name = |text| Quantity::Name(Cow::Borrowed(text));
    Finding {
        code: Code::OtherLayoutForTarget,
        severity: Severity::Warn,
        subject: Subject::Field(Cow::Borrowed("framework")),
        evidence: vec![
            Evidence::new("target", name(target)),
            Evidence::new("chosen", name(chosen.layout.framework.key())),
            Evidence::new("other", name(other.layout.framework.key())),
            Evidence::new("penalty", Quantity::Share(slower)),
        ],
        remedies: Vec::new(),
    }
}
