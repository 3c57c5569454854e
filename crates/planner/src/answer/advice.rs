//! Findings about a plan, each with the numbers compared and, where they exist, the changes
//! that lift it, re-run.

use std::borrow::Cow;

use super::solver::Machine;
use super::{Answer, Inputs, Plan, Searched, pinned, remedy};
use crate::cluster::{HostPath, IntraNode};
use crate::collective::Group;
use crate::estimate::Verdict;
use crate::explain::{Code, Evidence, Finding, Quantity, Severity, Subject};
use crate::strategy::{GateCounts, Precision};

/// Shares of the step above which a warning is given.
const LARGE_EXPOSED: f64 = 0.25;
const LARGE_BUBBLE: f64 = 0.15;

pub(super) fn of_plan(inputs: &Inputs, machine: Machine, plan: &Plan) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(memory(inputs, plan));
    findings.extend(communication(inputs, machine, plan));
    findings.extend(pipeline(plan));
    findings.extend(precision(inputs, machine));
    findings.extend(assumptions(inputs));
    findings.sort_by_key(|finding| finding.severity);
    findings
}

/// No layout obeys all rules: every rule that the pins break, and the gate that stopped the most
/// choices.
pub(super) fn nothing_legal(inputs: &Inputs, cut: &GateCounts) -> Vec<Finding> {
    let mut findings = pinned::broken_rules(inputs);
    let tightest = cut.iter().max_by_key(|(gate, count)| (*count, std::cmp::Reverse(*gate)));
    let mut evidence = vec![Evidence::new("gpus", count(gpus(inputs)))];
    if let Some((gate, stopped)) = tightest {
        evidence.push(Evidence::new("gate", Quantity::Name(Cow::Borrowed(gate.key()))));
        #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
        evidence.push(Evidence::new("stopped", Quantity::Count(stopped as f64)));
    }
    findings.push(Finding {
        code: Code::NoLegalLayout,
        severity: Severity::Block,
        subject: Subject::Plan,
        evidence,
        remedies: remedy::for_nothing_legal(inputs),
    });
    findings
}

pub(super) fn unknown_accelerator(inputs: &Inputs) -> Answer {
    let name = Quantity::Name(Cow::Owned(inputs.cluster.accelerator.clone()));
    let finding = Finding {
        code: Code::UnknownAccelerator,
        severity: Severity::Block,
        subject: Subject::Field(Cow::Borrowed("accelerator")),
        evidence: vec![Evidence::new("accelerator", name)],
        remedies: Vec::new(),
    };
    Answer {
        verdict: Verdict::Invalid,
        plan: None,
        reasons: Vec::new(),
        candidates: Vec::new(),
        by_framework: Vec::new(),
        costs: Vec::new(),
        searched: Searched::default(),
        findings: vec![finding],
    }
}

fn memory(inputs: &Inputs, plan: &Plan) -> Option<Finding> {
    let memory = &plan.memory;
    let host_short = memory.host.peak() > memory.host_capacity;
    let (code, severity) = match memory.verdict {
        Verdict::Fits | Verdict::Invalid => return None,
        Verdict::Tight => (Code::TightMemory, Severity::Warn),
        Verdict::DoesNotFit if host_short => (Code::HostOutOfMemory, Severity::Block),
        Verdict::DoesNotFit => (Code::OutOfMemory, Severity::Block),
    };
    let (needed, available) = if code == Code::HostOutOfMemory {
        (memory.host.peak(), memory.host_capacity)
    } else {
        (memory.worst.device, memory.capacity)
    };
    Some(Finding {
        code,
        severity,
        subject: Subject::Stage(memory.worst.stage),
        evidence: vec![
            Evidence::new("needed", Quantity::Bytes(needed)),
            Evidence::new("available", Quantity::Bytes(available)),
        ],
        remedies: remedy::for_memory(inputs, plan),
    })
}

fn communication(inputs: &Inputs, machine: Machine, plan: &Plan) -> Vec<Finding> {
    let mut findings = Vec::new();
    let parts = &plan.step.parts;
    let axes = [
        ("tp", parts.tp_exposed),
        ("cp", parts.cp_exposed),
        ("ep", parts.ep_exposed),
        ("dp", parts.dp_exposed),
        ("pp", parts.pp_exposed),
    ];
    let exposed: f64 = axes.iter().map(|(_, time)| time.ratio(parts.total)).sum();
    let worst = axes.iter().max_by(|a, b| a.1.base().total_cmp(&b.1.base()));
    if let Some((axis, _)) = worst.filter(|_| exposed > LARGE_EXPOSED) {
        findings.push(warn(
            Code::CommunicationBound,
            Subject::Field(Cow::Borrowed(axis)),
            vec![
                Evidence::new("share", Quantity::Share(exposed)),
                Evidence::new("axis", Quantity::Name(Cow::Borrowed(axis))),
            ],
        ));
    }
    let layout = &plan.layout;
    let tensor = Group { ranks: layout.tp, stride: 1 };
    if layout.tp > 1 && machine.network.crosses(tensor) {
        findings.push(warn(
            Code::CrossesDomain,
            Subject::Field(Cow::Borrowed("tp")),
            vec![
                Evidence::new("ranks", count(layout.tp)),
                Evidence::new("domain", count(machine.network.domain())),
            ],
        ));
    }
    if inputs.cluster.intra == IntraNode::Pcie(HostPath::ThroughHost)
        && inputs.cluster.gpus_per_node > 1
    {
        findings.push(warn(
            Code::NoPeerToPeer,
            Subject::Link(Cow::Borrowed("pcie")),
            vec![Evidence::new("port", Quantity::Bandwidth(machine.network.port()))],
        ));
    }
    findings
}

fn pipeline(plan: &Plan) -> Vec<Finding> {
    let mut findings = Vec::new();
    let share = plan.step.parts.bubble.ratio(plan.step.parts.total);
    if share > LARGE_BUBBLE {
        findings.push(warn(
            Code::LargeBubble,
            Subject::Field(Cow::Borrowed("pp")),
            vec![Evidence::new("share", Quantity::Share(share))],
        ));
    }
    if plan.layout.pp > 1 && plan.micro_batches < plan.layout.pp {
        findings.push(warn(
            Code::FewMicroBatches,
            Subject::Field(Cow::Borrowed("micro_batch")),
            vec![
                Evidence::new("micro-batches", count(plan.micro_batches)),
                Evidence::new("stages", count(plan.layout.pp)),
            ],
        ));
    }
    findings
}

fn precision(inputs: &Inputs, machine: Machine) -> Option<Finding> {
    let unsupported =
        inputs.job.precision == Precision::Fp8Mixed && machine.accelerator.fp8.is_none();
    unsupported.then(|| Finding {
        code: Code::PrecisionUnsupported,
        severity: Severity::Block,
        subject: Subject::Field(Cow::Borrowed("precision")),
        evidence: vec![Evidence::new(
            "accelerator",
            Quantity::Name(Cow::Borrowed(machine.accelerator.name)),
        )],
        remedies: Vec::new(),
    })
}

fn assumptions(inputs: &Inputs) -> Vec<Finding> {
    inputs
        .model
        .assumptions
        .iter()
        .map(|assumption| Finding {
            code: Code::Assumed,
            severity: Severity::Note,
            subject: Subject::Field(Cow::Borrowed("model")),
            evidence: vec![Evidence::new(
                "assumed",
                Quantity::Name(Cow::Owned(assumption.clone())),
            )],
            remedies: Vec::new(),
        })
        .collect()
}

const fn warn(code: Code, subject: Subject, evidence: Vec<Evidence>) -> Finding {
    Finding { code, severity: Severity::Warn, subject, evidence, remedies: Vec::new() }
}

const fn gpus(inputs: &Inputs) -> u32 {
    inputs.cluster.nodes * inputs.cluster.gpus_per_node
}

fn count(value: u32) -> Quantity {
    Quantity::Count(f64::from(value))
}
