//! Changes that make a plan fit: each does, in the order that is promised.

use proptest::prelude::*;

use super::{a100s, inputs};
use crate::answer::{Answer, Inputs, solve};
use crate::cluster::IntraNode;
use crate::estimate::Verdict;
use crate::explain::{Finding, Quantity, Remedy};
use crate::remedy::{KEPT, Target, apply};
use crate::strategy::{Framework, JobKind, Offload, Optimizer, Pins, Precision, Recompute, Zero};
use crate::units::{Bytes, Seconds};

fn applied(inputs: &Inputs, remedy: &Remedy) -> Inputs {
    let mut changed = inputs.clone();
    let Inputs { job, cluster, pins, .. } = &mut changed;
    assert!(apply(remedy, &mut Target { job, cluster, pins }), "{remedy:?}");
    changed
}

fn lifted(answer: &Answer) -> Option<&Finding> {
    answer.findings.iter().find(|finding| !finding.remedies.is_empty())
}

fn shown(remedy: &Remedy) -> String {
    let steps = remedy.steps.iter().map(|step| format!("{} {}→{}", step.field, step.from, step.to));
    steps.collect::<Vec<_>>().join(", ")
}

fn said(remedy: &Remedy, name: &str) -> Quantity {
    remedy.proof.iter().find(|one| one.name == name).unwrap().value.clone()
}

/// Carries out each remedy and plans again: what it promises must come out.
fn all_hold(inputs: &Inputs, answer: &Answer) -> Vec<String> {
    let Some(finding) = lifted(answer) else { return Vec::new() };
    assert!(finding.remedies.len() <= KEPT);
    let before = answer.plan.as_ref().map(|plan| plan.step.parts.total);
    for remedy in &finding.remedies {
        let again = solve(&applied(inputs, remedy));
        assert_eq!(again.verdict, Verdict::Fits, "{}", shown(remedy));
        let step = again.plan.unwrap().step.parts.total;
        assert_eq!(said(remedy, "step"), Quantity::Seconds(step), "{}", shown(remedy));
        let cost = before.map(|before| step.ratio(before) - 1.0);
        assert_eq!(remedy.time_cost.is_some(), cost.is_some());
        let off = remedy.time_cost.zip(cost).map_or(0.0, |(a, b)| (a - b).abs());
        assert!(off < 1e-9, "{}: off by {off}", shown(remedy));
    }
    in_order(&finding.remedies);
    finding.remedies.iter().map(shown).collect()
}

/// What keeps cluster and training, then more GPUs, then other training; by time within each.
fn in_order(remedies: &[Remedy]) {
    let step = |remedy: &Remedy| match said(remedy, "step") {
        Quantity::Seconds(step) => step,
        _ => Seconds::NEVER,
    };
    let grows = |remedy: &Remedy| {
        remedy.steps.iter().any(|step| ["nodes", "gpus_per_node"].contains(&step.field.as_ref()))
    };
    let key = |one: &Remedy| (one.alters_training, grows(one), step(one).base().to_bits());
    assert!(
        remedies.is_sorted_by_key(key),
        "{:#?}",
        remedies.iter().map(shown).collect::<Vec<_>>()
    );
}

/// Llama 2 70B on 16 GPUs, without recomputation.
fn pinned_70b() -> Inputs {
    let mut inputs = inputs("llama2-70b", a100s(2));
    inputs.pins = Pins {
        framework: Some(Framework::MegatronCore),
        tp: Some(8),
        pp: Some(2),
        cp: Some(1),
        zero: Some(Zero::Optimizer),
        micro_batch: Some(8),
        recompute: Some(Recompute::None),
        offload: Some(Offload::Optimizer),
        ..Pins::default()
    };
    inputs
}

#[test]
fn a_pinned_layout_keeps_its_other_pins() {
    let inputs = pinned_70b();
    let answer = solve(&inputs);
    assert_eq!(answer.verdict, Verdict::DoesNotFit);
    let said = all_hold(&inputs, &answer);
    assert_eq!(said, ["micro_batch 8→2", "recompute none→full"]);
}

#[test]
fn two_changes_where_one_does_not_suffice() {
    let mut inputs = pinned_70b();
    inputs.pins =
        Pins { tp: Some(4), micro_batch: Some(4), offload: Some(Offload::None), ..inputs.pins };
    let answer = solve(&inputs);
    assert_eq!(answer.verdict, Verdict::DoesNotFit);
    let said = all_hold(&inputs, &answer);
    assert_eq!(said[0], "recompute none→full, offload none→optimizer", "{said:#?}");
}

#[test]
fn where_pins_are_illegal_no_more_is_changed_than_it_takes() {
    let mut inputs = pinned_70b();
    inputs.pins = Pins { tp: Some(6), offload: Some(Offload::None), ..inputs.pins };
    let answer = solve(&inputs);
    assert!(answer.plan.is_none());
    all_hold(&inputs, &answer);
    let steps = &lifted(&answer).unwrap().remedies[0].steps;
    for (index, step) in steps.iter().enumerate() {
        let mut fewer = lifted(&answer).unwrap().remedies[0].clone();
        fewer.steps.remove(index);
        assert_ne!(solve(&applied(&inputs, &fewer)).verdict, Verdict::Fits, "without {step:?}");
    }
    assert_eq!(steps.len(), 3, "{steps:#?}");
}

#[test]
fn a_free_job_gets_the_fewest_nodes() {
    let inputs = inputs("llama3.1-405b", a100s(2));
    let answer = solve(&inputs);
    assert_eq!(answer.verdict, Verdict::DoesNotFit);
    all_hold(&inputs, &answer);
    let remedy = &lifted(&answer).unwrap().remedies[0];
    assert_eq!(remedy.steps[0].field, "nodes");
    let fewest: u32 = remedy.steps[0].to.parse().unwrap();
    for nodes in 2..fewest {
        let mut fewer = inputs.clone();
        fewer.cluster.nodes = nodes;
        assert_ne!(solve(&fewer).verdict, Verdict::Fits, "{nodes} of {fewest}");
    }
    // GPU-hours are compared where GPUs are added.
    let Quantity::Share(hours) = said(remedy, "gpu_hours_change") else { panic!() };
    let expected = (remedy.time_cost.unwrap() + 1.0) * f64::from(fewest) / 2.0 - 1.0;
    assert!((hours - expected).abs() < 1e-9);
}

#[test]
fn what_alters_the_training_comes_last_and_is_said() {
    let answer = solve(&inputs("llama3.1-405b", a100s(2)));
    let remedies = &lifted(&answer).unwrap().remedies;
    let (last, first) = (remedies.last().unwrap(), &remedies[0]);
    assert!(!first.alters_training);
    assert!(last.alters_training, "{}", shown(last));
    assert_eq!(last.steps[0].field, "kind");
}

#[test]
fn a_plan_that_fits_has_none() {
    assert!(lifted(&solve(&inputs("llama2-70b", a100s(2)))).is_none());
}

#[test]
fn a_lone_box_grows_within_and_beyond_itself() {
    let mut inputs = inputs("llama2-7b", a100s(1));
    inputs.cluster.gpus_per_node = 1;
    inputs.cluster.nics_per_node = 0;
    inputs.cluster.intra = IntraNode::NvSwitch;
    inputs.cluster.host_memory = Bytes::gib(32.0);
    let answer = solve(&inputs);
    assert_eq!(answer.verdict, Verdict::DoesNotFit);
    let said = all_hold(&inputs, &answer);
    assert!(said[..2].iter().any(|one| one.starts_with("gpus_per_node 1→")), "{said:#?}");
    assert!(said[..2].iter().any(|one| one.contains("nics_per_node 0→1")), "{said:#?}");
}

fn pins() -> impl Strategy<Value = Pins> {
    use prop::option::weighted;
    use prop::sample::select;
    let number = |chance| weighted(chance, select(vec![1, 2, 4, 8]));
    let frameworks = vec![Framework::MegatronCore, Framework::DeepSpeed, Framework::Torchtitan];
    let zeros = vec![Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Weights];
    (
        weighted(0.5, select(frameworks)),
        (number(0.4), number(0.3), number(0.1), number(0.4)),
        weighted(0.4, select(zeros)),
        weighted(0.5, select(vec![Recompute::None, Recompute::Full])),
        weighted(0.3, select(vec![Offload::None, Offload::Optimizer])),
    )
        .prop_map(|(framework, (tp, pp, cp, micro_batch), zero, recompute, offload)| Pins {
            framework,
            tp,
            pp,
            cp,
            zero,
            micro_batch,
            recompute,
            offload,
            ..Pins::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whatever is listed fits once it is carried out, at the cost that was said.
    #[test]
    fn every_remedy_holds(
        model in prop::sample::select(vec!["llama2-7b", "llama2-70b", "mixtral-8x7b"]),
        nodes in 1u32..4,
        host in prop::sample::select(vec![64.0, 512.0, 2048.0]),
        job in (
            prop::sample::select(vec![JobKind::Pretrain, JobKind::Lora]),
            prop::sample::select(vec![Precision::Bf16Mixed, Precision::PureBf16]),
            prop::sample::select(vec![Optimizer::AdamW, Optimizer::AdamW8bit]),
            prop::sample::select(vec![64u32, 96, 128]),
        ),
        pins in pins(),
    ) {
        let mut inputs = inputs(model, a100s(nodes));
        inputs.cluster.host_memory = Bytes::gib(host);
        let (kind, precision, optimizer, global_batch) = job;
        let old = inputs.job;
        inputs.job = crate::strategy::Job { kind, precision, optimizer, global_batch, ..old };
        inputs.pins = pins;
        let answer = solve(&inputs);
        all_hold(&inputs, &answer);
    }
}
