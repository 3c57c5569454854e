//! A made-up answer for the tests of the components; never shown to users.

use planner::answer::{Answer, Candidate, Plan, Reason, RejectedCount, Searched};
use planner::cluster::{ClusterSpec, Fabric, IntraNode, Spine};
use planner::estimate::{
    Band, HostMemory, Instant, InstantMemory, Memory, MemoryParts, StageMemory, StageTimeline,
    Step, StepParts, Traffic, TrafficAxis, Verdict,
};
use planner::explain::{
    Code, Evidence, Finding, Quantity, Remedy, RemedyStep, Severity, Source, Subject, Term,
};
use planner::price::{CostLine, CostPart};
use planner::strategy::{Framework, Layout, Offload, Recompute, Schedule, Zero};
use planner::units::{BitsPerSecond, Bytes, Currency, Flop, Money, MoneyRange, Seconds};
use rust_decimal::Decimal;

/// 16 nodes of 8 GPUs with a rail-optimised fabric.
pub(crate) fn cluster() -> ClusterSpec {
    ClusterSpec {
        accelerator: "h100-sxm".to_owned(),
        nodes: 16,
        gpus_per_node: 8,
        intra: IntraNode::NvSwitch,
        nics_per_node: 8,
        nic_speed: BitsPerSecond::gbps(400.0),
        fabric: Fabric::InfiniBand,
        rail_optimized: true,
        spine: Some(Spine { nodes_per_segment: 8, oversubscription: 1.0 }),
        host_memory: Bytes::gib(2048.0),
    }
}

pub(crate) fn layout() -> Layout {
    Layout {
        framework: Framework::MegatronCore,
        tp: 8,
        pp: 4,
        vpp: 2,
        cp: 1,
        dp: 4,
        ep: 1,
        etp: 1,
        zero: Zero::Optimizer,
        sp: true,
        micro_batch: 1,
        recompute: Recompute::Selective,
        schedule: Schedule::Interleaved,
        offload: Offload::None,
        activation_offload: false,
    }
}

/// An answer that fits, with one finding of each severity.
pub(crate) fn answer() -> Answer {
    Answer {
        verdict: Verdict::Fits,
        plan: Some(plan()),
        reasons: vec![
            reason("other-slower", "tp", "8", "4"),
            reason("other-slower", "recompute", "selective", "full"),
            reason("other-too-large", "zero", "optimizer", "none"),
        ],
        candidates: candidates(),
        by_framework: vec![plan()],
        costs: vec![
            cost("alibaba-lingjun", "Alibaba Cloud Lingjun", "阿里云灵骏", Some((192, 231))),
            cost("starverse", "Starverse", "星宇智算", Some((171, 171))),
            cost("tencent-tione", "Tencent TI-ONE", "腾讯 TI-ONE", None),
        ],
        searched: Searched {
            legal: 4123,
            evaluated: 812,
            rejected_by_gate: vec![
                RejectedCount { gate: "tp-divides-kv-heads".into(), count: 2304 },
                RejectedCount { gate: "device-memory".into(), count: 961 },
                RejectedCount { gate: "slower".into(), count: 3311 },
            ],
        },
        findings: vec![
            Finding {
                code: Code::WeakPrice,
                severity: Severity::Note,
                subject: Subject::Platform("starverse".into()),
                evidence: Vec::new(),
                remedies: Vec::new(),
            },
            Finding {
                code: Code::LargeBubble,
                severity: Severity::Warn,
                subject: Subject::Field("pp".into()),
                evidence: vec![Evidence::new("bubble", Quantity::Share(0.084))],
                remedies: vec![remedy()],
            },
        ],
    }
}

/// The same job where nothing fits.
pub(crate) fn does_not_fit() -> Answer {
    let mut answer = answer();
    answer.verdict = Verdict::DoesNotFit;
    answer.costs.clear();
    if let Some(plan) = &mut answer.plan {
        plan.memory.worst.device = Bytes::gib(93.4);
        plan.memory.worst.parts.activations = Bytes::gib(48.0);
        plan.memory.verdict = Verdict::DoesNotFit;
    }
    answer.findings.push(Finding {
        code: Code::OutOfMemory,
        severity: Severity::Block,
        subject: Subject::Stage(0),
        evidence: vec![
            Evidence::new("needed", Quantity::Bytes(Bytes::gib(93.4))),
            Evidence::new("available", Quantity::Bytes(Bytes::gib(79.1))),
        ],
        remedies: vec![remedy()],
    });
    answer
}

/// Inputs that no layout can divide.
pub(crate) fn nothing_legal() -> Answer {
    let mut answer = answer();
    answer.verdict = Verdict::Invalid;
    answer.plan = None;
    answer.reasons.clear();
    answer.candidates.clear();
    answer.costs.clear();
    answer.searched.legal = 0;
    answer.findings = vec![Finding {
        code: Code::NoLegalLayout,
        severity: Severity::Block,
        subject: Subject::Plan,
        evidence: vec![Evidence::new("heads", Quantity::Count(71.0))],
        remedies: Vec::new(),
    }];
    answer
}

fn reason(key: &'static str, knob: &'static str, chosen: &str, other: &str) -> Reason {
    let name = |word: &str| Quantity::Name(word.to_owned().into());
    Reason {
        key: key.into(),
        evidence: vec![
            Evidence::new("knob", name(knob)),
            Evidence::new("chosen", name(chosen)),
            Evidence::new("other", name(other)),
            Evidence::new("penalty", Quantity::Share(0.091)),
            Evidence::new("step", Quantity::Seconds(Seconds::new(14.0))),
            Evidence::new("device", Quantity::Bytes(Bytes::gib(91.0))),
            Evidence::new("capacity", Quantity::Bytes(Bytes::gib(79.1))),
        ],
    }
}

fn remedy() -> Remedy {
    Remedy {
        time_cost: Some(0.18),
        alters_training: false,
        steps: vec![RemedyStep {
            field: "recompute".into(),
            from: "selective".to_owned(),
            to: "full".to_owned(),
        }],
        proof: vec![
            Evidence::new("margin", Quantity::Bytes(Bytes::gib(9.2))),
            Evidence::new("step-time", Quantity::Seconds(Seconds::new(15.1))),
        ],
    }
}

fn plan() -> Plan {
    Plan {
        layout: layout(),
        micro_batches: 32,
        memory: memory(),
        step: step(),
        tokens_per_second: 81_920.0,
        steps: 14_305.0,
        days: Band { p10: 19.4, p50: 21.2, p90: 24.8 },
        explanation: vec![
            Term::computed(
                "device-memory",
                Quantity::Bytes(Bytes::gib(67.9)),
                vec![
                    Term::leaf("weights", Quantity::Bytes(Bytes::gib(8.2)), Source::Computed),
                    Term::leaf(
                        "context",
                        Quantity::Bytes(Bytes::gib(1.0)),
                        Source::Constant("context".into()),
                    ),
                ],
            ),
            Term::computed(
                "step-time",
                Quantity::Seconds(Seconds::new(12.8)),
                vec![
                    Term::computed(
                        "matmul",
                        Quantity::Seconds(Seconds::new(8.6)),
                        vec![Term::leaf(
                            "efficiency",
                            Quantity::Share(0.71),
                            Source::Reference("STUDY_TIME.md 2.1".into()),
                        )],
                    ),
                    Term::leaf(
                        "jitter",
                        Quantity::Share(0.02),
                        Source::Assumption("jitter".into()),
                    ),
                ],
            ),
            Term::computed("days", Quantity::Seconds(Seconds::days(21.2)), Vec::new()),
        ],
    }
}

fn memory() -> Memory {
    let stages: Vec<StageMemory> = [(0, 28.4), (1, 24.0), (2, 21.0), (3, 17.5)]
        .into_iter()
        .map(|(stage, activations)| stage_memory(stage, activations))
        .collect();
    Memory {
        verdict: Verdict::Fits,
        capacity: Bytes::gib(79.1),
        worst: stage_memory(0, 28.4),
        timeline: stages.iter().map(timeline).collect(),
        stages,
        host: HostMemory {
            processes: Bytes::gib(24.0),
            loading: Bytes::gib(288.0),
            ..HostMemory::default()
        },
        host_capacity: Bytes::gib(2048.0),
        band: Band { p10: 0.95, p50: 1.0, p90: 1.05 },
    }
}

fn stage_memory(stage: u32, activations: f64) -> StageMemory {
    let parts = MemoryParts {
        weights: Bytes::gib(4.1),
        gradients: Bytes::gib(8.2),
        optimizer: Bytes::gib(6.1),
        activations: Bytes::gib(activations),
        working: Bytes::gib(6.4),
        logits: Bytes::gib(if stage == 3 { 3.9 } else { 0.0 }),
        buffers: Bytes::gib(4.2),
        runtime: Bytes::gib(10.4),
    };
    StageMemory {
        stage,
        instant: Instant::Backward,
        parts,
        device: parts.total(),
        allocated: parts.total() * 0.9,
    }
}

fn timeline(stage: &StageMemory) -> StageTimeline {
    let loaded = MemoryParts {
        activations: Bytes::ZERO,
        working: Bytes::ZERO,
        logits: Bytes::ZERO,
        ..stage.parts
    };
    let at = |instant, parts: MemoryParts| InstantMemory {
        instant,
        parts,
        device: parts.total(),
        allocated: parts.total() * 0.9,
        reclaimable: Bytes::ZERO,
    };
    StageTimeline {
        stage: stage.stage,
        layers: 20,
        in_flight: 4.0,
        instants: vec![
            at(Instant::Load, loaded),
            at(Instant::Backward, stage.parts),
            at(Instant::Step, loaded),
        ],
    }
}

fn step() -> Step {
    let parts = StepParts {
        matmul: Seconds::new(8.6),
        attention: Seconds::new(0.9),
        memory_bound: Seconds::new(0.7),
        launch: Seconds::new(0.1),
        tp_exposed: Seconds::new(0.9),
        cp_exposed: Seconds::ZERO,
        ep_exposed: Seconds::ZERO,
        dp_exposed: Seconds::new(0.3),
        pp_exposed: Seconds::new(0.1),
        bubble: Seconds::new(0.9),
        optimizer: Seconds::new(0.1),
        offload: Seconds::ZERO,
        jitter: Seconds::new(0.2),
        total: Seconds::new(12.8),
    };
    Step {
        parts,
        band: Band { p10: 11.7, p50: 12.8, p90: 15.0 },
        model_flop: Flop::new(4.6e17),
        mfu: 0.431,
        traffic: vec![
            traffic("all_gather", TrafficAxis::Tp, 8, 41_000.0, &[("nvlink", 328_000.0)]),
            traffic("reduce_scatter", TrafficAxis::Dp, 4, 8.8, &[("nic", 70.0)]),
            traffic("send_recv", TrafficAxis::Pp, 4, 12.0, &[("nic", 96.0), ("spine", 48.0)]),
        ],
    }
}

fn traffic(
    collective: &str,
    axis: TrafficAxis,
    ranks: u32,
    gb: f64,
    links: &[(&str, f64)],
) -> Traffic {
    Traffic {
        collective: collective.to_owned(),
        axis,
        ranks,
        calls: 128,
        bytes: Bytes::gb(gb),
        time: Seconds::new(1.4),
        exposed: Seconds::new(0.4),
        links: links.iter().map(|(kind, gb)| ((*kind).to_owned(), Bytes::gb(*gb))).collect(),
    }
}

fn candidates() -> Vec<Candidate> {
    [(8, 4, 1, 67.9, 12.8), (8, 2, 2, 78.0, 13.1), (4, 8, 1, 61.0, 13.9), (4, 4, 2, 92.0, 12.2)]
        .into_iter()
        .map(|(tp, pp, micro_batch, memory, step)| Candidate {
            layout: Layout { tp, pp, dp: 128 / tp / pp, micro_batch, ..layout() },
            verdict: if memory > 79.1 {
                Verdict::DoesNotFit
            } else if memory > 75.0 {
                Verdict::Tight
            } else {
                Verdict::Fits
            },
            device_memory: Bytes::gib(memory),
            parts: stage_memory(0, 28.4).parts,
            step_time: Seconds::new(step),
            mfu: 0.431 * 12.8 / step,
            exposed_communication: 0.1,
            bubble: 0.07,
        })
        .collect()
}

fn cost(id: &str, en: &str, zh: &str, total: Option<(i64, i64)>) -> CostLine {
    let range = |(low, high): (i64, i64)| MoneyRange {
        low: Decimal::from(low * 10_000),
        high: Decimal::from(high * 10_000),
        currency: Currency::Cny,
    };
    let finding = total.is_none().then(|| Finding {
        code: Code::NoPrice,
        severity: Severity::Note,
        subject: Subject::Platform(id.to_owned().into()),
        evidence: Vec::new(),
        remedies: Vec::new(),
    });
    CostLine {
        platform: id.to_owned(),
        name_en: en.to_owned(),
        name_zh: zh.to_owned(),
        seed: true,
        finding,
        total: total.map(range),
        per_million_tokens: total.map(|(low, high)| MoneyRange {
            low: Decimal::new(low, 2),
            high: Decimal::new(high, 2),
            currency: Currency::Cny,
        }),
        per_gpu_hour: total.map(|(low, high)| MoneyRange {
            low: Decimal::new(low * 14, 2),
            high: Decimal::new(high * 14, 2),
            currency: Currency::Cny,
        }),
        middle: total
            .map(|(low, high)| Money::new(Decimal::from((low + high) * 5_000), Currency::Cny)),
        parts: total
            .map(|total| {
                vec![CostPart {
                    key: "compute".into(),
                    amount: range(total),
                    inputs: vec![("gpus".into(), Quantity::Count(128.0))],
                    source: "prices_cny.csv".to_owned(),
                }]
            })
            .into_iter()
            .flatten()
            .collect(),
        not_included: vec!["egress".into(), "tax".into()],
        source: "Price list of the seller".to_owned(),
        date: "2026-11-30".to_owned(),
        confidence: "medium".to_owned(),
    }
}
