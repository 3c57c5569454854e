//! Every rule that the pins break, whatever is chosen for what is not pinned.

use std::borrow::Cow;

use super::Inputs;
use crate::explain::{Bilingual, Code, Evidence, Finding, NearestValues, Quantity};
use crate::explain::{Severity, Subject};
use crate::strategy::rules::RuleSeverity;
use crate::strategy::{Fact, Pins, Proposal, SEARCHED, Tool, Violation, violations};

/// One finding for each broken rule, with all the frameworks that it stops.
pub(super) fn broken_rules(inputs: &Inputs) -> Vec<Finding> {
    let gpus = inputs.cluster.nodes * inputs.cluster.gpus_per_node;
    let job = Proposal::of_job(&inputs.model, &inputs.job, gpus);
    let mut broken: Vec<(Violation, Vec<&'static str>)> = Vec::new();
    let frameworks = match inputs.pins.framework {
        Some(pinned) => vec![pinned],
        None => SEARCHED.to_vec(),
    };
    for tool in frameworks.into_iter().filter_map(Tool::of) {
        let proposal = job.clone().with_pins(&inputs.pins, tool);
        let found = violations(tool, &proposal);
        for violation in found.into_iter().filter(|one| one.rule.severity == RuleSeverity::Block) {
            match broken.iter_mut().find(|(known, _)| known.en == violation.en) {
                Some((_, tools)) => tools.push(tool.name),
                None => broken.push((violation, vec![tool.name])),
            }
        }
    }
    broken.iter().map(|(violation, tools)| finding(&inputs.pins, violation, tools)).collect()
}

fn finding(pins: &Pins, violation: &Violation, tools: &[&'static str]) -> Finding {
    let rule = violation.rule;
    let sentence = Bilingual { en: violation.en.clone(), zh: violation.zh.clone() };
    let mut evidence = vec![
        Evidence::new("rule", Quantity::Sentence(sentence)),
        Evidence::new("tools", Quantity::Name(Cow::Owned(tools.join(", ")))),
    ];
    let nearest = nearest(violation);
    if !nearest.is_empty() {
        evidence.push(Evidence::new("nearest", Quantity::Nearest(nearest)));
    }
    evidence.push(Evidence::new("source", Quantity::Name(Cow::Borrowed(rule.source))));
    Finding {
        code: Code::RuleBroken,
        severity: Severity::Block,
        subject: Subject::Field(Cow::Borrowed(field(pins, violation))),
        evidence,
        remedies: Vec::new(),
    }
}

fn nearest(violation: &Violation) -> Vec<NearestValues> {
    violation
        .nearest
        .iter()
        .map(|one| {
            let (en, zh) = one.words();
            NearestValues {
                quantity: Cow::Borrowed(one.fact.id()),
                from: one.from,
                below: one.below,
                above: one.above,
                words: Bilingual { en, zh },
            }
        })
        .collect()
}

/// The first pinned field that the rule varies, or the field of its row.
fn field(pins: &Pins, violation: &Violation) -> &'static str {
    let pinned = [
        (Fact::Tp, pins.tp.is_some()),
        (Fact::Pp, pins.pp.is_some()),
        (Fact::Vpp, pins.vpp.is_some()),
        (Fact::Cp, pins.cp.is_some()),
        (Fact::Ep, pins.ep.is_some()),
        (Fact::Zero, pins.zero.is_some()),
        (Fact::MicroBatch, pins.micro_batch.is_some()),
    ];
    let vary = violation.rule.vary;
    vary.iter()
        .find(|fact| pinned.contains(&(**fact, true)))
        .map_or(violation.rule.field, |fact| fact.id())
}
