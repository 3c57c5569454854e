//! Every key that real answers carry has a message.

use std::collections::BTreeSet;

use planner::answer::{Answer, solve};
use planner::estimate::{memory, time};
use planner::explain::{Finding, Source, Term};
use planner::strategy::Gate;
use project::Document;

use crate::text::{Language, Text};

/// Message keys of a tree, with those of its assumptions.
fn of_term(term: &Term, keys: &mut BTreeSet<String>) {
    keys.insert(format!("term-{}", term.key));
    if let Source::Assumption(key) = &term.source {
        keys.insert(format!("assumption-{key}"));
    }
    for child in &term.children {
        of_term(child, keys);
    }
}

fn of_finding(finding: &Finding, keys: &mut BTreeSet<String>) {
    let code = format!("{:?}", finding.code);
    let mut kebab = String::from("finding");
    for c in code.chars() {
        if c.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    keys.insert(kebab);
    let remedies = finding.remedies.iter();
    for step in remedies.clone().flat_map(|remedy| &remedy.steps) {
        keys.insert(format!("field-{}", step.field.replace('_', "-")));
    }
    let proof = remedies.flat_map(|remedy| &remedy.proof);
    for evidence in finding.evidence.iter().chain(proof) {
        keys.insert(evidence.name.replace('_', "-"));
    }
}

fn of_answer(answer: &Answer, keys: &mut BTreeSet<String>) {
    for plan in answer.plan.iter().chain(&answer.by_framework) {
        for term in &plan.explanation {
            of_term(term, keys);
        }
    }
    for reason in &answer.reasons {
        keys.insert(format!("reason-{}", reason.key));
    }
    for finding in
        answer.findings.iter().chain(answer.costs.iter().filter_map(|line| line.finding.as_ref()))
    {
        of_finding(finding, keys);
    }
    for line in &answer.costs {
        keys.extend(line.parts.iter().map(|part| format!("cost-{}", part.key)));
        keys.extend(line.not_included.iter().map(|key| format!("excluded-{key}")));
    }
}

fn answers() -> Vec<Answer> {
    let mut answers = Vec::new();
    for text in [
        include_str!("../../../examples/llama2-70b-2x8-a100.yaml"),
        include_str!("../../../examples/llama2-7b-8x4090.yaml"),
    ] {
        let inputs = project::from_yaml(text).unwrap().inputs().unwrap();
        answers.push(solve(&inputs));
        let mut pinned = inputs.clone();
        pinned.pins.tp = Some(3);
        answers.push(solve(&pinned));
        let mut small = inputs;
        small.cluster.nodes = 1;
        small.cluster.host_memory = planner::units::Bytes::gib(64.0);
        answers.push(solve(&small));
    }
    let mut mixture = Document::example();
    mixture.model = project::ModelSource::Preset("mixtral-8x7b".to_owned());
    mixture.cluster.nodes = 8;
    answers.push(solve(&mixture.inputs().unwrap()));
    answers
}

#[test]
fn every_key_of_an_answer_has_a_message() {
    let mut keys: BTreeSet<String> = Gate::ALL.map(|gate| format!("gate-{}", gate.key())).into();
    keys.extend(
        memory::TERM_KEYS
            .iter()
            .chain(time::TERM_KEYS.iter())
            .chain(planner::oom::TERM_KEYS.iter())
            .map(|key| format!("term-{key}")),
    );
    for answer in answers() {
        of_answer(&answer, &mut keys);
    }
    let mut missing = Vec::new();
    for language in [Language::En, Language::ZhCn] {
        let text = Text::new(language);
        let found = |key: &&String| {
            // Evidence is named by the first of these that exists.
            ["", "evidence-", "term-", "field-"]
                .iter()
                .any(|kind| text.try_with(&format!("{kind}{key}"), &[]).is_some())
        };
        missing.extend(keys.iter().filter(|key| !found(key)).cloned());
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn a_broken_rule_is_said_in_the_language_of_the_page() {
    let mut inputs = Document::example().inputs().unwrap();
    inputs.pins.tp = Some(6);
    let answer = solve(&inputs);
    let said = |language: Language, name: &str| {
        let text = Text::new(language);
        let evidence = answer.findings[1].evidence.iter().find(|one| one.name == name);
        text.quantity(&evidence.unwrap().value)
    };
    assert_eq!(said(Language::En, "rule"), "64 attention heads are not divisible by TP 6");
    assert_eq!(said(Language::ZhCn, "rule"), "64 个注意力头不能被 TP 6 整除");
    assert_eq!(said(Language::En, "nearest"), "TP 4 or 8");
    assert_eq!(said(Language::ZhCn, "nearest"), "TP 4 或 8");
}
