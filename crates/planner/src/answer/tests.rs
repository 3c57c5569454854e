mod remedies;

use super::judge::{Judge, setting};
use super::solver::Machine;
use super::*;
use crate::cluster::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};
use crate::estimate::{Verdict, time};
use crate::explain::{Code, Finding, Quantity, Severity, Subject};
use crate::model::preset;
use crate::price::PriceOptions;
use crate::search::Estimator;
use crate::strategy::{
    Adapter, Framework, Job, JobKind, Layout, Optimizer, Pins, Precision, Space, Zero,
};
use crate::units::{BitsPerSecond, Bytes, Currency};

fn a100s(nodes: u32) -> ClusterSpec {
    ClusterSpec {
        accelerator: "a100-sxm-80g".into(),
        nodes,
        gpus_per_node: 8,
        intra: IntraNode::NvSwitch,
        nics_per_node: 8,
        nic_speed: BitsPerSecond::gbps(200.0),
        fabric: Fabric::InfiniBand,
        rail_optimized: true,
        spine: Some(Spine { nodes_per_segment: 0, oversubscription: 1.0 }),
        host_memory: Bytes::gib(2048.0),
    }
}

fn inputs(model: &str, cluster: ClusterSpec) -> Inputs {
    Inputs {
        model: preset(model).unwrap(),
        job: Job {
            kind: JobKind::FullFineTune,
            sequence: 4096,
            global_batch: 128,
            precision: Precision::Bf16Mixed,
            optimizer: Optimizer::AdamW,
            adapter: Adapter::default(),
            tokens: 1e9,
        },
        cluster,
        pins: Pins::default(),
        price: PriceOptions { currency: Currency::Cny, term_months: 0, platforms: Vec::new() },
    }
}

#[test]
fn a_remembered_kernel_changes_no_step() {
    let inputs = inputs("mixtral-8x7b", a100s(4));
    let machine = Machine::of(&inputs).unwrap();
    let space = Space::new(&inputs.model, &inputs.job, &inputs.pins, 32);
    let mut cache = time::Cache::default();
    let mut judge = Judge::new(&inputs, machine, &mut cache);
    for family in space.families().0.iter().step_by(7) {
        let largest = space.micro_batches(family).last().unwrap();
        let bound = judge.family_floor(&Layout { micro_batch: largest, ..*family });
        for micro_batch in space.micro_batches(family) {
            let layout = Layout { micro_batch, ..*family };
            let setting = setting(&inputs, machine, layout.framework);
            let step = judge.step(&layout);
            assert_eq!(step, time::step(&setting, &machine.network, &layout));
            assert!(judge.floor(&layout) <= step.total, "{layout:?}");
            assert!(bound <= step.total, "{bound:?} {:?} {layout:?}", step.total);
        }
    }
}

#[test]
fn slices_change_no_answer() {
    let inputs = inputs("llama2-70b", a100s(2));
    let mut solver = Solver::new(inputs.clone());
    while !solver.advance(50) {}
    assert_eq!(solver.progress().done, solver.progress().total);
    assert_eq!(solver.finish(), solve(&inputs));
}

#[test]
fn an_answer_has_everything_that_is_shown() {
    let answer = solve(&inputs("llama2-70b", a100s(2)));
    assert_eq!(answer.verdict, Verdict::Fits);
    let plan = answer.plan.as_ref().unwrap();
    assert_eq!(plan.layout.gpus(), 16);
    assert_eq!(answer.reasons.len(), 3);
    assert_eq!(answer.candidates[0].layout, plan.layout);
    assert_eq!(plan.explanation.len(), 3);
    assert_eq!(answer.costs.iter().filter(|line| line.seed).count(), 3);
    assert_eq!(answer.costs.len(), 6);
    assert_eq!(answer.by_framework.len(), 3);
}

#[test]
fn a_job_too_large_names_the_change_that_works() {
    let answer = solve(&inputs("llama3.1-405b", a100s(2)));
    assert_eq!(answer.verdict, Verdict::DoesNotFit);
    let finding = &answer.findings[0];
    assert_eq!(finding.severity, Severity::Block);
    let remedy = &finding.remedies[0];
    let mut changed = inputs("llama3.1-405b", a100s(2));
    assert_eq!(remedy.steps.len(), 1);
    assert_eq!(remedy.steps[0].field, "nodes");
    changed.cluster.nodes = remedy.steps[0].to.parse().unwrap();
    assert_eq!(solve(&changed).verdict, Verdict::Fits);
}

#[test]
fn a_pin_that_divides_nothing_is_named_with_the_nearest_value() {
    let mut inputs = inputs("llama2-70b", a100s(2));
    inputs.pins.tp = Some(6);
    let answer = solve(&inputs);
    assert_eq!(answer.verdict, Verdict::Invalid);
    assert!(answer.plan.is_none());
    let said = broken(&answer);
    let heads = "tp: 64 attention heads are not divisible by TP 6 | TP 4 or 8 \
                 | Megatron-Core, torchtitan";
    assert!(said.iter().any(|one| one == heads), "{said:#?}");
    let blocked = answer.findings.iter().find(|finding| finding.code == Code::NoLegalLayout);
    assert_eq!(blocked.unwrap().remedies[0].steps[0].field, "tp");
}

#[test]
fn an_unknown_accelerator_is_a_finding_not_a_guess() {
    let mut cluster = a100s(1);
    cluster.accelerator = "a100-turbo".into();
    let answer = solve(&inputs("llama2-7b", cluster));
    assert_eq!(answer.findings[0].code, Code::UnknownAccelerator);
}

#[test]
fn slower_links_never_make_a_job_faster() {
    let step = |cluster| {
        let answer = solve(&inputs("llama2-7b", cluster));
        answer.plan.unwrap().step.parts.total
    };
    let whole = step(a100s(4));
    let mut slow = a100s(4);
    slow.nic_speed = BitsPerSecond::gbps(25.0);
    let slow_network = step(slow.clone());
    slow.intra = IntraNode::Pcie(HostPath::ThroughHost);
    assert!(whole <= slow_network);
    assert!(slow_network < step(slow));
}

#[test]
fn pins_show_every_rule_that_they_break() {
    let mut inputs = inputs("llama2-70b", a100s(2));
    inputs.pins = Pins {
        framework: Some(Framework::MegatronCore),
        tp: Some(6),
        pp: Some(1),
        vpp: Some(3),
        ep: Some(2),
        zero: Some(Zero::Weights),
        micro_batch: Some(48),
        ..Pins::default()
    };
    assert_eq!(
        broken(&solve(&inputs)),
        [
            "tp: 16 GPUs are not a multiple of TP 6 | TP 4 or 8; GPUs 12 or 18 | Megatron-Core",
            "tp: 64 attention heads are not divisible by TP 6 | TP 4 or 8 | Megatron-Core",
            "tp: 8 KV heads and TP 6: one must be a multiple of the other, so that heads are \
             split or copied evenly | TP 4 or 8 | Megatron-Core",
            "tp: The feed-forward width 28672 is not divisible by TP 6 | TP 4 or 8 \
             | Megatron-Core",
            "vpp: VPP 3 needs a pipeline; PP is 1 | VPP 1; PP 2 | Megatron-Core",
            "ep: EP 2 needs a model with experts | EP 1 | Megatron-Core",
            "micro_batch: The global batch 128 is not a multiple of the micro-batch 48 \
             | micro-batch 32 or 64; global batch 96 or 144 | Megatron-Core",
            "zero: The distributed optimizer shards the optimizer only (ZeRO 1); stage 3 needs \
             Megatron FSDP | ZeRO stage 1 | Megatron-Core",
        ]
    );
}

#[test]
fn a_batch_that_no_layout_can_hold_is_named_without_pins() {
    let mut inputs = inputs("llama2-7b", a100s(3));
    inputs.job.global_batch = 20;
    inputs.pins.framework = Some(Framework::DeepSpeed);
    let said = "global_batch: The global batch 20 is not a multiple of micro-batch 1 × DP 24 = 24 \
                | global batch 24 | DeepSpeed";
    assert_eq!(broken(&solve(&inputs)), [said]);
}

fn broken(answer: &Answer) -> Vec<String> {
    let broken = answer.findings.iter().filter(|finding| finding.code == Code::RuleBroken);
    broken.map(sentence).collect()
}

/// The English words of a broken rule, its nearest values and its field.
fn sentence(finding: &Finding) -> String {
    let said = |name: &str| {
        let found = finding.evidence.iter().find(|one| one.name == name);
        match found.map(|one| &one.value) {
            Some(Quantity::Sentence(words)) => words.en.clone(),
            Some(Quantity::Nearest(all)) => {
                all.iter().map(|one| one.words.en.clone()).collect::<Vec<_>>().join("; ")
            }
            Some(Quantity::Name(name)) => name.to_string(),
            _ => String::new(),
        }
    };
    let Subject::Field(field) = &finding.subject else { return String::new() };
    format!("{field}: {} | {} | {}", said("rule"), said("nearest"), said("tools"))
}
